import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { Client } from "../../testing/client.ts";
import { addPeople, PASSWORD } from "../authlib/accounts.ts";
import { opens } from "../authlib/promises/support.ts";
import { HostileProvider } from "./hostile_provider.ts";
import { credentials, openOidc } from "./oidc_app.ts";

const LIST = "/users/oidc-identities";
const ONE = "/users/oidc-identity";

for (const database of await databases({ withPostgres: true })) {
  describe(`Identities of odd shapes, and at the wrong time, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let acme: HostileProvider;
    if (database.skip === undefined) {
      before(async () => {
        acme = await HostileProvider.open();
        app = await openOidc(`acme: provider({ issuer: "${acme.issuer}", label: "Acme", verifiesEmail: true })`, {
          features: "login(), logout(), createAccount(), verifyAccount({ graceHours: 24 }), auditLogging()",
          values: { ...credentials("acme"), ...(await database.values()) },
        });
        await addPeople(app, "user", "ann@example.com", "bob@example.com");
      });
      after(async () => {
        await app?.close();
        await acme.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = () => databaseOf(app.application).knex;
    const rows = () => knex()("user_oidc_identities").orderBy("id");
    async function back(client: Client, person: Record<string, unknown>): Promise<Response> {
      const begun = await client.request("/users/oidc/acme");
      acme.person = person;
      const { pathname, search } = new URL(acme.allow(String(begun.headers.get("location"))));
      return client.request(pathname + search);
    }
    const arrive = async (client: Client, person: Record<string, unknown>) =>
      String((await back(client, person)).headers.get("location"));
    async function signedIn(login: string): Promise<Client> {
      const client = new Client(app.url);
      await client.submit("/users/login", { login, password: PASSWORD });
      return client;
    }

    /** Sends JSON from a browser, several requests at once. */
    async function poster(client: Client) {
      const { body } = await client.json("/users/account");
      const headers = { "x-csrf-token": String(body.csrf_token), accept: "application/json" };
      return (path: string, sent: object) => {
        const json = { ...headers, "content-type": "application/json" };
        return client.request(path, { method: "POST", headers: json, body: JSON.stringify(sent) });
      };
    }

    can("Somebody whose address is not verified connects nothing: its owner would share the account", async () => {
      const ofAddress = () => knex()("users").where({ email: "bob@example.com" });
      await ofAddress().update({ account_status: "unverified", created_at: new Date() });
      const mallory = await signedIn("bob@example.com");
      assert.is(await opens(mallory), true, "within the time to verify it");
      await arrive(mallory, { sub: "mallory" });
      const page = await mallory.request(ONE);
      assert.equal([page.status, page.headers.get("location")], [303, "/users/verify-account"]);
      const forced = await (await poster(mallory))(ONE, { password: PASSWORD });
      assert.is(forced.status, 403, await forced.text());
      assert.is((await rows()).length, 0);
      const again = await new Client(app.url).submit("/users/login", { login: "bob@example.com", password: PASSWORD });
      assert.is(again.headers.get("location"), "/user");
      await ofAddress().update({ account_status: "verified" });
    });

    can("What fits no column is refused, and never an error of the server", async () => {
      const long = `${"a".repeat(64)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(54)}.company.test`;
      assert.is(long.length, 254);
      const odd: Record<string, unknown>[] = [
        { sub: "s".repeat(300) },
        { sub: "s".repeat(20_000) },
        { sub: "nul\0nul" },
        { sub: "" },
        { sub: "odd-1", email: "a\0b@example.com", name: "n\0n" },
        { sub: "odd-2", email: `${"x".repeat(10_000)}@example.com` },
        { sub: "odd-3", email: "eve@example.com\r\nBcc: all@example.com" },
        { sub: "odd-4", email: `${long}.mallory.test` },
        { sub: "odd-5", email: ["ann@example.com"], name: { a: 1 } },
        { sub: "odd-6", email: "ANN@EXAMPLE.COM" },
        { sub: "odd-7", email: "\u212Aate@company.test" }, // in lower case it is that of kate
      ];
      const before = await knex()("users").pluck("email");
      for (const person of odd) {
        const client = new Client(app.url);
        const named = JSON.stringify(person).slice(0, 60);
        const answer = await back(client, { ...person, email_verified: true });
        assert.is(answer.status, 303, named);
        if (answer.headers.get("location") !== ONE) continue;
        const made = await client.submit(ONE, {});
        assert.ok([303, 422].includes(made.status), `${named}: ${made.status}`);
        assert.is(await opens(client), false, named);
      }
      assert.equal(await knex()("users").pluck("email"), before);
      const large = new Client(app.url);
      const person = { sub: "größe-名", email: "large@company.test", email_verified: true, name: "😀".repeat(4000) };
      assert.is(await arrive(large, person), ONE);
      assert.is((await large.submit(ONE, {})).headers.get("location"), "/user");
      assert.is(await arrive(new Client(app.url), person), "/user");
      const later = { ...person, email: `${"x".repeat(10_000)}\0` };
      assert.is(await arrive(new Client(app.url), later), "/user", "who is known comes in, whatever their address is");
    });

    can("The same identity that signs up twice at once is one account", async () => {
      const person = { sub: "twice", email: "twice@company.test", email_verified: true };
      const both = [new Client(app.url), new Client(app.url)];
      for (const client of both) assert.is(await arrive(client, person), ONE);
      const answers = await Promise.all(both.map((client) => client.submit(ONE, {})));
      assert.equal(answers.map(({ status }) => status).sort(), [303, 422]);
      assert.is((await rows().where({ subject: "twice" })).length, 1);
      assert.is((await knex()("users").where({ email: "twice@company.test" })).length, 1);
    });

    can("Of the last two identities one stays, also when both are removed at once", async () => {
      const person = { sub: "only-1", email: "only@company.test", email_verified: true };
      const client = new Client(app.url);
      assert.is(await arrive(client, person), ONE);
      await client.submit(ONE, {});
      assert.is(await arrive(client, { sub: "only-2" }), ONE);
      await client.submit(ONE, {});
      const own = await rows().where("subject", "like", "only-%");
      assert.is(own.length, 2);
      const post = await poster(client);
      await Promise.all(own.map(({ id }) => post(LIST, { remove: String(id) })));
      assert.is((await rows().where("subject", "like", "only-%")).length, 1);
    });

    can("Who signs out leaves no identity to the next person at the computer", async () => {
      const client = await signedIn("ann@example.com");
      assert.is(await arrive(client, { sub: "of-ann" }), ONE);
      await client.submit("/users/logout", {});
      const next = await client.submit("/users/login", { login: "bob@example.com", password: PASSWORD });
      assert.is(next.headers.get("location"), "/user");
      assert.is((await rows().where({ subject: "of-ann" })).length, 0);
    });
  });
}

describe("Connected identities, reviewed after a new password, and ended in frames", (it, { before, after }) => {
  let app: TestApp;
  let acme: HostileProvider;
  before(async () => {
    acme = await HostileProvider.open();
    app = await openOidc(`acme: provider({ issuer: "${acme.issuer}", label: "Acme" })`, {
      features: "login(), logout(), resetPassword(), changePassword(), activeSessions(), auditLogging()",
      values: credentials("acme"),
    });
    await addPeople(app, "user", "ann@example.com");
  });
  after(async () => {
    await app?.close();
    await acme.close();
  });
  const arrive = async (client: Client, person: Record<string, unknown>) => {
    const begun = await client.request("/users/oidc/acme");
    acme.person = person;
    const { pathname, search } = new URL(acme.allow(String(begun.headers.get("location"))));
    return String((await client.request(pathname + search)).headers.get("location"));
  };
  const signIn = async () => {
    const client = new Client(app.url);
    const answer = await client.submit("/users/login", { login: "ann@example.com", password: PASSWORD });
    return { client, to: String(answer.headers.get("location")) };
  };
  const rows = () => databaseOf(app.application).knex("user_oidc_identities").orderBy("id");

  it("Whoever ends all sessions reviews what is connected at the next sign-in, and may remove it there", async () => {
    const { client } = await signIn();
    for (const sub of ["of-ann", "of-mallory"]) {
      assert.is(await arrive(client, { sub, email: `${sub}@acme.test` }), ONE);
      await client.submit(ONE, { password: PASSWORD });
    }
    assert.is((await signIn()).to, "/user", "nothing to review");
    await client.submit("/users/sessions", { all: "all" }, /sessions/);
    assert.ok((await rows()).every(({ review_since }) => review_since !== null));
    assert.is(
      await arrive(new Client(app.url), { sub: "of-mallory" }),
      "/user",
      "a sign-in by a provider reviews nothing",
    );
    assert.ok((await rows()).every(({ review_since }) => review_since !== null));
    const next = await signIn();
    assert.is(next.to, "/users/oidc-review");
    const page = await next.client.page("/users/oidc-review");
    assert.match(page, "of-mallory@acme.test");
    const foreign = (await rows()).find(({ subject }) => subject === "of-mallory");
    const removed = await next.client.submit(LIST, { remove: String(foreign.id) });
    assert.is(removed.headers.get("location"), "/users/oidc-review", "the others are still to be reviewed");
    const kept = await next.client.submit("/users/oidc-review", {});
    assert.is(kept.headers.get("location"), "/user");
    assert.equal(
      (await rows()).map(({ subject, review_since }) => [subject, review_since]),
      [["of-ann", null]],
    );
    assert.is((await signIn()).to, "/user");
    assert.is((await next.client.request("/users/oidc-review")).headers.get("location"), LIST);
  });

  it("An identity waits for ten minutes in the browser", async () => {
    const client = new Client(app.url);
    assert.is(await arrive(client, { sub: "waits" }), ONE);
    assert.is((await client.request(ONE)).status, 200);
    const { now } = Date;
    Date.now = () => now() + 10 * 60_000 + 1000;
    try {
      assert.is((await client.request(ONE)).headers.get("location"), "/users/login");
    } finally {
      Date.now = now;
    }
  });

  it("A frame in the provider's page ends the session that it names, and nothing by another issuer or a guess", async () => {
    const client = new Client(app.url);
    assert.is(await arrive(client, { sub: "of-ann", sid: "s-1" }), "/user");
    const frame = (query: Record<string, string>, path = "/users/oidc/acme/frontchannel-logout") =>
      app.request(`${path}?${new URLSearchParams(query)}`);
    const iss = acme.issuer;
    for (const query of [
      { iss: "https://evil.test", sid: "s-1" },
      { sid: "s-1" },
      { iss },
      { iss, sid: "" },
      { iss, sid: "x".repeat(300) },
    ])
      assert.is((await frame(query as Record<string, string>)).status, 400, JSON.stringify(query));
    assert.is((await frame({ iss, sid: "guessed" })).status, 200, "the same reply as for a session that is there");
    assert.is((await frame({ iss, sid: "s-1" }, "/users/oidc/none/frontchannel-logout")).status, 404);
    assert.is(await opens(client), true);
    const answer = await frame({ iss, sid: "s-1", post_logout_redirect_uri: "https://evil.test" });
    assert.equal([answer.status, answer.headers.get("location")], [200, null]);
    assert.match(String(answer.headers.get("content-security-policy")), `frame-ancestors ${iss}`);
    assert.is(await opens(client), false);
    const statuses = await Promise.all(
      Array.from({ length: 125 }, async () => (await frame({ iss, sid: "guess" })).status),
    );
    assert.ok(statuses.includes(429));
  });
});
