import { addFiles, type TestApp, writeApp } from "../../support/apps.ts";
import { databaseOf, openMigrated } from "../../support/shop.ts";
import { accountMigration, PASSWORD } from "../authlib/accounts.ts";

const policy = (name: string, body: string) =>
  `import { Policy } from "framewright/plugins/resources"; import type { Query } from "framewright/plugins/database";
  export default class ${name}Policy extends Policy { override canRead() { return true; } override canCreate() { return true; } ${body} }`;
const lists = (create: string[], read: string[], associations: string[] = []) =>
  `override permittedAttributesForCreate() { return ${JSON.stringify(create)}; } override permittedAttributesForRead() { return ${JSON.stringify(read)}; }
   override permittedAssociations() { return ${JSON.stringify(associations)}; }`;

const portal = (path: string, name: string, strategy: string, access: string): Record<string, string> => ({
  [`packages/${path}/lib/engine.ts`]: `import { definePortal } from "framewright/plugins/portals"; import type {} from "framewright/plugins/scoping"; import Organization from "#app/models/organization.ts";
    export const ${name} = definePortal("${name}", (engine) => { engine.config.afterInitialize(() => engine.scopeToEntity(Organization${strategy})); });`,
  [`packages/${path}/config/routes.ts`]: `import { ${name} } from "../lib/engine.ts"; import type {} from "framewright/plugins/resources"; import Organization from "#app/models/organization.ts";
    import User from "#app/models/user.ts"; import Post from "#app/models/post.ts"; import Comment from "#app/models/comment.ts"; import Note from "#app/models/note.ts"; import Attachment from "#app/models/attachment.ts"; import Category from "#app/models/category.ts";
    export default ${name}.routes.draw((routes) => {
      routes.root({ to: "dashboard#index" });
      routes.registerResource(Post, {}, (r) => { r.member((m) => m.get("preview", { as: "preview" })); });
      for (const model of [Organization, User, Comment, Note, Attachment, Category]) routes.registerResource(model);
    });`,
  [`packages/${path}/app/controllers/${path}/concerns/controller.ts`]: `import { concern, type ControllerClass } from "framewright"; import { CurrentUser, PortalController, PublicAccess } from "framewright/plugins/portals";
    import User from "#app/models/user.ts"; import Organization from "#app/models/organization.ts";
    export default <B extends ControllerClass>(Base: B) => class extends (concern(Base, ${access}) as unknown as ControllerClass) {
      async currentOrganization() { return Organization.query().findById(Number(this.request.header("x-organization") ?? 0)); }
    };
    void [CurrentUser, User, PortalController, PublicAccess];`,
  [`packages/${path}/app/controllers/${path}/resource_controller.ts`]: `import { ResourceController as Base } from "framewright/plugins/resources"; import Controller from "./concerns/controller.ts";
    export default class ResourceController extends (Controller(Base) as unknown as typeof Base) {}`,
  [`packages/${path}/app/controllers/${path}/posts_controller.ts`]: `import ResourceController from "./resource_controller.ts";
    export default class PostsController extends ResourceController { preview() { return this.json({ preview: this.record!.toLabel(), there: this.resourceUrlFor(this.record!, { portal: "CustomerPortal", entity: 2 }), here: this.resourceUrlFor(this.record!, { action: "edit" }) }); } }`,
  [`packages/${path}/app/controllers/${path}/dashboard_controller.ts`]: `import { BaseController } from "framewright"; import Controller from "./concerns/controller.ts";
    export default class DashboardController extends Controller(BaseController) {
      index() { return this.json({ entity: (this.currentScopedEntity as { name: string }).name, posts: this.helpers.posts_path!(), post: this.helpers.post_path!(7), other: this.helpers.posts_path!({ organization_id: 9 }) }); }
    }`,
});
const byKey = `PortalController, PublicAccess, CurrentUser(async (request) => (await User.query().findById(Number(request.header("x-user") ?? 0))) as object | undefined)`;

