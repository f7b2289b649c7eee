import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import type { Client } from "../../testing/client.ts";
import { addPeople, databaseOf, openAccounts, PASSWORD, signIn } from "./accounts.ts";
import { everything, opens, quick, setUpCodes } from "./promises/support.ts";

const features = `${everything}, sessionExpiration({ idle: 30 })`;
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
interface Listed {
  id: number;
  current: boolean;
  state: string;
}

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`The page of sessions on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let count = 0;
    if (database.skip === undefined) {
      before(async () => {
        const options = { values: await database.values(), authlib: "{ limits: false }", plugins: quick };
        app = await openAccounts({ user: { features } }, options);
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, work: () => Promise<void>) => it.unless(database.skip, sentence, work);
    const person = async () => {
      const login = `p${++count}@example.test`;
      const [id] = await addPeople(app, "user", login);
      return { login, id: id! };
    };
    const sessions = (id: number) =>
      databaseOf(app.application).knex("user_active_session_keys").where({ account_id: id });
    const listed = async (client: Client) => (await client.json("/users/sessions")).body.data as Listed[];

    can("The page of sessions lists the active ones, and not those that have expired", async () => {
      const { login, id } = await person();
      const [own, other] = [await signIn(app, "user", login), await signIn(app, "user", login)];
      assert.is((await listed(own)).length, 2);
      await sessions(id)
        .whereNot({ id: (await listed(own)).find(({ current }) => current)!.id })
        .update({ last_use: ago(31) });
      assert.equal(
        (await listed(own)).map(({ current, state }) => [current, state]),
        [[true, "active"]],
      );
      assert.not(await opens(other));
      await signIn(app, "user", login);
      assert.is((await sessions(id)).length, 2, "the next sign-in has taken the ended row away");
    });
    can("The session in use is named and has no button of its own; the others have one", async () => {
      const { login } = await person();
      const own = await signIn(app, "user", login);
      await signIn(app, "user", login);
      const html = await own.page("/users/sessions");
      const rows = /<ul class="fw-authlib-rows">(.*?)<\/ul>/s.exec(html)![1]!.split("</li>");
      const [here, there] = [
        rows.filter((row) => row.includes("This session")),
        rows.filter((row) => row.includes("<form")),
      ];
      assert.is(here.length, 1);
      assert.is(there.length, 1);
      assert.not(here.includes(there[0]!));
      assert.match(html, "Sign out everywhere");
    });
    can("The page of sessions shows a sign-in without its code, which ends after ten minutes", async () => {
      const { login, id } = await person();
      const own = await signIn(app, "user", login);
      await setUpCodes(own);
      const half = app.client();
      await half.submit("/users/login", { login, password: PASSWORD });
      assert.equal((await listed(own)).map(({ current, state }) => [current, state]).sort(), [
        [false, "incomplete"],
        [true, "active"],
      ]);
      assert.match(await own.page("/users/sessions"), "Password correct, code missing");
      await sessions(id)
        .where("factors", "like", "%?second")
        .update({ last_use: ago(11) });
      assert.is((await listed(own)).length, 1);
      assert.is((await half.request("/users/otp-auth")).headers.get("location"), "/users/login");
    });
    can("The page of sessions lists remembered devices, and signs out the one that is ended only", async () => {
      const { login, id } = await person();
      const [phone, laptop] = [
        await signIn(app, "user", login, { remember: "1" }),
        await signIn(app, "user", login, { remember: "1" }),
      ];
      const own = await signIn(app, "user", login);
      await sessions(id)
        .whereNotNull("remember_key_id")
        .update({ last_use: ago(40) });
      const rows = await listed(own);
      assert.equal(rows.map(({ state }) => state).sort(), ["active", "remembered", "remembered"]);
      assert.ok(await opens(phone), "back by its key");
      const [left] = (await listed(own)).filter(({ state }) => state === "remembered");
      assert.is((await own.submit("/users/sessions", { id: String(left!.id) })).status, 303);
      assert.not(await opens(laptop), "signed out for good");
      await sessions(id)
        .whereNotNull("remember_key_id")
        .update({ last_use: ago(40) });
      assert.ok(await opens(phone), "the other device is remembered still");
      assert.is((await listed(own)).length, 2, "and listed once");
    });
    can("A password change keeps its own device remembered by a new key, and forgets the others", async () => {
      const { login, id } = await person();
      const own = await signIn(app, "user", login, { remember: "1" });
      const other = await signIn(app, "user", login, { remember: "1" });
      const before = own.cookie("fw_user_remember");
      const NEW = "another horse battery";
      const fields = { password: PASSWORD, new_password: NEW, password_confirmation: NEW };
      assert.is((await own.submit("/users/change-password", fields)).status, 303);
      const key = own.cookie("fw_user_remember");
      assert.ok(key && key !== before, "a copy of the cookie from before is dead");
      await sessions(id).update({ last_use: ago(40) });
      assert.ok(await opens(own));
      assert.not(await opens(other));
    });
    can("Ending the other sessions also ends a copy of the current session's cookie", async () => {
      const { login } = await person();
      const own = await signIn(app, "user", login);
      const copy = own.copy();
      assert.ok(await opens(copy));
      assert.is((await own.submit("/users/sessions", { all: "others" })).status, 303);
      assert.ok(await opens(own));
      assert.not(await opens(copy));
    });
  });
}
