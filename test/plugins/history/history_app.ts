import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestApp } from "../../support/apps.ts";
import { edited, editedText, withPlugin } from "../../support/fixtures.ts";
import { Client } from "../../testing/client.ts";
import { changesFiles } from "../resources/changes_app.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

// Two tenants whose posts, comments and attachments are recorded, and another plugin's items in the same timeline.

const schema = readFileSync(join(import.meta.dirname, "../../../plugins/history/schema.liquid"), "utf8");
const policies = "app/policies/";
/** Bob may see the changes of no post, and nobody those of the one that is sealed. */
const canShowHistory = `  canShowHistory() {
    return (this.user as { id?: number } | undefined)?.id !== 2 && this.record?.title !== "Sealed";
  }
  canShowDeletedHistory() {
    return this.canShowHistory();
  }
  override canExport() {
    return (this.user as { id?: number } | undefined)?.id === 1;
  }
`;

export const historyFiles: Record<string, string> = {
  ...changesFiles,
  "audit.ts": `import { addToOrigin, html } from "framewright/host";
    import { definePlugin } from "framewright/kernel";
    import type {} from "framewright/plugins/history";
    import type {} from "framewright/plugins/jobs";
    import Post from "./app/models/post.ts";
    import User from "./app/models/user.ts";
    export const audit = definePlugin({
      name: "remarks",
      requires: ["database", "jobs", "history"],
      apply({ hooks, services: { jobs } }) {
        jobs.define("rename", async () => {
          await Post.query().findById(1).patch({ title: "By the job" });
        });
        hooks.resources!.authorize.tapPromise("remarks", async (_, { request }) => {
          const id = request.header("x-actor");
          if (id !== undefined) addToOrigin({ actor: (await User.query().findById(Number(id))) as object });
        });
        hooks.history.timeline.tapPromise("remarks", async (items, { record, before, limit }) => {
          if (record.constructor.name !== "Post") return;
          if ((record as Post).title === "Broken timeline") throw new Error("no remarks");
          const all = [1, 2, 3].map((id) => ({ id, at: new Date(Date.UTC(2020, 0, id)) }));
          const found = all.filter(({ at }) => !before || at <= before).reverse().slice(0, limit);
          for (const { id, at } of found)
            items.push({ at, key: "remarks:" + id, person: "Remy", html: html\`<p>Remark \${id}</p>\`, json: { remark: id } });
        });
      },
    });`,
  "plugins.config.ts": withPlugin(changesFiles["plugins.config.ts"]!, "history({ keepFor: { days: 365 } })", "history"),
  "db/migrate/20260401000000_create_framewright_history.ts": `export async function up(db) {\n${schema}
    await db.knex.schema.createTable("prices", (t) => { t.string("Place", 20).notNullable(); t.integer("Day").notNullable(); t.integer("Amount"); t.primary(["Place", "Day"]); });
    await db.addColumns("posts", (t) => { t.text("api_token"); t.text("body"); t.datetime("seen_at"); });
  }\nexport async function down(db) { await db.dropTable("framewright_history"); }\n`,
  "app/models/price.ts": `import { Model } from "framewright/plugins/database";
export default class Price extends Model("prices" as never) { static override idColumn = ["Place", "Day"]; }`,
  "app/definitions/post_definition.ts": edited(changesFiles, "app/definitions/post_definition.ts", [
    'this.scope("widest");',
    'this.scope("widest");\n    this.display("status", { condition: ({ currentUser }) => (currentUser as { id?: number }).id !== 3 });',
  ]),
  "app/models/category.ts": edited(tenantFiles, "app/models/category.ts", [
    "  static override associations",
    "  static history = false;\n  static override associations",
  ]),
  "app/models/comment.ts": edited(tenantFiles, "app/models/comment.ts", [
    "  static override associations",
    "  static history = { keepFor: { days: 30 } };\n  static override associations",
  ]),
  [`${policies}post_policy.ts`]: editedText(
    changesFiles[`${policies}post_policy.ts`]!,
    ["  canRename() {", `${canShowHistory}  canRename() {`],
    [
      `return ["title", "status", "organization", "organization_id", "author", "category"];`,
      `return ["title", "status", "organization", "organization_id", "author", "category", "api_token", "body", "seen_at"];`,
    ],
    [
      `return ["title", "status", "organization", "organization_id", "author", "comments"];`,
      `return ["title", "status", "organization", "organization_id", "author", "comments", "api_token", "body", "seen_at"];`,
    ],
    ['where("status", "nowhere").orWhereRaw("1 = 1")', "whereRaw(\"coalesce(status, '') <> 'hidden'\")"],
  ),
};

export const openHistory = (
  files: Record<string, string> = {},
  values: Record<string, string> = {},
): Promise<TestApp> => openTenants({ ...historyFiles, ...files }, values);

/** Somebody of the tenants, by the header that their portals know people by. */
export class Person extends Client {
  readonly #id: number;

  constructor(url: string, id: number) {
    super(url);
    this.#id = id;
  }
  override request(path: string, init: RequestInit = {}): Promise<Response> {
    return super.request(path, { ...init, headers: { ...(init.headers as object), "x-user": String(this.#id) } });
  }
  send(path: string, method: string, body: object = {}): Promise<Response> {
    const headers = { accept: "application/json", "content-type": "application/json" };
    return this.request(path, { method, headers, body: JSON.stringify(body) });
  }
}