/** Two tenants in every kind of portal, and policies, searches, filters and scopes that all try to widen. */
export const tenantFiles: Record<string, string> = {
  "plugins.config.ts": `import { definePlugin, definePlugins } from "framewright/kernel"; import { assets } from "framewright/plugins/assets"; import { database } from "framewright/plugins/database";
    import { i18n } from "framewright/plugins/i18n"; import { layout } from "framewright/plugins/layout"; import { portals } from "framewright/plugins/portals"; import { resources } from "framewright/plugins/resources";
    import { scoping } from "framewright/plugins/scoping"; import { sessions } from "framewright/plugins/sessions"; import { views } from "framewright/plugins/views";
    const widening = definePlugin({ name: "widening", requires: ["resources"], apply({ hooks }) {
      hooks.resources.scope.tap("widening", (narrow, controller) => { if (controller.params.has("foreign")) narrow.by("widening", (group) => group.where("id", 0).orWhereRaw("1 = 1")); });
    } });
    export default definePlugins([database(), i18n(), sessions(), views(), assets(), layout(), portals(), resources(), widening, scoping()]);`,
  "config/routes.ts": `import { drawRoutes } from "framewright"; import { CustomerPortal } from "#packages/customer_portal/lib/engine.ts"; import { GuestPortal } from "#packages/guest_portal/lib/engine.ts"; import { DomainPortal } from "#packages/domain_portal/lib/engine.ts";
    export default drawRoutes((routes) => { routes.mount(CustomerPortal, { at: "/customer" }); routes.mount(GuestPortal, { at: "/guest" }); routes.mount(DomainPortal, { at: "/domain" }); });`,
  "db/migrate/20260101000000_create_tables.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) {
      await db.createTable("organizations", (t) => { t.id(); t.string("name").notNull(); });
      await db.createTable("users", (t) => { t.id(); t.string("name").notNull(); });
      await db.createTable("memberships", (t) => { t.id(); t.belongsTo("user", { null: false }); t.belongsTo("organization", { null: false }); });
      await db.createTable("categories", (t) => { t.id(); t.string("name").notNull(); });
      await db.createTable("posts", (t) => { t.id(); t.string("title").notNull(); t.string("status"); t.belongsTo("organization", { null: false }); t.belongsTo("author", { table: "users" }); t.belongsTo("category"); });
      await db.createTable("comments", (t) => { t.id(); t.string("title").notNull(); t.belongsTo("post", { null: false }); t.belongsTo("reply_to", { table: "comments" }); });
      await db.createTable("notes", (t) => { t.id(); t.string("title").notNull(); t.belongsTo("post", { null: false }); });
      await db.createTable("attachments", (t) => { t.id(); t.string("name").notNull(); t.belongsTo("comment", { null: false }); });
    }
    export async function down(db: Schema) { for (const name of ["attachments", "notes", "comments", "posts", "categories", "memberships", "users", "organizations"]) await db.dropTable(name); }`,
  "app/models/organization.ts": `import { hasMany, Model } from "framewright/plugins/database"; export default class Organization extends Model("organizations") { static override associations = { memberships: hasMany(), posts: hasMany() }; }`,
  "app/models/user.ts": `import { hasMany, Model } from "framewright/plugins/database"; export default class User extends Model("users") { static override associations = { memberships: hasMany(), organizations: hasMany({ through: "memberships" }), posts: hasMany({ foreignKey: "author_id" }) }; }`,
  "app/models/membership.ts": `import { belongsTo, Model } from "framewright/plugins/database"; export default class Membership extends Model("memberships") { static override associations = { user: belongsTo(), organization: belongsTo() }; }`,
  "app/models/category.ts": `import { hasMany, Model, type Query } from "framewright/plugins/database"; export default class Category extends Model("categories") {
    static override associations = { posts: hasMany() }; static override scopes = { associatedWithOrganization: (query: Query<Category>) => query };
  }`,
  "app/models/post.ts": `import { belongsTo, hasMany, hasOne, Model, type Query } from "framewright/plugins/database"; export default class Post extends Model("posts") {
    static override associations = { organization: belongsTo(), author: belongsTo({ class: "User" }), category: belongsTo(), comments: hasMany({ dependent: "destroy" }), note: hasOne() };
    static override scopes = { widest: (query: Query<Post>) => query.where("status", "live").orWhereRaw("1 = 1") };
  }`,
  "app/models/comment.ts": `import { belongsTo, hasMany, Model } from "framewright/plugins/database"; export default class Comment extends Model("comments") { static override associations = { post: belongsTo(), reply_to: belongsTo({ class: "Comment" }), attachments: hasMany() }; }`,
  "app/models/note.ts": `import { belongsTo, Model } from "framewright/plugins/database"; export default class Note extends Model("notes") { static override associations = { post: belongsTo() }; }`,
  "app/models/attachment.ts": `import { belongsTo, Model } from "framewright/plugins/database"; export default class Attachment extends Model("attachments") { static override associations = { comment: belongsTo() }; }`,
  "app/policies/organization_policy.ts": policy("Organization", lists(["name"], ["name"], ["posts"])),
  "app/policies/user_policy.ts": policy("User", lists(["name"], ["name", "organizations", "posts"], ["posts"])),
  "app/policies/category_policy.ts": policy("Category", lists(["name"], ["name", "posts"], ["posts"])),
  "app/policies/post_policy.ts": policy(
    "Post",
    `${lists(["title", "status", "organization", "organization_id", "author", "category"], ["title", "status", "organization", "organization_id", "author", "comments"], ["comments", "note"])}
    canPublish() { return true; } override relationScope(query: Query<never>) { return query.where("status", "nowhere").orWhereRaw("1 = 1"); }`,
  ),
  "app/policies/comment_policy.ts": policy(
    "Comment",
    `${lists(["title", "post", "reply_to"], ["title", "post", "reply_to"], ["attachments"])} override canDestroy() { return (this.entityScope as { name: string }).name === "Baltic"; }`,
  ),
  "app/policies/note_policy.ts": policy("Note", lists(["title", "post"], ["title", "post"])),
  "app/policies/attachment_policy.ts": policy("Attachment", lists(["name", "comment_id"], ["name", "comment"])),
  "app/definitions/post_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources"; import type Post from "#app/models/post.ts"; import PublishPost from "../interactions/publish_post.ts";
    export default class PostDefinition extends ResourceDefinition<Post> { override configure() { super.configure();
      this.scope("widest"); this.filter("status", { apply: (query, value) => query.where("status", value).orWhereRaw("1 = 1") });
      this.search((query, term) => query.where("title", term).orWhereRaw("1 = 1")); this.action("publish", { interaction: PublishPost });
    } }`,
  "app/interactions/publish_post.ts": `import { Interaction, succeed } from "framewright/plugins/resources"; export default class PublishPost extends Interaction { async execute() { return succeed(this.record).withMessage("Published"); } }`,
  ...portal("customer_portal", "CustomerPortal", "", byKey),
  ...portal("guest_portal", "GuestPortal", `, { strategy: "path" }`, "PortalController, PublicAccess"),
  ...portal("domain_portal", "DomainPortal", `, { strategy: "currentOrganization" }`, byKey),
};

