import type { TestApp } from "../../support/apps.ts";
import { addPeople, databaseOf, openAccounts } from "../authlib/accounts.ts";
import { quick } from "../authlib/promises/support.ts";

const controller = (portal: string, account: string, plural: string, members = "") => ({
  [`packages/${portal}_portal/app/controllers/${portal}_portal/${plural}_controller.ts`]: `import { concern } from "framewright"; import { Authlib } from "framewright/plugins/authlib"; import { Members } from "framewright/plugins/memberships"; import Member from "#app/models/member.ts"; import { PortalController } from "framewright/plugins/portals"; import { ResourceController } from "framewright/plugins/resources";
    void [Members, Member]; export default class ${plural[0]!.toUpperCase()}${plural.slice(1)}Controller extends (concern(ResourceController, PortalController, Authlib("${account}" as never)${members}) as typeof ResourceController) {}`,
});
const model = (name: string, table: string, body: string, base = "Model") => ({
  [`app/models/${name.toLowerCase()}.ts`]: `import { belongsTo, hasMany, Model } from "framewright/plugins/database"; import { Invitation, Membership } from "framewright/plugins/memberships"; void [belongsTo, hasMany, Invitation, Membership];
    export default class ${name} extends ${base === "Model" ? `Model("${table}")` : `${base}(Model("${table}"))`} { ${body} }`,
});

