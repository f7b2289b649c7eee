import type { Knex } from "knex";
import type { ColumnInfo, UniqueIndex } from "./columns.ts";
import { driverOf } from "./drivers.ts";

/** The columns of a table; none where it does not exist. */
export const columnsOf = (knex: Knex, table: string): Promise<ColumnInfo[]> =>
  driverOf(knex).tables.columns(knex, table);

/** Answers `columnsOf` as of now; where the driver can, all tables are read at once. */
export async function readColumns(knex: Knex): Promise<(table: string) => Promise<ColumnInfo[]>> {
  const all = await driverOf(knex).tables.allColumns?.(knex);
  return all ? async (table) => all.get(table.toLowerCase()) ?? [] : (table) => columnsOf(knex, table);
}

export const uniquesOf = (knex: Knex, table: string): Promise<UniqueIndex[]> =>
  driverOf(knex).tables.uniques(knex, table);

export const tablesOf = (knex: Knex): Promise<string[]> => driverOf(knex).tables.tables(knex);

/** The names of all columns by table, in one query. */
export async function columnNamesOf(knex: Knex): Promise<Map<string, Set<string>>> {
  const names = new Map<string, Set<string>>();
  for (const { table, column } of await driverOf(knex).tables.columnNames(knex))
    names.set(table, (names.get(table) ?? new Set()).add(column));
  return names;
}
