import type { Ddl } from "../drivers/driver.ts";
import { encodeDate } from "../models/codec.ts";
import { foreignName } from "./identifier_names.ts";
import type { ColumnDefinition, KeyType } from "./table.ts";

/** A column's type in SQL. */
export type TypeOf = (column: ColumnDefinition) => string;
/** The types of all columns. */
export type ColumnTypes = Readonly<Record<ColumnDefinition["type"], TypeOf>>;

/** The types that SQLite, MySQL and PostgreSQL call alike. */
export const commonTypes = {
  integer: () => "integer",
  bigint: () => "bigint",
  decimal: ({ precision = 10, scale = 2 }) => `decimal(${precision}, ${scale})`,
  date: () => "date",
  time: () => "time",
  json: () => "json",
  uuid: () => "char(36)",
} satisfies Partial<ColumnTypes>;

/** The type of a primary key, or of a reference to one, by the kind of key. */
export const byKey =
  (number: string, types: Readonly<Record<Exclude<KeyType, "number">, TypeOf>>, suffix = ""): TypeOf =>
  (column) =>
    column.key === undefined || column.key === "number" ? number : types[column.key](column) + suffix;

/** A text in SQL whose strings know no escape but the doubled quote. */
export const sqlText = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** A default as the drivers store it: numbers as they are, everything else as the text of its column. */
export function storedDefault(value: unknown, { type }: ColumnDefinition): number | bigint | boolean | string {
  if (type === "json") return JSON.stringify(value);
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return value;
  if (value instanceof Date) return encodeDate(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A column's line in `create table` or `add column`. */
export function columnLine(ddl: Ddl, table: string, column: ColumnDefinition): string {
  const parts = [ddl.quote(column.name), ddl.type(column)];
  if (column.notNull) parts.push("not null");
  else if (ddl.nullable) parts.push(ddl.nullable);
  if (column.default !== undefined && column.default !== null)
    parts.push(`default ${ddl.literal(column.default, column)}`);
  parts.push(...(ddl.checks?.(table, column) ?? []));
  if (ddl.foreignKeys === "column" && column.reference)
    parts.push(`constraint ${ddl.quote(foreignName(ddl, table, column.name))} ${references(ddl, column)}`);
  return parts.join(" ");
}

/** A foreign key as a line of its own. */
export function foreignLine(ddl: Ddl, table: string, column: ColumnDefinition): string {
  const name = ddl.quote(foreignName(ddl, table, column.name));
  return `constraint ${name} foreign key (${ddl.quote(column.name)}) ${references(ddl, column)}`;
}

function references(ddl: Ddl, { reference }: ColumnDefinition): string {
  return `references ${ddl.quote(reference!.table)} (${ddl.quote("id")}) on delete ${reference!.onDelete}`;
}
