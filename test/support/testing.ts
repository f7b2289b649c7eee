import { Application, openApplication, readSettings } from "framewright/host";
import { definePlugin } from "framewright/kernel";
import type { BaseModel, Query } from "framewright/plugins/database";
import { Client } from "./client.ts";

export { Client } from "./client.ts";

/** An application under test: booted, migrated, listening on a port of its own. */
export interface TestApplication {
  readonly application: Application;
  readonly url: string;
  /** A visitor with cookies of their own. */
  client(): Client;
  /** A request without cookies; it follows no redirect by itself. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** A query of a model. */
  query<M extends BaseModel>(model: { new (): M }): Query<M>;
  close(): Promise<void>;
}

export interface TestOptions {
  /** The application's folder; the working directory unless told. */
  root?: string;
  /** `DATABASE_URL` unless told, else an empty SQLite database in memory. */
  database?: string;
}

/** Runs the migrations before the tables are read. */
const migrated = definePlugin({
  name: "testing",
  requires: ["database"],
  apply({ services, hooks }) {
    hooks.kernel.configure.tapPromise("testing", async () => {
      await services.database.migrations.up();
    });
  },
});

/** Boots an application for a test, on a database that is migrated. Close it when the tests are done. */
export async function openTestApplication({
  root = process.cwd(),
  database,
}: TestOptions = {}): Promise<TestApplication> {
  const values = { ...process.env, NODE_ENV: "test" };
  const url = database ?? process.env.DATABASE_URL ?? "sqlite::memory:";
  const settings = readSettings({ root, values: { ...values, DATABASE_URL: url } });
  const plugins = [...(await Application.pluginsOf(root, false)), migrated];
  const application = await openApplication({ root, settings, plugins });
  const { url: address } = await application.listen(0, "127.0.0.1");
  return {
    application,
    url: address,
    client: () => new Client(address),
    request: (path, init = {}) => fetch(address + path, { redirect: "manual", ...init }),
    query: (model) => application.kernel.service("database").query(model),
    close: () => application.close(),
  };
}
