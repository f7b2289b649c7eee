import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import type { Client } from "../../testing/client.ts";
import { addPeople, databaseOf, mailTo, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { addPasskey } from "./promises/passkey.ts";
import { opens, post, quick, rowOf, setUpCodes } from "./promises/support.ts";

const controller = (portal: string, account: string, plural: string, model: string) => ({
  [`packages/${portal}_portal/app/controllers/${portal}_portal/${plural}_controller.ts`]: `import { concern } from "framewright"; import { Authlib } from "framewright/plugins/authlib"; import { PortalController } from "framewright/plugins/portals"; import { ResourceController } from "framewright/plugins/resources";
    export default class ${model}sController extends (concern(ResourceController, PortalController, Authlib("${account}" as never)) as typeof ResourceController) {}`,
});
const policy = (model: string, more: string) => ({
  [`app/policies/${model.toLowerCase()}_policy.ts`]: `import { Policy } from "framewright/plugins/resources"; export default class ${model}Policy extends Policy {
    override canRead() { return true; } ${more}
    override permittedAttributesForRead() { return ["email", "account_status"]; } }`,
});
const definition = (model: string) => ({
  [`app/definitions/${model.toLowerCase()}_definition.ts`]: `import { accountActions } from "framewright/plugins/authlib/actions"; import { ResourceDefinition } from "framewright/plugins/resources";
    export default class ${model}Definition extends ResourceDefinition { override configure() { super.configure(); accountActions(this); } }`,
});
const routes = (portal: string, models: string[]) => ({
  [`packages/${portal}_portal/config/routes.ts`]: `import { ${portal === "admin" ? "AdminPortal" : "ClerkPortal"} as Portal } from "../lib/engine.ts"; ${models.map((model) => `import ${model} from "#app/models/${model.toLowerCase()}.ts";`).join(" ")}
    export default Portal.routes.draw((routes) => { routes.root({ to: "home#index" }); ${models.map((model) => `routes.registerResource(${model});`).join(" ")} });`,
});
const files = {
  ...routes("admin", ["User", "Admin"]),
  ...routes("clerk", ["User"]),
  ...controller("admin", "admin", "users", "User"),
  ...controller("admin", "admin", "admins", "Admin"),
  ...controller("clerk", "clerk", "users", "User"),
  ...policy(
    "User",
    `canManageAccount() { return (this.user as any)?.role === "boss" && this.record?.name !== "other tenant"; } override relationScope(query) { return query.whereNot("users.name", "other tenant"); }`,
  ),
  ...policy("Admin", "canManageAccount() { return true; }"),
  ...definition("User"),
  ...definition("Admin"),
};
const features =
  "login(), logout(), remember(), resetPassword(), lockout(), activeSessions(), otp(), recoveryCodes(), webauthn(), securityMails(), auditLogging()";
const deeds = [
  "end_sessions",
  "remove_factors",
  "mail_password_reset",
  "unlock_account",
  "close_account",
  "reopen_account",
];

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Administration actions on an account's page, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let count = 0;
    if (database.skip === undefined) {
      before(async () => {
        const types = {
          user: { features },
          admin: { features: "login(), logout(), otp(), activeSessions()" },
          clerk: { features: "login(), logout()" },
        };
        const options = { values: await database.values(), authlib: "{ limits: false }", plugins: quick, files };
        app = await openAccounts(types, options);
        await addPeople(app, "admin", "root@example.test", "vice@example.test");
        await addPeople(app, "clerk", "clerk@example.test");
        await knex("admins").update({ role: "boss" });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = (table: string) => databaseOf(app.application).knex(table);
    const root = () => signIn(app, "admin", "root@example.test");
    const person = async () => {
      const login = `p${++count}@example.test`;
      const [id] = await addPeople(app, "user", login);
      await knex("users").where({ id }).update({ name: "Ann" });
      return { id: id!, login, at: `/admin/users/${id}` };
    };
    const shown = async (client: Client, page: string) => {
      const text = await client.page(page);
      return deeds.filter((deed) => text.includes(`/actions/${deed}`));
    };
    const act = (client: Client, page: string, deed: string) => client.submit(`${page}/actions/${deed}`, {});

    can(
      "An administrator removes the second factors of a user, who is notified and signs in with the password alone",
      async () => {
        const { id, login, at } = await person();
        const ann = await signIn(app, "user", login);
        await addPasskey(ann);
        await setUpCodes(ann);
        const client = await root();
        assert.equal(await shown(client, at), [
          "end_sessions",
          "remove_factors",
          "mail_password_reset",
          "close_account",
        ]);
        assert.match(await client.page(at), "Remove second factors");
        assert.match(await client.page(`${at}/actions/remove_factors`), "Remove second factors");
        const answer = await act(client, at, "remove_factors");
        assert.is(answer.status, 303);
        assert.match(await client.page(answer.headers.get("location")!), "The password alone is enough to sign in now");
        assert.is(await opens(ann), false);
        assert.ok(await opens(await signIn(app, "user", login)));
        const { text } = await mailTo(app, login, "An administrator removed your authenticator app");
        assert.match(text, `removed the authenticator app of ${login}`);
        assert.not.match(text, "127.0.0.1");
        const [entry] = await knex("user_authentication_audit_logs").where({
          account_id: id,
          event: "second_factor_removed",
        });
        const { by, actor } = JSON.parse(entry.metadata) as Record<string, unknown>;
        assert.equal([by, actor], ["administrator", "admin 1"]);
        assert.is(entry.address, "127.0.0.1", "of the administrator");
        assert.equal(await shown(client, at), ["end_sessions", "mail_password_reset", "close_account"]);
        assert.is((await client.request(`${at}/actions/remove_factors`)).status, 404);
      },
    );
    can(
      "An administrator ends sessions, mails a reset link, unlocks, closes and reopens an account where that applies",
      async () => {
        const { id, login, at } = await person();
        const ann = await signIn(app, "user", login);
        const client = await root();
        assert.is((await act(client, at, "end_sessions")).status, 303);
        assert.is(await opens(ann), false);
        await act(client, at, "mail_password_reset");
        await mailTo(app, login, "Set a new password");
        for (let times = 0; times < 5; times++) await post(app, "/users/login", { login, password: "a wrong horse" });
        assert.equal(await shown(client, at), ["mail_password_reset", "unlock_account", "close_account"]);
        assert.is((await act(client, at, "unlock_account")).status, 303);
        await signIn(app, "user", login);
        assert.is((await act(client, at, "close_account")).status, 303);
        assert.is((await rowOf(app, "users", { id })).account_status, "closed");
        assert.equal(await shown(client, at), ["reopen_account"]);
        assert.is((await act(client, at, "reopen_account")).status, 303);
        assert.is((await rowOf(app, "users", { id })).email, login);
        assert.is((await post(app, "/users/login", { login, password: PASSWORD })).status, 401);
        for (const subject of ["ended the sessions", "unlocked", "is closed", "reopened"])
          await mailTo(app, login, subject);
      },
    );
    can("An account action asks the administrator to confirm their identity", async () => {
      const { at, id } = await person();
      const client = await root();
      const created_at = new Date(Date.now() - 3_600_000);
      await knex("admin_active_session_keys").update({ created_at });
      const asked = await client.request(`${at}/actions/close_account`);
      assert.is(asked.headers.get("location"), "/admins/confirm-identity");
      const { body } = await client.json("/admins/account");
      const headers = { accept: "application/json", "x-csrf-token": String(body.csrf_token) };
      assert.is((await client.request(`${at}/actions/close_account`, { method: "POST", headers })).status, 403);
      assert.is((await rowOf(app, "users", { id })).account_status, "verified");
    });
    can("Account actions are neither shown to nor executed for users whom the policy does not allow them", async () => {
      const { id, at } = await person();
      const clerk = await signIn(app, "clerk", "clerk@example.test");
      assert.equal(await shown(clerk, `/clerk/users/${id}`), []);
      for (const deed of deeds) {
        const { status } = await clerk.request(`/clerk/users/${id}/actions/${deed}`);
        assert.ok([403, 404].includes(status), `${deed}: ${status}`);
      }
      assert.is((await post(app, `${at}/actions/close_account`, {})).status, 401);
      assert.is((await app.client().request(`${at}/actions/close_account`)).status, 303);
      assert.is((await rowOf(app, "users", { id })).account_status, "verified");
    });
    can("An action on an account that the user can't see gets 404", async () => {
      const { id, at } = await person();
      await knex("users").where({ id }).update({ name: "other tenant" });
      assert.is((await (await root()).request(`${at}/actions/close_account`)).status, 404);
    });
    can("Closing the own account and removing its factors are refused with 422", async () => {
      const client = await root();
      const secret = await setUpCodes(client, "admins");
      assert.ok(secret);
      for (const deed of ["close_account", "remove_factors"]) {
        const answer = await act(client, "/admin/admins/1", deed);
        assert.is(answer.status, 422, deed);
        assert.match(await answer.text(), "You are signed in with this account");
      }
      assert.is((await rowOf(app, "admins", { id: 1 })).account_status, "verified");
      assert.is((await knex("admin_otp_keys")).length, 1);
      assert.is((await act(client, "/admin/admins/2", "close_account")).status, 303);
    });
  });
}

const tenant = (model: string) =>
  `import { belongsTo, hasMany, Model } from "framewright/plugins/database"; export default class ${model} extends Model("${model.toLowerCase()}s") { static override associations = { ${model === "Organization" ? "users: hasMany()" : "organization: belongsTo()"} }; } void [belongsTo, hasMany];`;
const scoped = {
  ...routes("admin", ["User"]),
  ...controller("admin", "admin", "users", "User"),
  ...policy("User", "canManageAccount() { return true; }"),
  ...definition("User"),
  "app/models/organization.ts": tenant("Organization"),
  "app/models/user.ts": tenant("User"),
  "app/models/admin.ts": tenant("Admin"),
  "packages/admin_portal/lib/engine.ts": `import { definePortal } from "framewright/plugins/portals"; import type {} from "framewright/plugins/scoping"; import Organization from "#app/models/organization.ts";
    export const AdminPortal = definePortal("AdminPortal", (engine) => { engine.config.afterInitialize(() => engine.scopeToEntity(Organization, { strategy: "path" })); });`,
  "db/migrate/20260102000000_add_organizations.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) { await db.createTable("organizations", (t) => { t.id(); t.string("name"); });
      for (const table of ["users", "admins"]) await db.addColumns(table, (t) => { t.belongsTo("organization"); }); }
    export async function down(_db: Schema) {}`,
};

describe("Administration actions in a portal of tenants", (it) => {
  it("An account action reaches accounts of the own tenant, and no others", async () => {
    const types = { user: { features: "login()" }, admin: { features: "login()" } };
    const app = await openAccounts(types, { authlib: "{ limits: false }", plugins: quick, files: scoped });
    try {
      const { knex } = databaseOf(app.application);
      await knex("organizations").insert([{ name: "Alpine" }, { name: "Baltic" }]);
      await addPeople(app, "user", "ann@example.test", "bob@example.test");
      await addPeople(app, "admin", "root@example.test");
      await knex("users").where({ id: 1 }).update({ organization_id: 1 });
      await knex("users").where({ id: 2 }).update({ organization_id: 2 });
      await knex("admins").update({ organization_id: 1 });
      const client = await signIn(app, "admin", "root@example.test");
      const close = (path: string) =>
        client.request(`/admin/${path}/actions/close_account`).then(({ status }) => status);
      assert.equal([await close("1/users/2"), await close("2/users/2"), await close("1/users/1")], [404, 404, 200]);
      const token = String((await client.json("/admins/account")).body.csrf_token);
      const headers = { accept: "application/json", "x-csrf-token": token };
      const post = (path: string) =>
        client
          .request(`/admin/${path}/actions/close_account`, { method: "POST", headers })
          .then(({ status }) => status);
      assert.equal([await post("1/users/2"), await post("1/users/1")], [404, 200]);
      const states = (await knex("users").orderBy("id")).map(({ account_status }) => account_status);
      assert.equal(states, ["closed", "verified"]);
    } finally {
      await app.close();
    }
  });
});
