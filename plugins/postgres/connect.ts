import { resolve } from "node:path";
import { type ConnectionOptions, invalidUrl, quietLogger } from "framewright/plugins/database";
import createKnex, { type Knex } from "knex";
import { parseAddress } from "./address.ts";
import { type ClientOptions, postgresClient } from "./client.ts";
import { Hosts } from "./hosts.ts";
import type { PgliteInstances } from "./pglite.ts";
import { openConnection } from "./server_connection.ts";
import { types } from "./values.ts";

type Options = ConnectionOptions & { url: string };
const DEFAULT_LIMITS = { statementTimeout: 10_000, lockTimeout: 3000 };

/** A knex to a server, or to the one of several that takes writes. @throws FW_DATABASE_URL, FW_POSTGRES_HOSTS */
export function connectServer(options: Options): Knex {
  const address = parseAddress(options.url);
  const hosts = new Hosts(address.hosts);
  const limits = limitsOf(options);
  const { areSeveral } = hosts;
  const open = () =>
    hosts.connect((host) => openConnection({ ...address.config, ...host }, limits, { isPrimary: areSeveral }));
  return create(options, { ...limits, open, isSingle: false, areSeveral });
}

/** A knex to PGlite: `pglite:storage/app`, `pglite::memory:`. */
export function connectPglite(options: Options, instances: PgliteInstances): Knex {
  const path = options.url.slice("pglite:".length);
  if (path === "") throw invalidUrl(options.url, "pglite:storage/app or pglite::memory:");
  const place = path === ":memory:" ? path : resolve(options.root, path);
  const lease = instances.lease(place);
  const limits = limitsOf(options);
  const open = async () => {
    const stream = await lease.stream();
    const config = { stream: () => stream, user: "postgres", database: "postgres", types: types as never };
    return openConnection(config, limits);
  };
  const ready = () => lease.ready();
  const knex = create({ ...options, pool: 1 }, { ...limits, ready, open, isSingle: true, areSeveral: false });
  const destroy = knex.client.destroy.bind(knex.client);
  knex.client.destroy = async (callback?: () => void) => {
    await destroy();
    await lease.end();
    callback?.();
  };
  return knex;
}

const limitsOf = ({ statementTimeout, lockTimeout }: Options) => ({
  statementTimeout: statementTimeout ?? DEFAULT_LIMITS.statementTimeout,
  lockTimeout: lockTimeout ?? DEFAULT_LIMITS.lockTimeout,
});

function create({ pool, acquireTimeout }: Options, client: ClientOptions): Knex {
  return createKnex({
    client: postgresClient(client),
    connection: {},
    acquireConnectionTimeout: acquireTimeout,
    log: quietLogger,
    compileSqlOnError: false, // an error names the query, never its values
    pool: { min: 0, max: pool, propagateCreateError: true } as Knex.PoolConfig,
  });
}
