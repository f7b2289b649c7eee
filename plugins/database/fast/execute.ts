import type { Knex } from "knex";
import type { ModelInfo } from "../models/model_info.ts";
import { Packing } from "./json_rows.ts";
import { isFast } from "./switch.ts";

export type Row = Record<string, unknown>;
interface Asked {
  sql: string;
  bindings: readonly unknown[];
  method?: string;
  /** The response is the first row alone, as a list of values; undefined where there is none. */
  first?: boolean;
}
interface Ran {
  response?: unknown;
}
/** A client whose driver answers in this process has it; undefined when its connection is taken. */
export interface AtOnce {
  atOnce(query: Asked): Ran | undefined;
}
/** What of knex's clients is used. */
export interface ClientFace extends Partial<AtOnce> {
  /** Told the query, one that reads may be given a connection that does nothing else. */
  acquireConnection(query?: Asked): Promise<object>;
  releaseConnection(connection: object): Promise<void>;
  query(connection: object, query: Asked): Promise<Ran>;
  processResponse(query: Ran, runner: undefined): unknown;
  postProcessResponse(response: unknown): unknown;
  emit(event: "query-response", response: unknown, query: object): void;
}

/** Runs SQL that knex built before: at once where the client can, else on one of its connections, without a query builder. */
export async function rowsBySql(knex: Knex, sql: string, bindings: readonly unknown[]): Promise<Row[]> {
  const client = knex.client as ClientFace;
  const done = client.atOnce?.({ sql, bindings });
  return done ? (done.response as Row[]) : ((await onConnection(client, { sql, bindings, method: "select" })) as Row[]);
}

/** As rowsBySql: the first value of the first row alone; undefined where there is none. */
export async function firstValue(knex: Knex, sql: string, bindings: readonly unknown[]): Promise<unknown> {
  const client = knex.client as ClientFace;
  const done = client.atOnce?.({ sql, bindings, first: true });
  if (done) return (done.response as readonly unknown[] | undefined)?.[0];
  const [row] = (await onConnection(client, { sql, bindings, method: "select" })) as Row[];
  return row && Object.values(row)[0];
}

/** As rowsBySql, for a select from a model's table. */
export async function modelRows(
  info: ModelInfo,
  knex: Knex,
  sql: string,
  bindings: readonly unknown[],
): Promise<Row[]> {
  const client = knex.client as ClientFace;
  if (!client.atOnce) return rowsBySql(knex, sql, bindings);
  const packing = Packing.of(info);
  const packed = packing.read(client as AtOnce, sql, bindings);
  if (packed) return packed;
  const rows = await rowsBySql(knex, sql, bindings);
  packing.learn(sql, rows);
  return rows;
}

/** Runs built SQL on one of the client's connections, without a query builder. */
export async function onConnection(client: ClientFace, query: Asked): Promise<unknown> {
  const connection = await client.acquireConnection(query);
  try {
    const done = await client.query(connection, query);
    const response = client.postProcessResponse(client.processResponse(done, undefined));
    client.emit("query-response", response, query);
    return response;
  } finally {
    await client.releaseConnection(connection);
  }
}

/** The rows of a select. */
export async function rowsOf(query: Knex.QueryBuilder<Row, Row[]>): Promise<Row[]> {
  const { client } = query as unknown as { client: ClientFace };
  if (!client.atOnce || !isFast({ client })) return query;
  const { sql, bindings } = query.toSQL();
  const done = client.atOnce({ sql, bindings });
  return done ? (done.response as Row[]) : query;
}
