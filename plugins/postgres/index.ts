import { definePlugin } from "framewright/kernel";
import type {} from "framewright/plugins/database";
import { pgliteDriver, postgresDriver } from "./driver.ts";

export { convertTypes } from "./convert_types.ts";
export { pgliteDriver, postgresDriver } from "./driver.ts";

/**
 * Lets DATABASE_URL lead to PostgreSQL: `postgres://user:password@host/name` to a server, `pglite:storage/app` and
 * `pglite::memory:` to one in the process. Add it to plugins.config.ts.
 */
export function postgres() {
  const pglite = pgliteDriver();
  return definePlugin({
    name: "postgres",
    requires: ["database"],
    apply({ services }) {
      const { drivers } = services.database;
      drivers.add("postgres", postgresDriver);
      drivers.add("pglite", pglite);
    },
  });
}
