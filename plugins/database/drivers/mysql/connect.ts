import createKnex, { type Knex } from "knex";
import { errors } from "../../errors.ts";
import type { ConnectionOptions } from "../connection.ts";
import { quiet } from "../quiet.ts";
import { withoutPassword } from "../without_password.ts";
import { mysqlClient, mysqlConnection, prepareMysqlConnection } from "./client.ts";

/** The address of a server and one of its databases. @throws FW_DATABASE_URL */
export function mysqlUrl(address: string): URL {
  const url = URL.canParse(address) && address.includes("://") ? new URL(address) : undefined;
  if (!url || url.pathname.length < 2) throw errors.FW_DATABASE_URL(withoutPassword(address));
  return url;
}

export function connectMysql(url: URL, options: ConnectionOptions): Knex {
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
