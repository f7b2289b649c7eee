import { readFileSync } from "node:fs";
import { join } from "node:path";
import { edited, withPlugin } from "../../support/fixtures.ts";
import { tenantFiles } from "../scoping/tenants.ts";

// Two tenants, whose people delete posts: with them go comments and their attachments, bookmarks and labels stay without
// them. Letters have a hook of their own, lines of a ledger no model. Posts have what nobody is shown.

const schema = readFileSync(join(import.meta.dirname, "../../../plugins/undo/schema.liquid"), "utf8");
const first = "db/migrate/20260101000000_create_tables.ts";
const routes = "packages/customer_portal/config/routes.ts";
const policy = "app/policies/post_policy.ts";

export const deletionFiles: Record<string, string> = {
  ...tenantFiles,
  [first]: edited(tenantFiles, first, [
    't.belongsTo("comment", { null: false });',
    't.belongsTo("comment", { null: false, onDelete: "cascade" });',
  ]),
  "plugins.config.ts": withPlugin(tenantFiles["plugins.config.ts"]!, "undo()", "undo"),
  "db/migrate/20260401000000_create_framewright_deletions.ts": `export async function up(db) {\n${schema}}\nexport async function down(db) { await db.dropTable("framewright_deletions"); }\n`,
  "db/migrate/20260402000000_more.ts": `export async function up(db) {
    await db.addColumns("posts", (t) => {
      t.text("secret"); t.string("reference").unique(); t.integer("lock_version").notNull().default(0);
      t.json("details"); t.decimal("amount"); t.string("stage"); t.binary("mark"); t.datetime("created_at"); t.datetime("updated_at");
    });
    await db.createTable("bookmarks", (t) => { t.id(); t.string("name"); t.belongsTo("post"); });
    await db.createTable("labels", (t) => { t.id(); t.string("name"); t.belongsTo("post", { onDelete: "set null" }); });
    await db.createTable("ledger_lines", (t) => { t.id(); t.belongsTo("post", { onDelete: "cascade" }); });
    await db.createTable("letters", (t) => { t.id(); t.string("name"); });
  }
  export async function down() {}`,
  "app/models/post.ts": `import { belongsTo, hasMany, hasOne, Model } from "framewright/plugins/database";
export default class Post extends Model("posts") {
  static override encrypts = { secret: {} };
  static override defaults = { stage: "new" };
  static override validations = { title: { length: { maximum: 40 } } };
  static override associations = {
    organization: belongsTo(), author: belongsTo({ class: "User" }), category: belongsTo(),
    comments: hasMany({ dependent: "destroy" }), bookmarks: hasMany({ dependent: "nullify" }), note: hasOne(),
  };
}`,
  "app/models/bookmark.ts": `import { belongsTo, Model } from "framewright/plugins/database";
export default class Bookmark extends Model("bookmarks") { static override associations = { post: belongsTo() }; }`,
  "app/models/label.ts": `import { belongsTo, Model } from "framewright/plugins/database";
export default class Label extends Model("labels") { static override associations = { post: belongsTo() }; }`,
  "app/models/letter.ts": `import { Model } from "framewright/plugins/database";
export default class Letter extends Model("letters") { static override scopes = { associatedWithOrganization: (query) => query }; override async $afterDelete() {} }`,
  "app/policies/letter_policy.ts": `import { Policy } from "framewright/plugins/resources";
export default class LetterPolicy extends Policy { override canRead() { return true; } override canCreate() { return true; } }`,
  "app/definitions/post_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
export default class PostDefinition extends ResourceDefinition {
  override configure() { super.configure(); this.action("destroy", { bulk: true }); }
}`,
  [policy]: edited(
    tenantFiles,
    policy,
    [
      "override canCreate() {\n    return true;",
      "override canCreate() {\n    return (globalThis as { noPosts?: boolean }).noPosts !== true;\n  }\n  override canDestroy() {\n    return true;",
    ],
    [
      'query.where("status", "nowhere").orWhereRaw("1 = 1")',
      'query.whereNot("status", (globalThis as { unseen?: string }).unseen ?? "unseen")',
    ],
  ),
  [routes]: edited(
    tenantFiles,
    routes,
    ["import Note", 'import Letter from "#app/models/letter.ts";\nimport Note'],
    ["Attachment, Category]", "Attachment, Category, Letter]"],
  ),
};
