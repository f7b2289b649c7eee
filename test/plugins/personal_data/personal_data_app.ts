import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestApp } from "../../support/apps.ts";
import { addPeople, databaseOf, openAccounts } from "../authlib/accounts.ts";
import { quick } from "../authlib/promises/support.ts";

// Two people with everything that somebody leaves in an application, in the portal of users; administrators who erase them.

const schemaOf = (plugin: string) =>
  readFileSync(join(import.meta.dirname, `../../../plugins/${plugin}/schema.liquid`), "utf8");
const installed = [
  ...["wizards", "notifications", "history", "comments", "attachments", "saved_views", "list_settings"],
  ...["presence", "undo", "imports", "background_runs", "impersonation"],
];
const names = {
  ...{ attachments: "attachments", comments: "comments", history: "history", impersonation: "impersonation" },
  ...{ list_settings: "listSettings", notifications: "notifications", presence: "presence" },
  ...{ saved_views: "savedViews", undo: "undo", trash: "trash", personal_data: "personalData" },
};
/** `list`: as entries of plugins.config.ts. */
const pluginsWith = (personal: string) => ({
  imports: `${quick.imports} ${Object.entries(names)
    .map(([folder, factory]) => `import { ${factory} } from "framewright/plugins/${folder}";`)
    .join(" ")}`,
  list: `attachments(), comments(), history(), impersonation({ of: ["user"] }), listSettings(), notifications(), presence(), savedViews(), undo(), trash(), ${personal} ${errands} ${quick.list}`,
});

/** Jobs of the application, and a table of another plugin, which can be made to fail by `failsErasure`. */
const errands = `definePlugin({ name: "errands", requires: ["jobs"], apply({ services: { jobs }, hooks }) {
  jobs.define("errand", async (payload) => void ((globalThis as any).errands ??= []).push(payload));
  hooks.personal_data?.sources.tap("errands", (sources) => sources.add({ name: "errands",
    async *rows() { yield { errand: 1 }; },
    async erase() { if ((globalThis as any).failsErasure) throw new Error("the errands can't be erased"); } }));
} }),`;
export const seen = globalThis as { errands?: unknown[]; failsErasure?: boolean };

const model = (name: string, body: string) => ({
  [`app/models/${name.toLowerCase()}.ts`]: `import { belongsTo, hasMany, Model } from "framewright/plugins/database"; void [belongsTo, hasMany];
    ${name === "Seat" ? 'import { Membership } from "framewright/plugins/memberships";' : ""} ${name === "Invite" ? 'import { Invitation } from "framewright/plugins/memberships";' : ""}
    export default class ${name} extends ${name === "Seat" ? 'Membership(Model("seats"))' : name === "Invite" ? 'Invitation(Model("invites"))' : `Model("${name.toLowerCase()}s")`} { ${body} }`,
});
/** What models declare, as a test may change it. */
export const models: Record<string, string> = {
  ...model(
    "User",
    `static override associations = { profile: { kind: "hasOne" }, notes: hasMany({ foreignKey: "author_id" }) };
    static scopes = { associatedWithOrganization: (query: any) => query };
    static personal = { columns: { name: "Deleted person", role: { keep: "says which portal it was" } } };`,
  ),
  ...model(
    "Profile",
    `static override associations = { user: belongsTo(), addresses: hasMany() };
    static personal = { of: "user", columns: { bio: null, code: (row: { id: number }) => "erased-" + row.id, born_on: null, data: null, api_token: null } };`,
  ),
  ...model(
    "Address",
    `static override associations = { profile: belongsTo(), rooms: hasMany({ dependent: "destroy" }) };
    static personal = { of: "profile", erase: "delete" };`,
  ),
  ...model(
    "Note",
    `static override associations = { author: belongsTo({ class: "User" }) };
    static comments = true;
    static personal = { of: "author", columns: { title: "Deleted", body: null } };`,
  ),
  ...model(
    "Draft",
    `static softDelete = true;
    static override associations = { author: belongsTo({ class: "User" }) };
    static personal = { of: "author", erase: "delete" };`,
  ),
  ...model(
    "Invoice",
    `static override associations = { buyer: belongsTo({ class: "User" }), creator: belongsTo({ class: "User", optional: true }) };
    static personal = { of: "buyer", columns: { recipient: { keep: "invoices name the buyer for ten years" }, hint: null } };`,
  ),
  ...model(
    "Order",
    `static override associations = { creator: belongsTo({ class: "User" }) }; static personal = false;`,
  ),
  ...model("Room", "static override associations = { address: belongsTo() };"),
  ...model("Admin", "static personal = false;"),
  ...model("Organization", ""),
  ...model(
    "Seat",
    `static override associations = { user: belongsTo(), organization: belongsTo() }; static override enums = { role: ["owner", "member"] };`,
  ),
  ...model(
    "Invite",
    `static override associations = { organization: belongsTo(), inviter: belongsTo({ class: "User" }) };`,
  ),
};
// `Address` belongs to the table `addresses`
models["app/models/address.ts"] = models["app/models/address.ts"]!.replace('Model("addresss")', 'Model("addresses")');

