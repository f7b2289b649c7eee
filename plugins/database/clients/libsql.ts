import { createRequire } from "node:module";
import type { Knex } from "knex";
import { errors } from "../errors.ts";
import { isInsideTransaction } from "./guard.ts";
import { type Preparing, type Query, run } from "./libsql_statements.ts";

const require = createRequire(import.meta.url);
interface Connection extends Preparing {
  exec(sql: string): void;
  close(): void;
}
interface ClientFace {
  connectionSettings: { filename: string; busyTimeout: number };
  /** Set on the client of a transaction, which shares the prototype. */
  transacting?: boolean;
  pool?: { free: readonly { resource: Connection }[] };
  acquireConnection(): Promise<Connection>;
  emit(event: string, ...told: unknown[]): void;
}
type ClientClass = new (config: object) => ClientFace;

/** The client that knex is given for SQLite. Loads the driver when it is called. */
export function sqliteClient(): typeof Knex.Client {
  const Base = require("knex/lib/dialects/better-sqlite3/index.js") as ClientClass;
  const Transaction = require("knex/lib/dialects/sqlite3/execution/sqlite-transaction.js") as TransactionClass;
  const Driver = require("libsql") as new (file: string) => Connection;

  /** Takes the write lock at once: a transaction that upgrades later fails without waiting when another process wrote. */
  class ImmediateTransaction extends Transaction {
    begin(connection: Connection): Promise<void> {
      return this.query(connection, "BEGIN IMMEDIATE;");
    }
  }

  // Objection tells the dialect by the class's name.
  class Client_BetterSQLite3 extends Base {
    _driver() {
      return Driver;
    }
    transaction(...args: unknown[]) {
      return new ImmediateTransaction(this, ...args);
    }
    async acquireRawConnection(): Promise<Connection> {
      const { filename, busyTimeout } = this.connectionSettings;
      const connection = open(Driver, filename);
      for (const pragma of [
        `busy_timeout = ${busyTimeout}`,
        "foreign_keys = ON",
        "journal_mode = WAL",
        "synchronous = NORMAL",
      ]) {
        connection.exec(`PRAGMA ${pragma}`);
      }
      return connection;
    }
    override acquireConnection(): Promise<Connection> {
      if (isInsideTransaction(this)) return Promise.reject(errors.FW_TRANSACTION_LOST());
      return super.acquireConnection();
    }
    /**
     * Runs a query without knex's pool and runner, which cost several times what the query does; undefined when the
     * connection is taken, as by a transaction. The driver answers before anything else can run, so that what is free
     * when it is asked stays so until it has answered.
     */
    atOnce(query: Query): Query | undefined {
      const connection = this.transacting ? undefined : this.pool?.free[0]?.resource;
      if (!connection) return undefined;
      this.emit("query", query);
      try {
        const done = run(connection, query);
        this.emit("query-response", done.response, query);
        return done;
      } catch (error) {
        throw this.told(asDriverError(error), query);
      }
    }
    /** As knex does: an error names the query, and its listeners hear of it. */
    told(error: unknown, query: Query): unknown {
      if (error instanceof Error) error.message = `${query.sql} - ${error.message}`;
      this.emit("query-error", error, query);
      return error;
    }
    async destroyRawConnection(connection: Connection): Promise<void> {
      connection.kept?.clear();
      connection.close();
    }
    async _query(connection: Connection, query: Query): Promise<Query> {
      try {
        return run(connection, query);
      } catch (error) {
        throw asDriverError(error);
      }
    }
  }
  return Client_BetterSQLite3 as unknown as typeof Knex.Client;
}

type TransactionClass = new (...args: unknown[]) => { query(connection: Connection, sql: string): Promise<void> };

function open(Driver: new (file: string) => Connection, filename: string): Connection {
  try {
    return Object.assign(new Driver(filename), { kept: new Map() });
  } catch (cause) {
    throw Object.assign(new Error(`${filename} can't be opened`, { cause }), { code: "SQLITE_CANTOPEN" }); // the driver gives no code
  }
}

/** As the sqlite3 driver would have thrown it, which objection's error classes are made from. */
function asDriverError(error: unknown): unknown {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return error;
  const code = error.code;
  if (!code.startsWith("SQLITE_CONSTRAINT")) return error;
  const message = error.message.startsWith("SQLITE_CONSTRAINT") ? error.message : `SQLITE_CONSTRAINT: ${error.message}`;
  return Object.assign(new Error(message, { cause: error }), {
    code: "SQLITE_CONSTRAINT",
    errno: 19,
    extendedCode: code,
  });
}
