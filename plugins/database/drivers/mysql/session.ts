import type { Knex } from "knex";
import type { MysqlAddress } from "./address.ts";
import { MAX_PREPARED_STATEMENTS } from "./prepared_statements.ts";

export interface SessionLimits {
  /** Milliseconds that a statement may take; 0: as long as it likes. */
  statementTimeout: number;
  /** Milliseconds that a statement waits for a row that another transaction has locked. */
  lockTimeout: number;
}
export interface RawConnection {
  query(sql: string, done: (error: Error | null, rows?: unknown) => void): void;
}

/** Milliseconds that a server may take to let a connection in. */
const CONNECT_TIMEOUT_MS = 5000;
/** The same where another one can be tried. */
const CONNECT_TIMEOUT_OF_SEVERAL_MS = 1000;

/** The driver's options, so that values are read and written as with SQLite. */
export function mysqlConnection({ url, hosts }: MysqlAddress): Knex.MySql2ConnectionConfig {
  const socketPath = url.searchParams.get("socket");
  return {
    ...hosts[0],
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
    connectTimeout: hosts.length > 1 ? CONNECT_TIMEOUT_OF_SEVERAL_MS : CONNECT_TIMEOUT_MS,
  } as Knex.MySql2ConnectionConfig;
}

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
export async function prepareSession(connection: RawConnection, limits: SessionLimits): Promise<void> {
  await run(connection, `SET time_zone = '+00:00', sql_mode = '${SQL_MODES}'`);
  await run(connection, "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
  await limitSession(connection, limits);
}

const UNKNOWN_VARIABLE = 1193;

/** The time that a statement may take is a variable of another name on each of the two servers. */
export async function limitSession(
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

/** Whether a node's reads wait for what other nodes committed before, or as its server has it. */
export const waitForOthers = (connection: RawConnection, isOn: boolean): Promise<void> =>
  run(connection, `SET SESSION wsrep_sync_wait = @@GLOBAL.wsrep_sync_wait${isOn ? " | 1" : ""}`);
