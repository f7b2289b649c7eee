import type { Knex } from "knex";
import type { Driver } from "./driver.ts";
import { driverFor, driverOf, useDriver } from "./drivers.ts";
import { useFrameworkPrefix } from "./framework_tables.ts";

/** Limits of a connection, in milliseconds, and the size of the pool. */
export interface ConnectionOptions {
  /** Where the application is; a relative file is looked for here. */
  root: string;
  env: string;
  url: string | undefined;
  /** The drivers that open it; those that are built in by default. */
  drivers?: readonly Driver[];
  /** The most connections; SQLite has one that writes and a few that read. */
  pool: number;
  /** Milliseconds that a query waits for a connection. */
  acquireTimeout: number;
  /** Milliseconds that SQLite waits for another process's lock. */
  busyTimeout: number;
  /** The library that opens SQLite; by default Node's where it is stable, else libsql. */
  sqlite?: "node" | "libsql" | undefined;
  /** Milliseconds that a statement may take; on SQLite one that runs in a thread. */
  statementTimeout?: number;
  /** Milliseconds that a statement waits for a locked row; not on SQLite. */
  lockTimeout?: number;
  /** What the names of the framework's own tables begin with, where it is not the default. */
  frameworkPrefix?: string | undefined;
}

/** The name of the driver that a knex is of: "sqlite", "mysql", or that of a plugin. */
export const clientOf = (knex: Knex): string => driverOf(knex).name;

/** Whether a connection that failed may be followed by one to another server of the same database. */
export const hasOtherHosts = (knex: Knex): boolean =>
  (knex.client as { hasOtherHosts?: boolean }).hasOtherHosts === true;

/**
 * Creates the knex of an address; it connects at the first query.
 * @throws FW_DATABASE_URL, FW_DATABASE_DRIVER
 */
export function connect(options: ConnectionOptions): Knex {
  const { driver, url } = driverFor(options);
  return useFrameworkPrefix(useDriver(driver.connect({ ...options, url }), driver), options.frameworkPrefix);
}
