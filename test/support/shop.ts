import type { Application } from "framewright";
import { addFiles, openApp, type TestApp, writeApp } from "./apps.ts";

/** A small shop with a feature package and one open portal: what most tests of resources stand on. */
export const shopFiles: Record<string, string> = {
  "plugins.config.ts": `import { definePlugins } from "framewright/kernel";
    import { assets } from "framewright/plugins/assets"; import { database } from "framewright/plugins/database";
    import { i18n } from "framewright/plugins/i18n"; import { layout } from "framewright/plugins/layout";
    import { portals } from "framewright/plugins/portals"; import { resources } from "framewright/plugins/resources";
    import { sessions } from "framewright/plugins/sessions"; import { views } from "framewright/plugins/views";
    export default definePlugins([database(), i18n(), sessions(), views(), assets(), layout(), portals(), resources()]);`,
  "config/routes.ts": `import { drawRoutes } from "framewright"; import { AdminPortal } from "#packages/admin_portal/lib/engine.ts";
    export default drawRoutes((routes) => { routes.mount(AdminPortal, { at: "/admin" }); });`,
  "db/migrate/20260101000000_create_tables.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) {
      await db.createTable("authors", (t) => { t.id(); t.string("name").notNull(); t.string("email").unique(); t.timestamps(); });
      await db.createTable("blogging_posts", (t) => {
        t.id(); t.string("title").notNull(); t.text("body"); t.belongsTo("author", { table: "authors" }); t.money("price");
        t.boolean("published").notNull().default(false); t.string("status").notNull().default("draft"); t.datetime("published_at");
        t.date("due_on"); t.integer("position"); t.string("secret_token"); t.timestamps();
      });
      await db.createTable("blogging_comments", (t) => { t.id(); t.text("body").notNull(); t.belongsTo("post", { table: "blogging_posts", null: false }); t.timestamps(); });
      await db.createTable("blogging_notes", (t) => { t.id(); t.string("title").notNull(); t.belongsTo("post", { table: "blogging_posts", null: false, unique: true }); });
    }
    export async function down(db: Schema) { for (const name of ["blogging_notes", "blogging_comments", "blogging_posts", "authors"]) await db.dropTable(name); }`,
  "app/models/author.ts": `import { hasMany, Model } from "framewright/plugins/database";
    export default class Author extends Model("authors") { static override associations = { posts: hasMany({ class: "Blogging::Post" }) }; }`,
  "packages/blogging/app/models/blogging/post.ts": `import { belongsTo, hasMany, hasOne, Model, type Query } from "framewright/plugins/database";
    export default class Post extends Model("blogging_posts") {
      static override associations = { author: belongsTo({ class: "Author" }), comments: hasMany({ dependent: "restrict" }), note: hasOne() };
      static override money = { price: "price_cents" };
      static override enums = { status: ["draft", "live"] };
      static override validations = { title: { presence: true, length: { maximum: 100 } } };
      static override scopes = { live: (query: Query<Post>) => query.where("status", "live") };
    }`,
  "packages/blogging/app/models/blogging/comment.ts": `import { belongsTo, Model } from "framewright/plugins/database";
    export default class Comment extends Model("blogging_comments") { static override associations = { post: belongsTo() }; }`,
  "packages/blogging/app/models/blogging/note.ts": `import { belongsTo, Model } from "framewright/plugins/database";
    export default class Note extends Model("blogging_notes") { static override associations = { post: belongsTo() }; }`,
  "packages/blogging/app/policies/blogging/post_policy.ts": `import { Policy } from "framewright/plugins/resources"; import type Post from "#packages/blogging/app/models/blogging/post.ts";
    export default class PostPolicy extends Policy<Post> {
      override canRead() { return true; } override canCreate() { return true; }
      canPublish() { return true; } canTidy() { return true; }
      override canDestroy() { return this.record?.title !== "Kept"; }
      override permittedAttributesForCreate() { return ["title", "body", "author", "price", "published", "status", "published_at", "due_on", "position"]; }
      override permittedAttributesForRead() { return ["title", "body", "author", "price", "published", "status", "published_at", "due_on", "position", "created_at"]; }
      override permittedAttributesForIndex() { return ["title", "author", "price", "status", "created_at"]; }
      override permittedAssociations() { return ["comments", "note"]; }
    }`,
  "packages/blogging/app/policies/blogging/comment_policy.ts": `import { Policy } from "framewright/plugins/resources";
    export default class CommentPolicy extends Policy { override canRead() { return true; } override canCreate() { return true; } override permittedAttributesForCreate() { return ["body", "post"]; } }`,
  "packages/blogging/app/policies/blogging/note_policy.ts": `import { Policy } from "framewright/plugins/resources";
    export default class NotePolicy extends Policy { override canRead() { return true; } override canCreate() { return true; } override permittedAttributesForCreate() { return ["title"]; } }`,
  "app/policies/author_policy.ts": `import { Policy } from "framewright/plugins/resources";
    export default class AuthorPolicy extends Policy { override canRead() { return true; } override permittedAttributesForRead() { return ["name", "email"]; } }`,
  "packages/blogging/app/definitions/blogging/post_definition.ts": `import { contains, ResourceDefinition } from "framewright/plugins/resources"; import type Post from "#packages/blogging/app/models/blogging/post.ts";
    import PublishPost from "../../interactions/blogging/publish_post.ts"; import TidyPosts from "../../interactions/blogging/tidy_posts.ts";
    export default class PostDefinition extends ResourceDefinition<Post> {
      override configure() {
        super.configure();
        this.input("body", { as: "markdown", hint: "Shown on the front page" });
        this.filter("status"); this.filter("author"); this.scope("live"); this.search((query, term) => contains(query as never, "title", term));
        this.action("publish", { interaction: PublishPost, icon: "send", condition: ({ record }) => (record as Post | undefined)?.status !== "live" });
        this.action("tidy", { interaction: TidyPosts, resourceAction: true });
      }
    }`,
  "packages/blogging/app/interactions/blogging/publish_post.ts": `import { fail, Interaction, succeed } from "framewright/plugins/resources"; import Post from "#packages/blogging/app/models/blogging/post.ts";
    export default class PublishPost extends Interaction<Post> {
      static override attributes = { note: { as: "string", required: true } };
      async execute() {
        await this.query(Post).findById(this.record.id as number).patch({ status: "live" } as never);
        if (this.values.note === "bad") return fail({ note: ["is bad"] });
        return succeed(this.record).withMessage("Published it");
      }
    }`,
  "packages/blogging/app/interactions/blogging/tidy_posts.ts": `import { Interaction, succeed } from "framewright/plugins/resources";
    export default class TidyPosts extends Interaction { async execute() { return succeed().withMessage("Tidied"); } }`,
  "packages/admin_portal/lib/engine.ts": `import { definePortal } from "framewright/plugins/portals"; export const AdminPortal = definePortal("AdminPortal");`,
  "packages/admin_portal/config/routes.ts": `import { AdminPortal } from "../lib/engine.ts"; import Author from "#app/models/author.ts";
    import Post from "#packages/blogging/app/models/blogging/post.ts"; import Comment from "#packages/blogging/app/models/blogging/comment.ts"; import Note from "#packages/blogging/app/models/blogging/note.ts";
    export default AdminPortal.routes.draw((routes) => {
      routes.root({ to: "dashboard#index" });
      routes.registerResource(Post, {}, (r) => { r.member((m) => { m.get("preview", { as: "preview" }); m.get("nameless"); }); r.collection((c) => c.get("report", { as: "report" })); });
      routes.registerResource(Comment); routes.registerResource(Note); routes.registerResource(Author);
    });`,
  "packages/admin_portal/app/controllers/admin_portal/concerns/controller.ts": `import { concern, type ControllerClass } from "framewright"; import { CurrentUser, PortalController } from "framewright/plugins/portals";
    export default <B extends ControllerClass>(Base: B) => concern(Base, PortalController, CurrentUser(async () => ({ name: "Somebody" })));`,
  "packages/admin_portal/app/controllers/admin_portal/resource_controller.ts": `import { ResourceController as Base } from "framewright/plugins/resources"; import Controller from "./concerns/controller.ts";
    export default class ResourceController extends Controller(Base) {}`,
  "packages/admin_portal/app/controllers/admin_portal/blogging/posts_controller.ts": `import ResourceController from "../resource_controller.ts";
    export default class PostsController extends ResourceController {
      preview() { return this.json({ preview: this.record!.toLabel(), url: this.resourceUrlFor(this.record!, { action: "preview" }) }); }
      nameless() { return this.json({ url: this.resourceUrlFor(this.record!, { action: "nameless" }) }); }
      report() { return this.json({ report: true }); }
    }`,
  "packages/admin_portal/app/controllers/admin_portal/dashboard_controller.ts": `import { BaseController } from "framewright"; import Controller from "./concerns/controller.ts";
    export default class DashboardController extends Controller(BaseController) { index() { return this.render(); } }`,
  "packages/admin_portal/app/views/admin_portal/dashboard/index.liquid": `<h1>Dashboard</h1>`,
};

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
