import type { Knex } from "knex";
import { errors } from "../errors.ts";
import type { ConnectionOptions } from "./connection.ts";
import { driverFor } from "./drivers.ts";

/** A copy of a database, to be removed when it is not needed any more. */
export interface DatabaseCopy {
  /** How to connect to it. */
  readonly options: ConnectionOptions;
  /** Its file, or its name on the server. */
  readonly name: string;
  /** What was not copied, in words; undefined where everything was. */
  readonly without: string | undefined;
  /** Whether a connection leads to the copy. */
  isOpenedBy(knex: Knex): Promise<boolean>;
  remove(): Promise<void>;
}

/**
 * Copies a database without writing to it: a file of SQLite with its write-ahead log; of MySQL and MariaDB the tables,
 * into a new database on the same server, and the rows where they are few. @throws FW_DATABASE_COPY, FW_DATABASE_URL
 */
export async function copyDatabase(options: ConnectionOptions): Promise<DatabaseCopy> {
  const { driver, url } = driverFor(options);
  if (!driver.copy) throw errors.FW_DATABASE_COPY(`the driver "${driver.name}" makes no copies. Use SQLite for this`);
  return driver.copy({ ...options, url });
}
