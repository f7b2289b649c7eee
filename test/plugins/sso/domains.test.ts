import { assert, describe } from "../../support/index.ts";
import type { Client } from "../../testing/client.ts";
import type { Zone } from "./dns_server.ts";
import { SsoApp } from "./sso_app.ts";

describe("Domains that DNS proves", (it, { before, after }) => {
  let one: SsoApp;
  let ann: Client;
  let token = "";
  let id = 0;
  before(async () => {
    one = await SsoApp.open({ plugin: 'refusedDomains: ["shop.test"],' });
    ann = await one.signIn("ann@acme.test");
    id = await one.addDomain(ann, "acme.test");
    token = `framewright-verification=${(await one.knex("user_sso_domains").where({ id }).first()).token}`;
  });
  after(() => one?.close());

  /** What verifying leads to, with these records. */
  async function verified(zone: Zone, name = "_framewright-challenge.acme.test"): Promise<string> {
    one.dns.zones.clear();
    one.dns.zones.set(name, zone);
    await one.knex("user_sso_domains").where({ id }).update({ proven_domain: null, proven_at: null });
    assert.is((await one.verify(ann, id)).status, 303);
    const page = await ann.page("/user/1/_sso");
    const { proven_domain } = await one.knex("user_sso_domains").where({ id }).first();
    const said = ["is verified", "was not found", "gave no answer"].find((text) => page.includes(text));
    assert.is(proven_domain === null, said !== "is verified", "what is said is what is stored");
    return said ?? page;
  }

  it("The record is found among others, in parts, and by a wildcard", async () => {
    assert.is(await verified([[token]]), "is verified");
    assert.is(await verified([["v=spf1 -all"], [token], ["google-site-verification=x"]]), "is verified");
    assert.is(await verified([[token.slice(0, 20), token.slice(20)]]), "is verified");
    assert.is(await verified([[` ${token} `]]), "is verified");
    assert.is(await verified([[token]], "*.acme.test"), "is verified");
    const many = Array.from({ length: 30 }, (_, at) => [`other-record-${at}=${"x".repeat(20)}`]);
    assert.is(await verified([...many, [token]]), "is verified");
  });

  it("Other texts, names and errors prove nothing, and a server that does not answer delays nobody for long", async () => {
    assert.is(await verified([]), "was not found");
    assert.is(await verified("nxdomain"), "was not found");
    assert.is(await verified([[token.toUpperCase()]]), "was not found");
    assert.is(await verified([[`${token}0`]]), "was not found");
    assert.is(await verified([[token.slice(0, 20)], [token.slice(20)]]), "was not found", "two records are not one");
    assert.is(await verified([[token]], "acme.test"), "was not found", "the domain's own records are not asked for");
    assert.is(await verified([[token]], "_framewright-challenge.sub.acme.test"), "was not found");
    assert.is(await verified([["x"]], "*.acme.test"), "was not found");
    assert.is(await verified("servfail"), "gave no answer");
    const start = Date.now();
    assert.is(await verified("silent"), "gave no answer");
    assert.ok(Date.now() - start < 8000);
  });

  it("A domain is added once, a refused one never, and there are twenty at most", async () => {
    assert.is((await one.send(ann, "/domains", { domain: "ACME.test." })).status, 303);
    assert.is((await one.knex("user_sso_domains").where({ tenant_id: 1 })).length, 1);
    assert.is((await one.send(ann, "/domains", { domain: "shop.test" })).status, 422);
    for (let at = 1; at < 20; at++) assert.is((await one.send(ann, "/domains", { domain: `d${at}.test` })).status, 303);
    const full = await one.send(ann, "/domains", { domain: "d20.test" });
    assert.is(full.status, 422);
    assert.match(await full.text(), "as many domains as there can be");
  });
});
