import { openApp, type TestApp, writeApp } from "../../support/apps.ts";
import { databaseOf, openMigrated } from "../../support/shop.ts";

const concern = (portal: string) =>
  `import { concern, type ControllerClass } from "framewright"; import { CurrentUser, PortalController } from "framewright/plugins/portals"; import User from "#app/models/user.ts";
   export default <B extends ControllerClass>(Base: B) => concern(Base, PortalController, CurrentUser(async (request) => (await User.query().findById(Number(request.header("x-user") ?? 0))) as User | undefined${portal === "public" ? ', { guests: "admit" }' : ""}));`;

const resourceController = `import { ResourceController as Base } from "framewright/plugins/resources"; import Controller from "./concerns/controller.ts";
  export default class ResourceController extends (Controller(Base) as unknown as typeof Base) {}`;

/** A class of dashboards. */
export const dashboardFile = (name: string, lines: string, { body = "", imports = "" } = {}): string =>
  `import { countBy, countByColumn, countIn, Dashboard, sumBy, sumIn } from "framewright/plugins/dashboards"; import Post from "#app/models/post.ts"; import Note from "#app/models/note.ts"; ${imports}
   void [countBy, countByColumn, countIn, sumBy, sumIn, Post, Note];
   export default class ${name} extends Dashboard { ${body} override configure() { super.configure(); ${lines} } }`;

/** The routes of a portal. */
export const routesFile = (portal: string, lines: string, imports = ""): string =>
  `import { ${portal} } from "../lib/engine.ts"; import type {} from "framewright/plugins/resources"; import type {} from "framewright/plugins/dashboards"; import Post from "#app/models/post.ts"; import MainDashboard from "../app/dashboards/${portal === "AdminPortal" ? "admin_portal" : "team_portal"}/main_dashboard.ts"; ${imports}
   void Post; export default ${portal}.routes.draw((routes) => { ${lines} });`;

/** The cards that most tests look at. */
export const cards = `
  this.metric("fresh", { label: "New posts", value: (period) => countIn(this.query(Post), "created_at", period) });
  this.metric("words", { value: (period) => sumIn(this.query(Post), "words", "created_at", period), policy: "isEditor" });
  this.chart("by_week", { label: "Posts by week", data: (period) => countBy(this.query(Post), "created_at", "week", period), policy: { resource: Post, action: "index" }, link: Post });
  this.chart("by_status", { type: "doughnut", data: () => countByColumn(this.query(Post), "status") });
  this.list("latest", { query: () => this.query(Post).orderBy("id", "desc"), time: "created_at", link: Post });
  this.table("wide", { query: () => this.query(Post).orderBy("id"), columns: ["title", "status", "secret", "user"] });
  this.links("more", { links: () => [{ label: "Handbook", url: "/handbook", text: "How we work", icon: "book" }] });
  this.custom("own", { view: "dashboard_cards/own", locals: (period) => ({ word: "<b>" + period.key }) });
  this.list("broken", { query: () => { throw new Error("the warehouse is on fire"); } });
  this.metric("slow", { limit: 60, value: () => new Promise((resolve) => setTimeout(() => resolve(1), 400)) });
`;
const body = `isEditor() { return (this.currentUser as { role?: string } | undefined)?.role === "editor"; }`;

