// `npm run fixtures`: writes db/types.d.ts of the applications in test/fixtures/apps, as `fw types` does.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { typesOf } from "../../generators/commands/types.ts";
import { writeApp } from "./apps.ts";
import { copyFixture } from "./fixtures.ts";
import { openMigrated } from "./shop.ts";

const folder = join(import.meta.dirname, "../fixtures/apps");

/** The whole applications that have a database. */
export const migrated = readdirSync(folder).filter((name) =>
  ["plugins.config.ts", "db"].every((part) => existsSync(join(folder, name, part))),
);
const typesFile = (name: string) => join(folder, name, "db/types.d.ts");
export const committedTypes = (name: string): string => readFileSync(typesFile(name), "utf8");

export async function generatedTypes(name: string): Promise<string> {
  const app = await openMigrated(writeApp(copyFixture(name)));
  try {
    return await typesOf(app.application);
  } finally {
    await app.close();
  }
}

if (process.argv[1] === import.meta.filename)
  for (const name of migrated) writeFileSync(typesFile(name), await generatedTypes(name));
