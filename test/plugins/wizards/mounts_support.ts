import { readFileSync } from "node:fs";
import { join } from "node:path";
import { addFiles, openApp, type TestApp, writeApp } from "../../support/apps.ts";
import { databaseOf } from "../../support/shop.ts";
import type { Client } from "../../testing/client.ts";

const policy = (name: string, body = "") =>
  `import { Policy } from "framewright/plugins/resources"; import type ${name} from "#app/models/${name.toLowerCase()}.ts";
   export default class ${name}Policy extends Policy<${name}> {
     override canRead() { return this.user !== undefined; } override canCreate() { return true; }
     override permittedAttributesForCreate() { return ["title"] as never; } override permittedAttributesForRead() { return ["title"] as never; } ${body} }`;

/** A class of wizards, in `app/wizards/<name>_wizard.ts`. */
export function wizardFile(
  name: string,
  options: string,
  { steps = twoSteps, body = done, imports = "" } = {},
): string {
  return `import { anchored, fail, steps, succeed, Wizard } from "framewright/plugins/wizards"; ${imports}
    const flow = steps()${steps};
    export default class ${name} extends Wizard(flow, { ${options} }) { ${body} }`;
}
export const twoSteps = `.step("first", { label: "First" }, (f) => f.string("title", { presence: true }).text("body")).step("second", { label: "Second" }, (f) => f.string("note"))`;
export const done = `async execute() { return succeed().withMessage("Well done"); }`;

/** Everybody is known by the header \`x-user\`; Ann is 1, Bob is 2. Post 3 is out of everybody's scope. */
export const wizardFiles: Record<string, string> = {
  "plugins.config.ts": `import { definePlugins } from "framewright/kernel"; import { assets } from "framewright/plugins/assets"; import { database } from "framewright/plugins/database";
    import { i18n } from "framewright/plugins/i18n"; import { layout } from "framewright/plugins/layout"; import { portals } from "framewright/plugins/portals"; import { resources } from "framewright/plugins/resources";
    import { scoping } from "framewright/plugins/scoping"; import { sessions } from "framewright/plugins/sessions"; import { storage } from "framewright/plugins/storage"; import { views } from "framewright/plugins/views"; import { wizards } from "framewright/plugins/wizards";
    export default definePlugins([database(), i18n(), sessions(), views(), assets(), layout(), portals(), resources(), scoping(), storage(), wizards({ sweep: false })]);`,
  "config/routes.ts": `import { drawRoutes } from "framewright"; import { AdminPortal } from "#packages/admin_portal/lib/engine.ts";
    export default drawRoutes((routes) => { routes.mount(AdminPortal, { at: "/admin" }); });`,
  "db/migrate/20260101000000_create_tables.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) {
      await db.createTable("users", (t) => { t.id(); t.string("name").notNull(); });
      await db.createTable("posts", (t) => { t.id(); t.string("title").notNull(); });
      await db.createTable("comments", (t) => { t.id(); t.string("title").notNull(); t.belongsTo("post"); });
    }
    export async function down(db: Schema) { for (const name of ["comments", "posts", "users"]) await db.dropTable(name); }`,
  "app/models/user.ts": `import { Model } from "framewright/plugins/database"; export default class User extends Model("users") {}`,
  "app/models/post.ts": `import { hasMany, Model } from "framewright/plugins/database"; export default class Post extends Model("posts") { static override associations = { comments: hasMany() }; }`,
  "app/models/comment.ts": `import { belongsTo, Model } from "framewright/plugins/database"; export default class Comment extends Model("comments") { static override associations = { post: belongsTo() }; }`,
  "app/policies/post_policy.ts": policy(
    "Post",
    `override relationScope(query: never) { return (query as { where(c: string, o: string, v: number): never }).where("posts.id", "<>", 3); }
     canConfigure() { return (this.record as { title: string }).title !== "Locked"; } canImport() { return true; } canOnboard() { return true; } canVia() { return true; }
     override permittedAssociations() { return ["comments"] as never; }`,
  ),
  "app/policies/comment_policy.ts": policy("Comment", "canReview() { return true; }"),
  "app/wizards/configure_wizard.ts": wizardFile(
    "ConfigureWizard",
    `presents: { label: "Configure", icon: "settings" }, anchored: anchored({ with: Post })`,
    {
      imports: `import Post from "#app/models/post.ts";`,
      body: `async execute() { await this.query(Post).findById(this.anchor.id as number).patch({ title: this.data.first.title } as never); return succeed(this.anchor).withMessage("Configured"); }`,
    },
  ),
  "app/wizards/import_wizard.ts": wizardFile("ImportWizard", `presents: { label: "Import" }`),
  "app/wizards/onboard_wizard.ts": wizardFile(
    "OnboardWizard",
    `presents: { label: "Onboarding" }, concurrencyKey: (run) => run.currentUser, oneTime: true, completed: { title: "Welcome aboard" }`,
  ),
  "app/definitions/post_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources"; import type {} from "framewright/plugins/wizards"; import type Post from "#app/models/post.ts";
    import ConfigureWizard from "../wizards/configure_wizard.ts"; import ImportWizard from "../wizards/import_wizard.ts";
    export default class PostDefinition extends ResourceDefinition<Post> { override configure() { super.configure();
      this.wizard("configure", ConfigureWizard); this.wizard("import", ImportWizard);
    } }`,
  "packages/admin_portal/lib/engine.ts": `import { definePortal } from "framewright/plugins/portals"; export const AdminPortal = definePortal("AdminPortal");`,
  "packages/admin_portal/config/routes.ts": portalRoutes(
    `routes.registerWizard(OnboardWizard, { at: "onboarding" });`,
    `import OnboardWizard from "#app/wizards/onboard_wizard.ts";`,
  ),
  "packages/admin_portal/app/controllers/admin_portal/concerns/controller.ts": `import { concern, type ControllerClass } from "framewright"; import { CurrentUser, PortalController } from "framewright/plugins/portals"; import User from "#app/models/user.ts";
    export default <B extends ControllerClass>(Base: B) => concern(Base, PortalController, CurrentUser(async (request) => (await User.query().findById(Number(request.header("x-user") ?? 0))) as object | undefined, { guests: "admit" }));`,
  "packages/admin_portal/app/controllers/admin_portal/resource_controller.ts": `import { ResourceController as Base } from "framewright/plugins/resources"; import Controller from "./concerns/controller.ts";
    export default class ResourceController extends (Controller(Base) as unknown as typeof Base) {}`,
  "packages/admin_portal/app/controllers/admin_portal/dashboard_controller.ts": `import { BaseController } from "framewright"; import Controller from "./concerns/controller.ts";
    export default class DashboardController extends Controller(BaseController) { index() { return this.render(); } }`,
  "packages/admin_portal/app/views/admin_portal/dashboard/index.liquid": `<h1>Dashboard</h1>`,
};

