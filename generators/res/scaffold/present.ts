import type { ColumnInfo, ModelInfo } from "framewright/plugins/database";
import type { ApplicationFiles } from "../../support/application.ts";
import { openApp } from "../../support/load_app.ts";
import { camelize, tableize } from "../../support/names.ts";
import { columnTypes, type Field } from "./fields.ts";

/** A table that is there already, and what its model says of it. */
export interface Present {
  columns: readonly ColumnInfo[];
  model: Pick<ModelInfo, "associations" | "money"> | undefined;
}

/** Asks the database for a table; undefined when it has none. */
export async function presentTable(
  app: ApplicationFiles,
  table: string,
  constant: string,
): Promise<Present | undefined> {
  const open = await openApp({ root: app.root });
  try {
    const database = open.kernel.service("database", "fw:res:scaffold");
    const model = database.models().find((info) => info.constant === constant);
    const columns = await database.introspect(model?.table ?? table);
    return columns.length > 0 ? { columns, model } : undefined;
  } finally {
    await open.close();
  }
}

const own = new Set(["created_at", "updated_at", "lock_version"]);

/** The columns of a table as the fields that would make them; what no field can say is left out. */
export function fieldsOf({ columns, model }: Present, app: ApplicationFiles): Field[] {
  return columns
    .filter(
      ({ name, primary, type }) => !primary && !own.has(name) && (columnTypes as readonly string[]).includes(type),
    )
    .map((column) => fieldOf(column, model, app));
}

function fieldOf(column: ColumnInfo, model: Present["model"], app: ApplicationFiles): Field {
  const { name, nullable, unique, maxLength, precision, scale } = column;
  const sizes = column.type === "decimal" ? [precision, scale] : column.type === "string" ? [maxLength] : [];
  const field: Field = {
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
  };
  const belongsTo = targetOf(column, model, app);
  if (belongsTo) return { ...field, ...belongsTo, type: "belongs_to" };
  const money = moneyOf(column, model);
  return money === undefined ? field : { ...field, name: money, type: "money" };
}

/** By the model's own association, else by the table that the key refers to. */
function targetOf({ name, references }: ColumnInfo, model: Present["model"], app: ApplicationFiles) {
  const said = [...(model?.associations.values() ?? [])].find(
    ({ kind, foreignKey }) => kind === "belongsTo" && foreignKey === name,
  );
  if (said) return { name: said.name, target: said.target.constant };
  if (model || !name.endsWith("_id") || !references) return undefined;
  const found = app.models().find(({ constant }) => tableize(constant) === references.table);
  return found && { name: name.slice(0, -3), target: camelize(found.constant) };
}

function moneyOf({ name, type }: ColumnInfo, model: Present["model"]): string | undefined {
  if (model) return Object.entries(model.money).find(([, column]) => column === name)?.[0];
  return name.endsWith("_cents") && (type === "integer" || type === "bigint") ? name.slice(0, -6) : undefined;
}
