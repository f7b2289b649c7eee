import type { ApplicationFiles } from "framewright/generators";
import { camelize, tableize } from "framewright/host/inflection";
import type { ColumnInfo, ModelInfo } from "framewright/plugins/database";
import { openApp, withDatabase } from "../../../../generators/toolkit/index.ts";
import { columnTypes, type Field } from "./field.ts";

/** An existing table, with the associations and money attributes of its model. */
export interface ExistingTable {
  name: string;
  columns: readonly ColumnInfo[];
  model: Pick<ModelInfo, "associations" | "money" | "polymorphic"> | undefined;
  /** The names of the migrations that have not run. */
  pending: readonly string[];
}

/** Reads a table that no model has; undefined when it does not exist. Fast path: the classes of the application are not loaded. */
export async function readUnmodelled(app: ApplicationFiles, table: string): Promise<ExistingTable | undefined> {
  let found: ExistingTable | undefined;
  await withDatabase(async (database) => {
    const columns = await database.introspect(table);
    if (columns.length === 0) return;
    found = { name: table, columns, model: undefined, pending: await database.migrations.pending() };
  }, app.root);
  return found;
}

/** Reads a table from the database; undefined when it does not exist. */
export async function readTable(
  app: ApplicationFiles,
  table: string,
  constant: string,
): Promise<ExistingTable | undefined> {
  const open = await openApp({ root: app.root, logTo: "stderr" });
  try {
    const database = open.kernel.service("database", "fw:res:scaffold");
    const model = database.models().find((info) => info.constant === constant);
    const name = model?.table ?? table;
    const columns = await database.introspect(name);
    return columns.length > 0 ? { name, columns, model, pending: await database.migrations.pending() } : undefined;
  } finally {
    await open.close();
  }
}

const EXCLUDED = new Set(["created_at", "updated_at", "lock_version"]);

/** The columns of a table as fields; columns that no field can express are skipped. */
export function fieldsOf({ columns, model }: ExistingTable, app: ApplicationFiles): Field[] {
  return columns
    .filter(
      ({ name, primary, type }) => !primary && !EXCLUDED.has(name) && (columnTypes as readonly string[]).includes(type),
    )
    .filter(({ name }) => ![...(model?.polymorphic.values() ?? [])].some(({ typeColumn }) => typeColumn === name))
    .map((column) => fieldOf(column, model, app));
}

/** A column as the field of its name. */
export function plainField(column: ColumnInfo): Field {
  const { name, nullable, unique, maxLength, precision, scale, writer } = column;
  const sizes = column.type === "decimal" ? [precision, scale] : column.type === "string" ? [maxLength] : [];
  return {
    name,
    column: name,
    type: column.type as Field["type"],
    nullable,
    unique,
    index: false,
    scope: [],
    default: column.hasDefault ? JSON.stringify(column.default ?? null) : undefined,
    size: sizes.filter((size) => size !== undefined),
    target: "",
    ...(writer ? { isReadOnly: true } : {}),
  };
}

function fieldOf(column: ColumnInfo, model: ExistingTable["model"], app: ApplicationFiles): Field {
  const field = plainField(column);
  const several = [...(model?.polymorphic.values() ?? [])].find(({ keyColumn }) => keyColumn === column.name);
  if (several) return { ...field, name: several.name, type: "polymorphic", targets: [...several.targets.keys()] };
  const belongsTo = targetOf(column, model, app);
  if (belongsTo) return { ...field, ...belongsTo, type: "belongs_to" };
  const money = moneyOf(column, model);
  return money === undefined ? field : { ...field, name: money, type: "money" };
}

/** The target of a foreign key: by the model's association, else by the referenced table. */
function targetOf({ name, references }: ColumnInfo, model: ExistingTable["model"], app: ApplicationFiles) {
  const association = [...(model?.associations.values() ?? [])].find(
    ({ kind, key }) => kind === "belongsTo" && key.column === name,
  );
  if (association) return { name: association.name, target: association.target.constant };
  if (model || !name.endsWith("_id") || !references) return undefined;
  const found = app.models().find(({ constant }) => tableize(constant) === references.table);
  return found && { name: name.slice(0, -3), target: camelize(found.constant) };
}

/** The attribute of money that a column of cents has: by the model, else by the column's name. */
export function moneyOf({ name, type }: ColumnInfo, model?: ExistingTable["model"]): string | undefined {
  if (model) return Object.entries(model.money).find(([, column]) => column === name)?.[0];
  return name.endsWith("_cents") && (type === "integer" || type === "bigint") ? name.slice(0, -6) : undefined;
}
