import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The migration that `fw generate fw:jobs:install` writes, among the files of an application of a test's own:
 * `openTestApplication({ files: { ...jobTables(), … }, plugins: [database(), jobs({ run: false }), mine()] })`.
 */
export function jobTables(): Record<string, string> {
  const tables = readFileSync(join(import.meta.dirname, "../../plugins/jobs/schema.liquid"), "utf8");
  const text = `export async function up(db) {\n${tables}}\nexport async function down() {}\n`;
  return { "db/migrate/20260101000000_create_framewright_jobs.ts": text };
}
