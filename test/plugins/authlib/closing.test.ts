import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf, mailTo, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { addPasskey } from "./promises/passkey.ts";
import { everything, opens, post, quick, rowOf, setUpCodes } from "./promises/support.ts";

const NEW = "another horse battery";
const chosen = { password: NEW, password_confirmation: NEW };
const portal = {
  "packages/admin_portal/config/routes.ts": `import { AdminPortal } from "../lib/engine.ts"; import User from "#app/models/user.ts";
    export default AdminPortal.routes.draw((routes) => { routes.root({ to: "home#index" }); routes.registerResource(User); });`,
  "packages/admin_portal/app/controllers/admin_portal/users_controller.ts": `import { concern } from "framewright"; import { Authlib } from "framewright/plugins/authlib"; import { PortalController } from "framewright/plugins/portals"; import { ResourceController } from "framewright/plugins/resources";
    export default class UsersController extends (concern(ResourceController, PortalController, Authlib("admin" as never)) as typeof ResourceController) {}`,
  "app/policies/user_policy.ts": `import { Policy } from "framewright/plugins/resources"; export default class UserPolicy extends Policy {
    override canRead() { return true; } override canCreate() { return true; }
    override permittedAttributesForCreate() { return ["name", "account_status"]; } override permittedAttributesForRead() { return ["email", "name", "account_status"]; } }`,
};

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`A closed account, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let count = 0;
    if (database.skip === undefined) {
      before(async () => {
        const body = `override async deleteAccountData(account, trx) { await this.updateAccount(account, { name: null }, trx); }`;
        app = await openAccounts(
          {
            user: { features: `${everything}, webauthn()`, body },
            admin: { features: "login(), logout()" },
          },
          {
            values: await database.values(),
            authlib: "{ limits: false }",
            plugins: quick,
            files: portal,
          },
        );
        await addPeople(app, "admin", "root@example.test");
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = (table: string) => databaseOf(app.application).knex(table);
    const kinds = [
      "password_hashes",
      "otp_keys",
      "recovery_codes",
      "webauthn_keys",
      "active_session_keys",
      "remember_keys",
    ];
    const rows = async (account_id: number) => {
      const lengths = kinds.map(async (kind) => (await knex(`user_${kind}`).where({ account_id })).length);
      return Promise.all(lengths);
    };
    /** Somebody with every factor that there is. */
    const person = async () => {
      const login = `p${++count}@example.test`;
      const [id] = await addPeople(app, "user", login);
      await knex("users").where({ id }).update({ name: "Ann" });
      const client = await signIn(app, "user", login, { remember: "1" });
      await addPasskey(client);
      await setUpCodes(client);
      await client.submit("/users/recovery-codes", {});
      assert.equal(await rows(id!), [1, 1, 10, 1, 1, 1]);
      return { id: id!, login, client };
    };
    const setStatus = async (id: number, account_status: string) => {
      const root = await signIn(app, "admin", "root@example.test");
      const answer = await root.submit(
        `/admin/users/${id}/edit`,
        { "user[account_status]": account_status },
        /class="fw-form"/,
      );
      assert.is(answer.status, 303);
    };
    const reset = async (login: string) => {
      await post(app, "/users/reset-password-request", { login });
      const { path } = await mailTo(app, login, "Set a new password");
      assert.is((await app.client().submit(path, chosen)).status, 303);
      return signIn(app, "user", login, {}, NEW);
    };

    can("Closing an account deletes its factors and secrets, and what the application deletes with them", async () => {
      const { id, client } = await person();
      assert.is((await client.submit("/users/close-account", { password: PASSWORD })).status, 303);
      assert.equal(await rows(id), [0, 0, 0, 0, 0, 0]);
      assert.is((await rowOf(app, "users", { id })).name, null);
    });
    can("The owner of a closed account may sign up again with its login, and gets a new account", async () => {
      const { id, login, client } = await person();
      await client.submit("/users/close-account", { password: PASSWORD });
      assert.is((await post(app, "/users/create-account", { login, ...chosen })).status, 200);
      const { path } = await mailTo(app, login, "Verify your address");
      assert.is((await app.client().submit(path, chosen)).status, 303);
      assert.ok(await opens(await signIn(app, "user", login, {}, NEW)));
      assert.is.not((await rowOf(app, "users", { email: login })).id, id);
      assert.is((await rowOf(app, "users", { id })).email, `${login}.closed-${id}.invalid`);
    });
    can("A closed account that is reopened has its login back, and gets a password by mail only", async () => {
      const { id, login, client } = await person();
      await client.submit("/users/close-account", { password: PASSWORD });
      await setStatus(id, "verified");
      assert.is((await rowOf(app, "users", { id })).email, login);
      assert.is((await post(app, "/users/login", { login, password: PASSWORD })).status, 401);
      assert.ok(await opens(await reset(login)));
    });
    can("A closed account that is reopened keeps its changed login where its own is taken", async () => {
      const { id, login, client } = await person();
      await client.submit("/users/close-account", { password: PASSWORD });
      await addPeople(app, "user", login);
      await setStatus(id, "verified");
      assert.is((await rowOf(app, "users", { id })).email, `${login}.closed-${id}.invalid`);
      await setStatus(id, "closed");
      assert.is((await rowOf(app, "users", { id })).email, `${login}.closed-${id}.invalid`);
    });
    can(
      "An account that an administrator closes loses its factors, keeps its login and blocks a sign-up with it",
      async () => {
        const { id, login } = await person();
        await setStatus(id, "closed");
        assert.equal(await rows(id), [0, 0, 0, 0, 0, 0]);
        await post(app, "/users/create-account", { login, ...chosen });
        const { text } = await mailTo(app, login, "signed up with your address");
        assert.match(text, "is closed");
        assert.is((await knex("users").where({ email: login })).length, 1);
        await setStatus(id, "verified");
        assert.ok(await opens(await reset(login)));
      },
    );
    can("The login of a closed account may be invited, whoever has closed the account", async () => {
      const inviter = (await person()).client;
      for (const who of ["owner", "administrator"]) {
        const { id, login, client } = await person();
        if (who === "owner") await client.submit("/users/close-account", { password: PASSWORD });
        else await setStatus(id, "closed");
        assert.is((await inviter.submit("/users/invite", { login })).status, 303, who);
        const { path } = await mailTo(app, login, "You are invited");
        assert.is((await app.client().submit(path, chosen)).status, 303);
        assert.ok(await opens(await signIn(app, "user", login, {}, NEW)), who);
        assert.is((await rowOf(app, "users", { id })).account_status, "closed");
      }
    });
    can("Nobody can sign up with a login in the form that closed accounts get", async () => {
      const login = "ann@example.test.closed-1.invalid";
      assert.is((await post(app, "/users/create-account", { login, ...chosen })).status, 422);
    });
  });
}
