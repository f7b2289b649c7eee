import type { Application } from "framewright";
import { addFiles, openApp, type TestApp, writeApp } from "./apps.ts";
import { copyFixture } from "./fixtures.ts";

/** A small shop with a feature package and one open portal: what most tests of resources stand on. */
export const shopFiles = copyFixture("shop");

/** Opens an application twice: to migrate, and again with its tables there. */
export async function openMigrated(root: string, values: Record<string, string> = {}): Promise<TestApp> {
  const app = await openApp(root, { values });
  const database = app.application.kernel.service("database");
  await database.migrations.up();
  await app.close();
  return openApp(root, { values });
}

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