const tables = `
  await db.createTable("organizations", (t) => { t.id(); t.string("name"); });
  await db.createTable("seats", (t) => { t.id(); t.belongsTo("user", { null: false }); t.belongsTo("organization", { null: false }); t.enum("role", ["owner", "member"]).notNull(); });
  await db.createTable("invites", (t) => { t.id(); t.belongsTo("organization", { null: false }); t.string("email").notNull(); t.string("role").notNull(); t.belongsTo("inviter", { table: "users", null: false }); t.string("key_digest", 64).notNull(); t.datetime("sent_at").notNull(); t.datetime("expires_at").notNull(); t.datetime("accepted_at"); t.datetime("revoked_at"); });
  await db.createTable("profiles", (t) => { t.id(); t.belongsTo("user", { null: false }); t.text("bio"); t.string("code", 40).notNull().unique(); t.date("born_on"); t.json("data"); t.string("api_token"); });
  await db.createTable("addresses", (t) => { t.id(); t.belongsTo("profile", { null: false }); t.string("street"); });
  await db.createTable("rooms", (t) => { t.id(); t.belongsTo("address", { null: false, onDelete: "cascade" }); t.string("title"); });
  await db.createTable("notes", (t) => { t.id(); t.belongsTo("author", { table: "users", null: false }); t.string("title").notNull(); t.text("body"); t.timestamps(); });
  await db.createTable("drafts", (t) => { t.id(); t.belongsTo("author", { table: "users", null: false }); t.text("text"); t.datetime("deleted_at"); t.string("deleted_by"); t.string("deleted_batch", 36); });
  await db.createTable("invoices", (t) => { t.id(); t.belongsTo("buyer", { table: "users", null: false }); t.belongsTo("creator", { table: "users" }); t.string("recipient"); t.string("hint"); });
  await db.createTable("orders", (t) => { t.id(); t.belongsTo("creator", { table: "users", null: false }); t.string("product"); });`;

const resource = (portal: string, plural: string, name: string) => ({
  [`packages/${portal}_portal/app/controllers/${portal}_portal/${plural}_controller.ts`]: `import { concern } from "framewright"; import { Authlib } from "framewright/plugins/authlib"; import { PortalController } from "framewright/plugins/portals"; import { ResourceController } from "framewright/plugins/resources";
    export default class ${name}sController extends (concern(ResourceController, PortalController, Authlib("${portal}" as never)) as typeof ResourceController) {}`,
});
const routes = (portal: string, Portal: string, list: string[], more = "", imports = "") => ({
  [`packages/${portal}_portal/config/routes.ts`]: `import { ${Portal} as Portal } from "../lib/engine.ts"; ${list.map((one) => `import ${one} from "#app/models/${one.toLowerCase()}.ts";`).join(" ")} ${imports}
    export default Portal.routes.draw((routes) => { routes.root({ to: "home#index" }); ${list.map((one) => `routes.registerResource(${one});`).join(" ")} ${more} });`,
});
const may = `override canRead() { return true; } override canCreate() { return true; }`;

