import type { Knex } from "knex";
import type { ColumnInfo, UniqueIndex } from "./columns.ts";
import { clientOf } from "./connection.ts";
import { mysqlColumnNames, mysqlColumns, mysqlTables, mysqlUniques } from "./mysql/introspect.ts";
import { sqliteColumnNames, sqliteColumns, sqliteTables, sqliteUniques } from "./sqlite/introspect.ts";

/** The columns of a table; none where it does not exist. */
export const columnsOf = (knex: Knex, table: string): Promise<ColumnInfo[]> =>
  clientOf(knex) === "sqlite" ? sqliteColumns(knex, table) : mysqlColumns(knex, table);

export const uniquesOf = (knex: Knex, table: string): Promise<UniqueIndex[]> =>
  clientOf(knex) === "sqlite" ? sqliteUniques(knex, table) : mysqlUniques(knex, table);

export const tablesOf = (knex: Knex): Promise<string[]> =>
  clientOf(knex) === "sqlite" ? sqliteTables(knex) : mysqlTables(knex);

/** The names of all columns by table, in one query. */
export async function columnNamesOf(knex: Knex): Promise<Map<string, Set<string>>> {
  const rows = await (clientOf(knex) === "sqlite" ? sqliteColumnNames(knex) : mysqlColumnNames(knex));
  const names = new Map<string, Set<string>>();
  for (const { table, column } of rows) names.set(table, (names.get(table) ?? new Set()).add(column));
  return names;
}
