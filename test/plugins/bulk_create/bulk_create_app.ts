import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestApp } from "../../support/apps.ts";
import { edited, withPlugin } from "../../support/fixtures.ts";
import { backgroundFiles } from "../resources/background_app.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

const plugins = join(import.meta.dirname, "../../../plugins");
const schemas = ["idempotency", "history"].map((name) => readFileSync(join(plugins, name, "schema.liquid"), "utf8"));
const added = [
  ["bulkCreate({ most: 20, mostInBackground: 60 })", "bulk_create"],
  ["idempotency()", "idempotency"],
  ["history()", "history"],
  ["openapi()", "openapi"],
] as const;
const path = "app/policies/post_policy.ts";

/** What was reported of records: each with the number of posts that were stored by then. */
export const heard = globalThis as { created?: { title: string; stored: number }[] };

/** Two tenants whose programs create posts: Cat may not, nobody creates "Forbidden", and notes have an action of the application's own. */
export const bulkCreateFiles: Record<string, string> = {
  ...backgroundFiles,
  "plugins.config.ts": added
    .reduce((config, [call, folder]) => withPlugin(config, call, folder), backgroundFiles["plugins.config.ts"]!)
    .replace(/^import /, 'import { hearing } from "./hearing.ts";\nimport ')
    .replace("definePlugins([", "definePlugins([hearing, "),
  "hearing.ts": `import { definePlugin } from "framewright/kernel";
import { forbidden } from "framewright";
import type {} from "framewright/plugins/resources";
export const hearing = definePlugin({
  name: "hearing",
  requires: ["database", "resources"],
  apply({ services: { database }, hooks }) {
    hooks.resources.record.tapPromise("hearing", async ({ kind, record }) => {
      const title = (record as { title?: string }).title ?? "";
      const [{ stored }] = await database.knex("posts").count("* as stored");
      if (kind === "created") ((globalThis as { created?: object[] }).created ??= []).push({ title, stored: Number(stored) });
    });
    hooks.resources.authorize.tap("hearing", (action, controller) => {
      const sent = controller.params.get("post") as { title?: unknown } | undefined;
      if (action === "create" && !Array.isArray(sent) && sent?.title === "Forbidden") throw forbidden("not this one.");
    });
  },
});`,
  "db/migrate/20260402000000_create_more.ts": `export async function up(db) {
${schemas.join("")}
  await db.addColumns("posts", (t) => { t.string("code").unique(); });
}
export async function down() {}`,
  "app/models/post.ts": edited(tenantFiles, "app/models/post.ts", [
    "static override scopes",
    "static override validations = { title: { presence: true, length: { maximum: 40 } } };\n  static override scopes",
  ]),
  [path]: edited(
    backgroundFiles,
    path,
    [
      "override canCreate() {\n    return true",
      "override canCreate() {\n    return (this.user as { id?: number } | undefined)?.id !== 3",
    ],
    [
      'return ["title", "status", "organization", "organization_id", "author", "category"]',
      'return ["title", "status", "author", "category", "code" as never]',
    ],
    [
      'return ["title", "status", "organization", "organization_id", "author", "comments"]',
      'return ["title", "status", "author", "code" as never]',
    ],
  ),
  "packages/customer_portal/app/controllers/customer_portal/notes_controller.ts": `import ResourceController from "./resource_controller.ts";
export default class NotesController extends ResourceController {
  override async create() { return super.create(); }
}`,
};

export const openBulkCreate = (values: Record<string, string> = {}): Promise<TestApp> =>
  openTenants(bulkCreateFiles, values);
