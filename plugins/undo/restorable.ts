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

/** A foreign key: the table that it refers to, its columns, and those that they refer to. */
export type Reference = NonNullable<ColumnInfo["foreignKeys"]>[number];
/** A foreign key of a table without a model. */
export interface ForeignColumns {
  readonly table: string;
  readonly references: Reference;
}

/** The foreign keys of tables that no model reads: what is in them can't be stored. */
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
  const found: ForeignColumns[] = [];
  for (const table of others)
    for (const { name, references: own, foreignKeys } of await tables.columns(transaction, table)) {
      const single = own ? [{ ...own, columns: [name], to: [own.column] }] : []; // of a driver that gives no foreign keys
      found.push(...(foreignKeys ?? single).map((references) => ({ table, references })));
    }
  return found;
}
