import { createRequire } from "node:module";
import type { Knex } from "knex";
import { checkMethods, requirePrivate } from "../private_apis.ts";
import { clientError } from "../unavailable.ts";
import {
  MAX_PREPARED_STATEMENTS,
  type MysqlConnection,
  type MysqlQuery,
  PreparedProtocol,
  type Whole,
} from "./prepared_statements.ts";

const require = createRequire(import.meta.url);

export interface SessionLimits {
  /** Milliseconds that a statement may take; 0: as long as it likes. */
  statementTimeout: number;
  /** Milliseconds that a statement waits for a row that another transaction has locked. */
  lockTimeout: number;
}
interface QueryingClient {
  _query(connection: PooledConnection, query: MysqlQuery): Promise<unknown>;
  acquireConnection(): Promise<PooledConnection>;
}
/** A connection of the pool. */
interface PooledConnection extends MysqlConnection, RawConnection {
  /** Statements that it has not answered. */
  running?: number;
  /** Whether its session has no time limit for statements. */
  isPatient?: boolean;
  destroy(): void;
}
/** A client with it set has no time limit for statements, as for migrations. */
export interface Patient {
  isPatient?: boolean;
}

/** The client that knex is given for MySQL and MariaDB. Loads the driver when it is called. */
export function mysqlClient(limits: SessionLimits): typeof Knex.Client {
  const Base = require("knex/lib/dialects/mysql2/index.js") as new (config: object) => QueryingClient;
  checkMethods("knex", Base, ["_query", "acquireConnection"]);
  const { TypedParameter } = require("mysql2") as { TypedParameter: { LONGLONG: Whole } };
  requirePrivate("mysql2", "TypedParameter.LONGLONG", typeof TypedParameter?.LONGLONG === "function");
  const prepared = new PreparedProtocol(TypedParameter.LONGLONG); // a transaction's client is created without its constructor
  class Client extends Base {
    isPatient?: boolean;

    /** The driver attaches the query with its values to an error: they must reach no log. */
    override async _query(connection: PooledConnection, query: MysqlQuery): Promise<unknown> {
      try {
        const limit = connection.isPatient ? 0 : limits.statementTimeout;
        return await within(limit, connection, () => this.ask(connection, query));
      } catch (error) {
        for (const property of ["sql", "parameters"]) delete (error as Record<string, unknown>)[property];
        throw clientError(error, query.sql);
      }
    }
    async ask(connection: PooledConnection, query: MysqlQuery): Promise<unknown> {
      return (await prepared.run(connection, query)) ? query : super._query(connection, query);
    }
    override async acquireConnection(): Promise<PooledConnection> {
      try {
        const connection = await super.acquireConnection();
        const isPatient = this.isPatient ?? false;
        if ((connection.isPatient ?? false) !== isPatient) {
          await limitSession(connection, isPatient ? { statementTimeout: 0, lockTimeout: 50_000 } : limits);
          connection.isPatient = isPatient;
        }
        return connection;
      } catch (error) {
        throw clientError(error);
      }
    }
  }
  return Client as unknown as typeof Knex.Client;
}

/** Time for the server to end a statement that takes too long by itself, before its connection counts as dead. */
const GRACE_MS = 1000;

/** Waits for a server's answer no longer than so: a connection that got none is closed, and the pool makes another. */
async function within<T>(limit: number, connection: PooledConnection, ask: () => Promise<T>): Promise<T> {
  connection.running = (connection.running ?? 0) + 1;
  let timer: NodeJS.Timeout | undefined;
  try {
    if (limit === 0) return await ask();
    return await new Promise<T>((resolve, reject) => {
      timer = setTimeout(() => {
        connection.destroy();
        reject(Object.assign(new Error("the server does not answer"), { code: "PROTOCOL_SEQUENCE_TIMEOUT" }));
      }, limit + GRACE_MS);
      ask().then(resolve, reject);
    });
  } finally {
    clearTimeout(timer);
    connection.running--;
  }
}

/** The driver's options, so that values are read and written as with SQLite. */
export function mysqlConnection(url: URL): Knex.MySql2ConnectionConfig {
  const socketPath = url.searchParams.get("socket");
  return {
    host: decodeURIComponent(url.hostname),
    port: Number(url.port || 3306),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    ...(socketPath ? { socketPath } : {}),
    ...(url.searchParams.get("ssl") === "true" ? { ssl: { rejectUnauthorized: true } } : {}),
    charset: "utf8mb4",
    timezone: "Z",
    dateStrings: true,
    jsonStrings: true,
    supportBigNumbers: true,
    maxPreparedStatements: MAX_PREPARED_STATEMENTS,
    connectTimeout: 5000,
  } as Knex.MySql2ConnectionConfig;
}

interface RawConnection {
  query(sql: string, done: (error: Error | null) => void): void;
}
type Done = (error: Error | null, connection: RawConnection) => void;

const run = (connection: RawConnection, sql: string) =>
  new Promise<void>((resolve, reject) => {
    connection.query(sql, (error) => (error ? reject(error) : resolve()));
  });

const SQL_MODES = "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ZERO_DATE,NO_ZERO_IN_DATE,NO_ENGINE_SUBSTITUTION";

/**
 * UTC; refuses what does not fit instead of cutting it; bounded in time. READ COMMITTED: under the server's default a
 * transaction reads what was there when it began, and would not see the row that its lock waited for, and its gaps'
 * locks let inserts side by side deadlock.
 */
export function prepareMysqlConnection(limits: SessionLimits): (connection: RawConnection, done: Done) => void {
  const prepare = async (connection: RawConnection) => {
    await run(connection, `SET time_zone = '+00:00', sql_mode = '${SQL_MODES}'`);
    await run(connection, "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
    await limitSession(connection, limits);
  };
  return (connection, done) => {
    prepare(connection).then(
      () => done(null, connection),
      (error: Error) => done(error, connection),
    );
  };
}

const UNKNOWN_VARIABLE = 1193;

/** The time that a statement may take is a variable of another name on each of the two servers. */
async function limitSession(
  connection: RawConnection,
  { statementTimeout, lockTimeout }: SessionLimits,
): Promise<void> {
  await run(connection, `SET innodb_lock_wait_timeout = ${Math.max(1, Math.ceil(lockTimeout / 1000))}`);
  try {
    await run(connection, `SET max_statement_time = ${statementTimeout / 1000}`);
  } catch (error) {
    if ((error as { errno?: number }).errno !== UNKNOWN_VARIABLE) throw error;
    await run(connection, `SET max_execution_time = ${statementTimeout}`);
  }
}
