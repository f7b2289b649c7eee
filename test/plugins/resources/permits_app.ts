import { addFiles, type TestApp, writeApp } from "../../support/apps.ts";
import { databaseOf, openMigrated } from "../../support/shop.ts";

/**
 * Building permits of two towns: staff see all of their town, the public some columns of what is no draft. The email and
 * the name of who applied are hidden there, drafts and withdrawn citizens as records.
 */
export const MARKS = {
  /** Values of columns that the public portal's policy hides. */
  columns: ["a3@example.com", "Ada Hidden", "secret-note", "fee-777"],
  /** Labels of records that its policy hides. */
  records: ["Draftstreet", "Withdrawn Person"],
} as const;

const concern = (portal: string) => ({
  [`packages/${portal}/app/controllers/${portal}/concerns/controller.ts`]: `import { concern, type ControllerClass } from "framewright";
import { CurrentUser, PortalController } from "framewright/plugins/portals";
import User from "#app/models/user.ts";
const find = CurrentUser(async (request) => User.query().findById(Number(request.header("x-user") ?? 0)), { guests: "admit" });
export default <B extends ControllerClass>(Base: B) => class extends concern(Base, PortalController, find) { ${portal === "public_portal" ? "override authorizeEntity() { return true; }" : ""} };
`,
  [`packages/${portal}/app/controllers/${portal}/resource_controller.ts`]: `import { ResourceController as Base } from "framewright/plugins/resources";
import Controller from "./concerns/controller.ts";
export default class ResourceController extends Controller(Base) {}
`,
  [`packages/${portal}/app/controllers/${portal}/dashboard_controller.ts`]: `import { BaseController } from "framewright";
import Controller from "./concerns/controller.ts";
export default class DashboardController extends Controller(BaseController) { index() { return this.json({}); } }
`,
});

const portal = (path: string, name: string, models: readonly string[]) => ({
  ...concern(path),
  [`packages/${path}/app/dashboards/${path}/main_dashboard.ts`]: `import { Dashboard } from "framewright/plugins/dashboards";
import Document from "#app/models/document.ts";
import Permit from "#app/models/permit.ts";
export default class MainDashboard extends Dashboard {
  override configure() {
    super.configure();
    this.table("papers", { query: () => this.query(Document), columns: ["title", "permit", "citizen"] });
    this.list("permits", { query: () => this.query(Permit) });
    this.table("columns", { query: () => this.query(Permit), columns: ["number", "email", "note"] });
  }
}
`,
  [`packages/${path}/lib/engine.ts`]: `import { definePortal } from "framewright/plugins/portals";
import type {} from "framewright/plugins/scoping";
import Town from "#app/models/town.ts";
export const ${name} = definePortal("${name}", (engine) => {
  engine.config.afterInitialize(() => engine.scopeToEntity(Town, { strategy: "path" }));
});
`,
  [`packages/${path}/config/routes.ts`]: `import type {} from "framewright/plugins/resources";
${models.map((model) => `import ${model} from "#app/models/${model.toLowerCase()}.ts";`).join("\n")}
import { ${name} } from "../lib/engine.ts";
import MainDashboard from "../app/dashboards/${path}/main_dashboard.ts";
export default ${name}.routes.draw((routes) => {
  routes.registerDashboard(MainDashboard, { at: "/board" });
  routes.root({ to: "dashboard#index" });
  ${models.map((model) => `routes.registerResource(${model});`).join("\n  ")}
});
`,
});

const policyOf = (model: string, body: string) => `import { Policy } from "framewright/plugins/resources";
export default class ${model}Policy extends Policy {
  ${body}
}
`;
export const publicPolicy = (model: string, body: string) => `import type { Query } from "framewright/plugins/database";
import Feature from "#app/policies/${model.toLowerCase()}_policy.ts";
export default class ${model}Policy extends Feature {
  ${body}
}
`;
export const publicPermitPolicy = "packages/public_portal/app/policies/public_portal/permit_policy.ts";
export const permitDefinition = "app/definitions/permit_definition.ts";

