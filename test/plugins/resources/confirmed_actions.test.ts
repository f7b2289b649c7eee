import type { TestApp } from "../../support/apps.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { addPeople, databaseOf, openAccounts, PASSWORD, signIn } from "../authlib/accounts.ts";
import { quick } from "../authlib/promises/support.ts";

const controller = (confirms: string, portal = `Authlib("admin" as never)`) => ({
  "packages/admin_portal/app/controllers/admin_portal/users_controller.ts": `import { AuthenticatedBy, concern } from "framewright"; import { Authlib } from "framewright/plugins/authlib"; import { PortalController } from "framewright/plugins/portals"; import { ResourceController } from "framewright/plugins/resources"; void AuthenticatedBy;
    export default class UsersController extends (concern(ResourceController, PortalController, ${portal}) as typeof ResourceController) { static confirms = ${confirms}; }`,
});
const files = {
  "packages/admin_portal/config/routes.ts": `import { AdminPortal } from "../lib/engine.ts"; import User from "#app/models/user.ts";
    export default AdminPortal.routes.draw((routes) => { routes.root({ to: "home#index" }); routes.registerResource(User); });`,
  "app/policies/user_policy.ts": `import { Policy } from "framewright/plugins/resources"; export default class UserPolicy extends Policy {
    override canRead() { return true; } override canDestroy() { return true; } canRename() { return true; } canGreet() { return true; }
    override permittedAttributesForRead() { return ["name"]; } }`,
  "app/definitions/user_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources"; import { Greet, Rename } from "../../lib/renaming.ts";
    export default class UserDefinition extends ResourceDefinition { override configure() { super.configure(); this.action("rename", { interaction: Rename }); this.action("greet", { interaction: Greet }); } }`,
  "lib/renaming.ts": `import { Interaction, succeed } from "framewright/plugins/resources";
    export class Greet extends Interaction { async execute() { return succeed().withMessage("hello"); } }
    export class Rename extends Interaction {
      static override confirms = true;
      static override attributes = { name: { as: "string", required: true } };
      async execute() { await this.record.$query(this.transaction).patch({ name: this.values.name } as never); return succeed(); } }`,
};
const types = { user: { features: "login()" }, admin: { features: "login(), logout()" } };
const open = (confirms: string, portal?: string) =>
  openAccounts(types, {
    authlib: "{ limits: false }",
    plugins: quick,
    files: { ...files, ...controller(confirms, portal) },
  });

describe("Actions that need a confirmed identity", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await open(`["destroy"]`);
    await addPeople(app, "user", "ann@example.test", "bob@example.test");
    await addPeople(app, "admin", "root@example.test");
  });
  after(() => app.close());
  const users = () => databaseOf(app.application).knex("users").orderBy("id");
  const root = async () => {
    const client = await signIn(app, "admin", "root@example.test");
    const created_at = new Date(Date.now() - 3_600_000);
    await databaseOf(app.application).knex("admin_active_session_keys").update({ created_at });
    return client;
  };
  const place = (answer: Response) => answer.headers.get("location");

  it("An interaction with confirms redirects its form to the password page, and runs once the identity is confirmed", async () => {
    const client = await root();
    const form = "/admin/users/1/actions/rename";
    assert.is(place(await client.request(form)), "/admins/confirm-identity");
    const token = String((await client.json("/admins/account")).body.csrf_token);
    const headers = { accept: "application/json", "content-type": "application/json", "x-csrf-token": token };
    const body = JSON.stringify({ interaction: { name: "Eve" } });
    assert.is((await client.request(form, { method: "POST", headers, body })).status, 403);
    assert.is.not((await users())[0].name, "Eve");
    const back = await client.submit("/admins/confirm-identity", { password: PASSWORD });
    assert.is(place(back), form);
    await databaseOf(app.application).knex("admin_active_session_keys").update({ confirmed_at: new Date() });
    assert.is((await client.submit(form, { "interaction[name]": "Ann" })).status, 303);
    assert.is((await users())[0].name, "Ann");
  });
  it("Actions without confirms need no confirmation", async () => {
    const client = await root();
    assert.is((await client.request("/admin/users/1")).status, 200);
    assert.is((await client.submit("/admin/users/1/actions/greet", {})).status, 303);
  });
  it("An action that a controller lists in confirms does nothing until the identity is confirmed", async () => {
    const client = await root();
    const form = "/admin/users/2/actions/destroy";
    assert.is(place(await client.request(form)), "/admins/confirm-identity");
    const token = String((await client.json("/admins/account")).body.csrf_token);
    const headers = { accept: "application/json", "x-csrf-token": token };
    const direct = await client.request("/admin/users/2", { method: "DELETE", headers });
    assert.is(direct.status, 403);
    assert.is((await users()).length, 2);
    await client.submit("/admins/confirm-identity", { password: PASSWORD });
    assert.is((await client.submit(form, {})).status, 303);
    assert.is((await users()).length, 1);
  });
});

describe("The list of actions to confirm", (it) => {
  it("Boot fails with FW_CONFIRMS_UNKNOWN for an unknown action and with FW_CONFIRMS in a portal without accounts", async () => {
    await throwsCode("FW_CONFIRMS_UNKNOWN", () => open(`["destory"]`));
    await throwsCode("FW_CONFIRMS", () => open(`["destroy"]`, `AuthenticatedBy("public")`));
  });
});
