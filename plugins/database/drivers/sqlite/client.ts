import { createRequire } from "node:module";
import { messageOf } from "framewright/kernel";
import type { Knex } from "knex";
import { errors } from "../../errors.ts";
import { type ChunkScope, chunkScope, isOfChunk } from "../chunk_scope.ts";
import { isInsideTransaction } from "../lost_transaction.ts";
import { checkMethods } from "../private_apis.ts";
import { clientError } from "../unavailable.ts";
import type { SqliteLibrary } from "./library/library.ts";
import { isSelect, type Query, run, shapeOf } from "./prepared_statements.ts";
import { openFile, type Reader, Readers } from "./readers.ts";
import type { SlowLimits } from "./slow_queries.ts";
import { WriterTurns } from "./writer_turns.ts";

const require = createRequire(import.meta.url);
/** `turns`: of the connection that writes to a file. */
type Connection = Reader & { turns?: WriterTurns };
/** What knex runs: a query builder, or SQL as it was written. */
interface Builder {
  _method?: string;
  sql?: unknown;
}
interface KnexClientPort {
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
type ClientClass = new (config: object) => KnexClientPort;

const isSelecting = ({ _method, sql }: Builder): boolean =>
  typeof sql === "string" ? isSelect(sql) : _method === "select" || _method === "first" || _method === "pluck";
/** A placeholder for a connection until the statement is known, which decides which one reads. */
const anyReader = {} as Connection;

/** The client that knex is given for SQLite. */
export function sqliteClient(library: SqliteLibrary, limits: SlowLimits): typeof Knex.Client {
  const Base = require("knex/lib/dialects/better-sqlite3/index.js") as ClientClass;
  const Transaction = require("knex/lib/dialects/sqlite3/execution/sqlite-transaction.js") as TransactionClass;
  checkMethods("knex", Base, ["_driver", "_query", "acquireRawConnection", "destroyRawConnection", "transaction"]);
  checkMethods("knex", Base, ["runner", "acquireConnection", "releaseConnection", "destroy"]);
  checkMethods("knex", Transaction, ["begin", "query"]);

  /** Takes the write lock at once: a transaction that upgrades later fails without waiting when another process wrote. */
  class ImmediateTransaction extends Transaction {
    async begin(connection: Connection): Promise<void> {
      await connection.turns?.wait();
      await this.query(connection, "BEGIN IMMEDIATE;");
      connection.turns?.begin();
    }
    /** `status`: of a statement that ends the transaction. */
    override query(connection: Connection, sql: string, status?: number, value?: unknown): Promise<void> {
      if (status !== undefined) connection.turns?.end();
      return super.query(connection, sql, status, value);
    }
  }

  // Objection recognizes the dialect by the class's name.
  class Client_BetterSQLite3 extends Base {
    /** Not in a transaction's client, nor of a database in memory, which is one connection's own. */
    readers: Readers | undefined;

    constructor(config: object) {
      super(config);
      const { filename, busyTimeout } = this.connectionSettings;
      if (filename !== ":memory:") this.readers = new Readers({ filename, busyTimeout, library, ...limits });
    }
    _driver() {
      return library;
    }
    transaction(...args: unknown[]) {
      const [work, options] = args as Parameters<Knex["transaction"]>;
      const { outer } = this.chunk ?? {};
      return outer ? outer.transaction(work, options) : new ImmediateTransaction(this, ...args);
    }
    /** The chunk that code runs in outside of its transactions: what it reads and writes goes to the chunk's connection. */
    get chunk(): ChunkScope | undefined {
      return this.transacting || isInsideTransaction(this) ? undefined : chunkScope(this);
    }
    async acquireRawConnection(): Promise<Connection> {
      const { filename, busyTimeout } = this.connectionSettings;
      const connection: Connection = openFile(library, filename);
      const { readers } = this;
      if (readers) {
        connection.changed = () => readers.changed();
        connection.turns = new WriterTurns();
      }
      for (const pragma of [
        `busy_timeout = ${busyTimeout}`,
        "foreign_keys = ON",
        "journal_mode = WAL",
        "synchronous = NORMAL",
      ]) {
        connection.exec(`PRAGMA ${pragma}`);
      }
      connection.exec("PRAGMA busy_timeout = 0"); // from here on it waits as lock_wait.ts does
      connection.busyTimeout = busyTimeout;
      return connection;
    }
    /** A select that is known needs no connection of the pool. */
    override acquireConnection(query?: Query): Promise<Connection> {
      const { chunk } = this;
      if (chunk)
        return query && isSelect(query.sql) ? Promise.resolve(chunk.connection as Connection) : whenFree(chunk);
      if (query && this.readers && this.isOpen && isSelect(query.sql)) return Promise.resolve(anyReader);
      if (isInsideTransaction(this)) return Promise.reject(errors.FW_TRANSACTION_LOST());
      return super.acquireConnection().catch((error: unknown) => {
        throw clientError(error);
      });
    }
    override async releaseConnection(connection: Connection): Promise<void> {
      if (connection !== anyReader && !isOfChunk(connection)) await super.releaseConnection(connection);
    }
    override runner(builder: Builder) {
      const runner = super.runner(builder);
      const { chunk } = this;
      if (chunk && isSelecting(builder)) runner.connection = chunk.connection as Connection;
      else if (this.readers && this.isOpen && isSelecting(builder)) runner.connection = anyReader;
      return runner;
    }
    get hasCheapValues(): boolean {
      return library.hasCheapValues;
    }
    /** Whether the writing connection was opened: the file exists and is set up. */
    get isOpen(): boolean {
      return this.pool !== undefined && (this.pool.free.length > 0 || this.pool.numUsed() > 0);
    }
    /** A connection to run a query on now; undefined where it has to wait, or would block the event loop for long. */
    freeConnection(query: Query): Connection | undefined {
      if (this.transacting || !this.pool) return undefined;
      const { readers, chunk } = this;
      if (chunk) return isSelect(query.sql) || !chunk.busy ? (chunk.connection as Connection) : undefined;
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
     * Fast path: runs a query synchronously, without knex's pool and runner, which cost several times what the query does.
     * undefined when the connection that it needs is taken, as by a transaction, or it may take long. Nothing else can run
     * before the driver has answered, so that a free connection stays free until then.
     */
    executeSync(query: Query): Query | undefined {
      const connection = this.freeConnection(query);
      if (!connection) return undefined;
      this.emit("query", query);
      try {
        const done = this.runSync(connection, query);
        this.emit("query-response", done.response, query);
        return done;
      } catch (error) {
        throw clientError(this.reported(asDriverError(error), query));
      }
    }
    runSync(connection: Connection, query: Query): Query {
      const { readers } = this;
      if (!readers?.slowStatements.mayBeSlow) return run(connection, query);
      return readers.slowStatements.timed(query.sql, () => run(connection, query));
    }
    /** Runs a select on the writing connection when it is free, else on one that reads; a slow one in a thread. */
    async read(query: Query): Promise<Query> {
      const now = this.freeConnection(query);
      if (now) return this.runSync(now, query);
      const { reader, slowQueries } = this.readers!;
      if (reader && isSelect(query.sql)) return slowQueries.run(query, shapeOf(reader, query.sql));
      const connection = await this.acquireConnection();
      try {
        return run(connection, query);
      } finally {
        await this.releaseConnection(connection);
      }
    }
    /** As knex does: the error names the query, and `query-error` is emitted. */
    reported(error: unknown, query: Query): unknown {
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
        if (isRolledBack(error, query)) return query;
        throw clientError(asDriverError(error), query.sql);
      }
    }
  }
  return Client_BetterSQLite3 as unknown as typeof Knex.Client;
}

/** The connection of a chunk for what writes, which waits for the transaction within it that is open. */
async function whenFree(chunk: ChunkScope): Promise<Connection> {
  while (chunk.busy) await chunk.busy;
  return chunk.connection as Connection;
}

type TransactionClass = new (
  ...args: unknown[]
) => {
  query(connection: Connection, sql: string, status?: number, value?: unknown): Promise<void>;
};

/** SQLite rolls back by itself when the disk is full: the error of that statement counts, not that of the ROLLBACK after it. */
const isRolledBack = (error: unknown, { sql }: Query): boolean =>
  /^rollback;?$/i.test(sql) && messageOf(error).includes("no transaction is active");

/** As the sqlite3 driver would have thrown it, which objection's error classes are created from. */
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
