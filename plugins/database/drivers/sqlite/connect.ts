import { mkdirSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import type { Knex } from "knex";
import { errors } from "../../errors.ts";
import { createKnex } from "../../packages.ts";
import type { ConnectionOptions } from "../connection.ts";
import { requirePrivate } from "../private_apis.ts";
import { quiet } from "../quiet.ts";
import { sqliteClient } from "./client.ts";
import { sqliteLibrary } from "./library/choose.ts";

/** `sqlite:storage/app.sqlite3`, `sqlite:///var/app.sqlite3`, `sqlite::memory:` @throws FW_DATABASE_URL */
export function sqliteFile(url: string, root: string): string {
  const path = url.replace(/^[a-z0-9]+:(?:\/\/(?=\/|[^/]))?/, "");
  if (path === ":memory:") return path;
  if (path === "") throw errors.FW_DATABASE_URL(url);
  return isAbsolute(path) ? path : join(root, path);
}

export function connectSqlite(filename: string, options: ConnectionOptions): Knex {
  const { acquireTimeout, busyTimeout, statementTimeout = 10_000 } = options;
  if (filename !== ":memory:") mkdirSync(dirname(filename), { recursive: true });
  const knex = createKnex({
    client: sqliteClient(sqliteLibrary(options.sqlite), { statementTimeout, acquireTimeout }),
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
