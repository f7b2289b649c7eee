import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { addPeople, databaseOf, everyday, mailTo, openAccounts, PASSWORD, signIn } from "./accounts.ts";

const NEW = "another horse battery";

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`Sign-in on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openAccounts(
          { user: { features: everyday } },
          { values: await database.values(), authlib: "{ limits: false }" },
        );
        await addPeople(
          app,
          "user",
          "ann@example.test",
          "bob@example.test",
          "cat@example.test",
          "dan@example.test",
          "eve@example.test",
          "fay@example.test",
        );
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    /** Where a form leads to, and what stands there, without what differs on every page. */
    const landing = async (path: string, fields: Record<string, string>, client = app.client()) => {
      const answer = await client.submit(path, fields);
      const location = answer.headers.get("location") ?? "";
      return `${answer.status} ${location} ${neutral(await client.page(location))}`;
    };

    can("A guest is redirected to the login, and from there back to the requested page", async () => {
      const client = app.client();
      const asked = await client.request("/user?page=2");
      assert.is(asked.status, 303);
      assert.is(asked.headers.get("location"), "/users/login");
      assert.match(await client.page("/users/login"), 'autocomplete="current-password"');
      const answer = await client.submit("/users/login", { login: " Ann@Example.test ", password: PASSWORD });
      assert.is(answer.status, 303);
      assert.is(answer.headers.get("location"), "/user?page=2");
      const home = await client.request("/user");
      assert.is(home.status, 200);
      assert.is(home.headers.get("cache-control"), "no-store");
      const page = await home.text();
      assert.match(page, "Hello ann@example.test");
      assert.match(page, "<p>ann@example.test /users/logout user</p>");
      assert.equal((await client.json("/user")).body, {
        email: "ann@example.test",
        logout: "/users/logout",
        profile: null,
        alias: "ann@example.test",
      });
    });

    can("A JSON client without a session gets 401 with a problem document", async () => {
      const answer = await app.request("/user", { headers: { accept: "application/json" } });
      assert.is(answer.status, 401);
      assert.match(answer.headers.get("content-type")!, "application/problem+json");
      assert.match(answer.headers.get("www-authenticate")!, 'Session realm="users"');
    });

    can("A wrong password shows the form again, with the login and without the password", async () => {
      const answer = await app
        .client()
        .submit("/users/login", { login: "ann@example.test", password: "not it at all" });
      assert.is(answer.status, 422);
      const page = await answer.text();
      assert.match(page, 'value="ann@example.test"');
      assert.not.match(page, "not it at all");
    });

    can("A copied cookie is refused after its owner signs out", async () => {
      const client = await signIn(app, "user", "ann@example.test");
      const copy = client.copy();
      assert.is((await copy.request("/user")).status, 200);
      const answer = await client.submit("/users/logout", {});
      assert.is(answer.status, 303);
      assert.is((await client.request("/user")).status, 303);
      assert.is((await copy.request("/user")).status, 303);
    });

    can("A session cookie that was copied before a sign-in is not signed in by it", async () => {
      const client = app.client();
      await client.page("/users/login");
      const planted = client.copy();
      await client.submit("/users/login", { login: "ann@example.test", password: PASSWORD });
      assert.is((await client.request("/user")).status, 200);
      assert.is((await planted.request("/user")).status, 303);
    });

    can("A remembered device stays signed in without its session, and is not after signing out", async () => {
      const client = await signIn(app, "user", "ann@example.test", { remember: "1" });
      client.forget("fw_session");
      assert.is((await client.request("/user")).status, 200);
      const copy = client.copy();
      await client.submit("/users/logout", {});
      copy.forget("fw_session");
      assert.is((await copy.request("/user")).status, 303);
    });

    can("A sign-up is verified once by the mailed link, and is signed in", async () => {
      const client = app.client();
      const fields = { login: "New@Example.test", password: NEW, password_confirmation: NEW };
      const answer = await client.submit("/users/create-account", fields);
      assert.is(answer.status, 303);
      const landed = answer.headers.get("location")!;
      assert.match(await client.page(landed), "Check your inbox");
      assert.match(await client.page(landed), "new@example.test");
      assert.is((await client.submit("/users/login", { login: "new@example.test", password: NEW })).status, 422);
      const { path } = await mailTo(app, "new@example.test", "Verify your address");
      assert.is((await client.request(path)).status, 200, "looking changes nothing");
      const verified = await client.submit(path, {});
      assert.is(verified.status, 303);
      assert.is((await client.request("/user")).status, 200);
      assert.is(
        (
          await client
            .submit("/users/login", { login: "new@example.test", password: NEW })
            .catch(() => client.request("/user"))
        ).status,
        200,
      );
      assert.is((await app.client().request(path)).status, 422, "the link is good once");
      assert.is((await (await signIn(app, "user", "new@example.test", {}, NEW)).request("/user")).status, 200);
    });

    can(
      "A verification in another browser than the sign-up's asks for a new password, and voids the first one",
      async () => {
        await app.client().submit("/users/create-account", {
          login: "victim@example.test",
          password: "attackers own one",
          password_confirmation: "attackers own one",
        });
        const { path } = await mailTo(app, "victim@example.test", "Verify your address");
        const client = app.client();
        assert.is((await client.submit(path, {})).status, 422);
        assert.is((await client.submit(path, { password: NEW, password_confirmation: NEW })).status, 303);
        assert.is(
          (await app.client().submit("/users/login", { login: "victim@example.test", password: "attackers own one" }))
            .status,
          422,
        );
      },
    );

    can("A sign-up with a taken address is answered as one with a free address, and its owner is mailed", async () => {
      const fields = { password: NEW, password_confirmation: NEW };
      const free = await landing("/users/create-account", { ...fields, login: "free@example.test" });
      const taken = await landing("/users/create-account", { ...fields, login: "bob@example.test" });
      assert.is(taken.replace("bob@", "free@"), free);
      await mailTo(app, "bob@example.test", "signed up with your address");
      assert.is((await app.client().submit("/users/login", { login: "bob@example.test", password: NEW })).status, 422);
    });

    can("A mailed link sets a new password once, and ends every session", async () => {
      const signedIn = await signIn(app, "user", "bob@example.test", { remember: "1" });
      const client = app.client();
      const known = await landing("/users/reset-password-request", { login: "bob@example.test" }, client);
      const unknown = await landing("/users/reset-password-request", { login: "nobody@example.test" });
      assert.is(known.replace("bob@", "nobody@"), unknown);
      const { path } = await mailTo(app, "bob@example.test", "Set a new password");
      assert.is((await client.submit(path, { password: "short", password_confirmation: "short" })).status, 422);
      assert.is((await client.submit(path, { password: NEW, password_confirmation: NEW })).status, 303);
      assert.is((await client.request(path)).status, 422);
      assert.is((await signedIn.request("/user")).status, 303);
      signedIn.forget("fw_session");
      assert.is((await signedIn.request("/user")).status, 303);
      await signIn(app, "user", "bob@example.test", {}, NEW);
    });

    can("A password change ends the other sessions, and gives its own a new key", async () => {
      const client = await signIn(app, "user", "cat@example.test");
      const elsewhere = await signIn(app, "user", "cat@example.test", { remember: "1" });
      const before = client.copy();
      const wrong = await client.submit("/users/change-password", {
        password: "wrong one here",
        new_password: NEW,
        password_confirmation: NEW,
      });
      assert.is(wrong.status, 422);
      const answer = await client.submit("/users/change-password", {
        password: PASSWORD,
        new_password: NEW,
        password_confirmation: NEW,
      });
      assert.is(answer.status, 303);
      assert.is((await client.request("/user")).status, 200);
      assert.is((await before.request("/user")).status, 303);
      assert.is((await elsewhere.request("/user")).status, 303);
      elsewhere.forget("fw_session");
      assert.is((await elsewhere.request("/user")).status, 303);
    });

    can("A login is changed when the new address is confirmed, and the old address is mailed", async () => {
      const client = await signIn(app, "user", "dan@example.test");
      assert.is(
        (await client.submit("/users/change-login", { login: "dan2@example.test", password: PASSWORD })).status,
        303,
      );
      await signIn(app, "user", "dan@example.test");
      const { path } = await mailTo(app, "dan2@example.test", "Confirm your new address");
      assert.is((await client.submit(path, {})).status, 303);
      assert.is((await client.request("/user")).status, 200);
      await signIn(app, "user", "dan2@example.test");
      assert.is(
        (await app.client().submit("/users/login", { login: "dan@example.test", password: PASSWORD })).status,
        422,
      );
      await mailTo(app, "dan@example.test", "was changed");
    });

    can("A closed account is signed out everywhere at once, and can't sign in", async () => {
      const client = await signIn(app, "user", "eve@example.test", { remember: "1" });
      const elsewhere = await signIn(app, "user", "eve@example.test");
      assert.is((await client.submit("/users/close-account", { password: PASSWORD })).status, 303);
      assert.is((await client.request("/user")).status, 303);
      assert.is((await elsewhere.request("/user")).status, 303);
      assert.is(
        (await app.client().submit("/users/login", { login: "eve@example.test", password: PASSWORD })).status,
        422,
      );
      const rows = await databaseOf(app.application).knex("users").where("email", "like", "eve@example.test.closed-%");
      assert.is(rows.length, 1);
    });

    can("An account that is closed in the database is signed out at its next request", async () => {
      const client = await signIn(app, "user", "ann@example.test");
      const { knex } = databaseOf(app.application);
      await knex("users").where({ email: "ann@example.test" }).update({ account_status: "closed" });
      assert.is((await client.request("/user")).status, 303);
      await knex("users").where({ email: "ann@example.test" }).update({ account_status: "verified" });
    });

    can("Five wrong passwords lock a login without a different answer, and a mailed link unlocks it", async () => {
      const client = app.client();
      const wrong = await client.submit("/users/login", { login: "fay@example.test", password: "wrong" });
      const first = neutral(await wrong.text());
      for (let index = 0; index < 4; index++)
        await client.submit("/users/login", { login: "fay@example.test", password: "wrong" });
      const locked = await client.submit("/users/login", { login: "fay@example.test", password: PASSWORD });
      assert.is(locked.status, 422);
      assert.is(neutral(await locked.text()), first);
      const { path } = await mailTo(app, "fay@example.test", "Unlock your account");
      assert.is((await client.submit(path, {})).status, 303);
      await signIn(app, "user", "fay@example.test");
    });
  });
}

/** A page without what differs on each: tokens and what was typed. */
const neutral = (page: string) => page.replaceAll(/value="[^"]*"/g, "").replaceAll(/content="[\w-]{20,}"/g, "");