export const people = { ann: 1, bob: 2, cat: 3, dan: 4 };
/** The ids of each tenant's records, by table. */
export const ids = {
  a: { organizations: 1, users: 1, posts: 1, comments: 1, notes: 1, attachments: 1, categories: 1 },
  b: { organizations: 2, users: 2, posts: 2, comments: 2, notes: 2, attachments: 2, categories: 1 },
} as const;
export const marks = { a: "Alpine", b: "Baltic" } as const;

const byAccount = `PortalController, Authlib("user" as never)`;
const withAccounts = (files: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path,
      path.endsWith("concerns/controller.ts") ? `import { Authlib } from "framewright/plugins/authlib"; ${text}` : text,
    ]),
  );
/** What makes the same people sign in with accounts; the table of users stays as it is, and takes the columns. */
export const accountFiles: Record<string, string> = {
  ...withAccounts(portal("customer_portal", "CustomerPortal", "", byAccount)),
  ...withAccounts(portal("domain_portal", "DomainPortal", `, { strategy: "currentOrganization" }`, byAccount)),
  "plugins.config.ts": tenantFiles["plugins.config.ts"]!.replace(
    "import { definePlugin,",
    'import standard from "framewright/plugins.config"; import { definePlugin,',
  ).replace(/definePlugins\(\[.*\]\)/, "definePlugins([...standard, widening])"),
  "db/migrate/20260102000000_add_accounts.ts": accountMigration(
    `await db.addColumns("users", (t) => { t.string("email").unique(); t.string("role"); t.enum("account_status", ["unverified", "verified", "closed"]).notNull().default("verified"); });`,
    { account: "user", table: "users", features: "login(), logout()" },
  ),
  "app/authlib/authlib_app.ts": `import { defineAuthlib } from "framewright/plugins/authlib"; import UserAuthlibPlugin from "./user_authlib_plugin.ts"; export default defineAuthlib([UserAuthlibPlugin]);`,
  "app/authlib/user_authlib_plugin.ts": `import { AuthlibBase, features, login, logout } from "framewright/plugins/authlib"; export default class UserAuthlibPlugin extends features(AuthlibBase, [login(), logout()]) {}`,
  "app/policies/attachment_policy.ts": `import { Policy } from "framewright/plugins/resources"; export default class AttachmentPolicy extends Policy {
    override canRead() { return true; } override canCreate() { return this.user?.role !== "reader"; }
    ${lists(["name", "comment_id"], ["name", "comment"])} }`,
};