/** Organizations with members and invitations, a portal of theirs, and one of administrators, who invite first owners. */
export const memberFiles: Record<string, string> = {
  "config/routes.ts": `import { drawRoutes } from "framewright"; import { authenticate } from "framewright/plugins/authlib"; import { UserPortal } from "#packages/user_portal/lib/engine.ts"; import { AdminPortal } from "#packages/admin_portal/lib/engine.ts";
    export default drawRoutes((routes) => { routes.get("invites", { to: "links#show" }); routes.post("invites", { to: "links#accept" });
      routes.constraints(authenticate("user"), (r) => r.mount(UserPortal, { at: "/user" })); routes.constraints(authenticate("admin"), (r) => r.mount(AdminPortal, { at: "/admin" })); });`,
  "app/controllers/links_controller.ts": `import { BaseController, concern } from "framewright"; import { InvitationPages } from "framewright/plugins/memberships"; import { PublicAccess } from "framewright/plugins/portals"; import Invite from "#app/models/invite.ts"; import Member from "#app/models/member.ts";
    export default class LinksController extends (concern(BaseController, PublicAccess, InvitationPages({ invitation: Invite, membership: Member, portal: "/user" })) as typeof BaseController) {}`,
  "db/migrate/20260102000000_add_organizations.ts": `export async function up(db) {
    await db.createTable("organizations", (t) => { t.id(); t.string("name"); });
    await db.createTable("members", (t) => { t.id(); t.belongsTo("organization", { null: false, onDelete: "cascade" }); t.belongsTo("user", { null: false, onDelete: "cascade" }); t.string("role", 50).notNull(); t.index(["user_id", "organization_id"], { unique: true }); t.timestamps(); });
    await db.createTable("invites", (t) => { t.id(); t.belongsTo("organization", { null: false, onDelete: "cascade" }); t.string("email").notNull(); t.string("role", 50).notNull(); t.belongsTo("inviter", { table: "users", onDelete: "cascade" });
      t.string("key_digest", 64).notNull().index(); t.datetime("sent_at").notNull(); t.datetime("expires_at").notNull(); t.datetime("accepted_at"); t.datetime("revoked_at"); t.string("administrator_type", 50); t.bigint("administrator_id");
      t.index(["email", "organization_id"], { unique: true }); }); }
    export async function down() {}`,
  ...model("Organization", "organizations", "static override associations = { members: hasMany() };"),
  ...model(
    "Member",
    "members",
    'static override associations = { user: belongsTo(), organization: belongsTo() }; static override enums = { role: ["owner", "admin", "member"] };',
    "Membership",
  ),
  ...model(
    "Invite",
    "invites",
    'static override associations = { organization: belongsTo(), inviter: belongsTo({ class: "User", optional: true }) }; static override enums = { role: ["owner", "admin", "member"] }; static override path = "/invites"; override toLabel() { return this.email; }',
    "Invitation",
  ),
  ...controller("user", "user", "members", ", Members(Member)"),
  ...controller("user", "user", "invites", ", Members(Member)"),
  ...controller("user", "user", "home", ", Members(Member)"),
  ...controller("admin", "admin", "organizations"),
  "packages/user_portal/lib/engine.ts": `import { definePortal } from "framewright/plugins/portals"; import type {} from "framewright/plugins/scoping"; import Organization from "#app/models/organization.ts";
    export const UserPortal = definePortal("UserPortal", (engine) => { engine.config.afterInitialize(() => engine.scopeToEntity(Organization, { strategy: "path" })); });`,
  "packages/user_portal/config/routes.ts": `import { UserPortal } from "../lib/engine.ts"; import Member from "#app/models/member.ts"; import Invite from "#app/models/invite.ts";
    export default UserPortal.routes.draw((routes) => { routes.registerResource(Member); routes.registerResource(Invite); });`,
  "packages/admin_portal/config/routes.ts": `import { AdminPortal } from "../lib/engine.ts"; import Organization from "#app/models/organization.ts";
    export default AdminPortal.routes.draw((routes) => { routes.root({ to: "home#index" }); routes.registerResource(Organization); });`,
  "app/interactions/invite_owner.ts": `import { InviteOwner as Base } from "framewright/plugins/memberships"; import Invite from "#app/models/invite.ts"; import Member from "#app/models/member.ts";
    export default class InviteOwner extends Base { static override invitation = Invite; static override membership = Member; }`,
  "app/definitions/organization_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources"; import InviteOwner from "#app/interactions/invite_owner.ts";
    export default class OrganizationDefinition extends ResourceDefinition { override configure() { super.configure(); this.action("invite_owner", { interaction: InviteOwner, icon: "crown" }); } }`,
  "app/definitions/invite_definition.ts": `import { ResendInvitation } from "framewright/plugins/memberships"; import { ResourceDefinition } from "framewright/plugins/resources";
    export default class InviteDefinition extends ResourceDefinition { override configure() { super.configure(); this.action("resend", { interaction: ResendInvitation }); } }`,
  "app/policies/organization_policy.ts": `import { Policy } from "framewright/plugins/resources"; export default class OrganizationPolicy extends Policy { override canRead() { return true; } canInviteOwner() { return (this.user as any)?.role === "boss"; } override permittedAttributesForRead() { return ["name"]; } }`,
  "app/policies/member_policy.ts": `import { MemberPolicy as OfMembers } from "framewright/plugins/memberships"; import { Policy } from "framewright/plugins/resources"; import Member from "#app/models/member.ts";
    export default class MemberPolicy extends OfMembers(Policy, Member) { override canRead() { return true; } override canIndex() { return this.membership?.role !== "member" || (globalThis as any).membersSeeEachOther !== false; }
      override permittedAttributesForRead() { return (globalThis as any).hidesRoles ? ["user", "created_at"] : ["user", "role", "created_at"]; } }`,
  "app/policies/user_policy.ts": `import { Policy } from "framewright/plugins/resources"; export default class UserPolicy extends Policy { override permittedAttributesForLabel() { return ["email", "name"]; } }`,
  "app/policies/invite_policy.ts": `import { Policy } from "framewright/plugins/resources"; export default class InvitePolicy extends Policy { override canRead() { return true; } canResend() { return true; } override permittedAttributesForRead() { return ["email", "role", "state"]; } }`,
};

const features =
  "login(), logout(), createAccount(), verifyAccount(), resetPassword(), remember(), changeLogin(), lockout(), activeSessions(), auditLogging()";
/** An application of these files, with root, who invites owners, and clerk, who does not. */
export async function openMembers(
  values: Record<string, string>,
  files: Record<string, string> = {},
  plugins: typeof quick = quick,
): Promise<TestApp> {
  const types = { user: { features }, admin: { features: "login(), logout()" } };
  const app = await openAccounts(types, {
    values,
    authlib: "{ limits: false }",
    plugins,
    files: { ...memberFiles, ...files },
  });
  await addPeople(app, "admin", "root@example.test", "clerk@example.test");
  await databaseOf(app.application).knex("admins").where({ id: 1 }).update({ role: "boss" });
  return app;
}