const files: Record<string, string> = {
  ...models,
  ...routes(
    "user",
    "UserPortal",
    ["Note"],
    `routes.registerWizard(AskWizard, { at: "ask" });`,
    `import AskWizard from "#app/wizards/ask_wizard.ts";`,
  ),
  ...routes("admin", "AdminPortal", ["User"]),
  ...resource("user", "notes", "Note"),
  ...resource("admin", "users", "User"),
  "packages/user_portal/app/controllers/user_portal/wizards_controller.ts": `import { concern } from "framewright"; import { Authlib } from "framewright/plugins/authlib"; import { PortalController } from "framewright/plugins/portals"; import { WizardBaseController } from "framewright/plugins/wizards";
    export default class WizardsController extends (concern(WizardBaseController, PortalController, Authlib("user" as never)) as typeof WizardBaseController) {}`,
  "app/wizards/ask_wizard.ts": `import { steps, Wizard } from "framewright/plugins/wizards"; import { succeed } from "framewright/plugins/resources";
    export default class AskWizard extends Wizard(steps().step("what", {}, (f) => f.string("text")).step("more", {}, (f) => f.string("rest"))) { async execute() { return succeed(); } }`,
  "packages/desk_portal/lib/engine.ts": `import { definePortal } from "framewright/plugins/portals"; import Organization from "#app/models/organization.ts"; export const DeskPortal = definePortal("DeskPortal", (engine) => { engine.config.afterInitialize(() => engine.scopeToEntity(Organization, { strategy: "path" })); });`,
  ...routes("desk", "DeskPortal", ["User"]),
  "packages/desk_portal/app/controllers/desk_portal/home_controller.ts": `import { BaseController, concern } from "framewright"; import { Authlib } from "framewright/plugins/authlib"; import { PortalController } from "framewright/plugins/portals";
    export default class HomeController extends (concern(BaseController, PortalController, Authlib("admin" as never)) as typeof BaseController) { index() { return this.json({}); } }`,
  "packages/desk_portal/app/controllers/desk_portal/users_controller.ts": resource("admin", "users", "User")[
    "packages/admin_portal/app/controllers/admin_portal/users_controller.ts"
  ]!.replace("{}", "{ async authorizeEntity() { return true; } }"),
  "config/routes.ts": `import { drawRoutes } from "framewright"; import { authenticate } from "framewright/plugins/authlib"; import { UserPortal } from "#packages/user_portal/lib/engine.ts"; import { AdminPortal } from "#packages/admin_portal/lib/engine.ts"; import { DeskPortal } from "#packages/desk_portal/lib/engine.ts";
    export default drawRoutes((routes) => { routes.constraints(authenticate("user"), (r) => r.mount(UserPortal, { at: "/user" })); routes.constraints(authenticate("admin"), (r) => { r.mount(AdminPortal, { at: "/admin" }); r.mount(DeskPortal, { at: "/desk" }); }); });`,
  "app/policies/organization_policy.ts": `import { Policy } from "framewright/plugins/resources"; export default class OrganizationPolicy extends Policy { override canRead() { return true; } }`,
  "app/policies/note_policy.ts": `import { Policy } from "framewright/plugins/resources"; export default class NotePolicy extends Policy { ${may}
    override permittedAttributesForCreate() { return ["title", "body", "author_id", "papers"]; } override permittedAttributesForRead() { return ["title", "body", "author", "papers"]; } }`,
  "app/policies/user_policy.ts": `import { Policy } from "framewright/plugins/resources"; export default class UserPolicy extends Policy { override canRead() { return true; }
    canManageAccount() { return true; } canImpersonate() { return true; } canExportPersonalData() { return this.isRoot; } canErasePerson() { return this.isRoot; }
    get isRoot() { return !!(this.user as any)?.email?.startsWith("root"); }
    override permittedAttributesForRead() { return ["email", "name", "account_status"]; } }`,
  "app/definitions/user_definition.ts": `import { accountActions } from "framewright/plugins/authlib/actions"; import { impersonateAction } from "framewright/plugins/impersonation"; import { personalDataActions } from "framewright/plugins/personal_data"; import { ResourceDefinition } from "framewright/plugins/resources";
    export default class UserDefinition extends ResourceDefinition { override configure() { super.configure(); accountActions(this); impersonateAction(this); personalDataActions(this); } }`,
  "app/definitions/note_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources"; import type {} from "framewright/plugins/attachments";
    export default class NoteDefinition extends ResourceDefinition { override configure() { super.configure(); this.files("papers", { most: 9 }); } }`,
  "db/migrate/20260102000000_add_rest.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) { ${tables}\n${installed.map(schemaOf).join("\n")} }
    export async function down(_db: Schema) {}`,
};

const features =
  "login(), logout(), remember(), createAccount(), resetPassword(), changePassword(), changeLogin(), closeAccount(), lockout(), activeSessions(), otp(), recoveryCodes(), securityMails(), auditLogging()";

export async function openPersonalData({
  values = {},
  changes = {},
  personal = "personalData(),",
  more = "",
}: {
  values?: Record<string, string>;
  changes?: Record<string, string>;
  personal?: string;
  /** More features of users: ", verifyAccount()". */
  more?: string;
} = {}): Promise<TestApp> {
  const types = {
    user: { features: features + more },
    admin: { features: "login(), logout(), lockout(), activeSessions(), auditLogging()" },
  };
  const app = await openAccounts(types, {
    values,
    authlib: "{ limits: false }",
    plugins: pluginsWith(personal),
    files: { ...files, ...changes },
  });
  await addPeople(app, "admin", "root@example.test", "vice@example.test");
  await databaseOf(app.application)
    .knex("organizations")
    .insert([
      { id: 1, name: "Alpine" },
      { id: 2, name: "Baltic" },
    ]);
  return app;
}