/** What each of the people brings with a request. */
export type Known = Record<keyof typeof people, Record<string, string>>;

/** The headers by which people are known to a portal that has a way of its own. */
export const byHeader = async () =>
  Object.fromEntries(Object.entries(people).map(([name, id]) => [name, { "x-user": String(id) }])) as unknown as Known;

/** Everybody signs in, once; returns the cookie and the token that each of them brings. */
export async function signedIn(app: TestApp): Promise<Known> {
  const { knex } = databaseOf(app.application);
  const password_hash = await app.application.kernel.service("passwordHasher").hash(PASSWORD);
  const known: [string, Record<string, string>][] = [];
  for (const [name, id] of Object.entries(people)) {
    await knex("users")
      .where({ id })
      .update({ email: `${name}@example.test` });
    await knex("user_password_hashes").insert({
      account_id: id,
      password_hash,
      created_at: new Date(),
      updated_at: new Date(),
    });
    const client = app.client();
    await client.submit("/users/login", { login: `${name}@example.test`, password: PASSWORD });
    const { body } = await client.json("/users/account");
    known.push([
      name,
      { cookie: `fw_session=${client.cookie("fw_session")}`, "x-csrf-token": String(body.csrf_token) },
    ]);
  }
  return Object.fromEntries(known) as unknown as Known;
}

/** Everything of a tenant carries its mark; Cat belongs to both, the category to everybody. */
export async function openTenants(
  changes: Record<string, string> = {},
  values: Record<string, string> = {},
): Promise<TestApp> {
  const root = writeApp({ ...tenantFiles });
  addFiles(root, changes);
  const app = await openMigrated(root, values);
  const { knex } = databaseOf(app.application);
  await knex("organizations").insert([
    { id: 1, name: "Alpine" },
    { id: 2, name: "Baltic" },
  ]);
  await knex("users").insert([
    { id: 1, name: "Ann Alpine" },
    { id: 2, name: "Bob Baltic" },
    { id: 3, name: "Cat" },
    { id: 4, name: "Dan" },
  ]);
  await knex("memberships").insert([
    { user_id: 1, organization_id: 1 },
    { user_id: 2, organization_id: 2 },
    { user_id: 3, organization_id: 1 },
    { user_id: 3, organization_id: 2 },
    { user_id: 3, organization_id: 2 },
  ]);
  await knex("categories").insert([{ id: 1, name: "Shared" }]);
  for (const [index, mark] of ["Alpine", "Baltic"].entries()) {
    const id = index + 1;
    await knex("posts").insert({
      id,
      title: `Post ${mark}`,
      status: "live",
      organization_id: id,
      author_id: 3,
      category_id: 1,
    });
    await knex("comments").insert({ id, title: `Comment ${mark}`, post_id: id });
    await knex("notes").insert({ id, title: `Note ${mark}`, post_id: id });
    await knex("attachments").insert({ id, name: `Attachment ${mark}`, comment_id: id });
  }
  return app;
}
