import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AccountsOptions, addPeople, databaseOf, openAccounts, signIn } from "../authlib/accounts.ts";
import { quick } from "../authlib/promises/support.ts";

const schemaOf = (plugin: string) =>
  readFileSync(join(import.meta.dirname, `../../../plugins/${plugin}/schema.liquid`), "utf8");

/** Who changed something, as a plugin hears it: `kind title by user for actor`. */
const witness = `definePlugin({ name: "witness", requires: ["host", "database"], apply({ hooks }) {
  hooks.database.changing.tapPromise("witness", async ({ model, kind, record, by }) => {
    if (model.constant !== "Note") return;
    ((globalThis as any).witnessed ??= []).push([kind, (record as any).title, (by?.user as any)?.email ?? null, (by?.actor as any)?.email ?? null, by?.portal ?? null].join(" "));
  });
} }),`;
export const witnessed = (): string[] => ((globalThis as { witnessed?: string[] }).witnessed ??= []);

const plugins = {
  imports: `${quick.imports} import { impersonation } from "framewright/plugins/impersonation"; import { notifications } from "framewright/plugins/notifications"; import { apiKeyScopes } from "framewright/plugins/api_keys"; import { oidc } from "framewright/plugins/oidc";`,
  list: `apiKeyScopes(), oidc(), impersonation({ of: ["user", "clerk", "admin"], mail: true }), notifications(), ${witness} ${quick.list}`,
};
const resource = (portal: string, account: string, plural: string, name: string) => ({
  [`packages/${portal}_portal/app/controllers/${portal}_portal/${plural}_controller.ts`]: `import { concern } from "framewright"; import { Authlib } from "framewright/plugins/authlib"; import { PortalController } from "framewright/plugins/portals"; import { ResourceController } from "framewright/plugins/resources";
    export default class ${name}sController extends (concern(ResourceController, PortalController, Authlib("${account}" as never)) as typeof ResourceController) {
      ${name === "Note" ? `static confirms = ["destroy"];` : ""} }`,
});
const routes = (portal: string, Portal: string, models: string[], more = "", imports = "") => ({
  [`packages/${portal}_portal/config/routes.ts`]: `import { ${Portal} as Portal } from "../lib/engine.ts"; ${models.map((model) => `import ${model} from "#app/models/${model.toLowerCase()}.ts";`).join(" ")} ${imports}
    export default Portal.routes.draw((routes) => { routes.root({ to: "home#index" }); ${models.map((model) => `routes.registerResource(${model});`).join(" ")} ${more} });`,
});
const policy = (model: string, more: string, fields: string) => ({
  [`app/policies/${model.toLowerCase()}_policy.ts`]: `import { Policy } from "framewright/plugins/resources"; export default class ${model}Policy extends Policy {
    override canRead() { return true; } ${more}
    override permittedAttributesForRead() { return ${fields}; } }`,
});
const definition = (model: string) => ({
  [`app/definitions/${model.toLowerCase()}_definition.ts`]: `import { accountActions } from "framewright/plugins/authlib/actions"; import { impersonateAction } from "framewright/plugins/impersonation"; import { ResourceDefinition } from "framewright/plugins/resources";
    export default class ${model}Definition extends ResourceDefinition { override configure() { super.configure(); accountActions(this); impersonateAction(this); } }`,
});
const isBoss = `return (this.user as any)?.role === "boss" && !!(this.user as any)?.email?.startsWith("root");`;

