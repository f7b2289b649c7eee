import type { TestApp } from "../../support/apps.ts";
import { edited, editedText } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { accountFiles, type Known, openTenants, signedIn, tenantFiles } from "../scoping/tenants.ts";

const concern = "packages/customer_portal/app/controllers/customer_portal/concerns/controller.ts";
const routes = "packages/customer_portal/config/routes.ts";
/** Somebody acts for the person whose cookie comes with `x-acting`. */
const acting = `const acting = definePlugin({ name: "acting", requires: ["host", "database"], apply({ hooks, services }) {
  hooks.host.request.tapPromise("acting", async (request) => {
    if (request.header("x-acting") === undefined) return undefined;
    const info = services.database.models().find(({ table }) => table === "users")!;
    const person = (await services.database.readByKey(info, 1))!;
    request.acting = { actor: {}, actorName: "admin 1", person, personName: "user 1", accountType: "user", leave: () => Promise.reject(new Error("unused")) };
    return undefined;
  });
} });`;
/** Ann owns a tenant whose members leave, are removed, and become its owner. */
const files: Record<string, string> = {
  ...accountFiles,
  "plugins.config.ts": editedText(
    accountFiles["plugins.config.ts"]!,
    ["const widening", `${acting}\nconst widening`],
    ["...standard, widening", "...standard, widening, acting"],
  ),
  "db/migrate/20260105000000_add_roles.ts": `export async function up(db) { await db.addColumns("memberships", (t) => { t.string("role"); }); }\nexport async function down() {}\n`,
  "app/models/membership.ts": edited(
    tenantFiles,
    "app/models/membership.ts",
    ["import {", 'import { Membership as WithRole } from "framewright/plugins/memberships";\nimport {'],
    [
      'extends Model("memberships") {',
      'extends WithRole(Model("memberships")) {\n  static override enums = { role: ["owner", "member"] };',
    ],
  ),
  [concern]: edited(
    accountFiles,
    concern,
    [
      "import { Authlib }",
      'import Membership from "#app/models/membership.ts"; import { Members } from "framewright/plugins/memberships"; import { Authlib }',
    ],
    ['Authlib("user" as never))', 'Authlib("user" as never), Members(Membership))'],
  ),
  [routes]: edited(
    tenantFiles,
    routes,
    ["import Note", 'import Membership from "#app/models/membership.ts";\nimport Note'],
    ["for (const model of [Organization,", "for (const model of [Membership, Organization,"],
  ),
  "app/definitions/membership_definition.ts": `import { LeaveTenant, RemoveMember, TransferOwnership } from "framewright/plugins/memberships"; import { ResourceDefinition } from "framewright/plugins/resources";
    export default class MembershipDefinition extends ResourceDefinition {
      override configure() { super.configure(); this.action("leave", { interaction: LeaveTenant }); this.action("remove", { interaction: RemoveMember }); this.action("transfer_ownership", { interaction: TransferOwnership }); } }`,
  "app/policies/membership_policy.ts": `import { Policy } from "framewright/plugins/resources";
    export default class MembershipPolicy extends Policy { override canRead() { return true; } canLeave() { return true; } canRemove() { return true; } canTransferOwnership() { return true; }
      override permittedAttributesForRead() { return ["role", "user"]; } }`,
};

describe("Members of a tenant, while somebody acts for one", (it, { before, after }) => {
  let app: TestApp;
  let known: Known;
  before(async () => {
    app = await openTenants(files);
    known = await signedIn(app);
    await databaseOf(app.application).knex("memberships").update({ role: "member" });
    await databaseOf(app.application).knex("memberships").where({ user_id: 1 }).update({ role: "owner" });
  });
  after(() => app.close());
  const rows = () => databaseOf(app.application).knex("memberships").orderBy("id").select("user_id", "role");
  const run = async (action: string, id: number, more: Record<string, string> = {}) => {
    const headers = { ...known.ann, ...more, accept: "application/json", "content-type": "application/json" };
    const url = `/customer/1/memberships/${id}/actions/${action}`;
    return (await app.request(url, { method: "POST", headers, body: "{}" })).status;
  };

  it("Nobody leaves, is removed or becomes the owner by who acts, and by the person all of that works", async () => {
    const { knex } = databaseOf(app.application);
    const [own, other] = await knex("memberships").where({ organization_id: 1 }).orderBy("user_id").pluck("id");
    const before = await rows();
    for (const [action, id] of [
      ["transfer_ownership", other],
      ["remove", other],
      ["leave", own],
    ] as const)
      assert.is(await run(action, id, { "x-acting": "1" }), 403, action);
    assert.equal(await rows(), before);
    assert.is(await run("transfer_ownership", other), 200);
    assert.not.equal(await rows(), before);
  });
});
