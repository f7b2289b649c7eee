import { mkdirSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import createKnex, { type Knex } from "knex";
import { errors } from "../errors.ts";
import type { Client } from "../migrations/ddl.ts";
import { mysqlClient, mysqlConnection, prepareMysqlConnection } from "./mysql/client.ts";
import { requirePrivate } from "./private_apis.ts";
import { sqliteClient } from "./sqlite/client.ts";

/** Limits of a connection, in milliseconds, and the size of the pool. */
export interface ConnectionOptions {
  /** Where the application is; a relative file is looked for here. */
  root: string;
  env: string;
  url: string | undefined;
  /** The most connections; MySQL only, SQLite has one that writes and a few that read. */
  pool: number;
  /** Milliseconds that a query waits for a connection. */
  acquireTimeout: number;
  /** Milliseconds that SQLite waits for another process's lock. */
  busyTimeout: number;
  /** Milliseconds that a statement may take; on SQLite one that runs in a thread. */
  statementTimeout?: number;
  /** Milliseconds that a statement waits for a locked row; MySQL only. */
  lockTimeout?: number;
}

/** Which of the two a knex speaks to. */
export const clientOf = (knex: Knex): Client => (/sqlite/i.test(String(knex.client.dialect)) ? "sqlite" : "mysql");

/**
 * Creates the knex of an address; it connects at the first query.
 * @throws FW_DATABASE_URL
 */
export function connect(options: ConnectionOptions): Knex {
  const { file, url } = placeOf(options);
  return url ? connectMysql(url, options) : connectSqlite(file!, options);
}

/** Where a database is: a file or `:memory:`, or the address of a server. @throws FW_DATABASE_URL */
export function placeOf(options: Pick<ConnectionOptions, "url" | "root" | "env">): { file?: string; url?: URL } {
  const address = options.url ?? `sqlite:${join("storage", `${options.env}.sqlite3`)}`;
  if (/^(?:sqlite3?|file):/.test(address)) return { file: sqliteFile(address, options.root) };
  const isMysql = /^(?:mysql2?|mariadb):\/\//.test(address) && URL.canParse(address);
  const url = isMysql ? new URL(address) : undefined;
  if (!url || url.pathname.length < 2) throw errors.FW_DATABASE_URL(withoutPassword(address));
  return { url };
}

/** `sqlite:storage/app.sqlite3`, `sqlite:///var/app.sqlite3`, `sqlite::memory:` */
function sqliteFile(url: string, root: string): string {
  const path = url.replace(/^[a-z0-9]+:(?:\/\/(?=\/|[^/]))?/, "");
  if (path === ":memory:") return path;
  if (path === "") throw errors.FW_DATABASE_URL(url);
  return isAbsolute(path) ? path : join(root, path);
}

function connectSqlite(filename: string, options: ConnectionOptions): Knex {
  const { acquireTimeout, busyTimeout, statementTimeout = 10_000 } = options;
  if (filename !== ":memory:") mkdirSync(dirname(filename), { recursive: true });
  const knex = createKnex({
    client: sqliteClient({ statementTimeout, acquireTimeout }),
    connection: { filename, busyTimeout } as Knex.Sqlite3ConnectionConfig,
    useNullAsDefault: true,
    acquireConnectionTimeout: acquireTimeout,
    log: quiet,
    compileSqlOnError: false, // an error names the query, never its values
    pool: { min: 1, max: 1 },
  });
  checkPool(knex);
  return knex;
}

/** Synchronous queries look for a free connection themselves, and those that read for another one. @throws FW_DATABASE_PRIVATE */
function checkPool(knex: Knex): void {
  const { pool } = knex.client as { pool?: { free?: unknown; numUsed?: unknown } };
  requirePrivate("tarn", "the list free of its pool", Array.isArray(pool?.free));
  requirePrivate("tarn", "numUsed() of its pool", typeof pool?.numUsed === "function");
  requirePrivate("knex", "_method of a query", (knex.queryBuilder() as { _method?: unknown })._method === "select");
}

function connectMysql(url: URL, options: ConnectionOptions): Knex {
  const { pool, acquireTimeout, statementTimeout = 10_000, lockTimeout = 3000 } = options;
  const limits = { statementTimeout, lockTimeout };
  return createKnex({
    client: mysqlClient(limits),
    connection: mysqlConnection(url),
    acquireConnectionTimeout: acquireTimeout,
    log: quiet,
    compileSqlOnError: false, // an error names the query, never its values
    pool: {
      min: 0,
      max: pool,
      afterCreate: prepareMysqlConnection(limits),
      propagateCreateError: true,
    } as Knex.PoolConfig,
  });
}

/** What knex would print is thrown as well, and is logged where it is caught. */
const silent = () => undefined;
const quiet: Knex.Logger = { warn: silent, debug: silent, deprecate: silent, error: silent };

const withoutPassword = (url: string) => url.replace(/\/\/[^@/]*@/, "//…@");
