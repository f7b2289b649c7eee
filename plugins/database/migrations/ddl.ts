import { encodeDate } from "../models/codec.ts";
import { foreignName } from "./identifier_names.ts";
import type { ColumnDefinition } from "./table.ts";

/** The database systems. */
export type Client = "sqlite" | "mysql";

export const quoted = (name: string): string => `\`${name.replaceAll("`", "``")}\``;
const text = (value: string) => `'${value.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;

type TypeOf = (column: ColumnDefinition) => string;
const decimal: TypeOf = ({ precision = 10, scale = 2 }) => `decimal(${precision}, ${scale})`;
const same = {
  integer: () => "integer",
  bigint: () => "bigint",
  decimal,
  float: () => "double",
  date: () => "date",
  time: () => "time",
  json: () => "json",
  uuid: () => "char(36)",
} satisfies Record<string, TypeOf>;

// Texts compare without regard to case on both: MySQL does so by default, SQLite with a collation.
const types: Record<Client, Record<ColumnDefinition["type"], TypeOf>> = {
  sqlite: {
    ...same,
    id: () => "integer primary key autoincrement",
    reference: () => "bigint",
    string: ({ length = 255 }) => `varchar(${length}) collate nocase`,
    text: () => "text collate nocase",
    boolean: () => "boolean",
    datetime: () => "datetime",
    binary: () => "blob",
  },
  mysql: {
    ...same,
    id: () => "bigint unsigned auto_increment primary key",
    reference: () => "bigint unsigned",
    string: ({ length = 255, values }) => (values ? `enum(${values.map(text).join(", ")})` : `varchar(${length})`),
    text: () => "mediumtext",
    boolean: () => "tinyint(1)",
    datetime: () => "datetime(3)",
    binary: () => "longblob",
  },
};

/** A column's line in `create table` or `add column`. */
export function columnLine(client: Client, table: string, column: ColumnDefinition): string {
  const parts = [quoted(column.name), types[client][column.type](column)];
  if (column.notNull) parts.push("not null");
  else if (client === "mysql") parts.push("null");
  if (column.default !== undefined && column.default !== null) parts.push(`default ${defaultOf(client, column)}`);
  if (client === "sqlite" && column.values) {
    parts.push(`check (${quoted(column.name)} in (${column.values.map(sqliteText).join(", ")}))`);
  }
  if (client === "sqlite" && column.reference) {
    parts.push(`constraint ${quoted(foreignName(table, column.name))} ${references(column)}`);
  }
  return parts.join(" ");
}

/** MySQL takes a foreign key as a line of its own only. */
export function foreignLine(table: string, column: ColumnDefinition): string {
  return `constraint ${quoted(foreignName(table, column.name))} foreign key (${quoted(column.name)}) ${references(column)}`;
}

function references({ reference }: ColumnDefinition): string {
  return `references ${quoted(reference!.table)} (${quoted("id")}) on delete ${reference!.onDelete}`;
}

/** MySQL takes the default of JSON as an expression only. */
function defaultOf(client: Client, { type, default: value }: ColumnDefinition): string {
  if (type !== "json") return literal(client, value);
  const written = JSON.stringify(value);
  return client === "mysql" ? `(${text(written)})` : sqliteText(written);
}

const sqliteText = (value: string) => `'${value.replaceAll("'", "''")}'`;

function literal(client: Client, value: unknown): string {
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  if (typeof value === "boolean") return value ? "1" : "0";
  const written = value instanceof Date ? encodeDate(value) : typeof value === "string" ? value : JSON.stringify(value);
  return client === "mysql" ? text(written) : sqliteText(written);
}