const files: Record<string, string> = {
  ...routes("admin", "AdminPortal", ["User", "Admin", "Clerk", "Chief"]),
  ...routes(
    "user",
    "UserPortal",
    ["Note"],
    `routes.get("form", { to: "home#form" }); routes.post("form", { to: "home#submit" }); routes.get("hidden", { to: "home#hidden" }); routes.get("inline", { to: "home#inline" }); routes.get("streamed", { to: "home#streamed" }); routes.registerWizard(AskWizard, { at: "ask" });`,
    `import AskWizard from "#app/wizards/ask_wizard.ts";`,
  ),
  ...routes("clerk", "ClerkPortal", ["User"]),
  ...resource("admin", "admin", "users", "User"),
  ...resource("admin", "admin", "admins", "Admin"),
  ...resource("admin", "admin", "clerks", "Clerk"),
  ...resource("clerk", "clerk", "users", "User"),
  ...resource("admin", "admin", "chiefs", "Chief"),
  ...policy("Chief", "canManageAccount() { return true; } canImpersonate() { return true; }", `["email"]`),
  ...definition("Chief"),
  ...resource("user", "user", "notes", "Note"),
  ...policy(
    "User",
    `canManageAccount() { ${isBoss} } canImpersonate() { ${isBoss} } override relationScope(query) { return query.whereNot("users.name", "hidden"); }`,
    `["email", "account_status"]`,
  ),
  ...policy("Admin", "canManageAccount() { return true; } canImpersonate() { return true; }", `["email"]`),
  ...policy("Clerk", "canManageAccount() { return true; } canImpersonate() { return true; }", `["email"]`),
  ...policy(
    "Note",
    'override canCreate() { return true; } override permittedAttributesForCreate() { return ["title"]; } canExport() { return true; } canImport() { return true; }',
    `["title"]`,
  ),
  ...definition("User"),
  ...definition("Admin"),
  ...definition("Clerk"),
  "app/models/note.ts": `import { Model } from "framewright/plugins/database"; export default class Note extends Model("notes") {}`,
  "app/models/admin.ts": `import { Model } from "framewright/plugins/database"; export default class Admin extends Model("admins") { static override enums = { role: ["boss", "helper"] }; }`,
  "packages/user_portal/app/controllers/user_portal/wizards_controller.ts": `import { concern } from "framewright"; import { Authlib } from "framewright/plugins/authlib"; import { PortalController } from "framewright/plugins/portals"; import { WizardBaseController } from "framewright/plugins/wizards";
    export default class WizardsController extends (concern(WizardBaseController, PortalController, Authlib("user" as never)) as typeof WizardBaseController) {}`,
  "app/wizards/ask_wizard.ts": `import { steps, Wizard } from "framewright/plugins/wizards"; import { succeed } from "framewright/plugins/resources";
    export default class AskWizard extends Wizard(steps().step("what", {}, (f) => f.string("text"))) { async execute() { return succeed(); } }`,
  "packages/user_portal/app/controllers/user_portal/home_controller.ts": `import { Readable } from "node:stream"; import { BaseController, concern, csrfInput, htmlReply } from "framewright"; import { Authlib } from "framewright/plugins/authlib"; import { PortalController } from "framewright/plugins/portals";
    export default class HomeController extends (concern(BaseController, PortalController, Authlib("user" as never)) as typeof BaseController) {
      index() { const { email } = this.currentUser as { email: string }; return this.request.format === "json" ? this.json({ email }) : this.render("index", { locals: { email } }); }
      form() { return this.render("form", { locals: { csrf: csrfInput(this.request, this.request.path), text: (this.request.typed?.take() as any)?.text ?? "" } }); }
      submit() { return this.json({ took: this.params.string("text") ?? null }); }
      inline() { const r = htmlReply('<!doctype html><body>inline page</body>'); r.headers["content-disposition"] = "inline"; return r; }
      streamed() { const r = htmlReply(''); r.stream = Readable.from(['<!doctype html><body>streamed page</body>']); return r; }
      hidden() { return htmlReply('<!doctype html><html><head><title>x</title><!-- <body> --><script>"<body>"</script></head><p>no body tag</p></html>'); }
    }`,
  "db/migrate/20260102000000_add_rest.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) { await db.createTable("notes", (t) => { t.id(); t.string("title"); }); ${schemaOf("wizards")}\n${schemaOf("notifications")}\n${schemaOf("impersonation")} }
    export async function down(_db: Schema) {}`,
};
const userFeatures =
  "login(), logout(), remember(), createAccount(), resetPassword(), changePassword(), changeLogin(), closeAccount(), lockout(), activeSessions(), otp(), recoveryCodes(), securityMails(), auditLogging(), apiKeys(), oidcLogin({ providers })";
const userImports = `import { apiKeys } from "framewright/plugins/api_keys"; import { oidcLogin, provider } from "framewright/plugins/oidc"; const providers = { acme: provider({ issuer: "http://127.0.0.1:9", label: "Acme" }) };`;

/** Users with a portal of notes, and administrators of whom `root@…` may act for users. */
export async function openImpersonation({ values = {} }: Pick<AccountsOptions, "values"> = {}) {
  const types = {
    user: { features: userFeatures, imports: userImports },
    admin: { features: "login(), logout(), lockout(), activeSessions(), auditLogging()" },
    clerk: { features: "login(), logout(), resetPassword(), invitation()" },
    chief: { features: "login(), logout(), lockout(), activeSessions()" },
  };
  const acme = { OIDC_ACME_CLIENT_ID: "shop", OIDC_ACME_CLIENT_SECRET: "secret" };
  const app = await openAccounts(types, {
    values: { ...acme, ...values },
    authlib: "{ limits: false }",
    plugins,
    files,
  });
  await addPeople(app, "admin", "root@example.test", "vice@example.test");
  await addPeople(app, "clerk", "clerk@example.test");
  await addPeople(app, "chief", "chief@example.test");
  await databaseOf(app.application).knex("admins").update({ role: "boss" });
  return app;
}
export { signIn };
