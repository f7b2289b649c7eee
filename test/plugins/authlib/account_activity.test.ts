import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import type { Client } from "../../testing/client.ts";
import { addPeople, databaseOf, mailTo, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { opens, post, quick, rowOf } from "./promises/support.ts";

const controller = (account: string, plural: string, model: string) => ({
  [`packages/admin_portal/app/controllers/admin_portal/${plural}_controller.ts`]: `import { concern } from "framewright"; import { Authlib } from "framewright/plugins/authlib"; import { PortalController } from "framewright/plugins/portals"; import { ResourceController } from "framewright/plugins/resources";
    export default class ${model}sController extends (concern(ResourceController, PortalController, Authlib("${account}" as never)) as typeof ResourceController) {}`,
});
const policy = (model: string, more: string) => ({
  [`app/policies/${model.toLowerCase()}_policy.ts`]: `import { Policy } from "framewright/plugins/resources"; export default class ${model}Policy extends Policy {
    override canRead() { return true; } ${more}
    override permittedAttributesForRead() { return ["email", "account_status"]; } }`,
});
const definition = (model: string, options: string) => ({
  [`app/definitions/${model.toLowerCase()}_definition.ts`]: `import { accountActions } from "framewright/plugins/authlib/actions"; import { ResourceDefinition } from "framewright/plugins/resources";
    export default class ${model}Definition extends ResourceDefinition { override configure() { super.configure(); accountActions(this, ${options}); } }`,
});
const boss = `(this.user as any)?.role === "boss"`;
const files = {
  "packages/admin_portal/config/routes.ts": `import { AdminPortal } from "../lib/engine.ts"; import User from "#app/models/user.ts"; import Admin from "#app/models/admin.ts"; import Clerk from "#app/models/clerk.ts";
    export default AdminPortal.routes.draw((routes) => { routes.root({ to: "home#index" }); for (const model of [User, Admin, Clerk]) routes.registerResource(model); });`,
  ...controller("admin", "users", "User"),
  ...controller("admin", "admins", "Admin"),
  ...controller("admin", "clerks", "Clerk"),
  ...policy(
    "User",
    `canManageAccount() { return ${boss}; } canChangeLogin() { return ${boss}; } canShowSignIns() { return (this.user as any)?.role !== "guest"; }
     override relationScope(query) { return query.whereNot("users.name", "hidden"); }`,
  ),
  ...policy("Admin", `canManageAccount() { return true; } canShowSignIns() { return true; }`),
  ...policy("Clerk", `canManageAccount() { return true; }`),
  ...definition("User", `{ changeLogin: "change_login" }`),
  ...definition("Admin", "{}"),
  ...definition("Clerk", "{}"),
};
const types = {
  user: {
    features:
      "login(), logout(), remember(), createAccount(), verifyAccount(), resetPassword(), changeLogin(), lockout(), activeSessions(), securityMails(), auditLogging()",
  },
  admin: { features: "login(), logout(), lockout(), activeSessions(), resetPassword(), invitation(), auditLogging()" },
  clerk: { features: "login(), logout()" },
};

for (const database of await databases()) {
  describe(`Sessions and sign-ins on an account's page, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let count = 0;
    if (database.skip === undefined) {
      before(async () => {
        const options = {
          values: await database.values(),
          authlib: "{ limits: { mail: { perLogin: 3, perAddress: 100, within: 3600 } } }",
          plugins: quick,
          files,
        };
        app = await openAccounts(types, options);
        await addPeople(app, "admin", "root@example.test", "reader@example.test", "guest@example.test");
        for (const role of ["boss", "reader", "guest"])
          await knex("admins")
            .where({ email: `${role === "boss" ? "root" : role}@example.test` })
            .update({ role });
        await addPeople(app, "clerk", "clerk@example.test");
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = (table: string) => databaseOf(app.application).knex(table);
    const admin = (name = "root") => signIn(app, "admin", `${name}@example.test`);
    const person = async () => {
      const login = `a${++count}@example.test`;
      const [id] = await addPeople(app, "user", login);
      await knex("users").where({ id }).update({ name: "Ann" });
      return { id: id!, login, at: `/admin/users/${id}` };
    };
    const sessionsOf = async (client: Client, at: string) =>
      (await client.json(`${at}/_sessions`)).body.data as Record<string, unknown>[];
    const act = (client: Client, at: string, action: string, values: Record<string, string> = {}) =>
      client.submit(`${at}/actions/${action}`, values);

    can("The page has a person's sessions and events, JSON alike, and no key of a session", async () => {
      const { id, login, at } = await person();
      await signIn(app, "user", login);
      await post(app, "/users/login", { login, password: "a wrong horse" });
      const client = await admin();
      const page = await client.page(at);
      for (const text of ["Sessions", "Sign-ins and changes", "Signed in", "Wrong password or code", "127.0.0.1"])
        assert.match(page, text);
      const [session, ...others] = await sessionsOf(client, at);
      assert.equal(others, []);
      assert.equal([session!.state, session!.current], ["active", false]);
      const { session_digest } = await rowOf(app, "user_active_session_keys", { account_id: id });
      assert.not.match(page + JSON.stringify(session), String(session_digest));
      const { body } = await client.json(`${at}/_sign_ins`);
      const events = (body.data as { event: string; text: string }[]).map(({ event }) => event);
      assert.equal(events, ["login_failed", "login", "created"]);
      assert.is((await client.request(`${at}/_sign_ins`)).headers.get("location"), at);
    });
    can("A list ends after twenty lines", async () => {
      const { id, at } = await person();
      const row = { account_id: id, event: "logout", metadata: "{}", address: "", at: new Date() };
      await knex("user_authentication_audit_logs").insert(Array.from({ length: 30 }, () => row));
      const { body } = await (await admin()).json(`${at}/_sign_ins`);
      assert.is((body.data as unknown[]).length, 20);
    });
    can("An administrator ends one session of several, once, and its remembered device with it", async () => {
      const { id, login, at } = await person();
      const phone = await signIn(app, "user", login, { remember: "1" });
      const laptop = await signIn(app, "user", login);
      const client = await admin();
      const rows = await knex("user_active_session_keys").where({ account_id: id }).orderBy("id");
      assert.match(await client.page(at), `name="interaction[session]" value="${rows[0].id}"`);
      const ended = await act(client, at, "end_session", { "interaction[session]": String(rows[0].id) });
      assert.is(ended.status, 303);
      assert.equal([await opens(phone), await opens(laptop)], [false, true]);
      assert.equal(await knex("user_remember_keys").where({ account_id: id }), []);
      const again = await act(client, at, "end_session", { "interaction[session]": String(rows[0].id) });
      assert.is(again.status, 422);
      const log = await knex("user_authentication_audit_logs").where({ account_id: id, event: "sessions_revoked" });
      const { by, actor, which } = JSON.parse(log[0].metadata) as Record<string, unknown>;
      assert.equal([log.length, by, actor, which], [1, "administrator", "admin 1", "one"]);
      const { body } = await client.json(`${at}/_sign_ins`);
      const [newest] = body.data as { event: string; actor?: string }[];
      assert.equal([newest!.event, newest!.actor], ["sessions_revoked", "admin 1"]);
      await mailTo(app, login, "ended");
      const { body: account } = await client.json("/admins/account");
      const headers = { accept: "application/json", "content-type": "application/json" };
      const byProgram = await client.request(`${at}/actions/end_session`, {
        method: "POST",
        headers: { ...headers, "x-csrf-token": String(account.csrf_token) },
        body: JSON.stringify({ interaction: { session: Number(rows[1].id) } }),
      });
      assert.equal([byProgram.status, await opens(laptop)], [200, false]);
      assert.equal((await client.json(`${at}/_sessions.json`)).body.data, []);
    });
    can("No session of another account is ended by its id", async () => {
      const [ann, bob] = [await person(), await person()];
      const other = await signIn(app, "user", bob.login);
      const { id } = await rowOf(app, "user_active_session_keys", { account_id: bob.id });
      const client = await admin();
      for (const session of [String(id), "0", "x", "1e3", ""])
        assert.is((await act(client, ann.at, "end_session", { "interaction[session]": session })).status, 422, session);
      assert.ok(await opens(other));
    });
    can("Who may see sign-ins ends none, and who may not sees no panel", async () => {
      const { id, login, at } = await person();
      const ann = await signIn(app, "user", login);
      const [session] = await knex("user_active_session_keys").where({ account_id: id });
      const reader = await admin("reader");
      const page = await reader.page(at);
      assert.match(page, "Sign-ins and changes");
      assert.not.match(page, "actions/end_session");
      const guest = await admin("guest");
      assert.not.match(await guest.page(at), "Sign-ins and changes");
      for (const client of [reader, guest]) {
        const values = { "interaction[session]": String(session.id) };
        const { body } = await client.json("/admins/account");
        const headers = {
          accept: "application/json",
          "content-type": "application/json",
          "x-csrf-token": String(body.csrf_token),
        };
        const sent = await client.request(`${at}/actions/end_session`, {
          method: "POST",
          headers,
          body: JSON.stringify({ interaction: values }),
        });
        assert.is(sent.status, 403);
      }
      for (const path of ["_sessions", "_sign_ins"]) {
        assert.is((await guest.request(`${at}/${path}`, { headers: { accept: "application/json" } })).status, 403);
        assert.is((await app.request(`${at}/${path}`, { headers: { accept: "application/json" } })).status, 401);
      }
      await knex("users").where({ id }).update({ name: "hidden" });
      const reply = await reader.request(`${at}/_sign_ins`, { headers: { accept: "application/json" } });
      assert.is(reply.status, 404);
      assert.ok(await opens(ann));
    });
    can("A session is ended by nobody whose confirmation is too long ago, or whose own account is closed", async () => {
      const { id, login, at } = await person();
      const ann = await signIn(app, "user", login);
      const [session] = await knex("user_active_session_keys").where({ account_id: id });
      const client = await admin();
      const { body } = await client.json("/admins/account");
      const token = { "x-csrf-token": String(body.csrf_token) };
      const sent = new URLSearchParams({ "interaction[session]": String(session.id) });
      const end = (accept: string) =>
        client.request(`${at}/actions/end_session`, { method: "POST", headers: { ...token, accept }, body: sent });
      const own = () => knex("admin_active_session_keys").where({ account_id: 1 });
      await own().update({ created_at: new Date(Date.now() - 3_600_000) });
      assert.is((await end("text/html")).headers.get("location"), "/admins/confirm-identity");
      assert.is((await end("application/json")).status, 403);
      assert.ok(await opens(ann));
      await own().update({ created_at: new Date() });
      const auth = app.application.kernel.service("auth");
      await auth.accounts("admin").lock(3);
      const locked = await app.client().submit("/admins/login", { login: "guest@example.test", password: PASSWORD });
      assert.is(locked.status, 422, "a locked administrator does not sign in");
      await auth.accounts("admin").unlock(3);
      await knex("admins").where({ id: 1 }).update({ account_status: "closed" });
      const [closed, refused] = [await client.request(at), await end("application/json")];
      await knex("admins").where({ id: 1 }).update({ account_status: "verified" });
      assert.equal([closed.headers.get("location"), refused.status], ["/admins/login", 401]);
      assert.ok(await opens(ann));
    });
    can("An account type without the features has no panels, routes or action of them", async () => {
      const client = await admin();
      const page = await client.page("/admin/clerks/1");
      assert.not.match(page, "Sign-ins and changes");
      for (const path of ["_sessions", "_sign_ins", "actions/end_session"])
        assert.is((await client.request(`/admin/clerks/1/${path}`)).status, 404, path);
    });
    can("One's own session is marked, and has no button", async () => {
      const client = await admin();
      const page = await client.page("/admin/admins/1");
      assert.match(page, "This session");
      const current = (await sessionsOf(client, "/admin/admins/1")).filter((one) => one.current);
      assert.is(current.length, 1);
      assert.not.match(page, `name="interaction[session]" value="${current[0]!.id}"`);
    });
    can("An administrator locks and verifies accounts, and changes an address", async () => {
      const { id, login, at } = await person();
      const client = await admin();
      assert.is((await act(client, at, "lock_account")).status, 303);
      assert.is((await post(app, "/users/login", { login, password: PASSWORD })).status, 401);
      assert.is((await client.request(`${at}/actions/lock_account`)).status, 404);
      assert.is((await act(client, at, "unlock_account")).status, 303);
      const ann = await signIn(app, "user", login);
      const bob = await person();
      for (const [address, why] of [
        [bob.login, "be used"],
        [login, "address already"],
        ["no address", "email"],
      ] as const) {
        const refused = await act(client, at, "change_login", { "interaction[new_login]": address });
        assert.is(refused.status, 422, `${address} ${why}`);
      }
      const moved = `new.${login}`;
      assert.is((await act(client, at, "change_login", { "interaction[new_login]": moved })).status, 303);
      assert.equal([(await rowOf(app, "users", { id })).email, await opens(ann)], [moved, false]);
      await mailTo(app, login, "");
      await knex("users").where({ id }).update({ account_status: "unverified" });
      assert.is((await act(client, at, "verify_account")).status, 303);
      assert.is((await rowOf(app, "users", { id })).account_status, "verified");
      const reader = await admin("reader");
      for (const action of ["lock_account", "change_login"])
        assert.is((await reader.request(`${at}/actions/${action}`)).status, 403, action);
      assert.is((await client.request("/admin/admins/2/actions/change_login")).status, 404, "not declared");
    });
    can("An invitation that was not accepted is sent again, and the earlier link ends", async () => {
      const client = await admin();
      await knex("admins").where({ id: 1 }).update({ role: "boss" });
      const invite = async (login: string) => {
        assert.is((await client.submit("/admins/invite", { login })).status, 303);
        const { path } = await mailTo(app, login, "invited");
        const { id } = await rowOf(app, "admins", { email: login });
        await knex("admin_invitation_keys")
          .where({ account_id: id })
          .update({ requested_at: new Date(Date.now() - 120_000) });
        return { id: Number(id), first: path, at: `/admin/admins/${id}` };
      };
      const { id, first, at } = await invite("new@example.test");
      assert.match(await client.page(at), "Send the invitation again");
      assert.is((await client.request(`${at}/actions/verify_account`)).status, 404, "an invitation opens it alone");
      assert.is((await act(client, at, "resend_invitation")).status, 303);
      const { path } = await mailTo(app, "new@example.test", "invited");
      assert.not.equal(path, first);
      assert.is((await app.client().request(first)).status, 422);
      const service = app.application.kernel.service("auth").accounts("admin");
      assert.ok((await service.status(id)).invitedAt instanceof Date);
      await throwsCode("FW_ACCOUNT_INVITATION", () => service.resendInvitation(id));
      const soon = await act(client, at, "resend_invitation");
      assert.is(soon.status, 422);
      const chosen = { password: PASSWORD, password_confirmation: PASSWORD };
      assert.is((await app.client().submit(path, chosen)).status, 303);
      assert.is((await rowOf(app, "admins", { id })).account_status, "verified");
      assert.is((await client.request(`${at}/actions/resend_invitation`)).status, 404, "accepted");
      assert.is((await client.request("/admin/admins/2/actions/resend_invitation")).status, 404, "never invited");
    });
    can("Whoever sends an invitation again is its inviter, and mails for one address are limited", async () => {
      const client = await admin();
      assert.is((await client.submit("/admins/invite", { login: "late@example.test" })).status, 303);
      const { id } = await rowOf(app, "admins", { email: "late@example.test" });
      const keys = () => knex("admin_invitation_keys").where({ account_id: id });
      await keys().update({ inviter_id: 2 });
      const resend = async () => {
        await keys().update({ requested_at: new Date(Date.now() - 120_000) });
        return (await act(client, `/admin/admins/${id}`, "resend_invitation")).status;
      };
      assert.is(await resend(), 303);
      assert.is(Number((await keys())[0].inviter_id), 1);
      assert.equal([await resend(), await resend(), await resend()].includes(429), true);
    });
  });
}