/** Ann (editor) and Bob are of team 1, Cleo of team 2. The admin portal shows a person's own posts; the team portal a team's. */
export const files: Record<string, string> = {
  "plugins.config.ts": `import { definePlugins } from "framewright/kernel"; import { assets } from "framewright/plugins/assets"; import { dashboards } from "framewright/plugins/dashboards"; import { database } from "framewright/plugins/database";
    import { i18n } from "framewright/plugins/i18n"; import { layout } from "framewright/plugins/layout"; import { portals } from "framewright/plugins/portals"; import { resources } from "framewright/plugins/resources";
    import { scoping } from "framewright/plugins/scoping"; import { sessions } from "framewright/plugins/sessions"; import { views } from "framewright/plugins/views";
    export default definePlugins([database(), i18n(), sessions(), views(), assets(), layout(), portals(), resources(), scoping(), dashboards()]);`,
  "config/routes.ts": `import { drawRoutes } from "framewright"; import { AdminPortal } from "#packages/admin_portal/lib/engine.ts"; import { TeamPortal } from "#packages/team_portal/lib/engine.ts";
    export default drawRoutes((routes) => { routes.mount(AdminPortal, { at: "/admin" }); routes.mount(TeamPortal, { at: "/team" }); });`,
  "db/migrate/20260101000000_create_tables.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) {
      await db.createTable("teams", (t) => { t.id(); t.string("name").notNull(); });
      await db.createTable("users", (t) => { t.id(); t.string("name").notNull(); t.string("role"); t.belongsTo("team"); });
      await db.createTable("posts", (t) => { t.id(); t.string("title").notNull(); t.string("status").notNull(); t.string("secret"); t.integer("words"); t.date("due_on"); t.belongsTo("user"); t.belongsTo("team"); t.timestamps(); });
      await db.createTable("notes", (t) => { t.id(); t.string("title").notNull(); t.belongsTo("team"); });
    }
    export async function down(db: Schema) { for (const name of ["notes", "posts", "users", "teams"]) await db.dropTable(name); }`,
  "app/models/team.ts": `import { Model } from "framewright/plugins/database"; export default class Team extends Model("teams") {}`,
  "app/models/user.ts": `import { belongsTo, Model } from "framewright/plugins/database"; export default class User extends Model("users") { static override associations = { team: belongsTo() }; }`,
  "app/models/note.ts": `import { belongsTo, Model } from "framewright/plugins/database"; export default class Note extends Model("notes") { static override associations = { team: belongsTo() }; }`,
  "app/models/post.ts": `import { belongsTo, Model } from "framewright/plugins/database"; export default class Post extends Model("posts") { static override associations = { user: belongsTo(), team: belongsTo() }; static override enums = { status: ["draft", "in_review", "live"] }; }`,
  "app/policies/post_policy.ts": `import { Policy } from "framewright/plugins/resources"; import type Post from "#app/models/post.ts";
    export default class PostPolicy extends Policy<Post> { override canRead() { return this.user?.name !== "Nobody"; } override canShow() { return this.record?.title !== "Hidden"; }
      override permittedAttributesForRead() { return ["title", "status", "user", "created_at"] as never; } }`,
  "packages/admin_portal/app/policies/admin_portal/post_policy.ts": `import Feature from "#app/policies/post_policy.ts"; import type { Query } from "framewright/plugins/database"; import type Post from "#app/models/post.ts";
    export default class PostPolicy extends Feature { override relationScope(query: Query<Post>) { return query.where("posts.user_id", (this.user as { id: number }).id); } }`,
  "app/definitions/post_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources"; import type Post from "#app/models/post.ts";
    export default class PostDefinition extends ResourceDefinition<Post> { override configure() { super.configure(); this.display("status", { tones: { live: "success" } }); } }`,
  "app/views/dashboard_cards/own.liquid": `<p class="own">{{ word }} {{ current_user.name }}</p>`,
  "packages/admin_portal/lib/engine.ts": `import { definePortal } from "framewright/plugins/portals"; export const AdminPortal = definePortal("AdminPortal");`,
  "packages/team_portal/lib/engine.ts": `import { definePortal } from "framewright/plugins/portals"; import type {} from "framewright/plugins/scoping"; import Team from "#app/models/team.ts"; export const TeamPortal = definePortal("TeamPortal", (engine) => { engine.config.afterInitialize(() => engine.scopeToEntity(Team)); });`,
  "packages/admin_portal/config/routes.ts": routesFile(
    "AdminPortal",
    `routes.registerDashboard(MainDashboard, { at: "/" }); routes.registerResource(Post);`,
  ),
  "packages/team_portal/config/routes.ts": routesFile(
    "TeamPortal",
    `routes.registerDashboard(MainDashboard, { at: "/" }); routes.registerResource(Post);`,
  ),
  "packages/admin_portal/app/controllers/admin_portal/concerns/controller.ts": concern("admin"),
  "packages/team_portal/app/controllers/team_portal/concerns/controller.ts": concern("team"),
  "packages/admin_portal/app/controllers/admin_portal/resource_controller.ts": resourceController,
  "packages/team_portal/app/controllers/team_portal/resource_controller.ts": resourceController,
  "packages/admin_portal/app/dashboards/admin_portal/main_dashboard.ts": dashboardFile("MainDashboard", cards, {
    body,
  }),
  "packages/team_portal/app/dashboards/team_portal/main_dashboard.ts": dashboardFile("MainDashboard", cards, { body }),
};

