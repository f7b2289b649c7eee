import { createRequire } from "node:module";
import type { Knex } from "knex";
import {
  KEPT_PREPARED,
  type MysqlConnection,
  type MysqlQuery,
  PreparedProtocol,
  type Whole,
} from "./mysql_prepared.ts";

const require = createRequire(import.meta.url);

/** The client that knex is given for MySQL and MariaDB. Loads the driver when it is called. */
export function mysqlClient(): typeof Knex.Client {
  const Base = require("knex/lib/dialects/mysql2/index.js") as new (config: object) => QueryingClient;
  const { TypedParameter } = require("mysql2") as { TypedParameter: { LONGLONG: Whole } };
  const prepared = new PreparedProtocol(TypedParameter.LONGLONG); // a transaction's client is made without its constructor
  class Client extends Base {
    /** The driver hangs the query on an error with its values in it: that is for no log. */
    override async _query(connection: MysqlConnection, query: MysqlQuery): Promise<unknown> {
      try {
        if (await prepared.run(connection, query)) return query;
        return await super._query(connection, query);
      } catch (error) {
        for (const told of ["sql", "parameters"]) delete (error as Record<string, unknown>)[told];
        throw error;
      }
    }
  }
  return Client as unknown as typeof Knex.Client;
}
interface QueryingClient {
  _query(connection: MysqlConnection, query: MysqlQuery): Promise<unknown>;
}

/** What the driver is told, so that values come and go as they do with SQLite. */
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
    maxPreparedStatements: KEPT_PREPARED,
    connectTimeout: 5000,
  } as Knex.MySql2ConnectionConfig;
}

interface RawConnection {
  query(sql: string, done: (error: Error | null) => void): void;
}
type Done = (error: Error | null, connection: RawConnection) => void;

/** UTC, and refuse what does not fit instead of cutting it. */
export function prepareMysqlConnection(connection: RawConnection, done: Done): void {
  const modes = "STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ZERO_DATE,NO_ZERO_IN_DATE,NO_ENGINE_SUBSTITUTION";
  connection.query(`SET time_zone = '+00:00', sql_mode = '${modes}'`, (error) => done(error, connection));
}