export const permitFiles: Record<string, string> = {
  "plugins.config.ts": `import { definePlugins } from "framewright/kernel";
import { assets } from "framewright/plugins/assets";
import { bulkActions } from "framewright/plugins/bulk_actions";
import { dashboards } from "framewright/plugins/dashboards";
import { database } from "framewright/plugins/database";
import { i18n } from "framewright/plugins/i18n";
import { layout } from "framewright/plugins/layout";
import { portals } from "framewright/plugins/portals";
import { exports } from "framewright/plugins/exports";
import { resources } from "framewright/plugins/resources";
import { search } from "framewright/plugins/search";
import { summaries } from "framewright/plugins/summaries";
import { scoping } from "framewright/plugins/scoping";
import { sessions } from "framewright/plugins/sessions";
import { views } from "framewright/plugins/views";
export default definePlugins([database(), i18n(), sessions(), views(), assets(), layout(), portals(), summaries(), search(), exports(), resources(), bulkActions(), dashboards(), scoping()]);
`,
  "config/routes.ts": `import { drawRoutes } from "framewright";
import { PublicPortal } from "#packages/public_portal/lib/engine.ts";
import { StaffPortal } from "#packages/staff_portal/lib/engine.ts";
export default drawRoutes((routes) => { routes.mount(PublicPortal, { at: "/public" }); routes.mount(StaffPortal, { at: "/staff" }); });
`,
  "db/migrate/20260101000000_create_tables.ts": `import type { Schema } from "framewright/plugins/database";
export async function up(db: Schema) {
  await db.createTable("towns", (t) => { t.id(); t.string("name").notNull(); });
  await db.createTable("users", (t) => { t.id(); t.string("name").notNull(); });
  await db.createTable("memberships", (t) => { t.id(); t.belongsTo("user", { null: false }); t.belongsTo("town", { null: false }); });
  await db.createTable("citizens", (t) => { t.id(); t.string("name").notNull(); t.boolean("withdrawn").notNull().default(false); t.belongsTo("town", { null: false }); });
  await db.createTable("permits", (t) => {
    t.id(); t.string("number").notNull(); t.string("street").notNull(); t.string("state").notNull(); t.string("name").notNull();
    t.string("email").notNull(); t.string("note"); t.integer("fee"); t.belongsTo("town", { null: false }); t.belongsTo("citizen");
  });
  await db.createTable("documents", (t) => { t.id(); t.string("title").notNull(); t.belongsTo("permit"); t.belongsTo("citizen"); t.belongsTo("town", { null: false }); });
}
export async function down() {}
`,
  "app/models/town.ts": `import { hasMany, Model } from "framewright/plugins/database";
export default class Town extends Model("towns") { static override associations = { memberships: hasMany() }; }
`,
  "app/models/user.ts": `import { hasMany, Model } from "framewright/plugins/database";
export default class User extends Model("users") { static override associations = { memberships: hasMany(), towns: hasMany({ through: "memberships" }) }; }
`,
  "app/models/membership.ts": `import { belongsTo, Model } from "framewright/plugins/database";
export default class Membership extends Model("memberships") { static override associations = { user: belongsTo(), town: belongsTo() }; }
`,
  "app/models/citizen.ts": `import { belongsTo, hasMany, Model } from "framewright/plugins/database";
export default class Citizen extends Model("citizens") { static override associations = { town: belongsTo(), permits: hasMany(), documents: hasMany() }; }
`,
  "app/models/permit.ts": `import { belongsTo, hasMany, Model } from "framewright/plugins/database";
export default class Permit extends Model("permits") {
  static override associations = { town: belongsTo(), citizen: belongsTo(), documents: hasMany({ dependent: "destroy" }) };
  override toLabel() { return \`\${(this as never as { email: string }).email} · \${(this as never as { street: string }).street}\`; }
}
`,
  "app/models/document.ts": `import { belongsTo, Model } from "framewright/plugins/database";
export default class Document extends Model("documents") { static override associations = { town: belongsTo(), permit: belongsTo(), citizen: belongsTo() }; }
`,
  "app/policies/permit_policy.ts": policyOf(
    "Permit",
    `override canRead() { return true; } override canCreate() { return true; } override canExport() { return true; }
  override permittedAttributesForCreate() { return ["number", "street", "state", "name", "email", "note", "fee", "citizen"]; }
  override permittedAssociations() { return ["documents"]; }`,
  ),
  "app/policies/citizen_policy.ts": policyOf(
    "Citizen",
    `override canRead() { return true; } override canCreate() { return true; }
  override permittedAttributesForCreate() { return ["name", "withdrawn"]; } override permittedAssociations() { return ["permits"]; }`,
  ),
  "app/policies/document_policy.ts": policyOf(
    "Document",
    `override canRead() { return true; } override canCreate() { return true; } override canExport() { return true; }
  override permittedAttributesForCreate() { return ["title", "permit", "citizen"]; }`,
  ),
  [permitDefinition]: `import { ResourceDefinition } from "framewright/plugins/resources";
import { contains } from "framewright/plugins/resources";
export default class PermitDefinition extends ResourceDefinition {
  override configure() {
    super.configure();
    this.search((query, term) => query.where((one) => { contains(one, "name", term); one.orWhere((other) => void contains(other, "email", term)); }));
    this.filter("mail", { as: "text", apply: (query, value) => query.where("email", value) });
    this.filter("dear", { inputs: { over: {} }, apply: (query, { over }) => query.where("fee", ">", Number(over)) });
    this.scope("expensive", { count: true, apply: (query) => query.where("permits.fee", ">", 500) });
    this.sort("dearest", { using: (query, direction) => query.orderBy("fee", direction) });
    this.sort("citizen", { by: "name" });
    this.column("fee", { total: "sum" });
    this.action("destroy", { bulk: true });
  }
}
`,
  "app/definitions/document_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
export default class DocumentDefinition extends ResourceDefinition {
  override configure() { super.configure(); this.action("destroy", { bulk: true }); }
}
`,
  ...portal("public_portal", "PublicPortal", ["Permit", "Citizen", "Document"]),
  ...portal("staff_portal", "StaffPortal", ["Permit", "Citizen", "Document"]),
  [publicPermitPolicy]: publicPolicy(
    "Permit",
    `override permittedAttributesForCreate() { return ["number", "street", "citizen"]; }
  override permittedAttributesForRead() { return ["number", "street", "citizen"]; }
  override relationScope(query: Query) { return query.whereNot("state", "draft"); }
  override canUpdate() { return this.user !== undefined; }`,
  ),
  "packages/public_portal/app/policies/public_portal/citizen_policy.ts": publicPolicy(
    "Citizen",
    `override relationScope(query: Query) { return query.where("withdrawn", false); }`,
  ),
  "packages/public_portal/app/policies/public_portal/document_policy.ts": publicPolicy(
    "Document",
    "override canUpdate() { return this.user !== undefined; }",
  ),
};

/** Permit 1 is a draft, 2 is public with a citizen who withdrew, 3 is public; document 1 is of the draft. */
export async function openPermits(
  changes: Record<string, string> = {},
  values: Record<string, string> = {},
): Promise<TestApp> {
  const root = writeApp({ ...permitFiles });
  addFiles(root, changes);
  const app = await openMigrated(root, values);
  const { knex } = databaseOf(app.application);
  await knex("towns").insert([
    { id: 1, name: "Altdorf" },
    { id: 2, name: "Bergheim" },
  ]);
  await knex("users").insert([{ id: 1, name: "Mem Ber" }]);
  await knex("memberships").insert([{ user_id: 1, town_id: 1 }]);
  await knex("citizens").insert([
    { id: 11, name: "Zoe Zimmer", withdrawn: false, town_id: 1 },
    { id: 12, name: "Withdrawn Person", withdrawn: true, town_id: 1 },
  ]);
  const permit = (id: number, state: string, street: string, rest: object = {}) => ({
    ...{ id, number: `P-${id}`, state, street, name: "Open Name", email: `a${id}@example.com` },
    ...{ note: "secret-note", fee: 100 * id, town_id: 1, citizen_id: null, ...rest },
  });
  await knex("permits").insert([
    permit(1, "draft", "Draftstreet 1", { citizen_id: 11 }),
    permit(2, "open", "Lindenweg 2", { citizen_id: 12, fee: 777 }),
    permit(3, "open", "Parkallee 3", { citizen_id: 11, name: "Ada Hidden" }),
  ]);
  await knex("documents").insert([
    { id: 1, title: "Plan of one", permit_id: 1, citizen_id: 12, town_id: 1 },
    { id: 3, title: "Plan of three", permit_id: 3, citizen_id: 11, town_id: 1 },
  ]);
  return app;
}
