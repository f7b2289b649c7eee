import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import type { Client } from "../../testing/client.ts";
import { addPeople, databaseOf, mailTo, PASSWORD, signIn } from "../authlib/accounts.ts";
import { post } from "../authlib/promises/support.ts";
import { openImpersonation, witnessed } from "./impersonation_app.ts";

const userOf = (app: TestApp) =>
  databaseOf(app.application)
    .models()
    .find(({ table }) => table === "users")!.class;
const BANNER = /class="fw-acting-banner"/;

for (const database of await databases()) {
  describe(`Acting for a person, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let count = 0;
    if (database.skip === undefined) {
      before(async () => {
        app = await openImpersonation({ values: await database.values() });
      });
      after(async () => {
        await app?.close();
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
    const begin = (client: Client, at: string) =>
      client.submit(`${at}/actions/impersonate`, {}, /actions\/impersonate/);
    const acting = async () => {
      const who = await person();
      const client = await root();
      const answer = await begin(client, who.at);
      assert.is(answer.status, 303, await answer.text());
      return { ...who, client, home: answer.headers.get("location")! };
    };
    const emailOf = async (client: Client) => (await client.json<{ email?: string }>("/user")).body.email;
    const write = (client: Client, title: string) =>
      client.submit("/user/notes/new", { "note[title]": title }, /action="\/user\/notes"/);
    const events = async (type: string, account_id: number, event: string) =>
      (await knex(`${type}_authentication_audit_logs`).where({ account_id, event })).map(
        ({ metadata }) => JSON.parse(String(metadata)) as Record<string, string>,
      );

    can(
      "An administrator acts for a person, with a banner on each page, and returns; every trace names both",
      async () => {
        const lines: Record<string, unknown>[] = [];
        const { log } = app.application;
        const [info, isOn] = [log.info, log.isLevelEnabled];
        Object.assign(log, { info: (line: never) => void lines.push(line), isLevelEnabled: () => true });
        const { id, login, client, home, at } = await acting();
        assert.is(home, "/user");
        const page = await client.page("/user");
        assert.match(page, BANNER);
        assert.match(page, "root@example.test acts for Ann.");
        assert.match(page, "30 minutes left");
        assert.is(await emailOf(client), login);
        const answer = await client.request("/user");
        assert.is(answer.headers.get("cache-control"), "no-store");
        witnessed().length = 0;
        assert.is((await write(client, "by both")).status, 303);
        assert.equal(witnessed(), [`created by both ${login} root@example.test UserPortal`]);
        const { text } = await mailTo(app, login, "An administrator acts for you");
        assert.match(text, "at most 30 minutes");
        const ended = await client.submit("/user", {}, /impersonation\/end/);
        assert.equal([ended.status, ended.headers.get("location")], [303, at]);
        const back = await client.page(at);
        assert.match(back, "You act as yourself again");
        assert.not.match(back, BANNER);
        assert.is(await emailOf(client), undefined);
        Object.assign(log, { info, isLevelEnabled: isOn });
        const both = { actor: "admin 1", acting_for: `user ${id}` };
        for (const message of ["impersonation_started", "impersonation_ended"]) {
          for (const [type, account] of [
            ["user", id],
            ["admin", 1],
          ] as const) {
            const found = (await events(type, account, message)).filter((one) => one.acting_for === both.acting_for);
            assert.equal(
              found.map(({ actor, acting_for }) => ({ actor, acting_for })),
              [both],
              `${type} ${message}`,
            );
          }
        }
        const ofNotes = lines.filter(({ path, method }) => path === "/user/notes" && method === "POST");
        assert.equal(
          ofNotes.map(({ actor, acting_for }) => ({ actor, acting_for })),
          [both],
        );
      },
    );

    can("Signing out of the person's pages returns the administrator, whose own sign-ins are untouched", async () => {
      const own = `own${count}@example.test`;
      await addPeople(app, "user", own);
      const { login, at } = await person();
      const client = await root();
      await client.submit("/users/login", { login: own, password: PASSWORD, remember: "1" });
      assert.is(await emailOf(client), own);
      const remembered = client.cookie("fw_user_remember");
      await begin(client, at);
      assert.is(await emailOf(client), login);
      const keys = await knex("user_remember_keys").select("id");
      const answer = await client.submit("/user", {}, /users\/logout/);
      assert.equal([answer.status, answer.headers.get("location")], [303, at]);
      assert.is(await emailOf(client), own, "the browser's own user");
      assert.is(client.cookie("fw_user_remember"), remembered);
      assert.is((await knex("user_remember_keys").select("id")).length, keys.length, "no remembered device was made");
      assert.is((await client.request(at)).status, 200);
    });

    can(
      "Who may not begin gets nothing: guests, other roles and types, hidden, closed, locked, own and administrators' accounts",
      async () => {
        const { id, login, at } = await person();
        const action = `${at}/actions/impersonate`;
        assert.is((await app.client().request(action)).status, 303, "1: a guest");
        assert.is((await post(app, action, {})).status, 401, "2: a guest of JSON");
        const clerk = await signIn(app, "clerk", "clerk@example.test");
        assert.not.match(await clerk.page(`/clerk/users/${id}`), /actions\/impersonate/, "3: a policy that says no");
        assert.ok([403, 404].includes((await clerk.request(`/clerk/users/${id}/actions/impersonate`)).status), "4");
        const vice = await signIn(app, "admin", "vice@example.test");
        assert.not.match(await vice.page(at), /actions\/impersonate/, "5: another administrator");
        assert.ok([403, 404].includes((await vice.request(action)).status), "6");
        const client = await root();
        assert.match(await client.page(at), /actions\/impersonate/);
        await knex("admin_active_session_keys").update({ created_at: new Date(Date.now() - 3_600_000) });
        assert.is(
          (await client.request(action)).headers.get("location"),
          "/admins/confirm-identity",
          "7: who was not asked again",
        );
        const fresh = await root();
        for (const [page, what] of [
          ["/admin/admins/1", "8: oneself"],
          ["/admin/admins/2", "9: an administrator"],
          ["/admin/clerks/1", "10: a type of invited accounts"],
          ["/admin/chiefs/1", "15: a type that the plugin does not name"],
        ]) {
          assert.not.match(await fresh.page(page!), /actions\/impersonate/, what!);
          assert.is((await fresh.request(`${page}/actions/impersonate`)).status, 404, what!);
        }
        await knex("users").where({ id }).update({ role: "boss" });
        await knex("admins").where({ id: 1 }).update({ role: "helper" });
        assert.ok([403, 404].includes((await fresh.request(action)).status), "11: a lower role");
        await knex("admins").where({ id: 1 }).update({ role: "boss" });
        await knex("users").where({ id }).update({ role: null, name: "hidden" });
        assert.is((await fresh.request(action)).status, 404, "12: a hidden record");
        await knex("users").where({ id }).update({ name: "Ann" });
        for (let times = 0; times < 5; times++) await post(app, "/users/login", { login, password: "a wrong horse" });
        assert.not.match(await fresh.page(at), /actions\/impersonate/, "13: a locked account");
        await fresh.submit(`${at}/actions/unlock_account`, {}, /unlock_account/);
        await fresh.submit(`${at}/actions/close_account`, {}, /close_account/);
        assert.is((await fresh.request(action)).status, 403, "14: a closed account");
        assert.is((await knex("framewright_impersonations").where({ person_id: id })).length, 0);
      },
    );

    can(
      "Account pages, keys, confirmed actions, files, wizards and another impersonation are refused to who acts",
      async () => {
        const other = await person();
        const { client, id, at } = await acting();
        const pages = [
          "account",
          "change-password",
          "change-login",
          "close-account",
          "sessions",
          "otp-setup",
          "recovery-codes",
          "confirm-identity",
          "login",
          "create-account",
          "reset-password-request",
          "otp-auth",
          "api-keys",
          "oidc-identities",
          "oidc-identity",
        ];
        const before = JSON.stringify(await knex("users").where({ id }));
        const token = /name="(_csrf|authenticity_token|[^"]*csrf[^"]*)" value="([^"]*)"/.exec(
          await client.page("/user"),
        );
        assert.ok(token);
        for (const page of pages) {
          const answer = await client.request(`/users/${page}`);
          assert.is(answer.status, 403, `GET ${page}`);
          assert.match(await answer.text(), BANNER);
          const body = new URLSearchParams({ password: PASSWORD, all: "all" });
          const { status } = await client.request(`/users/${page}`, { method: "POST", body });
          assert.is(status, page === "account" ? 405 : 403, `POST ${page}`);
        }
        assert.is((await client.json("/users/account")).status, 403);
        for (const page of ["/users/oidc/acme", "/users/oidc/acme/callback?code=1"])
          assert.is((await client.request(page)).status, 403, page);
        const key = /<meta name="csrf-token" content="([^"]+)"/.exec(await client.page("/user/notes"))![1]!;
        for (const [path, body] of [
          ["/users/api-keys", { name: "Mine", scopes: "notes:read", password: PASSWORD }],
          ["/users/oidc-identities", { remove: "1" }],
        ] as const) {
          const headers = { "x-csrf-token": key, "content-type": "application/json", accept: "application/json" };
          const answer = await client.request(path, { method: "POST", headers, body: JSON.stringify(body) });
          assert.is(answer.status, 403, path);
          assert.not.match(await answer.text(), "FW_CSRF");
        }
        assert.is((await knex("user_api_keys")).length, 0);
        await write(client, "stays");
        const note = await knex("notes").where({ title: "stays" }).first();
        const destroy = await client.request(`/user/notes/${note.id}`, {
          method: "DELETE",
          headers: { accept: "application/json" },
        });
        assert.is(destroy.status, 403, "a confirmed action");
        assert.ok(await knex("notes").where({ id: note.id }).first());
        assert.is((await client.request("/user/notes/export.csv")).status, 403, "export");
        assert.ok([403, 404].includes((await client.request("/user/notes/import")).status), "import");
        assert.is((await client.request("/user/ask")).status, 403, "a wizard");
        assert.not.match(await client.page("/user/notes"), /href="\/user\/ask"/);
        assert.is((await knex("framewright_wizard_runs")).length, 0);
        assert.not.match(await client.page(other.at), /actions\/impersonate/, "nested");
        assert.is((await client.request(`${other.at}/actions/impersonate`)).status, 404, "nested");
        assert.is((await client.request("/impersonation/end", { method: "POST" })).status, 403, "End without a token");
        assert.is((await client.request("/impersonation/end")).status, 405);
        assert.match(await client.page("/user"), BANNER);
        assert.is(JSON.stringify(await knex("users").where({ id })), before);
        assert.match(await client.page(at), BANNER, "also in the administrator's own pages");
      },
    );

    can(
      "The banner stands in every page, whatever its template, and no cached page is shown in its place",
      async () => {
        const { client } = await acting();
        const strange = await client.page("/user/hidden");
        assert.match(strange, /^<!doctype html><link[^>]*><aside class="fw-acting-banner"/);
        for (const path of ["/user", "/user/notes", "/user/notes/new", "/user/nothing", "/nothing"])
          assert.match(await client.page(path), /<body[^>]*><link[^>]*><aside class="fw-acting-banner"/, path);
        const inline = await client.page("/user/inline");
        assert.match(inline, /<body><link[^>]*><aside class="fw-acting-banner"/);
        assert.match(inline, "inline page");
        const streamed = await client.request("/user/streamed");
        assert.is(streamed.status, 403, "a stream has no place for it");
        assert.not.match(await streamed.text(), "streamed page");
        const tag = (await client.request("/user/notes")).headers.get("etag");
        const again = await client.request("/user/notes", { headers: tag === null ? {} : { "if-none-match": tag } });
        assert.is(again.status, 200);
        const style = /href="([^"]*impersonation[^"]*\.css)"/.exec(strange)![1]!;
        assert.is((await client.request(style)).status, 200);
      },
    );

    const stops: Record<string, (who: { id: number; login: string; client: Client }) => Promise<void>> = {
      time: async ({ id }) =>
        void (await knex("framewright_impersonations")
          .where({ person_id: id })
          .update({ ends_at: new Date(Date.now() - 1000) })),
      "the administrator signs out": async ({ client }) => {
        const copy = client.copy();
        await copy.submit("/admin/users", {}, /admins\/logout/);
      },
      "the administrator's sign-in is deleted": async () => void (await knex("admin_active_session_keys").delete()),
      "the administrator's role is taken away": async () =>
        void (await knex("admins").where({ id: 1 }).update({ role: "helper" })),
      "the administrator is locked": async () => {
        for (let times = 0; times < 5; times++)
          await post(app, "/admins/login", { login: "root@example.test", password: "a wrong horse" });
        await app.application.kernel.service("jobs").drain();
      },
      "the administrator's account is closed": async () =>
        void (await knex("admins").where({ id: 1 }).update({ account_status: "closed" })),
      "the person signs out elsewhere": async ({ login }) => {
        const ann = await signIn(app, "user", login);
        await ann.submit("/user", {}, /users\/logout/);
      },
      "the person is locked": async ({ login }) => {
        for (let times = 0; times < 5; times++) await post(app, "/users/login", { login, password: "a wrong horse" });
      },
      "the account is closed": async ({ id }) =>
        void (await knex("users").where({ id }).update({ account_status: "closed" })),
      "the record becomes hidden": async ({ id }) =>
        void (await knex("users").where({ id }).update({ name: "hidden" })),
    };
    for (const [what, stop] of Object.entries(stops))
      can(`Acting ends at once when ${what}; a form that is sent then does nothing`, async () => {
        const who = await acting();
        const { client } = who;
        const form = await client.page("/user/notes/new");
        assert.match(form, BANNER);
        const stolen = client.copy();
        await stop(who);
        const title = `late ${what}`;
        const csrf = [
          .../<form[^>]*action="\/user\/notes".*?<\/form>/s
            .exec(form)![0]
            .matchAll(/<input[^>]*type="hidden"[^>]*name="([^"]*)"[^>]*value="([^"]*)"/g),
        ];
        const body = new URLSearchParams({
          ...Object.fromEntries(csrf.map(([, name, value]) => [name!, value!])),
          "note[title]": title,
        });
        const late = await client.request("/user/notes", { method: "POST", body });
        assert.ok([303, 403].includes(late.status), String(late.status));
        assert.is(await knex("notes").where({ title }).first(), undefined);
        assert.is(await emailOf(client), undefined);
        assert.is(await emailOf(stolen), undefined, "a copy of the cookie");
        const [row] = await knex("framewright_impersonations").where({ person_id: who.id });
        assert.ok(row.ended_at);
        await knex("admins").where({ id: 1 }).update({ role: "boss", account_status: "verified" });
        await knex("admin_login_failures")
          .delete()
          .catch(() => undefined);
        await app.application.kernel.service("auth").accounts("admin").unlock(1);
      });

    can("A person who signs out ends it also behind many that were abandoned, which end by themselves", async () => {
      const { client, id, login } = await acting();
      const { id: own, ...row } = await knex("framewright_impersonations").where({ person_id: id }).first();
      const ends_at = new Date(Date.now() - 3_600_000);
      const stale = Array.from({ length: 120 }, (_, at) => ({ ...row, ends_at, key_digest: `stale ${id} ${at}` }));
      await knex("framewright_impersonations").where({ id: own }).delete();
      await knex("framewright_impersonations").insert([...stale, row]); // the open one is the last
      const ann = await signIn(app, "user", login);
      await ann.submit("/user", {}, /users\/logout/);
      assert.is(await emailOf(client), undefined);
      await app.application.kernel.service("impersonation").sweep();
      const reasons = await knex("framewright_impersonations").where({ person_id: id }).orderBy("id").pluck("ended_by");
      assert.equal(reasons, [...Array(120).fill("time"), "person"]);
      assert.is(
        (await events("user", id, "impersonation_ended")).filter(({ reason }) => reason === "time").length,
        120,
      );
    });

    can("Notifications of the person are neither shown nor marked, and the doctor counts who acts", async () => {
      const { client, id } = await acting();
      const [ann] = await databaseOf(app.application).query(userOf(app)).where({ id });
      await app.application.kernel.service("notifications").send(ann!, { title: "For Ann alone" });
      const { id: note } = await knex("framewright_notifications")
        .where({ owner_id: String(id) })
        .first();
      assert.not.match(await client.page("/user"), "_notifications");
      assert.is((await client.request("/user/_notifications")).status, 404);
      const token = /name="csrf-token" content="([^"]+)"/.exec(await client.page("/user/notes"))![1]!;
      const headers = { "x-csrf-token": token, accept: "application/json" };
      for (const path of [`${note}/open`, `${note}/mark`, "read_all"])
        assert.is(
          (await client.request(`/user/_notifications/${path}`, { method: "POST", headers })).status,
          404,
          path,
        );
      assert.is((await knex("framewright_notifications").where({ id: note }).first()).read_at, null);
      const findings: { what: string; detail: string }[] = [];
      await app.application.hooks.examine.promise(findings as never);
      assert.match(findings.find(({ what }) => what === "impersonation")!.detail, /^open: [1-9]\d*$/);
    });

    can("A page that was opened before can't be sent afterwards, in either direction", async () => {
      const own = `tab${count}@example.test`;
      await addPeople(app, "user", own);
      const { at } = await person();
      const client = await root();
      await client.submit("/users/login", { login: own, password: PASSWORD });
      const mine = await client.page("/user/form");
      const send = (page: string) => {
        const [, name, value] =
          /<form method="post" action="\/user\/form"><input type="hidden" name="([^"]*)" value="([^"]*)"/.exec(page)!;
        return client.request("/user/form", {
          method: "POST",
          body: new URLSearchParams({ [name!]: value!, text: "x" }),
        });
      };
      await begin(client, at);
      assert.is((await send(mine)).status, 403);
      const theirs = await client.page("/user/form");
      assert.is((await send(theirs)).status, 200);
      await client.submit("/user", {}, /impersonation\/end/);
      assert.is((await send(theirs)).status, 403);
    });

    can("A form that the person was submitting is neither shown to who acts nor lost", async () => {
      const { login, at } = await person();
      const ann = await signIn(app, "user", login);
      const page = await ann.page("/user/form");
      const [, name, value] = /action="\/user\/form"><input type="hidden" name="([^"]*)" value="([^"]*)"/.exec(page)!;
      await knex("user_active_session_keys").delete();
      await ann.request("/user/form", {
        method: "POST",
        body: new URLSearchParams({ [name!]: value!, text: "held" }),
        headers: { referer: `${app.url}/user/form` },
      });
      const held = await knex("framewright_held_forms").select("id");
      assert.is(held.length > 0, true);
      const client = await root();
      await begin(client, at);
      assert.not.match(await client.page("/user/form"), "held");
      assert.is((await knex("framewright_held_forms").select("id")).length, held.length);
      await ann.submit("/users/login", { login, password: PASSWORD });
      assert.match(await ann.page("/user/form"), "held");
    });
  });
}
