import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants, tenantFiles } from "./tenants.ts";

const routes = "packages/customer_portal/config/routes.ts";
/** Posts have tags, by a table in between that has a tenant as well. */
export const tagFiles = {
  "db/migrate/20260103000000_add_tags.ts": `import type { Schema } from "framewright/plugins/database";
export async function up(db: Schema) {
  await db.createTable("tags", (t) => { t.id(); t.string("name").notNull(); t.belongsTo("organization", { null: false }); });
  await db.createTable("taggings", (t) => { t.id(); t.belongsTo("tag", { null: false }); t.belongsTo("post", { null: false }); t.belongsTo("organization", { null: false }); });
}
export async function down() {}`,
  "app/models/tag.ts": `import { belongsTo, Model } from "framewright/plugins/database";
export default class Tag extends Model("tags") { static override associations = { organization: belongsTo() }; }`,
  "app/models/tagging.ts": `import { belongsTo, Model } from "framewright/plugins/database";
export default class Tagging extends Model("taggings") { static override associations = { tag: belongsTo(), post: belongsTo(), organization: belongsTo() }; }`,
  "app/policies/tag_policy.ts": `import { Policy } from "framewright/plugins/resources";
export default class TagPolicy extends Policy { override canRead() { return true; } override permittedAttributesForRead() { return ["name"]; }
  override relationScope(query: any) { return query.where("name", "nothing").orWhereRaw("1 = 1"); } }`,
  "app/models/post.ts": edited(tenantFiles, "app/models/post.ts", [
    "note: hasOne(),",
    'note: hasOne(), taggings: hasMany({ dependent: "destroy" }), tags: hasMany({ through: "taggings" }),',
  ]),
  "app/policies/post_policy.ts": edited(
    tenantFiles,
    "app/policies/post_policy.ts",
    [
      'return ["title", "status", "organization", "organization_id", "author", "category"];',
      'return ["title", "tags"] as never;',
    ],
    [
      'return ["title", "status", "organization", "organization_id", "author", "comments"];',
      'return ["title", "tags"] as never;',
    ],
  ),
  [routes]: edited(
    tenantFiles,
    routes,
    ["import User from", 'import Tag from "#app/models/tag.ts";\nimport User from'],
    ["[Organization, User,", "[Organization, Tag, User,"],
  ),
};

/** Each tenant has a tag; the post of the first carries that of the second, which a fault could have left. */
export async function openTags(values: Record<string, string>, changes: Record<string, string> = {}): Promise<TestApp> {
  const app = await openTenants({ ...tagFiles, ...changes }, values);
  const { knex } = databaseOf(app.application);
  await knex("tags").insert([
    { id: 1, name: "Alpine tag", organization_id: 1 },
    { id: 2, name: "Baltic tag", organization_id: 2 },
  ]);
  await knex("taggings").insert({ id: 1, post_id: 1, tag_id: 2, organization_id: 2 });
  return app;
}
