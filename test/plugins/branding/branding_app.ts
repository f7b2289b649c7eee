import { readFileSync } from "node:fs";
import { join } from "node:path";
import { jobTables } from "framewright/testing";
import { withPlugin } from "../../support/fixtures.ts";
import { tenantFiles } from "../scoping/tenants.ts";

const schema = readFileSync(join(import.meta.dirname, "../../../plugins/branding/schema.liquid"), "utf8");

/** Two tenants, each of which the first person and whoever is in both may brand. */
export const brandingFiles: Record<string, string> = {
  ...tenantFiles,
  ...jobTables(),
  "app/views/mails/news.liquid": '<p>{{ application }} <a class="button" href="https://shop.example">News</a></p>',
  "app/views/mails/news_text.liquid": "News of {{ application }}\n",
  "plugins.config.ts": withPlugin(
    withPlugin(withPlugin(tenantFiles["plugins.config.ts"]!, "jobs({ run: false })", "jobs"), "mailer()", "mailer"),
    "branding({ may: ({ currentUser }) => [1, 3].includes(Number((currentUser as { id?: unknown } | undefined)?.id)) })",
    "branding",
  ),
  "db/migrate/20260401000000_create_framewright_branding.ts": `export async function up(db) {\n${schema}}\nexport async function down(db) { await db.dropTable("framewright_branding"); }\n`,
};
export const page = (tenant: number) => `/customer/${tenant}/_branding`;
export const logo = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
