import { join } from "node:path";
import { Registry } from "framewright/kernel";
import type { Knex } from "knex";
import { errors } from "../errors.ts";
import type { ConnectionOptions } from "./connection.ts";
import type { Driver } from "./driver.ts";
import { mysqlDriver } from "./mysql/driver.ts";
import { sqliteDriver } from "./sqlite/driver.ts";
import { withoutPassword } from "./without_password.ts";

const builtIn: readonly Driver[] = [sqliteDriver, mysqlDriver];

/** The drivers of an application: those that are built in, and what plugins add. */
export function openDrivers(registrant: () => string | undefined): Registry<Driver> {
  const drivers = new Registry<Driver>("the database driver", registrant);
  for (const driver of builtIn) drivers.add(driver.name, driver);
  return drivers;
}

type Address = Pick<ConnectionOptions, "url" | "env" | "drivers">;

/** The address of a database, and the driver that opens its scheme. @throws FW_DATABASE_URL, FW_DATABASE_DRIVER, FW_DATABASE_DRIVERS */
export function driverFor({ url, env, drivers = builtIn }: Address): { driver: Driver; url: string } {
  const address = url ?? `sqlite:${join("storage", `${env}.sqlite3`)}`;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase();
  if (scheme === undefined) throw errors.FW_DATABASE_URL(withoutPassword(address));
  const [driver, ...others] = drivers.filter(({ protocols }) => protocols.includes(scheme));
  if (driver && others.length > 0)
    throw errors.FW_DATABASE_DRIVERS(
      scheme,
      [driver, ...others].map(({ name }) => name),
    );
  if (driver) return { driver, url: address };
  throw errors.FW_DATABASE_DRIVER(scheme, drivers.flatMap(({ protocols }) => protocols).sort());
}

/** Set in the config of a knex, which the clients of its transactions share. */
const used = Symbol("driver");
interface HasConfig {
  config?: { [used]?: Driver };
  dialect?: unknown;
}

/** Notes which driver a knex is of; one that was not connected by a driver gets that of its dialect. */
export function useDriver(knex: Knex, driver: Driver): Knex {
  const client = knex.client as HasConfig;
  client.config = Object.assign(client.config ?? {}, { [used]: driver });
  return knex;
}

/** The driver of a knex or of its transaction; `others`: those that know the dialects of knex that no driver has connected. */
export function driverOf(knex: { client: unknown }, others: readonly Driver[] = builtIn): Driver {
  const { config, dialect } = knex.client as HasConfig;
  return config?.[used] ?? others.find(({ dialects }) => dialects.includes(String(dialect))) ?? mysqlDriver;
}