/** The routes of the portal: posts and comments, and what a test adds. */
export function portalRoutes(lines: string, imports = ""): string {
  return `import { AdminPortal } from "../lib/engine.ts"; import type {} from "framewright/plugins/resources"; import type {} from "framewright/plugins/wizards"; import Post from "#app/models/post.ts"; import Comment from "#app/models/comment.ts"; ${imports}
    export default AdminPortal.routes.draw((routes) => { routes.root({ to: "dashboard#index" }); routes.registerResource(Post); routes.registerResource(Comment); ${lines} });`;
}

/** An application with wizards, its tables made and its people there. */
export async function openWizards(
  changes: Record<string, string> = {},
  values: Record<string, string> = {},
): Promise<TestApp> {
  const root = writeApp({ ...wizardFiles });
  addFiles(root, { "db/migrate/20260101000001_create_framewright_wizards.ts": tables, ...changes });
  const first = await openApp(root, { values });
  await databaseOf(first.application).migrations.up();
  await first.close();
  const app = await openApp(root, { values });
  const { knex } = databaseOf(app.application);
  await knex("users").insert([
    { id: 1, name: "Ann" },
    { id: 2, name: "Bob" },
  ]);
  await knex("posts").insert([
    { id: 1, title: "Hello" },
    { id: 2, title: "Locked" },
    { id: 3, title: "Unseen" },
  ]);
  await knex("comments").insert([{ id: 1, title: "Nice", post_id: 1 }]);
  return app;
}

/** Boots, and gives what it is refused with. */
export async function bootWith(changes: Record<string, string>): Promise<void> {
  const root = writeApp({ ...wizardFiles, ...changes });
  const app = await openApp(root);
  await app.close();
}

/** The framework's own tables, as `fw:wizards:install` writes them. */
export const tables = `import type { Schema } from "framewright/plugins/database";
  export async function up(db: Schema) {
${readFileSync(join(import.meta.dirname, "../../../plugins/wizards/schema.liquid"), "utf8")}
  }
  export async function down(db: Schema) { for (const name of ["leases", "events", "runs"]) await db.dropTable("framewright_wizard_" + name); }`;

/** Somebody whom every request of a visitor is made as. */
export function as(client: Client, user: number): Client {
  const request = client.request.bind(client);
  client.request = (path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set("x-user", String(user));
    return request(path, { ...init, headers });
  };
  return client;
}
