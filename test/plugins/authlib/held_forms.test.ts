import type { TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import type { Client } from "../../testing/client.ts";
import { addPeople, databaseOf, everyday, openAccounts, PASSWORD, signIn } from "./accounts.ts";

for (const mounted of [true, false]) {
  describe(`A form that is sent after its session has ended, ${mounted ? "below an authenticated mount" : "in a portal with its own check"}`, (it, {
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

    it("A form is filled in again after sign-in and not sent by itself, and is stored encrypted until it was shown", async () => {
      const client = await send({ text: "what I typed", password: "a secret thing" });
      const answer = await client.submit("/users/login", { login: "ann@example.test", password: PASSWORD });
      assert.is(answer.headers.get("location"), "/user/form");
      const row = await databaseOf(app.application).knex("framewright_held_forms").first();
      assert.not.match(JSON.stringify(row), /what I typed|a secret thing/);
      assert.match(await client.page("/user/form"), 'value="what I typed"');
      assert.match(await client.page("/user/form"), 'value=""', "it is kept no longer once it was shown");
      assert.equal(await databaseOf(app.application).knex("framewright_held_forms"), []);
    });

    it("A stored form is shown under the account, without passwords and other secrets, and may be sent from there", async () => {
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

    it("A form that another site has sent is not stored", async () => {
      await databaseOf(app.application).knex("framewright_held_forms").delete();
      const headers = { origin: "https://evil.example", referer: "https://evil.example/" };
      await app
        .client()
        .request("/user/form", { method: "POST", body: new URLSearchParams({ text: "planted" }), headers });
      assert.equal(await databaseOf(app.application).knex("framewright_held_forms"), []);
    });

    it("A form from a browser without a session is not stored", async () => {
      await databaseOf(app.application).knex("framewright_held_forms").delete();
      const body = new URLSearchParams({ text: "x".repeat(100_000) });
      assert.is((await app.client().request("/user/form", { method: "POST", body })).status, 303);
      assert.equal(await databaseOf(app.application).knex("framewright_held_forms"), []);
    });

    it("A stored form is not filled in after its deadline", async () => {
      const client = await send({ text: "what I typed" });
      await databaseOf(app.application)
        .knex("framewright_held_forms")
        .update({ deadline: new Date(Date.now() - 1000) });
      await client.submit("/users/login", { login: "ann@example.test", password: PASSWORD });
      assert.match(await client.page("/user/form"), 'value=""');
    });
  });
}

describe("Forms that are sent repeatedly", (it, { before, after }) => {
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

  it("A form from a browser that was never signed in is not stored", async () => {
    const client = app.client();
    await client.page("/users/login");
    assert.is((await send(client)).headers.get("location"), "/users/login");
    assert.equal(await rows(), []);
  });
  it("Two forms from one address are stored, and further ones are redirected to the login all the same", async () => {
    const client = await signIn(app, "user", "ann@example.test");
    await databaseOf(app.application).knex("user_active_session_keys").delete();
    for (let count = 0; count < 4; count++) assert.is((await send(client)).headers.get("location"), "/users/login");
    assert.is((await rows()).length, 2);
  });
});
