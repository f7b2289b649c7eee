import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { databaseOf } from "../../support/shop.ts";
import { backgroundFiles } from "../resources/background_app.ts";
import { openTenants, tenantFiles } from "./tenants.ts";

// Two tenants with everything by which a record can be found, chosen, shown or acted on: slugs of before and of now, UUIDs,
// classes in one table, several choices, encrypted values, conditions, runs in the background. Ann is a member of one
// tenant and sees neither what is called "Hidden" nor what is "classified"; Cat is a member of both and sees all.

const slugSchema = readFileSync(
  join(import.meta.dirname, "../../../plugins/database/slug_history/schema.liquid"),
  "utf8",
);
const portal = "packages/customer_portal";
const policy = (name: string, body: string) => `import { Policy } from "framewright/plugins/resources";
export default class ${name}Policy extends Policy {
  get isCat() { return this.user?.id === 3; }
  override canRead() { return true; } override canCreate() { return true; } override canExport() { return true; }
  ${body}
}`;
const list = (method: string, plain: string, cats = plain) =>
  `override ${method}() { return (this.isCat ? [${cats}] : [${plain}]) as never; }`;
const hides = (column: string) =>
  `override relationScope(query) { return this.isCat ? query : query.where("${column}", "not like", "Hidden%"); }`;
const model = (name: string, table: string, associations: string, more = "") =>
  `import { belongsTo, hasMany, hasOne, Model } from "framewright/plugins/database";
export default class ${name} extends Model("${table}") { ${more} static override associations = { ${associations} }; }`;
const subclass = (name: string) =>
  `import Attachment from "./attachment.ts"; export default class ${name} extends Attachment {}`;
const slug = (from: string) =>
  `static override paramKey = "slug"; static override slug = { from: "${from}", history: true };`;

