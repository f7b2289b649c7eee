import type { Knex } from "knex";

type Row = Record<string, unknown>;
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

/** The rows of a select. */
export async function rowsOf(query: Knex.QueryBuilder<Row, Row[]>): Promise<Row[]> {
  const done = ran(query);
  return done ? (done.response as Row[]) : query;
}

/** The id of a row that is inserted. */
export async function insertedId(query: Knex.QueryBuilder): Promise<unknown> {
  const done = ran(query);
  return done ? (done.response as { lastInsertRowid: unknown }).lastInsertRowid : ((await query) as unknown[])[0];
}
