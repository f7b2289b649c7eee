import { assert, describe } from "../../support/index.ts";
import type { Client } from "../../testing/client.ts";
import { setUpCodes } from "../authlib/promises/support.ts";
import { HostileProvider } from "../oidc/hostile_provider.ts";
import { SECRET, SsoApp } from "./sso_app.ts";

describe("Providers of tenants that lie", (it, { before, after }) => {
  let one: SsoApp;
  let other: HostileProvider;
  let ann: Client;
  let bob: Client;
  before(async () => {
    other = await HostileProvider.open();
    one = await SsoApp.open({ options: 'secondFactor: { amr: ["mfa"] }' });
    [ann, bob] = [await one.signIn("ann@acme.test"), await one.signIn("bob@bolt.test")];
    await one.setUp(ann, "acme.test", 1, { roles_claim: "groups", roles: "bosses = admin" });
    await one.setUp(bob, "bolt.test", 2);
    assert.is(await one.arrive(one.browser(), dora), "/user");
  });
  after(async () => {
    await one?.close();
    await other.close();
  });
  const dora = { sub: "d-1", email: "dora@acme.test", email_verified: true };
  const refused = async (
    person: Record<string, unknown>,
    text: string,
    options: Parameters<SsoApp["arrive"]>[2] = {},
  ) => {
    const client = one.browser();
    const name = JSON.stringify(person);
    assert.is(await one.arrive(client, person, options), "/users/login", name);
    assert.match(await client.page("/users/login"), text, name);
    assert.is(await one.opens(client), false, name);
    assert.is(await one.opens(client, "/user/2/members"), false, name);
  };
  /** Sends a request that no page offers. */
  async function forge(
    client: Client,
    method: string,
    path: string,
    fields: Record<string, string> = {},
  ): Promise<number> {
    const { body } = await client.json("/users/account");
    const headers = { "x-csrf-token": String(body.csrf_token), "content-type": "application/x-www-form-urlencoded" };
    return (await client.request(path, { method, headers, body: new URLSearchParams(fields).toString() })).status;
  }

  it("Another tenant's provider signs nobody of this one in: not by the same issuer and subject, not by an address", async () => {
    await refused(dora, "can&#39;t be used for this email address", { tenant: 2 });
    await refused({ ...dora, email: "x@bolt.test.acme.test" }, "can&#39;t be used for this email address", {
      tenant: 2,
    });
    const client = one.browser();
    assert.is(await one.arrive(client, { ...dora, email: "new@bolt.test" }, { tenant: 2 }), "/user");
    assert.is(await one.opens(client, "/user/2/members"), true);
    assert.is(
      await one.opens(client),
      false,
      "the same subject of the same issuer is somebody else for another tenant",
    );
    assert.is((await one.knex("user_oidc_identities").where({ subject: "d-1" })).length, 2);
    assert.is(await one.roleOf("new@bolt.test", 1), undefined);
  });

  it("A provider vouches for addresses in the proven domains alone, and for none that it denies or does not send", async () => {
    const foreign = "can&#39;t be used for this email address";
    await refused({ sub: "n-1", email: "bob@bolt.test", email_verified: true }, foreign);
    await refused({ sub: "n-2", email: "dora@sub.acme.test" }, foreign);
    await refused({ sub: "n-3", email: "dora@acme.test.evil.test" }, foreign);
    await refused({ sub: "n-4", email: "dora@evil.test@acme.test" }, "no email address");
    await refused({ sub: "n-5" }, "no email address");
    await refused({ sub: "n-6", email: "K\u212Aate@acme.test" }, "no email address");
    await refused({ sub: "n-7", email: "kate@acme.test", email_verified: false }, "not verified your email address");
    await refused({ ...dora, email: "dora@evil.test" }, foreign);
    assert.is(await one.roleOf("kate@acme.test"), undefined);
  });

  it("The account itself must be in the tenant's domains: who has moved to another address comes in by it no more", async () => {
    const own = () => one.knex("users").where({ email: "dora@acme.test" });
    await own().update({ email: "dora@home.test" });
    await refused(dora, "is not one of Acme");
    await one.knex("users").where({ email: "dora@home.test" }).update({ email: "dora@acme.test" });
    const guest = await one.signIn("guest@home.test");
    assert.is(await one.arrive(guest, { sub: "g-1", email: "guest@acme.test" }), "/users/oidc-identity");
    await guest.submit("/users/oidc-identity", {});
    assert.match(await guest.page("/users/oidc-identities"), "is not one of Acme");
    assert.is((await one.knex("user_oidc_identities").where({ subject: "g-1" })).length, 0);
  });

  it("An address is no proof of an account that is there", async () => {
    const client = one.browser();
    assert.is(
      await one.arrive(client, { sub: "evil", email: "ann@acme.test", email_verified: true }),
      "/users/oidc-identity",
    );
    assert.is(await one.opens(client), false);
    const created = await client.submit("/users/oidc-identity", {});
    assert.is(created.status, 422);
    assert.is((await one.knex("user_oidc_identities").where({ subject: "evil" })).length, 0);
  });

  it("An answer belongs to the connection that it was started with, which is neither changed nor removed meanwhile", async () => {
    const mixed = one.browser();
    const back = one.idp.allow(await one.begin(mixed, 1));
    await one.begin(mixed, 2);
    one.idp.person = dora;
    assert.is(await one.follow(mixed, back.replace("tenant-1", "tenant-2")), "/users/login");
    assert.is(await one.opens(mixed), false);
    assert.is(await one.opens(mixed, "/user/2/members"), false);
    const late = one.browser();
    const old = other.issuer;
    const before = one.idp.allow(await one.begin(late));
    assert.is((await one.saveProvider(ann, { issuer: old })).status, 303);
    one.idp.person = other.person = dora;
    assert.is(await one.follow(late, before), "/users/login");
    assert.match(await late.page("/users/login"), "no longer open");
    const fresh = one.browser();
    assert.is(
      await one.arrive(fresh, dora, { idp: other }),
      "/users/oidc-identity",
      "another issuer's subject is somebody else",
    );
    assert.is(await one.opens(fresh), false);
    const gone = one.browser();
    const answer = new URL(other.allow(await one.begin(gone)));
    await one.send(ann, "/provider");
    assert.is((await gone.request(answer.pathname + answer.search)).status, 404);
    assert.is((await one.browser().request("/users/oidc/tenant-1")).status, 404);
    for (const name of ["tenant-99", "tenant-0", "tenant-01", "tenant-1.0", "tenant--1"])
      assert.is((await one.browser().request(`/users/oidc/${name}`)).status, 404, name);
    assert.is((await one.saveProvider(ann, { roles_claim: "groups", roles: "bosses = admin" })).status, 303);
  });

  it("A domain is proven by one tenant, and whoever proves it needs the record of their own", async () => {
    const ofAcme = one.dns.zones.get("_framewright-challenge.acme.test") as string[][];
    const id = await one.addDomain(bob, "acme.test", 2);
    const ofBolt = one.dns.zones.get("_framewright-challenge.acme.test") as string[][];
    one.dns.zones.set("_framewright-challenge.acme.test", [...ofAcme, ...ofBolt]);
    await one.verify(bob, id, 2);
    assert.match(await bob.page("/user/2/_sso"), "verified for another customer");
    const acme = await one.knex("user_sso_domains").where({ tenant_id: 1 }).first();
    one.publish(acme);
    await one.verify(bob, id, 2);
    assert.match(await bob.page("/user/2/_sso"), "was not found");
    for (const domain of ["gmail.com", "GMail.com", "outlook.com"]) {
      const answer = await one.send(bob, "/domains", { domain }, 2);
      assert.is(answer.status, 422, domain);
    }
    for (const domain of [
      "",
      "acme",
      "10.0.0.1",
      "https://acme.test",
      "ann@acme.test",
      "a b.test",
      "-a.test",
      "a..test",
      `${"a".repeat(64)}.test`,
    ])
      assert.is((await one.send(bob, "/domains", { domain }, 2)).status, 422, domain);
    await one.send(bob, "/domains", { domain: "München.Example." }, 2);
    assert.ok(await one.knex("user_sso_domains").where({ domain: "xn--mnchen-3ya.example" }).first());
    const waiting = await one.knex("user_sso_domains").where({ id }).first();
    one.publish(waiting);
    await one.verify(bob, id, 2);
    const rows = await one.knex("user_sso_domains").where({ domain: "acme.test" }).orderBy("tenant_id");
    assert.equal(
      rows.map(({ proven_domain }) => proven_domain),
      [null, "acme.test"],
      "whose record was taken away has the domain no more",
    );
    await refused(dora, "can&#39;t be used for this email address");
    one.publish(acme);
    await one.verify(ann, Number(acme.id));
    assert.is((await one.knex("user_sso_domains").where({ id: acme.id }).first()).proven_domain, "acme.test");
  });

  it("Nobody sets another tenant's sign-in up, and members set up none", async () => {
    const [domain] = await one.knex("user_sso_domains").where({ tenant_id: 1 });
    const id = Number(domain.id);
    assert.is((await bob.request("/user/1/_sso")).status, 404);
    assert.is(await forge(bob, "DELETE", `/user/2/_sso/domains/${id}`), 404);
    assert.is(await forge(bob, "POST", `/user/2/_sso/domains/${id}/verify`), 404);
    assert.is(
      await forge(bob, "POST", `/user/1/_sso/provider`, {
        issuer: other.issuer,
        client_id: "x",
        client_secret: "y",
        default_role: "member",
      }),
      404,
    );
    const max = await one.signIn("max@acme.test");
    assert.is((await max.request("/user/1/_sso")).status, 403);
    assert.is(await forge(max, "POST", "/user/1/_sso/domains", { domain: "max.test" }), 403);
    assert.not.match(await max.page("/user/1/members"), "/user/1/_sso");
    const meg = await one.signIn("meg@acme.test");
    assert.is(await forge(meg, "POST", "/user/1/_sso/enforcement"), 403);
    const above = await one.saveProvider(meg, { client_secret: "", roles_claim: "groups", roles: "bosses = owner" });
    assert.is(above.status, 422);
    assert.match(await above.text(), "not given by a provider");
    await one
      .knex("user_sso_connections")
      .where({ tenant_id: 1 })
      .update({ roles: JSON.stringify([{ value: "bosses", role: "owner" }]) });
    assert.is(await one.arrive(one.browser(), { sub: "o-1", email: "oscar@acme.test", groups: ["bosses"] }), "/user");
    assert.is(await one.roleOf("oscar@acme.test"), "member", "a claim makes nobody an owner");
    assert.is((await one.saveProvider(ann, { client_secret: "", roles: "bosses = admin" })).status, 303);
  });

  it("A manager who points the tenant at another provider does not take along what an owner granted by the first", async () => {
    await one
      .knex("user_sso_connections")
      .where({ tenant_id: 1 })
      .update({ roles: JSON.stringify([{ value: "bosses", role: "admin" }]) });
    await one.knex("members").where({ user_id: 4 }).update({ role: "admin" });
    const max = await one.signIn("max@acme.test");
    await one
      .knex("user_sso_connections")
      .where({ tenant_id: 1 })
      .update({ roles: JSON.stringify([{ value: "bosses", role: "owner" }]) });
    const moved = await one.saveProvider(max, { issuer: other.issuer, roles: "bosses = owner" });
    assert.is(moved.status, 422);
    assert.is((await one.knex("user_sso_connections").where({ tenant_id: 1 }).first()).issuer, one.idp.issuer);
    await one.knex("members").where({ user_id: 4 }).update({ role: "member" });
    assert.is((await one.saveProvider(ann, { client_secret: "", roles: "bosses = admin" })).status, 303);
  });

  it("A second factor of ours is required as well, unless the provider has checked two", async () => {
    const person = { sub: "f-1", email: "fay@acme.test" };
    const fay = one.browser();
    assert.is(await one.arrive(fay, person), "/user");
    await setUpCodes(fay);
    assert.is(await one.arrive(one.browser(), person), "/users/otp-auth");
    const strong = one.browser();
    assert.is(await one.arrive(strong, { ...person, amr: ["pwd", "mfa"] }), "/user");
    assert.is(await one.opens(strong), true);
  });

  it("An issuer is an address of https on the internet, named as its configuration names it", async () => {
    const texts: Record<string, string> = {
      [`${one.idp.issuer}/`]: "another address for itself",
      [one.idp.issuer.replace("127.0.0.1", "127.0.0.2")]: "be read at this address",
      [`${one.idp.issuer}?x=1`]: "without a query",
      [`${one.idp.issuer}#x`]: "without a query",
      [one.idp.issuer.replace("http://", "http://u:p@")]: "without a user name",
      "https://10.0.0.1": "reached from the internet",
      "https://169.254.169.254/latest": "reached from the internet",
      "https://[::1]": "reached from the internet",
      "http://id.example": "reached from the internet",
      "javascript:alert(1)": "begin with https",
      "ftp://id.example": "begin with https",
      "https://login.microsoftonline.com/common/v2.0": "your own directory",
      "not an address": "Enter an address",
      "http://127.0.0.1:1": "be read at this address",
    };
    for (const [issuer, text] of Object.entries(texts)) {
      const answer = await one.saveProvider(ann, { issuer });
      assert.is(answer.status, 422, issuer);
      const page = await answer.text();
      assert.match(page.replaceAll("&#39;", "'"), text, issuer);
      assert.not.match(page, SECRET);
    }
    const blank = await one.saveProvider(ann, { issuer: other.issuer, client_secret: "" });
    assert.is(blank.status, 422, "the secret of one provider is not sent to another");
    assert.is((await one.knex("user_sso_connections").where({ tenant_id: 1 }).first()).issuer, one.idp.issuer);
  });

  it("Who was removed from the tenant comes in no more, until they are invited; without provisioning nobody new does", async () => {
    const person = { sub: "r-1", email: "rita@acme.test" };
    assert.is(await one.arrive(one.browser(), person), "/user");
    const { id } = await one.knex("users").where({ email: "rita@acme.test" }).first();
    await one.knex("members").where({ user_id: id }).delete();
    await refused(person, "not a member of Acme");
    assert.is(await one.roleOf("rita@acme.test"), undefined);
    await one.saveProvider(ann, { client_secret: "", provisions: "" });
    await refused({ sub: "q-1", email: "quinn@acme.test" }, "has not invited you");
    assert.is(await one.knex("users").where({ email: "quinn@acme.test" }).first(), undefined);
    await one.saveProvider(ann, { client_secret: "", provisions: "1" });
  });

  it("A session at the provider ends here by its name and issuer, of this tenant's provider alone", async () => {
    const [here, there] = [one.browser(), one.browser()];
    assert.is(await one.arrive(here, { sub: "e-1", email: "eve@acme.test", sid: "s-1" }), "/user");
    assert.is(await one.arrive(there, { ...dora, email: "new@bolt.test", sid: "s-1" }, { tenant: 2 }), "/user");
    const frame = (tenant: number, query: Record<string, string>) =>
      one.app.request(`/users/oidc/tenant-${tenant}/frontchannel-logout?${new URLSearchParams(query)}`);
    const iss = one.idp.issuer;
    assert.is((await frame(1, { iss: other.issuer, sid: "s-1" })).status, 400);
    assert.is((await frame(1, { iss: `${iss}/`, sid: "s-1" })).status, 400);
    assert.is((await frame(1, { iss })).status, 400);
    assert.is((await frame(1, { iss, sid: "s-2" })).status, 200);
    assert.equal([await one.opens(here), await one.opens(there, "/user/2/members")], [true, true]);
    const answer = await frame(1, { iss, sid: "s-1" });
    assert.is(answer.status, 200);
    assert.is(answer.headers.get("content-security-policy"), `default-src 'none'; frame-ancestors ${iss}`);
    assert.is(answer.headers.get("cache-control"), "no-store");
    assert.is(answer.headers.getSetCookie().length, 0);
    assert.equal([await one.opens(here), await one.opens(there, "/user/2/members")], [false, true]);
    const token = await one.idp.logoutToken({ sid: "s-1" });
    const sent = await one.app.request("/users/oidc/tenant-2/backchannel-logout", {
      method: "POST",
      body: new URLSearchParams({ logout_token: token }),
    });
    assert.is(sent.status, 200);
    assert.is(await one.opens(there, "/user/2/members"), false);
  });
});
