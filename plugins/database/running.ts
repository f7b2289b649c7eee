import type { Knex } from "knex";

export type Row = Record<string, unknown>;
interface Ran {
  response?: unknown;
}
/** A client whose driver answers in this process has it. */
interface MaybeAtOnce {
  atOnce?(query: { sql: string; bindings: readonly unknown[] }): Ran | undefined;
}

/** Runs what knex built: at once where the client can, else through knex's pool. */
function ran(query: Knex.QueryBuilder): Ran | undefined {
  const client = (query as unknown as { client: MaybeAtOnce }).client;
  if (!client.atOnce) return undefined;
  const { sql, bindings } = query.toSQL();
  return client.atOnce({ sql, bindings });
}

/** Runs SQL that was built before, at once; undefined where the client can't, or not now. */
export function ranSql({ client }: Knex, sql: string, bindings: readonly unknown[]): Ran | undefined {
  return (client as MaybeAtOnce).atOnce?.({ sql, bindings });
}

/** The rows of a select. */
export async function rowsOf(query: Knex.QueryBuilder<Row, Row[]>): Promise<Row[]> {
  const done = ran(query);
  return done ? (done.response as Row[]) : query;
}

/** Puts a row into a table and gives its id; the statement is built once for each set of columns. */
export async function insertedId(knex: Knex, table: string, row: Row): Promise<unknown> {
  const columns = Object.keys(row).sort(); // as knex writes them
  const values = columns.map((column) => row[column]);
  const build = (): Knex.QueryBuilder => knex(table).insert(row);
  const done = values.every(isPlain) ? ranSql(knex, insertOf(knex, table, columns), values) : ran(build());
  return done ? (done.response as { lastInsertRowid: unknown }).lastInsertRowid : ((await build()) as unknown[])[0];
}

/** What is bound as it stands; anything else is an expression of SQL, or left out. */
const isPlain = (value: unknown): boolean =>
  value === null || value instanceof Date || (typeof value !== "object" && value !== undefined);

const inserts = new WeakMap<object, Map<string, string>>();
function insertOf(knex: Knex, table: string, columns: readonly string[]): string {
  const known = inserts.get(knex.client as object) ?? new Map<string, string>();
  inserts.set(knex.client as object, known);
  const key = `${table} ${columns.join(" ")}`;
  let sql = known.get(key);
  if (sql === undefined) {
    sql = knex(table)
      .insert(Object.fromEntries(columns.map((column) => [column, null])))
      .toSQL().sql;
    if (known.size < 1000) known.set(key, sql); // columns are the tables' own: there are few sets of them
  }
  return sql;
}
