import type { ConnectionOptions } from "./connection.ts";
import { driverFor } from "./drivers.ts";

/** A database without tables, to be removed when it is not needed any more. */
export interface EmptyDatabase {
  /** Its address. */
  readonly url: string;
  /** Its file, or its name on the server. */
  readonly name: string;
  remove(): Promise<void>;
}

/**
 * Creates an empty database beside the one that an address names: on the same server, of SQLite in memory. Undefined where
 * the driver makes none. @throws FW_DATABASE_EMPTY, FW_DATABASE_URL
 */
export async function createEmptyDatabase(options: ConnectionOptions): Promise<EmptyDatabase | undefined> {
  const { driver, url } = driverFor(options);
  return driver.createEmpty?.({ ...options, url });
}
