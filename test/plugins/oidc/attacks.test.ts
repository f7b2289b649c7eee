import type { TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { Client } from "../../testing/client.ts";
import { addPeople, PASSWORD, signIn as signedIn } from "../authlib/accounts.ts";
import { opens } from "../authlib/promises/support.ts";
import { HostileProvider, type Lie } from "./hostile_provider.ts";
import { credentials, openOidc } from "./oidc_app.ts";

const BEGIN = "/users/oidc/acme";

describe("Signing in by a provider that lies", (it, { before, after }) => {
  let app: TestApp;
  let acme: HostileProvider;
  let other: HostileProvider;
  before(async () => {
    [acme, other] = [await HostileProvider.open(), await HostileProvider.open()];
    app = await openOidc(
      `acme: provider({ issuer: "${acme.issuer}", label: "Acme" }), other: provider({ issuer: "${other.issuer}", label: "Other" }), unset: provider({ issuer: "${acme.issuer}", label: "Unset" })`,
      { values: { ...credentials("acme"), ...credentials("other") } },
    );
    await addPeople(app, "user", "ann@example.com", "bob@example.com");
    await connect("ann@example.com", { sub: "ann-at-acme", email: "ann@acme.test" });
  });
  after(async () => {
    await app?.close();
    await acme.close();
    await other.close();
  });

  const rows = () => databaseOf(app.application).knex("user_oidc_identities");
  const browser = () => new Client(app.url);
  /** The address of the provider that a browser is sent to. */
  async function begin(client: Client, path = BEGIN): Promise<string> {
    const answer = await client.request(path);
    assert.is(answer.status, 303);
    return String(answer.headers.get("location"));
  }
  /** What an address of the provider's answer leads to. */
  const follow = async (client: Client, back: string): Promise<string> => {
    const { pathname, search } = new URL(back);
    const answer = await client.request(pathname + search);
    assert.is(answer.status, 303, await answer.text());
    return String(answer.headers.get("location"));
  };
  async function signIn(client: Client, lie: Lie = {}, provider = acme): Promise<string> {
    const back = provider.allow(await begin(client, provider === acme ? BEGIN : "/users/oidc/other"));
    provider.lie = lie;
    try {
      return await follow(client, back);
    } finally {
      provider.lie = {};
    }
  }
  async function connect(login: string, person: Record<string, unknown>): Promise<Client> {
    const client = browser();
    await client.submit("/users/login", { login, password: PASSWORD });
    acme.person = person;
    assert.is(await signIn(client), "/users/oidc-identity");
    const { status } = await client.submit("/users/oidc-identity", { password: PASSWORD });
    assert.is(status, 303);
    return client;
  }
  const asAnn = () => {
    acme.person = { sub: "ann-at-acme", email: "ann@acme.test" };
  };

  it("A connected identity signs in; PKCE, state and nonce are sent, and the secret goes to the provider alone", async () => {
    asAnn();
    const client = browser();
    const address = new URL(await begin(client));
    const sent = address.searchParams;
    assert.equal(
      [sent.get("code_challenge_method"), sent.get("response_type"), sent.get("client_id")],
      ["S256", "code", "shop"],
    );
    assert.ok(sent.get("state")!.length > 30 && sent.get("nonce")!.length > 30);
    assert.not.match(address.href, "secret");
    assert.is(await follow(client, acme.allow(address.href)), "/user");
    assert.is(await opens(client), true);
    assert.ok(acme.grants.at(-1)!.get("code_verifier")!.length > 40);
    assert.match(await client.page("/users/oidc-identities"), "ann@acme.test");
  });

  it("No ID token that is not this provider's, for this application and this browser, signs anybody in", async () => {
    const past = Math.floor(Date.now() / 1000) - 3600;
    const lies: Record<string, Lie> = {
      "signed by none": { signs: "none" },
      "signed by a foreign key": { signs: "foreign" },
      "another nonce": { claims: { nonce: "another" } },
      "no nonce": { claims: { nonce: undefined } as never },
      "another audience": { claims: { aud: "another-shop" } },
      "two audiences, for the other": { claims: { aud: ["shop", "another-shop"], azp: "another-shop" } },
      "another issuer": { claims: { iss: other.issuer } },
      "an issuer with a slash": { claims: { iss: `${acme.issuer}/` } },
      expired: { claims: { exp: past, iat: past - 60 } },
      "no subject": { claims: { sub: undefined } as never },
      "no ID token": { answer: { status: 200, body: '{"access_token":"a","token_type":"Bearer"}' } },
      "an error": { answer: { status: 400, body: '{"error":"invalid_grant"}' } },
      "an answer that is no JSON": { answer: { status: 200, body: "<html>" } },
    };
    for (const [name, lie] of Object.entries(lies)) {
      asAnn();
      const client = browser();
      assert.is(await signIn(client, lie), "/users/login", name);
      assert.is(await opens(client), false, name);
      assert.match(await client.page("/users/login"), "Signing in with Acme failed", name);
    }
  });

  it("An answer of another browser, provider or account, or for the second time, is none", async () => {
    asAnn();
    const [one, two] = [browser(), browser()];
    const back = acme.allow(await begin(one));
    await begin(two);
    assert.is(await follow(two, back), "/users/login", "another browser's state");
    assert.is(await opens(two), false);
    assert.is(
      await follow(one, back.replace("/oidc/acme/", "/oidc/other/")),
      "/users/login",
      "another provider's callback",
    );
    assert.is(await follow(one, back.replace(/state=[^&]+/, "state=guessed")), "/users/login");
    assert.is(await follow(one, back), "/user");
    const again = await one.request(new URL(back).pathname + new URL(back).search);
    assert.is(again.status, 303);
    assert.match(await one.page("/users/oidc-identities"), "no longer open");
    const cancelled = browser();
    const state = new URL(await begin(cancelled)).searchParams.get("state");
    assert.is(
      await follow(cancelled, `${app.url}${BEGIN}/callback?error=access_denied&state=${state}`),
      "/users/login",
    );
    assert.match(await cancelled.page("/users/login"), "cancelled");
    for (const path of ["/users/oidc/unset", "/users/oidc/none", "/users/oidc/__proto__", "/users/oidc/unset/callback"])
      assert.is((await browser().request(path)).status, 404, path);
  });

  it("An address is no proof: nobody comes into an account by what a provider says of it", async () => {
    for (const claims of [
      { sub: "mallory", email: "bob@example.com", email_verified: true },
      { sub: "bob@example.com", email: "bob@example.com", email_verified: true },
      { sub: "ANN-AT-ACME", email: "ann@example.com", email_verified: true },
      { sub: "ann-at-acme ", email: "ann@example.com", email_verified: true },
    ]) {
      acme.person = claims;
      const client = browser();
      assert.is(await signIn(client), "/users/oidc-identity", claims.sub);
      assert.is(await opens(client), false);
      const answer = await client.submit("/users/oidc-identity", {});
      assert.is(
        answer.headers.get("location"),
        "/users/create-account",
        "an address that is not proven is verified by mail",
      );
      assert.is(await opens(client), false);
    }
    other.person = { sub: "ann-at-acme", email: "ann@acme.test" };
    const client = browser();
    assert.is(
      await signIn(client, {}, other),
      "/users/oidc-identity",
      "the same subject of another issuer is somebody else",
    );
    assert.is((await rows()).length, 1);
  });

  it("Connecting requires a confirmation, mails the owner, and takes nothing that is another's", async () => {
    const mallory = browser();
    await mallory.submit("/users/login", { login: "bob@example.com", password: PASSWORD });
    asAnn();
    assert.is(await signIn(mallory), "/users/oidc-identities");
    assert.match(await mallory.page("/users/oidc-identities"), "connected to another account");
    acme.person = { sub: "bob-at-acme", email: "bob@acme.test" };
    assert.is(await signIn(mallory), "/users/oidc-identity");
    const forged = await mallory.request("/users/oidc-identity", {
      method: "POST",
      body: "",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    assert.is(forged.status, 403, "a form of another site connects nothing");
    assert.is((await rows()).length, 1);
    assert.is((await mallory.submit("/users/oidc-identity", { discard: "1" })).status, 303);
    assert.is((await rows()).length, 1);
    assert.is(await signIn(mallory), "/users/oidc-identity");
    await mallory.submit("/users/oidc-identity", {});
    assert.is((await rows()).length, 2);
    const removed = await mallory.submit("/users/oidc-identities", {
      remove: String((await rows().orderBy("id"))[0].id),
    });
    assert.is(removed.status, 303);
    assert.is((await rows()).length, 2, "that of somebody else stays");
    await mallory.submit("/users/oidc-identities", { remove: String((await rows().orderBy("id"))[1].id) });
    assert.is((await rows()).length, 1);
  });

  it("A provider ends its own sign-ins by a signed token, and nobody else's", async () => {
    const send = async (logout_token: string, path = `${BEGIN}/backchannel-logout`) =>
      (await app.request(path, { method: "POST", body: new URLSearchParams({ logout_token }) })).status;
    const bob = await signedIn(app, "user", "bob@example.com");
    const [one, two, elsewhere] = [browser(), browser(), browser()];
    for (const [client, sid] of [
      [one, "s-one"],
      [two, "s-two"],
    ] as const) {
      acme.person = { sub: "ann-at-acme", email: "ann@acme.test", sid };
      assert.is(await signIn(client), "/user");
    }
    await elsewhere.submit("/users/login", { login: "ann@example.com", password: PASSWORD });
    const sid = { sid: "s-one" };
    const lies: [claims: Record<string, unknown>, lie: Lie][] = [
      [sid, { signs: "none" }],
      [sid, { signs: "foreign" }],
      [{ ...sid, iss: other.issuer }, {}],
      [{ ...sid, aud: "another-shop" }, {}],
      [{ ...sid, iat: Math.floor(Date.now() / 1000) - 600 }, {}],
      [{ ...sid, nonce: "n" }, {}],
      [{ ...sid, events: {} }, {}],
      [{}, {}],
    ];
    for (const [claims, lie] of lies)
      assert.is(await send(await acme.logoutToken(claims, lie)), 400, JSON.stringify([claims, lie]));
    assert.is(await send(""), 400);
    assert.is(await send(await acme.logoutToken(sid), "/users/oidc/other/backchannel-logout"), 400);
    assert.is(
      await send(await other.logoutToken(sid), "/users/oidc/other/backchannel-logout"),
      200,
      "another issuer's session of that name",
    );
    assert.equal([await opens(one), await opens(two)], [true, true]);
    assert.is(await send(await acme.logoutToken(sid)), 200);
    assert.equal([await opens(one), await opens(two)], [false, true]);
    assert.is(await send(await acme.logoutToken({ sub: "ann-at-acme" })), 200);
    assert.equal(
      [await opens(two), await opens(elsewhere), await opens(bob)],
      [false, true, true],
      "a sign-in by password stays",
    );
  });

  it("A closed account stays closed, new keys of the provider are fetched, and one that is away is named", async () => {
    asAnn();
    const { knex } = databaseOf(app.application);
    await knex("users").where({ email: "ann@example.com" }).update({ account_status: "unverified" });
    const closed = browser();
    assert.is(await signIn(closed), "/users/login");
    assert.is(await opens(closed), false);
    await knex("users").where({ email: "ann@example.com" }).update({ account_status: "verified" });
    await acme.rotate("two");
    const { now } = Date;
    Date.now = () => now() + 61_000; // keys are fetched once a minute at most
    try {
      assert.is(await signIn(browser()), "/user", "new keys are fetched");
    } finally {
      Date.now = now;
    }
    acme.isAway = true;
    const client = browser();
    const back = acme.allow(await begin(client));
    assert.is(await follow(client, back), "/users/login");
    assert.match(await client.page("/users/login"), "Signing in with Acme failed");
    acme.isAway = false;
  });
});

describe("A provider that can't be reached when it is first needed", (it) => {
  it("The login page shows a message and works, and the next request tries the provider again", async () => {
    const other = await HostileProvider.open();
    other.isAway = true;
    const config = `other: provider({ issuer: "${other.issuer}", label: "Other" })`;
    const app = await openOidc(config, { values: credentials("other") });
    try {
      const guest = new Client(app.url);
      assert.is((await guest.request("/users/oidc/other")).headers.get("location"), "/users/login");
      assert.match(await guest.page("/users/login"), /Other can(?:'|&#39;)t be reached/);
      other.isAway = false;
      const { headers } = await guest.request("/users/oidc/other");
      assert.match(String(headers.get("location")), `${other.issuer}/authorize`);
    } finally {
      await app.close();
      await other.close();
    }
  });
});
