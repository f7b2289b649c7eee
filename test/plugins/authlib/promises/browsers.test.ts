import type { TestApp } from "../../../support/apps.ts";
import { databases } from "../../../support/databases.ts";
import { assert, describe } from "../../../support/index.ts";
import { addPeople, databaseOf, mailTo, openAccounts, PASSWORD, signIn } from "../accounts.ts";
import { opens, post, quick, rowOf } from "./support.ts";

const features =
  "login(), logout(), remember(), createAccount(), verifyAccount(), resetPassword(), invitation(), emailAuth()";

for (const database of await databases()) {
  describe(`Several users of one browser, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openAccounts(
          { user: { features } },
          {
            values: await database.values(),
            authlib: "{ limits: false }",
            plugins: quick,
            files: {
              "app/models/user.ts": `import { Model } from "framewright/plugins/database"; export default class User extends Model("users") { static override enums = { role: ["boss", "clerk"] }; static override validations = { email: { presence: true, uniqueness: true } }; }`,
            },
          },
        );
        await addPeople(app, "user", "ann@example.test", "bob@example.test");
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const table = (name: string) => databaseOf(app.application).knex(name);
    const held = async (how: () => Promise<unknown>) => {
      const client = await signIn(app, "user", "ann@example.test");
      const token = /name="authenticity_token" value="([^"]+)"/.exec(await client.page("/user/form"))![1]!;
      await how();
      const body = new URLSearchParams({ authenticity_token: token, text: "for Ann alone" });
      await client.request("/user/form", { method: "POST", body, headers: { referer: `${app.url}/user/form` } });
      return client;
    };

    for (const [what, how] of [
      ["was ended elsewhere", () => table("user_active_session_keys").delete()],
      [
        "has expired",
        () => table("user_active_session_keys").update({ created_at: new Date(0), last_use: new Date(0) }),
      ],
    ] as const) {
      can(`A form of a session that ${what} is filled in for its own user, and for nobody else`, async () => {
        const client = await held(how);
        assert.is((await table("framewright_held_forms")).length, 1);
        await client.submit("/users/login", { login: "bob@example.test", password: PASSWORD });
        for (const page of ["/user/form", "/users/account", "/users/held-form"])
          assert.not.match(await client.page(page), /for Ann alone|session ended while|users.held-form/, page);
        assert.equal(await table("framewright_held_forms"), [], "and it is gone");
        const own = await held(how);
        await own.submit("/users/login", { login: "ann@example.test", password: PASSWORD });
        assert.match(await own.page("/user/form"), "for Ann alone");
      });
    }

    can("A sign-in over another user's session ends that session, and forgets its remembered device", async () => {
      const client = await signIn(app, "user", "ann@example.test", { remember: "1" });
      const copy = client.copy();
      assert.ok(await opens(copy));
      const page = await client.page("/user/form");
      assert.match(page, "authenticity_token");
      const { csrf_token } = (await client.json("/users/reset-password-request")).body as { csrf_token: string };
      const body = new URLSearchParams({ login: "bob@example.test", password: PASSWORD });
      const headers = { "x-csrf-token": csrf_token };
      assert.is((await client.request("/users/login", { method: "POST", headers, body })).status, 303);
      assert.ok(await opens(client));
      copy.forget("fw_user_remember");
      assert.not(await opens(copy), "the row is gone, not just the cookie");
      assert.is((await table("user_remember_keys")).length, 0);
      client.forget("fw_session");
      assert.not(await opens(client), "nor does the first one come back by the device's key");
    });

    can("An invitation is valid while its inviter may invite, and no other link opens its account", async () => {
      const boss = async (login: string) => {
        const [id] = await addPeople(app, "user", login);
        await table("users").where({ id }).update({ role: "boss" });
        return { id: id!, client: await signIn(app, "user", login) };
      };
      const set = (path: string) =>
        app
          .client()
          .submit(path, { password: "another horse battery", password_confirmation: "another horse battery" });
      const invite = async (client: Awaited<ReturnType<typeof boss>>["client"], login: string, role = "clerk") => {
        assert.is((await client.submit("/users/invite", { login, role })).status, 303);
        return (await mailTo(app, login, "invited")).path;
      };
      const ways: [string, Record<string, unknown>][] = [
        ["closed", { account_status: "closed" }],
        ["demoted", { role: "clerk" }],
      ];
      for (const [what, change] of ways) {
        const { id, client } = await boss(`boss-${what}@example.test`);
        const login = `new-${what}@example.test`;
        const path = await invite(client, login);
        assert.is((await app.client().request(path)).status, 200);
        await table("users").where({ id }).update(change);
        assert.is((await app.client().request(path)).status, 422, what);
        assert.is((await set(path).catch(() => ({ status: 422 }))).status, 422, what);
        for (const way of ["reset-password-request", "email-auth", "verify-account"])
          await post(app, `/users/${way}`, { login });
        const twice = { login, password: PASSWORD, password_confirmation: PASSWORD };
        await post(app, "/users/create-account", twice);
        const { kernel } = app.application;
        await kernel.service("jobs").drain();
        const mails = kernel.service("mailer").kept.filter(({ to }) => to === login);
        assert.is(mails.length, 1, "no other link opens it");
        assert.is((await rowOf(app, "users", { email: login })).account_status, "unverified");
        const next = await boss(`next-${what}@example.test`);
        const again = await invite(next.client, login, "boss");
        assert.is((await app.client().request(path)).status, 422, "the first link stays dead");
        assert.is((await set(again)).status, 303);
        const { role, account_status } = await rowOf(app, "users", { email: login });
        assert.equal([role, account_status], ["boss", "verified"]);
        assert.ok(await opens(await signIn(app, "user", login, {}, "another horse battery")));
      }
    });
  });
}
