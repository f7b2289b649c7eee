import type { Knex } from "knex";
import type { StatementPlan, TableRead } from "../statement_plan.ts";

/** A part of what `explain format=json` returns: a table, or what has tables within it. */
type Part = Readonly<Record<string, unknown>>;
interface Table {
  readonly table_name?: string;
  readonly possible_keys?: readonly string[];
  readonly used_key_parts?: readonly string[];
  readonly access_type: string;
}

/** How MariaDB or MySQL would run a select. Which of the possible indexes it takes depends on the values that are stored. */
export async function explainMysql(knex: Knex, sql: string, bindings: readonly unknown[]): Promise<StatementPlan> {
  const [[row]] = (await knex.raw(`explain format=json ${sql}`, bindings as never)) as [[{ EXPLAIN: string }]];
  const parts = partsOf(JSON.parse(row.EXPLAIN));
  const tables = parts.flatMap((part) => (typeof part.access_type === "string" ? [part as unknown as Table] : []));
  const sorts = parts.some((part) => "filesort" in part || "read_sorted_file" in part || part.using_filesort === true);
  return { reads: await Promise.all(tables.map((table) => readOf(knex, table))), sorts };
}

function partsOf(value: unknown): Part[] {
  if (typeof value !== "object" || value === null) return [];
  const within = Object.values(value).flatMap(partsOf);
  return Array.isArray(value) ? within : [value as Part, ...within];
}

async function readOf(knex: Knex, { table_name: table = "", ...found }: Table): Promise<TableRead> {
  const { access_type, possible_keys = [], used_key_parts = [] } = found;
  const columns = access_type === "ALL" || access_type === "index" ? [] : used_key_parts;
  if (possible_keys.length === 0) return { table, columns };
  const marks = possible_keys.map(() => "?").join(", ");
  const [rows] = (await knex.raw(
    `select column_name as name from information_schema.statistics where table_schema = database() and table_name = ? and index_name in (${marks})`,
    [table, ...possible_keys],
  )) as [{ name: string }[]];
  return { table, columns, possible: rows.map(({ name }) => name) };
}
