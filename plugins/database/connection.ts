import { mkdirSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import createKnex, { type Knex } from "knex";
import { sqliteClient } from "./clients/libsql.ts";
import { mysqlClient, mysqlConnection, prepareMysqlConnection } from "./clients/mysql.ts";
import type { Client } from "./ddl.ts";
import { errors } from "./errors.ts";

export interface ConnectionOptions {
  /** Where the application is; a relative file is looked for here. */
  root: string;
  env: string;
  url: string | undefined;
  /** The most connections; MySQL only, SQLite has one. */
  pool: number;
  /** Milliseconds that a query waits for a connection. */
  acquireTimeout: number;
  /** Milliseconds that SQLite waits for another process's lock. */
  busyTimeout: number;
}

/** Which of the two a knex speaks to. */
export const clientOf = (knex: Knex): Client => (/sqlite/i.test(String(knex.client.dialect)) ? "sqlite" : "mysql");

/**
 * Makes the knex of an address; connects at the first query.
 * @throws FW_DATABASE_URL
 */
export function connect(options: ConnectionOptions): Knex {
  const url = options.url ?? `sqlite:${join("storage", `${options.env}.sqlite3`)}`;
  if (/^(?:mysql2?|mariadb):\/\//.test(url)) return connectMysql(url, options);
  if (/^(?:sqlite3?|file):/.test(url)) return connectSqlite(sqliteFile(url, options.root), options);
  throw errors.FW_DATABASE_URL(withoutPassword(url));
}

/** `sqlite:storage/app.sqlite3`, `sqlite:///var/app.sqlite3`, `sqlite::memory:` */
function sqliteFile(url: string, root: string): string {
  const path = url.replace(/^[a-z0-9]+:(?:\/\/(?=\/|[^/]))?/, "");
  if (path === ":memory:") return path;
  if (path === "") throw errors.FW_DATABASE_URL(url);
  return isAbsolute(path) ? path : join(root, path);
}

function connectSqlite(filename: string, { acquireTimeout, busyTimeout }: ConnectionOptions): Knex {
  if (filename !== ":memory:") mkdirSync(dirname(filename), { recursive: true });
  return createKnex({
    client: sqliteClient(),
    connection: { filename, busyTimeout } as Knex.Sqlite3ConnectionConfig,
    useNullAsDefault: true,
    acquireConnectionTimeout: acquireTimeout,
    log: quiet,
    compileSqlOnError: false, // an error names the query, never its values
    pool: { min: 1, max: 1 },
  });
}

function connectMysql(address: string, { pool, acquireTimeout }: ConnectionOptions): Knex {
  if (!URL.canParse(address)) throw errors.FW_DATABASE_URL(withoutPassword(address));
  const url = new URL(address);
  if (url.pathname.length < 2) throw errors.FW_DATABASE_URL(withoutPassword(address));
  return createKnex({
    client: mysqlClient(),
    connection: mysqlConnection(url),
    acquireConnectionTimeout: acquireTimeout,
    log: quiet,
    compileSqlOnError: false, // an error names the query, never its values
    pool: { min: 0, max: pool, afterCreate: prepareMysqlConnection, propagateCreateError: true } as Knex.PoolConfig,
  });
}

/** What knex would print is thrown as well, and is told where it is caught. */
const silent = () => undefined;
const quiet: Knex.Logger = { warn: silent, debug: silent, deprecate: silent, error: silent };

const withoutPassword = (url: string) => url.replace(/\/\/[^@/]*@/, "//…@");
