import type { Knex } from "knex";
import type { ModelInfo } from "../models/model_info.ts";
import type { OmittedColumns } from "./omitted_columns.ts";
import { isFast } from "./switch.ts";
import { TablePacking } from "./table_packing.ts";

export type Row = Record<string, unknown>;
interface Statement {
  sql: string;
  bindings: readonly unknown[];
  method?: string;
  /** The response is the first row alone, as a list of values; undefined where there is none. */
  first?: boolean;
  /** The response is all rows, each as a list of values. */
  lists?: boolean;
}
interface Execution {
  response?: unknown;
}
/** For in-process drivers: runs a statement synchronously; undefined while its connection is taken, as by a transaction. */
export interface SyncExecution {
  /** Whether many values cost less one by one than in one JSON text that is parsed. */
  readonly hasCheapValues: boolean;
  executeSync(query: Statement): Execution | undefined;
}
/** What is used of knex's clients. */
export interface ClientPort extends Partial<SyncExecution> {
  /** Given the query, a select may get a connection that only reads. */
  acquireConnection(query?: Statement): Promise<object>;
  releaseConnection(connection: object): Promise<void>;
  query(connection: object, query: Statement): Promise<Execution>;
  processResponse(query: Execution, runner: undefined): unknown;
  postProcessResponse(response: unknown): unknown;
  emit(event: "query-response", response: unknown, query: object): void;
}

/** Rows that are there at once, where the client reads synchronously: a promise costs as much as a part of the statement. */
export type MaybeRows = Row[] | Promise<Row[]>;

/** Fast path: runs SQL that knex built before, synchronously where the client can, else on one of its connections. */
export function rowsBySql(knex: Knex, sql: string, bindings: readonly unknown[]): MaybeRows {
  const client = knex.client as ClientPort;
  const done = client.executeSync?.({ sql, bindings });
  return done
    ? (done.response as Row[])
    : (onConnection(client, { sql, bindings, method: "select" }) as Promise<Row[]>);
}

/** As rowsBySql: the first value of the first row alone; undefined where there is none. */
export async function firstValue(knex: Knex, sql: string, bindings: readonly unknown[]): Promise<unknown> {
  const client = knex.client as ClientPort;
  const done = client.executeSync?.({ sql, bindings, first: true });
  if (done) return (done.response as readonly unknown[] | undefined)?.[0];
  const [row] = (await onConnection(client, { sql, bindings, method: "select" })) as Row[];
  return row && Object.values(row)[0];
}

/** As rowsBySql, for a select from a model's table; without some columns where that can be done. */
export function modelRows(
  info: ModelInfo,
  knex: Knex,
  { sql, bindings }: Pick<Statement, "sql" | "bindings">,
  omitted?: OmittedColumns,
): MaybeRows {
  const client = knex.client as ClientPort;
  if (!client.executeSync && !omitted) return rowsBySql(knex, sql, bindings);
  const packing = TablePacking.of(info);
  const packed = client.executeSync && packing.read(client as SyncExecution, sql, bindings, omitted);
  return packed ?? unpackedRows(packing, knex, { sql, bindings }, omitted);
}

async function unpackedRows(
  packing: TablePacking,
  knex: Knex,
  { sql, bindings }: Pick<Statement, "sql" | "bindings">,
  omitted: OmittedColumns | undefined,
): Promise<Row[]> {
  const partial = omitted && packing.listed(sql, omitted);
  if (partial) return packing.guarded(await rowsBySql(knex, partial, bindings), omitted);
  const rows = await rowsBySql(knex, sql, bindings);
  packing.learn(sql, rows);
  return rows;
}

/** Runs built SQL on one of the client's connections, without a query builder. */
export async function onConnection(client: ClientPort, query: Statement): Promise<unknown> {
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
  const { client } = query as unknown as { client: ClientPort };
  if (!client.executeSync || !isFast({ client })) return query;
  const { sql, bindings } = query.toSQL();
  const done = client.executeSync({ sql, bindings });
  return done ? (done.response as Row[]) : query;
}
