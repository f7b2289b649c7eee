import { createRequire } from "node:module";
import type { Knex } from "knex";
import { errors } from "../../errors.ts";
import { isInsideTransaction } from "../lost_transaction.ts";
import { checkMethods } from "../private_apis.ts";
import { clientError } from "../unavailable.ts";
import { isSelect, type Query, run, shapeOf } from "./prepared_statements.ts";
import { openFile, type Reader, Readers } from "./readers.ts";
import type { LaterConnection, SlowLimits } from "./slow_queries.ts";

const require = createRequire(import.meta.url);
type Connection = Reader;
/** What knex runs: a query builder, or SQL as it was written. */
interface Builder {
  _method?: string;
  sql?: unknown;
}
interface ClientFace {
  connectionSettings: { filename: string; busyTimeout: number };
  /** Set on the client of a transaction, which shares the prototype. */
  transacting?: boolean;
  pool?: { free: readonly { resource: Connection }[]; numUsed(): number };
  acquireConnection(): Promise<Connection>;
  releaseConnection(connection: Connection): Promise<void>;
  runner(builder: Builder): { connection?: Connection };
  destroy(callback?: () => void): Promise<void>;
  emit(event: string, ...told: unknown[]): void;
}
type ClientClass = new (config: object) => ClientFace;

const isSelecting = ({ _method, sql }: Builder): boolean =>
  typeof sql === "string" ? isSelect(sql) : _method === "select" || _method === "first" || _method === "pluck";
/** In a connection's place: which one reads is decided by the statement, when it is known. */
const anyReader = {} as Connection;

/** The client that knex is given for SQLite. Loads the driver when it is called. */
export function sqliteClient(limits: SlowLimits): typeof Knex.Client {
  const Base = require("knex/lib/dialects/better-sqlite3/index.js") as ClientClass;
  const Transaction = require("knex/lib/dialects/sqlite3/execution/sqlite-transaction.js") as TransactionClass;
  checkMethods("knex", Base, ["_driver", "_query", "acquireRawConnection", "destroyRawConnection", "transaction"]);
  checkMethods("knex", Base, ["runner", "acquireConnection", "releaseConnection", "destroy"]);
  checkMethods("knex", Transaction, ["begin", "query"]);
  const Driver = require("libsql") as new (file: string) => Connection;
  const LaterDriver = require("libsql/promise") as new (file: string) => LaterConnection;
  checkMethods("libsql", LaterDriver, ["exec", "prepare", "interrupt", "close"]);

  /** Takes the write lock at once: a transaction that upgrades later fails without waiting when another process wrote. */
  class ImmediateTransaction extends Transaction {
    begin(connection: Connection): Promise<void> {
      return this.query(connection, "BEGIN IMMEDIATE;");
    }
  }

  // Objection tells the dialect by the class's name.
  class Client_BetterSQLite3 extends Base {
    /** Not in a transaction's client, nor of a database in memory, which is one connection's own. */
    readers: Readers | undefined;

    constructor(config: object) {
      super(config);
      const { filename, busyTimeout } = this.connectionSettings;
      if (filename !== ":memory:")
        this.readers = new Readers({ filename, busyTimeout, drivers: { now: Driver, later: LaterDriver }, ...limits });
    }
    _driver() {
      return Driver;
    }
    transaction(...args: unknown[]) {
      return new ImmediateTransaction(this, ...args);
    }
    async acquireRawConnection(): Promise<Connection> {
      const { filename, busyTimeout } = this.connectionSettings;
      const connection = openFile(Driver, filename);
      const { readers } = this;
      if (readers) connection.changed = () => readers.changed();
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
    /** Who names a select needs no connection of the pool. */
    override acquireConnection(query?: Query): Promise<Connection> {
      if (query && this.readers && this.isOpen && isSelect(query.sql)) return Promise.resolve(anyReader);
      if (isInsideTransaction(this)) return Promise.reject(errors.FW_TRANSACTION_LOST());
      return super.acquireConnection().catch((error: unknown) => {
        throw clientError(error);
      });
    }
    override async releaseConnection(connection: Connection): Promise<void> {
      if (connection !== anyReader) await super.releaseConnection(connection);
    }
    override runner(builder: Builder) {
      const runner = super.runner(builder);
      if (this.readers && this.isOpen && isSelecting(builder)) runner.connection = anyReader;
      return runner;
    }
    /** Whether the connection that writes was made: the file is there, and set up. */
    get isOpen(): boolean {
      return this.pool !== undefined && (this.pool.free.length > 0 || this.pool.numUsed() > 0);
    }
    /** A connection to run a query on at once; undefined where it has to wait, or takes others' time. */
    connectionNow(query: Query): Connection | undefined {
      if (this.transacting || !this.pool) return undefined;
      const { readers } = this;
      const connection = this.pool.free[0]?.resource ?? this.readerFor(query);
      return connection && readers?.slowStatements.isSlow(connection, query) ? undefined : connection;
    }
    /** @throws FW_TRANSACTION_LOST */
    readerFor({ sql }: Query): Connection | undefined {
      if (!this.readers || !this.isOpen || !isSelect(sql)) return undefined;
      if (isInsideTransaction(this)) throw errors.FW_TRANSACTION_LOST();
      return this.readers.reader;
    }
    /**
     * Runs a query without knex's pool and runner, which cost several times what the query does; undefined when the
     * connection that it needs is taken, as by a transaction, or it may take long. The driver answers before anything
     * else can run, so that what is free when it is asked stays so until it has answered.
     */
    atOnce(query: Query): Query | undefined {
      const connection = this.connectionNow(query);
      if (!connection) return undefined;
      this.emit("query", query);
      try {
        const done = this.runNow(connection, query);
        this.emit("query-response", done.response, query);
        return done;
      } catch (error) {
        throw clientError(this.told(asDriverError(error), query));
      }
    }
    runNow(connection: Connection, query: Query): Query {
      const { readers } = this;
      if (!readers?.slowStatements.mayBeSlow) return run(connection, query);
      return readers.slowStatements.timed(query.sql, () => run(connection, query));
    }
    /** Runs a select on the connection that writes when it is free, on one that reads when not, and away from here when it is slow. */
    async read(query: Query): Promise<Query> {
      const now = this.connectionNow(query);
      if (now) return this.runNow(now, query);
      const { reader, slowQueries } = this.readers!;
      if (reader && isSelect(query.sql)) return slowQueries.run(query, shapeOf(reader, query.sql));
      const connection = await this.acquireConnection();
      try {
        return run(connection, query);
      } finally {
        await this.releaseConnection(connection);
      }
    }
    /** As knex does: an error names the query, and its listeners hear of it. */
    told(error: unknown, query: Query): unknown {
      if (error instanceof Error) error.message = `${query.sql} - ${error.message}`;
      this.emit("query-error", error, query);
      return error;
    }
    override destroy(callback?: () => void): Promise<void> {
      this.readers?.close();
      return super.destroy(callback);
    }
    async destroyRawConnection(connection: Connection): Promise<void> {
      connection.kept?.clear();
      connection.close();
    }
    async _query(connection: Connection, query: Query): Promise<Query> {
      try {
        return connection === anyReader ? await this.read(query) : run(connection, query);
      } catch (error) {
        throw clientError(asDriverError(error), query.sql);
      }
    }
  }
  return Client_BetterSQLite3 as unknown as typeof Knex.Client;
}

type TransactionClass = new (...args: unknown[]) => { query(connection: Connection, sql: string): Promise<void> };

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
