import type { Knex } from "knex";
import { createKnex } from "../../packages.ts";
import type { ConnectionOptions } from "../connection.ts";
import { quiet } from "../quiet.ts";
import type { MysqlAddress } from "./address.ts";
import { mysqlClient } from "./client.ts";
import { hostLook } from "./host_look.ts";
import { Hosts } from "./hosts.ts";
import { mysqlConnection } from "./session.ts";

/** `isWatched`: whether one host is watched as one of several is, so that work may go elsewhere once it stops answering. */
export function connectMysql(address: MysqlAddress, options: ConnectionOptions, isWatched = false): Knex {
  const { pool, acquireTimeout, statementTimeout = 10_000, lockTimeout = 3000 } = options;
  const limits = { statementTimeout, lockTimeout };
  const connection = mysqlConnection(address);
  const hosts = address.hosts.length > 1 || isWatched ? new Hosts(address, hostLook(connection)) : undefined;
  return createKnex({
    client: mysqlClient(limits, hosts),
    connection,
    acquireConnectionTimeout: acquireTimeout,
    log: quiet,
    compileSqlOnError: false, // an error names the query, never its values
    pool: { min: 0, max: pool, propagateCreateError: true } as Knex.PoolConfig,
  });
}
