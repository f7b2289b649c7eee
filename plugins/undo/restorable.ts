import { BaseModel, type ColumnInfo, driverOf, type ModelInfo, type Transaction } from "framewright/plugins/database";

const hooks = ["$beforeInsert", "$afterInsert", "$beforeDelete", "$afterDelete"] as const;
const staticHooks = ["beforeInsert", "afterInsert", "beforeDelete", "afterDelete"] as const;

/**
 * Whether a record of a model can be written again as it was: not where hooks of its own do more than that, where it has
 * columns that the model does not read, or where addresses with its former slugs led to it.
 */
export function isRestorable({ class: cls, settled, columns, key }: ModelInfo): boolean {
  const isHooked =
    hooks.some((name) => cls.prototype[name] !== BaseModel.prototype[name]) ||
    staticHooks.some((name) => cls[name] !== BaseModel[name]);
  return (
    !isHooked &&
    settled &&
    !key.isMissing &&
    key.columns.every((name) => columns.has(name)) &&
    cls.ignoredColumns.length === 0 &&
    !cls.slug?.history
  );
}

/** Whether records of a model can be given back what they referred to. */
export function isRelinkable({ class: cls }: ModelInfo): boolean {
  const { $beforeUpdate, $afterUpdate } = BaseModel.prototype;
  const { prototype, beforeUpdate, afterUpdate } = cls;
  return (
    prototype.$beforeUpdate === $beforeUpdate &&
    prototype.$afterUpdate === $afterUpdate &&
    beforeUpdate === BaseModel.beforeUpdate &&
    afterUpdate === BaseModel.afterUpdate
  );
}

/** A foreign key of a table without a model, or of several columns. */
export interface ForeignColumns {
  readonly table: string;
  readonly columns: readonly string[];
  readonly references: { readonly table: string; readonly columns: readonly string[] };
}

/** The foreign keys of tables that no model reads, and those of several columns: what is in them can't be kept. */
export async function foreignColumns(
  models: readonly ModelInfo[],
  transaction: Transaction,
): Promise<ForeignColumns[]> {
  const { tables } = driverOf(transaction);
  const known = new Set(models.map(({ table }) => table));
  const schemas = new Set(
    models.flatMap(({ table }) => (table.includes(".") ? table.slice(0, table.indexOf(".")) : [])),
  );
  const all = await tables.tables(transaction);
  for (const schema of schemas) all.push(...((await tables.inSchema?.(transaction, schema))?.tables ?? []));
  const others = all.filter((table) => !known.has(table) && !table.startsWith("framewright_"));
  const found = models.flatMap(({ table, columns }) => jointOf(table, [...columns.values()]));
  for (const table of others) {
    const columns = await tables.columns(transaction, table);
    found.push(...jointOf(table, columns));
    for (const { name, references } of columns)
      if (references)
        found.push({ table, columns: [name], references: { table: references.table, columns: [references.column] } });
  }
  return found;
}

/** The foreign keys of several columns of a table, each once. */
function jointOf(table: string, columns: readonly ColumnInfo[]): ForeignColumns[] {
  return columns.flatMap(({ name, jointReference: joint }) =>
    joint && joint.columns[0] === name
      ? [{ table, columns: joint.columns, references: { table: joint.table, columns: joint.to } }]
      : [],
  );
}
