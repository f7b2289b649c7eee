import type { TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf, mailTo, openAccounts, PASSWORD, signIn } from "./accounts.ts";

const files = {
  "packages/admin_portal/config/routes.ts": `import { AdminPortal } from "../lib/engine.ts"; import User from "#app/models/user.ts";
    export default AdminPortal.routes.draw((routes) => { routes.root({ to: "home#index" }); routes.registerResource(User); });`,
  "packages/admin_portal/app/controllers/admin_portal/users_controller.ts": `import { concern } from "framewright"; import { Authlib } from "framewright/plugins/authlib"; import { PortalController } from "framewright/plugins/portals"; import { ResourceController } from "framewright/plugins/resources";
    export default class UsersController extends (concern(ResourceController, PortalController, Authlib("admin" as never)) as typeof ResourceController) {}`,
  "app/policies/user_policy.ts": `import { Policy } from "framewright/plugins/resources"; export default class UserPolicy extends Policy {
    override canRead() { return true; } override canCreate() { return true; }
    override permittedAttributesForCreate() { return ["name", "account_status"]; } override permittedAttributesForRead() { return ["name", "account_status"]; } }`,
};

describe("An account that an administrator closes on its form", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    const types = {
      user: { features: "login(), logout(), remember(), resetPassword(), securityMails()" },
      admin: { features: "login(), logout()" },
    };
    app = await openAccounts(types, { authlib: "{ limits: false }", files });
    await addPeople(app, "user", "ann@example.test");
    await addPeople(app, "admin", "root@example.test");
  });
  after(() => app.close());

  it("A closed account is signed out at once, and after it is reopened needs a new password to sign in", async () => {
    const ann = await signIn(app, "user", "ann@example.test", { remember: "1" });
    const root = await signIn(app, "admin", "root@example.test");
    const change = (account_status: string) =>
      root.submit("/admin/users/1/edit", { "user[account_status]": account_status }, /class="fw-form"/);
    assert.is((await change("closed")).status, 303);
    assert.is((await ann.request("/user")).status, 303);
    assert.is((await change("verified")).status, 303);
    assert.is((await ann.request("/user")).status, 303);
    ann.forget("fw_session");
    assert.is((await ann.request("/user")).status, 303, "nor by the remembered device");
    assert.equal(await databaseOf(app.application).knex("user_active_session_keys"), []);
    const typed = { login: "ann@example.test", password: PASSWORD };
    assert.is((await app.client().submit("/users/login", typed)).status, 422, "nor by the password");
    await app.client().submit("/users/reset-password-request", { login: "ann@example.test" });
    const { path } = await mailTo(app, "ann@example.test", "Set a new password");
    const chosen = { password: PASSWORD, password_confirmation: PASSWORD };
    assert.is((await app.client().submit(path, chosen)).status, 303);
    await signIn(app, "user", "ann@example.test");
  });

  it("The owner of a closed account is mailed once, whatever is edited while it is closed", async () => {
    await addPeople(app, "user", "bob@example.test");
    const root = await signIn(app, "admin", "root@example.test");
    for (const [column, value] of [
      ["account_status", "closed"],
      ["name", "Bob"],
    ]) {
      await databaseOf(app.application).knex("framewright_spent_keys").delete();
      const answer = await root.submit("/admin/users/2/edit", { [`user[${column}]`]: value! }, /class="fw-form"/);
      assert.is(answer.status, 303);
    }
    const { text } = await mailTo(app, "bob@example.test", "is closed");
    assert.match(text, "by the operators of");
    assert.is(app.application.kernel.service("mailer").kept.filter(({ to }) => to === "bob@example.test").length, 1);
  });

  it("An account keeps its sign-ins when another field of it is edited", async () => {
    const ann = await signIn(app, "user", "ann@example.test");
    const root = await signIn(app, "admin", "root@example.test");
    await root.submit("/admin/users/1/edit", { "user[name]": "Ann" }, /class="fw-form"/);
    assert.is((await ann.request("/user")).status, 200);
  });
});
