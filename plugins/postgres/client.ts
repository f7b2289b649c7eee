import { createRequire } from "node:module";
import { clientError, type DriverFailure, isInsideTransaction, lostTransaction } from "framewright/plugins/database";
import type { Knex } from "knex";
import { failureOf } from "./failure.ts";
import { isOfHost } from "./hosts.ts";
import { refusedColumns } from "./refused_columns.ts";
import { advance, numberedColumn } from "./sequence.ts";
import { type ServerConnection, within } from "./server_connection.ts";
import { sent } from "./values.ts";

const require = createRequire(import.meta.url);

/** What of knex's client for PostgreSQL is built on. */
interface PgClient {
  /** Set on the client of a transaction, which shares the prototype. */
  transacting?: boolean;
  _query(connection: ServerConnection, query: PgQuery): Promise<unknown>;
  acquireConnection(): Promise<ServerConnection>;
  releaseConnection(connection: ServerConnection): Promise<void>;
  processResponse(query: PgQuery, runner: unknown): unknown;
}
interface PgQuery {
  sql: string;
  bindings?: readonly unknown[];
  method?: string;
  returning?: unknown;
  output?: unknown;
  response?: {
    command: string;
    rows: Record<string, unknown>[];
    fields: { name: string; tableID: number }[];
  };
  /** The column of an insert's id, where it is not called so. */
  numbered?: string | undefined;
}
interface Compiler {
  insert(): string | { sql: string; returning?: unknown };
  _groupOrder(item: OrderItem, type: string): string;
}
interface OrderItem {
  nulls?: string;
}
type Constructor<T> = new (...given: unknown[]) => T;

export interface ClientOptions {
  /** Milliseconds that a statement may take; 0: as long as it likes. */
  statementTimeout: number;
  /** Awaited before the wait for a connection begins. */
  ready?(): Promise<unknown>;
  /** Opens a connection, with its session set up. */
  open(): Promise<ServerConnection>;
  /** Whether there is one connection, for which a query outside of its transaction would wait forever. */
  isSingle: boolean;
  /** Whether a connection that failed may be followed by one to another server. */
  areSeveral: boolean;
}

/** The client that knex is given: values, errors and order as the built-in drivers have them. */
export function postgresClient({
  statementTimeout,
  ready,
  open,
  isSingle,
  areSeveral,
}: ClientOptions): typeof Knex.Client {
  const Base = require("knex/lib/dialects/postgres/index.js") as Constructor<PgClient>;
  const BaseCompiler = require("knex/lib/dialects/postgres/query/pg-querycompiler.js") as Constructor<Compiler>;

  class PostgresCompiler extends BaseCompiler {
    /** An insert gives the id, as elsewhere. */
    override insert() {
      const compiled = super.insert();
      if (typeof compiled === "string" || compiled.returning || compiled.sql === "") return compiled;
      return { ...compiled, sql: `${compiled.sql} returning *` };
    }
    /** Nulls come first, and last where the order descends. A primary key has none, and its index knows no other order. */
    override _groupOrder(item: OrderItem, type: string) {
      const sql = super._groupOrder(item, type);
      if (type !== "order" || item.nulls || /\bnulls (?:first|last)$|"id"(?: asc| desc)?$/i.test(sql)) return sql;
      return `${sql} nulls ${/\bdesc$/i.test(sql) ? "last" : "first"}`;
    }
  }

  /** By table, the column of the id of an insert: none is called so in a table that was there before. */
  const numbered = new Map<number, string | undefined>();

  // A transaction's client is created without its constructor: nothing private.
  class Client_PG extends Base {
    isPatient?: boolean;
    readonly hasOtherHosts = areSeveral;

    queryCompiler(builder: unknown, formatter: unknown) {
      return new PostgresCompiler(this, builder, formatter);
    }
    _driver(): object {
      return {}; // connections come from `open`
    }
    prepBindings(bindings: readonly unknown[] = []): unknown[] {
      return bindings.map(sent);
    }
    acquireRawConnection(): Promise<ServerConnection> {
      return open();
    }
    override async acquireConnection(): Promise<ServerConnection> {
      if (isSingle && isInsideTransaction(this)) throw lostTransaction();
      try {
        await ready?.();
        const connection = await super.acquireConnection();
        try {
          await connection.beTimed(!(this.isPatient ?? false));
        } catch (error) {
          await this.releaseConnection(connection); // the pool drops one that is lost
          throw error;
        }
        return connection;
      } catch (error) {
        throw clientError(error, "", failureOf(error));
      }
    }
    override async _query(connection: ServerConnection, query: PgQuery): Promise<unknown> {
      if (isRead(query.sql) && query.bindings) query.bindings = query.bindings.map(withoutNul);
      const ask = async () => {
        const done = await super._query(connection, query);
        const next = advance(query);
        if (next) await super._query(connection, next);
        if (isInserted(query)) {
          const table = query.response!.fields[0]!.tableID;
          if (!numbered.has(table)) {
            const asked: PgQuery = numberedColumn(table);
            await super._query(connection, asked);
            numbered.set(table, asked.response?.rows[0]?.name as string | undefined);
          }
          query.numbered = numbered.get(table);
        }
        return done;
      };
      try {
        const limit = connection.isTimed ? statementTimeout : 0;
        return await within(
          limit,
          connection,
          this.transacting && isWrite(query.sql) ? () => connection.undoable(ask) : ask,
        );
      } catch (error) {
        if (areSeveral && isOfHost(error)) connection.__knex__disposed ??= error; // the next one may lead to another server
        throw clientError(error, query.sql, failureIn(query, error));
      }
    }
    override processResponse(query: PgQuery, runner: unknown): unknown {
      const { response, returning, output, method } = query;
      if (response?.command !== "INSERT" || returning || output || method === "raw")
        return super.processResponse(query, runner);
      return [response.rows[0]?.[query.numbered ?? "id"] ?? 0];
    }
  }
  return Client_PG as unknown as typeof Knex.Client;
}

/** Whether a row was inserted into a table without a column "id". */
const isInserted = ({ response, returning, method }: PgQuery): boolean =>
  response?.command === "INSERT" &&
  !returning &&
  method !== "raw" &&
  response.rows[0] !== undefined &&
  !("id" in response.rows[0]);

function failureIn(query: PgQuery, error: unknown): DriverFailure | undefined {
  const failure = failureOf(error);
  if (!failure || failure.columns || !ofValues.has(failure.kind)) return failure;
  const columns = refusedColumns(query, (error as Error).message);
  return columns ? { ...failure, columns } : failure;
}
const ofValues: ReadonlySet<string> = new Set(["invalid", "out_of_range"]);

const isRead = (sql: string): boolean => /^\s*\(*select\b/i.test(sql);
/** PostgreSQL takes no NUL, and stores none: a text with one is compared as one that no row has. */
const withoutNul = (value: unknown): unknown =>
  typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "\uffff") : value;
const isWrite = (sql: string): boolean => /^\s*(?:insert|update|delete|with|create|alter|drop) /i.test(sql);