const models = {
  "app/models/organization.ts": model(
    "Organization",
    "organizations",
    "memberships: hasMany(), posts: hasMany(), tags: hasMany(), badges: hasMany()",
    slug("name"),
  ),
  "app/models/post.ts": model(
    "Post",
    "posts",
    'organization: belongsTo(), author: belongsTo({ class: "User" }), category: belongsTo(), badge: belongsTo(), drawing: belongsTo({ class: "Drawing" }), comments: hasMany({ dependent: "destroy" }), note: hasOne(), taggings: hasMany({ dependent: "destroy" }), tags: hasMany({ through: "taggings" })',
    `${slug("title")} static override encrypts = { secret_note: { searchable: true } };`,
  ),
  "app/models/tag.ts": model(
    "Tag",
    "tags",
    "organization: belongsTo(), taggings: hasMany()",
    'override toLabel() { return "Tag " + (this as any).code; }',
  ),
  "app/models/tagging.ts": model(
    "Tagging",
    "taggings",
    "post: belongsTo(), tag: belongsTo()",
    `static override scopes = { associatedWithOrganization: (query, { id }) => query.whereIn("taggings.post_id", Post.query().select("id").where("organization_id", id)) };`,
  ).replace("import", 'import Post from "./post.ts"; import'),
  "app/models/badge.ts": model("Badge", "badges", "organization: belongsTo()"),
  "app/models/attachment.ts": model(
    "Attachment",
    "attachments",
    "comment: belongsTo()",
    'static override inheritance: string | undefined = "type";',
  ),
  "app/models/drawing.ts": subclass("Drawing"),
  "app/models/scan.ts": subclass("Scan"),
};
const policies = {
  "app/policies/post_policy.ts": policy(
    "Post",
    `canMark() { return this.record?.title !== "Locked"; }
  canPublish() { return true; } canAsk() { return true; } canMarkFor() { return true; }
  ${list("permittedAttributesForCreate", '"title", "status", "slug", "author", "category", "tags", "badge", "drawing"', '"title", "status", "slug", "author", "category", "tags", "badge", "drawing", "secret_note"')}
  ${list("permittedAttributesForRead", '"title", "status", "slug", "author", "tags", "badge", "comments"', '"title", "status", "slug", "author", "tags", "badge", "comments", "secret_note"')}
  override permittedAssociations() { return ["comments", "note", "tags"] as never; }
  ${hides("title")}`,
  ),
  "app/policies/user_policy.ts": policy(
    "User",
    `${list("permittedAttributesForCreate", '"name"')} ${list("permittedAttributesForRead", '"name"', '"name", "email"')}
  override permittedAssociations() { return ["posts"] as never; }
  ${hides("users.name")}`,
  ),
  "app/policies/tag_policy.ts": policy(
    "Tag",
    `${list("permittedAttributesForCreate", '"code"', '"code", "name"')} ${list("permittedAttributesForRead", '"code"', '"code", "name"')}
  override permittedAssociations() { return [] as never; }
  ${hides("code")}`,
  ),
  "app/policies/badge_policy.ts": policy(
    "Badge",
    `${list("permittedAttributesForCreate", '"name"')} override permittedAssociations() { return [] as never; } ${hides("name")}`,
  ),
  "app/policies/attachment_policy.ts": policy(
    "Attachment",
    `${list("permittedAttributesForCreate", '"name", "comment", "type"')} override permittedAssociations() { return [] as never; } ${hides("name")}`,
  ),
  "app/policies/category_policy.ts": policy(
    "Category",
    `override canTypeahead() { return this.isCat; } ${list("permittedAttributesForCreate", '"name"')} override permittedAssociations() { return ["posts"] as never; }`,
  ),
  "app/policies/comment_policy.ts": policy(
    "Comment",
    `${list("permittedAttributesForCreate", '"title", "post", "reply_to"')} override permittedAssociations() { return ["attachments"] as never; } ${hides("title")}`,
  ),
};
const definitions = {
  "app/definitions/post_definition.ts": `import { contains, ResourceDefinition } from "framewright/plugins/resources";
import Ask from "../interactions/ask.ts";
import MarkPosts from "../interactions/mark_posts.ts";
const idOf = (user) => user?.id ?? 0;
export default class PostDefinition extends ResourceDefinition {
  override configure() {
    super.configure();
    this.scope("mine", { apply: (query, { currentUser }) => query.where("author_id", idOf(currentUser)) });
    this.scope("wide", { apply: (query) => query.where("id", 0).orWhereRaw("1 = 1") });
    this.filter("of", { apply: (query, value, { currentUser, currentScopedEntity }) => value === \`\${idOf(currentUser)} \${currentScopedEntity?.name}\` ? query : query.whereRaw("1 = 0") });
    this.filter("for_cat", { condition: ({ currentUser }) => idOf(currentUser) === 3, choices: ({ currentScopedEntity }) => [{ value: "1", label: \`Of \${currentScopedEntity?.name}\` }], apply: (query) => query.orWhereRaw("1 = 1") });
    this.filter("status"); this.filter("secret_note"); this.filter("author");
    this.search((query, term, { currentUser, currentScopedEntity, portal }) => term === "who" ? query.where("title", "like", \`%\${currentScopedEntity?.name}%\`).where("author_id", idOf(currentUser)) : contains(query, "title", term).orWhereRaw(portal === "CustomerPortal" ? "1 = 0" : "1 = 1"), { reads: ["title"] });
    this.sort("own_first", { using: (query, direction, { currentUser }) => query.orderByRaw(\`case when author_id = ? then 0 else 1 end \${direction}\`, [idOf(currentUser)]) });
    this.sort("author", { by: "email" });
    this.input("status", { as: "select", choices: async ({ query, values }) => [...(await query(Comment)), { value: "live", label: "Live" }, ...(values.title === "x" ? ["x"] : [])] });
    this.input("badge", { condition: ({ currentUser }) => idOf(currentUser) === 3 });
    this.action("mark", { interaction: MarkPosts, resourceAction: true });
    this.action("mark_one", { interaction: MarkPosts, policy: "mark" });
    this.action("ask", { interaction: Ask, bulk: true });
  }
}
import Comment from "#app/models/comment.ts";
`,
  "app/definitions/user_definition.ts": `import { contains, ResourceDefinition } from "framewright/plugins/resources";
export default class UserDefinition extends ResourceDefinition {
  override configure() {
    super.configure();
    this.search((query, term, { currentUser }) => (currentUser?.id === 3 ? contains(query, "users.email", term) : contains(query, "users.name", term)).orWhereRaw("0 = 1"), { reads: ["name"] });
  }
}`,
  "app/interactions/ask.ts": `import { Interaction, succeed } from "framewright/plugins/resources";
import Comment from "#app/models/comment.ts"; import Tag from "#app/models/tag.ts"; import User from "#app/models/user.ts";
export default class Ask extends Interaction {
  static override attributes = {
    kind: { as: "select", choices: ["plain", "more"] },
    detail: { as: "string", condition: ({ values }) => values.kind === "more" },
    comment: { as: "select", choices: ({ query, values }) => (values.kind === "more" ? query(Comment) : []) },
    person: { as: "association", model: User }, tag: { as: "association", model: Tag },
  };
  execute() { return succeed(this.record, JSON.stringify(this.values)); }
}`,
  "app/interactions/mark_posts.ts": `import { Interaction, succeed } from "framewright/plugins/resources";
import Comment from "#app/models/comment.ts"; import Tag from "#app/models/tag.ts";
export default class MarkPosts extends Interaction {
  static override inBackground = true;
  static override attributes = {
    label: { as: "string", required: true },
    tag: { as: "association", model: Tag },
    comment: { as: "select", choices: ({ query }) => query(Comment) },
  };
  static override targets(query) { return query.where("posts.id", 0).orWhereRaw("1 = 1"); }
  async execute() {
    const { record, values } = this;
    await this.transaction("marks").insert({ post: record.id, label: values.label, tag: values.tag });
    const hook = globalThis.afterMark;
    if (hook) await hook(this.transaction, record);
    return succeed(record);
  }
}`,
};
const migration = `import type { Schema } from "framewright/plugins/database";
export async function up(db: Schema) {
  ${slugSchema}
  await db.addColumns("organizations", (t) => { t.string("slug").unique(); });
  await db.addColumns("users", (t) => { t.string("email"); });
  await db.createTable("tags", (t) => { t.id(); t.string("code").notNull(); t.string("name"); t.belongsTo("organization", { null: false }); });
  await db.createTable("badges", (t) => { t.id({ type: "uuid" }); t.string("name").notNull(); t.belongsTo("organization", { null: false }); });
  await db.addColumns("attachments", (t) => { t.string("type"); });
  await db.addColumns("posts", (t) => { t.string("slug").unique(); t.text("secret_note"); t.belongsTo("badge", { type: "uuid" }); t.belongsTo("drawing", { table: "attachments" }); });
  await db.createTable("taggings", (t) => { t.id(); t.belongsTo("tag", { null: false }); t.belongsTo("post", { null: false }); });
  await db.addColumns("marks", (t) => { t.bigint("tag"); });
}
export async function down() {}`;