/** The path of a dashboard in the admin portal. */
export const mainDashboard = "packages/admin_portal/app/dashboards/admin_portal/main_dashboard.ts";
/** The same in the team portal, which is divided by tenants. */
export const teamDashboard = "packages/team_portal/app/dashboards/team_portal/main_dashboard.ts";

/** Days before today at noon, in UTC. */
export const daysAgo = (days: number): Date => {
  const at = new Date();
  at.setUTCHours(12, 0, 0, 0);
  at.setUTCDate(at.getUTCDate() - days);
  return at;
};

interface PostRow {
  title: string;
  user: number;
  team: number;
  days: number;
  status?: string;
  words?: number;
}
const posts: PostRow[] = [
  { title: "Ann today", user: 1, team: 1, days: 0, status: "live", words: 100 },
  { title: "Ann lately", user: 1, team: 1, days: 3, words: 50 },
  { title: "Hidden", user: 1, team: 1, days: 10, status: "live", words: 7 },
  { title: "Ann before", user: 1, team: 1, days: 40, words: 1000 },
  { title: "Bob today", user: 2, team: 1, days: 0, words: 3 },
  { title: "MARK of Cleo", user: 3, team: 2, days: 0, status: "in_review", words: 9 },
];

/** Opens the application with its people and posts. */
export async function openDashboards(
  changes: Record<string, string> = {},
  values: Record<string, string> = {},
): Promise<TestApp> {
  const app = await openMigrated(writeApp({ ...files, ...changes }), values);
  const { knex } = databaseOf(app.application);
  await knex("teams").insert([
    { id: 1, name: "Red" },
    { id: 2, name: "Blue" },
  ]);
  await knex("users").insert([
    { id: 1, name: "Ann", role: "editor", team_id: 1 },
    { id: 2, name: "Bob", team_id: 1 },
    { id: 3, name: "Cleo", team_id: 2 },
    { id: 4, name: "Nobody", team_id: 1 },
  ]);
  const text = (date: Date) => date.toISOString().replace("T", " ").slice(0, 23);
  await knex("posts").insert(
    posts.map(({ title, user, team, days, status = "draft", words = 1 }) => {
      const stamps = { created_at: text(daysAgo(days)), updated_at: text(daysAgo(days)) };
      return { title, user_id: user, team_id: team, status, words, secret: "xyzzy", ...stamps };
    }),
  );
  await knex("notes").insert({ id: 1, title: "MARK note", team_id: 2 });
  return app;
}

/** Boots with changed files; why it was refused, or "booted". */
export async function bootWith(changes: Record<string, string>): Promise<string> {
  try {
    const app = await openApp(writeApp({ ...files, ...changes }));
    await app.close();
    return "booted";
  } catch (error) {
    return String(error);
  }
}

/** Requests as a person; 0 is a guest. */
export const asPerson =
  ({ url }: TestApp) =>
  (user: number, path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url + path, {
      redirect: "manual",
      headers: { accept: "text/html", ...(user > 0 ? { "x-user": String(user) } : {}), ...headers },
    });
