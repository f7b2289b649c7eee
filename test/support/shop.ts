import type { Application } from "framewright";
import { definePlugin } from "framewright/kernel";
import { addFiles, openApp, type TestApp, writeApp } from "./apps.ts";
import { copyFixture } from "./fixtures.ts";

/** A small shop with a feature package and one open portal: what most tests of resources stand on. */
export const shopFiles = copyFixture("shop");

/** Runs the migrations before the tables are read, so that an application need not be opened a second time. */
const migrated = definePlugin({
  name: "migrated",
  uses: ["database"],
  apply({ services, hooks, tap }) {
    tap(hooks.kernel.configure, async () => void (await services.database?.migrations.up()));
  },
});

/** Opens an application on a database that is migrated. */
export const openMigrated = (root: string, values: Record<string, string> = {}): Promise<TestApp> =>
  openApp(root, { values, more: [migrated] });

export async function openShop(
  changes: Record<string, string> = {},
  values: Record<string, string> = {},
): Promise<TestApp> {
  const root = writeApp({ ...shopFiles });
  addFiles(root, changes);
  return openMigrated(root, values);
}

/** Runs a story on a shop with changed files, and closes it. */
export async function withShop(changes: Record<string, string>, story: (app: TestApp) => Promise<void>): Promise<void> {
  const app = await openShop(changes);
  try {
    await story(app);
  } finally {
    await app.close();
  }
}

export const databaseOf = (application: Application) => application.kernel.service("database");
