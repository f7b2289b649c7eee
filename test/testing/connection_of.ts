import { Application } from "framewright/host";
import { definePlugin, type Plugin, type Settings } from "framewright/kernel";
import type { ConnectionOptions } from "framewright/plugins/database";

/** How an application's database would be connected to; nothing connects. Undefined where a plugin's tap of `connect` comes first. */
export async function connectionOf(
  settings: Settings,
  root: string,
  plugins: readonly Plugin[],
): Promise<ConnectionOptions | undefined> {
  const found: { connection?: ConnectionOptions } = {};
  const stop = new Error("found");
  const probe = definePlugin({
    name: "connection probe",
    requires: ["database"],
    apply({ hooks }) {
      hooks.database.connect.tap({ name: "connection probe", stage: -1000 }, (_, connection) => {
        found.connection = connection;
        throw stop;
      });
    },
  });
  const application = new Application(settings, { root });
  await application.withPlugins([...plugins, probe], () => {
    try {
      void application.kernel.service("database").knex;
    } catch (error) {
      if (!found.connection) throw error;
    }
  });
  return found.connection;
}
