import { accountMigration } from "../authlib/accounts.ts";
import { accountFiles } from "./tenants.ts";

/** A portal with a page at its root, or none. */
function portal(
  name: string,
  concerns: string,
  body = "",
  { root = true, scope = false } = {},
): Record<string, string> {
  const constant = `${name[0]!.toUpperCase()}${name.slice(1)}Portal`;
  const [path, engine] = [`${name}_portal`, `packages/${name}_portal/lib/engine.ts`];
  const scoped = scope ? "engine.config.afterInitialize(() => engine.scopeToEntity(Organization));" : "void engine;";
  return {
    [engine]: `import { definePortal } from "framewright/plugins/portals"; import type {} from "framewright/plugins/scoping";
      import Organization from "#app/models/organization.ts"; void Organization;
      export const ${constant} = definePortal("${constant}", (engine) => { ${scoped} });`,
    [`packages/${path}/config/routes.ts`]: `import { ${constant} } from "../lib/engine.ts";
      export default ${constant}.routes.draw((routes) => { ${root ? 'routes.root({ to: "dashboard#index" });' : 'routes.get("page", { to: "dashboard#index" });'} });`,
    [`packages/${path}/app/controllers/${path}/dashboard_controller.ts`]: `import { BaseController, concern, forbidden, htmlReply } from "framewright";
      import { Authlib } from "framewright/plugins/authlib"; import { CurrentUser, PortalController, PublicAccess } from "framewright/plugins/portals";
      void [Authlib, CurrentUser, PublicAccess, forbidden];
      export default class DashboardController extends concern(BaseController, PortalController, ${concerns}) {
        async index() { ${body} return this.answer(htmlReply("<!doctype html><html lang=en><title>Here</title><p>Here", 200)); }
        ${scope ? "async authorizeEntity() { return false; }" : ""}
      }`,
  };
}
const user = 'Authlib("user" as never)';
const mounts = [
  "Customer",
  "Domain",
  "Guest",
  "Open",
  "Staff",
  "Board",
  "Lobby",
  "Shut",
  "Rootless",
  "Partner",
  "Robot",
  "Data",
];
/** The tenants with accounts, and ten more portals: for the same accounts, for others, for guests, scoped, without a root. */
export const portalFiles: Record<string, string> = {
  ...accountFiles,
  "app/authlib/authlib_app.ts": `import { defineAuthlib } from "framewright/plugins/authlib"; import UserAuthlibPlugin from "./user_authlib_plugin.ts"; import PartnerAuthlibPlugin from "./partner_authlib_plugin.ts"; export default defineAuthlib([UserAuthlibPlugin, PartnerAuthlibPlugin]);`,
  "app/authlib/partner_authlib_plugin.ts": `import { AuthlibBase, features, login } from "framewright/plugins/authlib"; export default class PartnerAuthlibPlugin extends features(AuthlibBase, [login()]) { static override model = "User"; }`,
  "db/migrate/20260102000000_add_accounts.ts": accountMigration(
    `await db.addColumns("users", (t) => { t.string("email").unique(); t.string("role"); t.enum("account_status", ["unverified", "verified", "closed"]).notNull().default("verified"); });`,
    { account: "user", table: "users", features: "login(), logout()" },
    { account: "partner", table: "users", features: "login()" },
  ),
  "config/routes.ts": `import { drawRoutes } from "framewright"; import { authenticate } from "framewright/plugins/authlib";
    ${mounts.map((name) => `import { ${name}Portal } from "#packages/${name.toLowerCase()}_portal/lib/engine.ts";`).join("\n")}
    export default drawRoutes((routes) => {
      ${mounts.map((name) => (name === "Staff" ? 'routes.constraints(authenticate("user" as never), (r) => r.mount(StaffPortal, { at: "/staff" }));' : `routes.mount(${name}Portal, { at: "/${name.toLowerCase()}" });`)).join("\n")}
    });`,
  ...portal("open", "PublicAccess"),
  ...portal("staff", user),
  ...portal("board", user, "if ((this.currentUser as { id: number }).id !== 3) throw forbidden();"),
  ...portal("lobby", user, 'return this.redirectTo("/lobby/page");', {}),
  ...portal("shut", user, "", { scope: true }),
  ...portal("rootless", user, "", { root: false }),
  ...portal("partner", 'Authlib("partner" as never)'),
  ...portal("data", user, "return this.json({});"),
  ...portal("robot", "CurrentUser(async () => ({ id: 1 }))"),
};

const desk = (path: string, parent: string, imported = "") => ({
  [`packages/${path}/app/controllers/${path}/dashboard_controller.ts`]: `import { BaseController, concern } from "framewright"; ${imported}
    import { Authlib } from "framewright/plugins/authlib"; import { PortalController } from "framewright/plugins/portals"; void [concern, Authlib, PortalController];
    export default class DashboardController extends ${parent} { async index() { return this.render("${path}/dashboard/index"); } }`,
  [`packages/${path}/app/views/${path}/dashboard/index.liquid`]: "<h1>Desk</h1>",
});
/** The same, where the customer portal and that of the staff begin with a page in the shell. */
export const deskFiles: Record<string, string> = {
  ...portalFiles,
  ...desk("customer_portal", "Controller(BaseController)", 'import Controller from "./concerns/controller.ts";'),
  ...desk("staff_portal", 'concern(BaseController, PortalController, Authlib("user" as never))'),
};
