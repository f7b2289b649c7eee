import { byKey, type ColumnTypes, commonTypes, sqlText, storedDefault } from "../../migrations/ddl.ts";
import { MAX_NAME_CHARS } from "../../migrations/identifier_names.ts";
import type { Ddl } from "../driver.ts";

const quote = (name: string): string => `\`${name.replaceAll("`", "``")}\``;

const keys = {
  uuid: commonTypes.uuid,
  string: ({ length = 100 }: { length?: number }) => `varchar(${length}) collate nocase`,
};
const types: ColumnTypes = {
  ...commonTypes,
  id: byKey("integer primary key autoincrement", keys, " primary key"),
  reference: byKey("bigint", keys),
  string: ({ length = 255 }) => `varchar(${length}) collate nocase`,
  text: () => "text collate nocase",
  float: () => "double",
  boolean: () => "boolean",
  datetime: () => "datetime",
  binary: () => "blob",
};

/** Migrations in SQLite's SQL. It takes a name of any length; a longer one would stop the same migration elsewhere. */
export const sqliteDdl: Ddl = {
  maxNameChars: MAX_NAME_CHARS,
  quote,
  foreignKeys: "column",
  type: (column) => types[column.type](column),
  literal(value, column) {
    const stored = storedDefault(value, column);
    if (typeof stored === "boolean") return stored ? "1" : "0";
    return typeof stored === "string" ? sqlText(stored) : String(stored);
  },
  checks: (_, { name, values }) => (values ? [`check (${quote(name)} in (${values.map(sqlText).join(", ")}))`] : []),
  dropIndex: (_, name) => `drop index ${quote(name)}`,
};