export const surfaceFiles: Record<string, string> = {
  ...backgroundFiles,
  ...models,
  ...policies,
  ...definitions,
  "db/migrate/20260103000000_add_surfaces.ts": migration,
  [`${portal}/config/routes.ts`]: edited(
    tenantFiles,
    `${portal}/config/routes.ts`,
    [
      "import Attachment",
      'import Badge from "#app/models/badge.ts";\nimport Drawing from "#app/models/drawing.ts";\nimport Scan from "#app/models/scan.ts";\nimport Tag from "#app/models/tag.ts";\nimport Attachment',
    ],
    ["Attachment, Category]", "Attachment, Category, Tag, Badge, Drawing, Scan]"],
  ),
};

export const uuids = {
  a: "11111111-1111-4111-8111-111111111111",
  b: "22222222-2222-4222-8222-222222222222",
  hidden: "33333333-3333-4333-8333-333333333333",
  absent: "99999999-9999-4999-8999-999999999999",
};

/** Everything of the other tenant is "Baltic", what Ann may not see "Hidden", values that she may not read "classified". */
export async function openSurfaces(
  values: Record<string, string>,
  more: Record<string, string> = {},
): Promise<TestApp> {
  const app = await openTenants({ ...surfaceFiles, ...more }, values);
  const database = databaseOf(app.application);
  const { knex } = database;
  const rename = async (name: string, id: number, slug: string) =>
    database
      .model(name)
      .class.query()
      .findById(id)
      .patch({ slug } as never);
  for (const [id, mark] of ["alpine", "baltic"].map((mark, index) => [index + 1, mark] as const)) {
    await knex("organizations")
      .where({ id })
      .update({ slug: `was-${mark}` });
    await knex("posts")
      .where({ id })
      .update({ slug: `was-post-${mark}` });
    await rename("Organization", id, mark);
    await rename("Post", id, `post-${mark}`);
  }
  await knex("users").insert({ id: 5, name: "Hidden Eve", email: "classified-eve@x.test" });
  await knex("memberships").insert({ user_id: 5, organization_id: 1 });
  await knex("users").where({ id: 1 }).update({ email: "classified-ann@x.test" });
  await knex("posts").insert({
    id: 3,
    title: "Hidden",
    status: "live",
    slug: "was-hidden",
    organization_id: 1,
    author_id: 5,
  });
  await rename("Post", 3, "now-hidden");
  await knex("comments").insert({ id: 3, title: "Hidden comment", post_id: 1 });
  await knex("tags").insert([
    { id: 1, code: "Alpine", name: "classified alpha", organization_id: 1 },
    { id: 2, code: "Baltic", name: "classified beta", organization_id: 2 },
    { id: 3, code: "Hidden", name: "classified gamma", organization_id: 1 },
  ]);
  await knex("taggings").insert([1, 3].map((tag_id) => ({ tag_id, post_id: 1 })));
  await knex("taggings").insert({ tag_id: 2, post_id: 2 });
  await knex("badges").insert([
    { id: uuids.a, name: "Badge Alpine", organization_id: 1 },
    { id: uuids.b, name: "Badge Baltic", organization_id: 2 },
    { id: uuids.hidden, name: "Hidden badge", organization_id: 1 },
  ]);
  await knex("attachments").where({ id: 1 }).update({ type: "Drawing" });
  await knex("attachments").where({ id: 2 }).update({ type: "Drawing" });
  await knex("attachments").insert([
    { id: 3, name: "Hidden drawing", comment_id: 1, type: "Drawing" },
    { id: 4, name: "Scan Alpine", comment_id: 1, type: "Scan" },
    { id: 5, name: "Scan Baltic", comment_id: 2, type: "Scan" },
    { id: 6, name: "Hidden scan", comment_id: 1, type: "Scan" },
  ]);
  return app;
}
