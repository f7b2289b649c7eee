import { isAbsolute, join } from "node:path";
import { type ConnectionOptions, invalidUrl, quietLogger } from "framewright/plugins/database";
import createKnex, { type Knex } from "knex";
import type { ClientConfig } from "pg";
import { postgresClient } from "./client.ts";
import type { PgliteInstances } from "./pglite.ts";
import { openConnection } from "./server_connection.ts";
import { types } from "./values.ts";

type Options = ConnectionOptions & { url: string };

/** A knex to a server. @throws FW_DATABASE_URL */
export const connectServer = (options: Options): Knex => create(options, async () => serverConfig(options.url));

const FORM = "postgres://user:password@host/name, with ?sslmode=verify-full where the connection is to be encrypted";
const parameters: ReadonlySet<string> = new Set(["ssl", "sslmode", "socket"]);
/** What asks for encryption gets it with the certificate checked; what leaves it to the server is refused. */
const encrypts: Readonly<Record<string, boolean>> = {
  ...{ true: true, false: false, disable: false },
  ...{ require: true, "verify-ca": true, "verify-full": true },
};

/** The address as `pg` takes it. @throws FW_DATABASE_URL, also for a parameter that would be without effect */
export function serverConfig(address: string): ClientConfig {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const ssl = encrypts[url?.searchParams.get("sslmode") ?? url?.searchParams.get("ssl") ?? "disable"];
  const isKnown = url && [...url.searchParams.keys()].every((name) => parameters.has(name));
  if (!isKnown || ssl === undefined || url.pathname.length < 2) throw invalidUrl(address, FORM);
  return {
    host: url.searchParams.get("socket") ?? decodeURIComponent(url.hostname),
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username) || undefined,
    password: decodeURIComponent(url.password) || undefined,
    database: decodeURIComponent(url.pathname.slice(1)),
    ssl: ssl ? { rejectUnauthorized: true } : false,
    connectionTimeoutMillis: 5000,
    types: types as never,
  };
}

/** Milliseconds that a process may take to start PGlite, which compiles it: the first query waits for that as well. */
const START_TIMEOUT_MS = 60_000;

/** A knex to PGlite: `pglite:storage/app`, `pglite::memory:`. */
export function connectPglite(options: Options, instances: PgliteInstances): Knex {
  const path = options.url.slice("pglite:".length);
  if (path === "") throw invalidUrl(options.url, "pglite:storage/app or pglite::memory:");
  const place = path === ":memory:" || isAbsolute(path) ? path : join(options.root, path);
  const lease = instances.lease(place);
  const config = async () => {
    const stream = await lease.stream();
    return { stream: () => stream, user: "postgres", database: "postgres", types: types as never };
  };
  const knex = create(
    { ...options, pool: 1, acquireTimeout: Math.max(options.acquireTimeout, START_TIMEOUT_MS) },
    config,
    true,
  );
  const destroy = knex.client.destroy.bind(knex.client);
  knex.client.destroy = async (callback?: () => void) => {
    await destroy();
    await lease.end();
    callback?.();
  };
  return knex;
}

function create(options: Options, config: () => Promise<ClientConfig>, isSingle = false): Knex {
  const { pool, acquireTimeout, statementTimeout = 10_000, lockTimeout = 3000 } = options;
  const limits = { statementTimeout, lockTimeout };
  const open = async () => openConnection(await config(), limits);
  return createKnex({
    client: postgresClient({ statementTimeout, open, isSingle }),
    connection: {},
    acquireConnectionTimeout: acquireTimeout,
    log: quietLogger,
    compileSqlOnError: false, // an error names the query, never its values
    pool: { min: 0, max: pool, propagateCreateError: true, createTimeoutMillis: START_TIMEOUT_MS } as Knex.PoolConfig,
  });
}
