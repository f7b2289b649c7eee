import type { TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import type { Client } from "../../testing/client.ts";
import { addPeople, databaseOf, everyday, openAccounts, PASSWORD, signIn } from "./accounts.ts";

for (const mounted of [true, false]) {
  describe(`a form that is sent when the session is over, ${mounted ? "below an authenticated mount" : "in a portal that asks by itself"}`, (it, {
    before,
    after,
  }) => {
    let app: TestApp;
    before(async () => {
      app = await openAccounts({ user: { features: everyday } }, { authlib: "{ limits: false }", mounted });
      await addPeople(app, "user", "ann@example.test", "bob@example.test");
    });
    after(() => app.close());

    const expire = () => databaseOf(app.application).knex("user_active_session_keys").delete();
    const send = async (values: Record<string, string>) => {
      const client = await signIn(app, "user", "ann@example.test");
      const page = await client.page("/user/form");
      const token = /name="authenticity_token" value="([^"]+)"/.exec(page)![1]!;
      await expire();
      const body = new URLSearchParams({ authenticity_token: token, ...values });
      const answer = await client.request("/user/form", {
        method: "POST",
        body,
        headers: { referer: `${app.url}/user/form` },
      });
      assert.is(answer.status, 303);
      assert.is(answer.headers.get("location"), "/users/login");
      return client;
    };

    it("is shown filled in after signing in, and not sent by itself", async () => {
      const client = await send({ text: "what I typed", password: "a secret thing" });
      const answer = await client.submit("/users/login", { login: "ann@example.test", password: PASSWORD });
      assert.is(answer.headers.get("location"), "/user/form");
      const row = await databaseOf(app.application).knex("framewright_held_forms").first();
      assert.not.match(JSON.stringify(row), /what I typed|a secret thing/);
      assert.match(await client.page("/user/form"), 'value="what I typed"');
      assert.match(await client.page("/user/form"), 'value=""', "it is kept no longer once it was shown");
      assert.equal(await databaseOf(app.application).knex("framewright_held_forms"), []);
    });

    it("stands under the account, where its own page does not show it; without passwords", async () => {
      const client = await send({
        text: "what I typed",
        postcode: "10115",
        password: "a secret thing",
        otp_code: "123456",
        "card[pin]": "a secret pin",
        encrypted_iban: "a secret number",
        api_key: "a secret key",
      });
      await client.submit("/users/login", { login: "ann@example.test", password: PASSWORD });
      assert.match(await client.page("/users/account"), "/users/held-form");
      const page = await client.page("/users/held-form");
      assert.match(page, "what I typed");
      assert.match(page, "10115");
      assert.not.match(page, /a secret|123456/);
      const sent = await client.submit("/users/held-form", {}, /action="\/user\/form"/);
      assert.equal(await sent.json(), { took: "what I typed" });
    });

    it("is not kept when another site sent it", async () => {
      await databaseOf(app.application).knex("framewright_held_forms").delete();
      const headers = { origin: "https://evil.example", referer: "https://evil.example/" };
      await app
        .client()
        .request("/user/form", { method: "POST", body: new URLSearchParams({ text: "planted" }), headers });
      assert.equal(await databaseOf(app.application).knex("framewright_held_forms"), []);
    });

    it("is not kept for who brings no session: nobody has shown them a form", async () => {
      await databaseOf(app.application).knex("framewright_held_forms").delete();
      const body = new URLSearchParams({ text: "x".repeat(100_000) });
      assert.is((await app.client().request("/user/form", { method: "POST", body })).status, 303);
      assert.equal(await databaseOf(app.application).knex("framewright_held_forms"), []);
    });

    it("is too old after a quarter of an hour", async () => {
      const client = await send({ text: "what I typed" });
      await databaseOf(app.application)
        .knex("framewright_held_forms")
        .update({ deadline: new Date(Date.now() - 1000) });
      await client.submit("/users/login", { login: "bob@example.test", password: PASSWORD });
      assert.match(await client.page("/user/form"), 'value=""');
    });
  });
}

describe("forms that are sent over and over", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    const limits = "{ limits: { form: { perAddress: 2 } } }";
    app = await openAccounts({ user: { features: everyday } }, { authlib: limits });
    await addPeople(app, "user", "ann@example.test");
  });
  after(() => app.close());
  const rows = () => databaseOf(app.application).knex("framewright_held_forms");
  const send = (client: Client) =>
    client.request("/user/form", { method: "POST", body: new URLSearchParams({ text: "planted" }) });

  it("are not kept for who was never signed in: they are nobody's", async () => {
    const client = app.client();
    await client.page("/users/login");
    assert.is((await send(client)).headers.get("location"), "/users/login");
    assert.equal(await rows(), []);
  });
  it("are kept so many from one address, and further ones are sent to the login all the same", async () => {
    const client = await signIn(app, "user", "ann@example.test");
    await databaseOf(app.application).knex("user_active_session_keys").delete();
    for (let count = 0; count < 4; count++) assert.is((await send(client)).headers.get("location"), "/users/login");
    assert.is((await rows()).length, 2);
  });
});
