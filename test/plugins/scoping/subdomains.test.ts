import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { RequestContext } from "framewright/host";
import { locationHere, tenantUrl } from "../../../plugins/memberships/shape.ts";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { askAt, bytesOf, hosts, openSubdomains, subdomainFiles } from "./subdomain_app.ts";
import { people, tenantFiles } from "./tenants.ts";

// Tenants at alpine.shop.example and baltic.shop.example. What is at another host, or at none, was never there.

for (const database of await databases())
  describe(`Tenants by subdomain, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        const config = edited(tenantFiles, "plugins.config.ts", [
          "scoping()",
          'scoping({ reservedSubdomains: ["partners"] })',
        ]);
        app = await openSubdomains({ "plugins.config.ts": config }, await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
    const at = (host: string, path: string, who: keyof typeof people = "cat", init: Parameters<typeof askAt>[3] = {}) =>
      askAt(app, host, path, { ...init, headers: { "x-user": String(people[who]), ...init.headers } });
    const titles = async (host: string, who?: keyof typeof people) => {
      const { status, text } = await at(host, "/customer/posts", who);
      assert.is(status, 200, host);
      return (JSON.parse(text) as { data: { title: string }[] }).data.map(({ title }) => title);
    };

    can("The first label of the host names the tenant, whatever the port and case of the header", async () => {
      assert.equal(await titles("alpine.shop.example"), ["Post Alpine"]);
      assert.equal(await titles("baltic.shop.example"), ["Post Baltic"]);
      for (const host of ["ALPINE.shop.example", "alpine.SHOP.Example:8080", "alpine.shop.example:80"])
        assert.equal(await titles(host), ["Post Alpine"], host);
    });
    can("A record of another tenant answers as one that never was, byte for byte, for each verb", async () => {
      const body = JSON.stringify({ post: { title: "Taken" } });
      for (const method of ["GET", "PATCH", "DELETE"])
        for (const accept of ["application/json", "text/html"]) {
          const init = {
            method,
            headers: { accept, "content-type": "application/json" },
            ...(method === "PATCH" ? { body } : {}),
          };
          const foreign = await at("alpine.shop.example", "/customer/posts/2", "cat", init);
          const absent = await at("alpine.shop.example", "/customer/posts/999999", "cat", init);
          assert.is(foreign.status, 404);
          assert.is(bytesOf(foreign), bytesOf(absent), `${method} ${accept}`);
        }
    });
    can("An unknown subdomain, a foreign tenant's and what is no label answer alike", async () => {
      for (const accept of ["application/json", "text/html"])
        for (const path of ["/customer/posts", "/customer/posts/2", "/customer"]) {
          const ask = (host: string) => at(host, path, "ann", { headers: { accept } });
          const unknown = await ask("nobody.shop.example");
          assert.is(unknown.status, 404);
          for (const host of [
            "baltic.shop.example",
            "a.alpine.shop.example",
            "alpine.baltic.shop.example",
            "xn--alpine-.shop.example",
            "xn--alpne-r4a.shop.example",
            "al_pine.shop.example",
            "-alpine.shop.example",
            "www.shop.example",
            "1.shop.example",
            `${"a".repeat(64)}.shop.example`,
          ])
            assert.is(bytesOf(await ask(host)), bytesOf(unknown), `${host} ${path} ${accept}`);
        }
    });
    can("Hosts that are not served are 400, and X-Forwarded-Host names no tenant", async () => {
      for (const host of [
        "alpine.shop.example.",
        "alpine.shop.example.evil.test",
        "alpineshop.example",
        "evil.test",
        "alpine..shop.example",
        "älpine.shop.example",
      ])
        assert.is((await at(encodeURI(host), "/customer/posts")).status, 400, host);
      const forwarded = {
        headers: { "x-forwarded-host": "baltic.shop.example", forwarded: "host=baltic.shop.example" },
      };
      const { text } = await at("alpine.shop.example", "/customer/posts", "cat", forwarded);
      assert.match(text, "Post Alpine");
      assert.not.ok(text.includes("Baltic"));
      assert.is((await at("nobody.shop.example", "/customer/posts", "cat", forwarded)).status, 404);
    });
    can("A tenant is not named by a path, a query, a body or the host of a page that was left", async () => {
      const body = JSON.stringify({ post: { title: "New", organization_id: 2, organization: 2 }, organization_id: 2 });
      const headers = { "content-type": "application/json" };
      const created = await at("alpine.shop.example", "/customer/posts?organization_id=2", "cat", {
        method: "POST",
        headers,
        body,
      });
      if (created.status === 201) {
        const { id } = JSON.parse(created.text).data as { id: number };
        assert.is((await databaseOf(app.application).knex("posts").where({ id }).first()).organization_id, 1);
        await databaseOf(app.application).knex("posts").where({ id }).delete();
      } else assert.is(created.status, 422);
      assert.is((await at("shop.example", "/customer/posts?organization_id=2")).status, 404);
    });
    can(
      "Addresses of another tenant have its host, in pages, jobs and mails, and those of the own tenant are paths",
      async () => {
        const { text } = await at("alpine.shop.example:8080", "/customer/posts/1/preview");
        assert.equal(JSON.parse(text), {
          own: "/customer/posts/1",
          here: "/customer/posts/1",
          there: "http://baltic.shop.example:8080/customer/posts/1",
          job: "http://baltic.shop.example:3000/customer/posts/1",
          helper: "http://alpine.shop.example:8080/customer/posts",
          list: "http://shop.example:8080/customer",
        });
        const outside = await at("shop.example:8080", "/guest/alpine/posts/1/preview");
        assert.equal(JSON.parse(outside.text), { there: "http://baltic.shop.example:8080/customer/posts/1" });
      },
    );
    can("Who has joined a tenant is led to its host", async () => {
      const { application } = app;
      const at = (host: string) =>
        new RequestContext(
          application,
          Object.assign(new IncomingMessage(new Socket()), { url: "/welcome", headers: { host } }),
        );
      const shape = { entity: { target: databaseOf(application).model("Organization" as never) } };
      const url = (host: string, portal = "/customer") => tenantUrl(at(host), shape as never, portal, 2);
      assert.is(await url("shop.example:81"), "http://baltic.shop.example:81/customer");
      assert.is(await url("baltic.shop.example:81"), "/customer");
      assert.is(await url("shop.example:81", "/guest"), "/guest/baltic");
      assert.is(locationHere(await url("shop.example:81"), "/customer"), "/customer", "where the list is");
    });
    can("The domain itself lists the tenants of a person, with their addresses", async () => {
      const listed = JSON.parse((await at("shop.example", "/customer")).text) as {
        data: { label: string; url: string }[];
      };
      assert.equal(
        listed.data.map(({ url }) => url),
        ["http://alpine.shop.example/customer", "http://baltic.shop.example/customer"],
      );
      const page = await at("shop.example", "/customer?to=/posts", "cat", { headers: { accept: "text/html" } });
      assert.match(page.text, 'href="http://baltic.shop.example/customer/posts"');
      const only = await at("shop.example:81", "/customer", "ann", { headers: { accept: "text/html" } });
      assert.is(only.status, 200, "a form, as of a sign-in, may not lead on to another host");
      assert.match(only.text, 'href="http://alpine.shop.example:81/customer"');
      assert.is((await askAt(app, "shop.example", "/customer")).status, 401);
      for (const path of ["/customer/posts", "/customer/posts/1"])
        assert.is((await at("shop.example", path)).status, 404);
    });
    can("A tenant whose name makes no label is left out of the list, and can't take a reserved one", async () => {
      const { knex } = databaseOf(app.application);
      await knex("organizations").where({ id: 2 }).update({ slug: "Bal_tic" });
      const listed = JSON.parse((await at("shop.example", "/customer", "cat")).text) as { data: { url: string }[] };
      assert.equal(
        listed.data.map(({ url }) => url),
        ["http://alpine.shop.example/customer"],
      );
      await knex("organizations").where({ id: 2 }).update({ slug: "baltic" });
      const Organization = databaseOf(app.application).model("Organization" as never);
      for (const slug of ["www", "api"]) assert.ok(Organization.reservedParams.has(slug), slug);
    });
    can(
      "What is written as the name of a tenant is a label that its host finds, and none of the operator's",
      async () => {
        const { database } = { database: databaseOf(app.application) };
        const cls = database.model("Organization" as never).class;
        const refusedFor = async (slug: string) => {
          try {
            await database.transaction((trx) =>
              cls
                .query(trx)
                .findById(2)
                .patch({ slug } as never),
            );
            return undefined;
          } catch (error) {
            return (error as { fields?: { slug?: string[] } }).fields?.slug?.join();
          }
        };
        for (const slug of ["-x-", "x-", "UPPER", "a_b", "xn--caf-dma", "ab--c", "a".repeat(64), "É"])
          assert.match((await refusedFor(slug)) ?? "saved", /lower-case letters|letters from a to z/, slug);
        for (const slug of ["admin", "mail", "autodiscover", "www", "partners"])
          assert.is(await refusedFor(slug), "is reserved", slug);
        for (const slug of ["a", "x1", "alpine-two", "a".repeat(63), "baltic"]) {
          assert.is(await refusedFor(slug), undefined, slug);
          assert.is((await at(`${slug}.shop.example`, "/customer/posts")).status, 200, slug);
        }
      },
    );
    can("fw doctor names tenants of before that no host leads to", async () => {
      const { knex } = databaseOf(app.application);
      const examine = async () => {
        const findings: { what: string; ok: boolean; detail: string }[] = [];
        await app.application.hooks.examine.promise(findings);
        return findings.find(({ what }) => what === "subdomains of Organization in CustomerPortal")!;
      };
      assert.ok((await examine()).ok);
      await knex("organizations").where({ id: 2 }).update({ slug: "Bal_tic" });
      const found = await examine();
      assert.not(found.ok);
      assert.match(found.detail, "no host name leads to Bal_tic: their members get 404; write another slug");
      await knex("organizations").where({ id: 2 }).update({ slug: "baltic" });
    });
  });

describe("The domain of subdomains", (it) => {
  const open = async (values: Record<string, string>, changes: Record<string, string> = {}) => {
    const app = await openSubdomains(changes, values);
    await app.close();
  };
  it("Without a wildcard, and with several of which none is chosen, the boot is refused with what to set", async () => {
    const none = await throwsCode("FW_SCOPE_DOMAIN", () => open({ ALLOWED_HOSTS: "shop.example" }));
    assert.match(none.message, /CustomerPortal.*ALLOWED_HOSTS=shop\.example,\*\.shop\.example/);
    const two = await throwsCode("FW_SCOPE_DOMAIN", () => open({ ALLOWED_HOSTS: "*.shop.example,*.preview.example" }));
    assert.match(two.message, /\*\.shop\.example, \*\.preview\.example.*scoping\(\{ domain: "shop\.example" \}\)/);
  });
  it("A method of the portal's concern with the strategy's name is refused, since two would find the tenant", async () => {
    const concern = "packages/customer_portal/app/controllers/customer_portal/dashboard_controller.ts";
    const changes = {
      [concern]: `import { BaseController } from "framewright"; import Controller from "./concerns/controller.ts"; export default class DashboardController extends Controller(BaseController) { index() { return this.json({}); } async subdomain() { return undefined; } }`,
    };
    const error = await throwsCode("FW_SCOPE_STRATEGY_TWO", () => open({}, changes));
    assert.match(error.message, /CustomerPortal.*"subdomain".*DashboardController/);
  });
  it("Addresses have the scheme and port of APP_URL", async () => {
    const app = await openSubdomains({}, { ...hosts, APP_URL: "https://www.shop.example:8443" });
    try {
      const headers = { "x-user": "3" };
      const { text } = await askAt(app, "alpine.shop.example", "/customer/posts/1/preview", { headers });
      const { there, job, helper } = JSON.parse(text) as Record<string, string>;
      assert.equal(
        [there, job, helper],
        [
          "https://baltic.shop.example:8443/customer/posts/1",
          "https://baltic.shop.example:8443/customer/posts/1",
          "https://alpine.shop.example:8443/customer/posts",
        ],
      );
      assert.is((await askAt(app, "www.shop.example", "/customer", { headers })).status, 200);
    } finally {
      await app.close();
    }
  });
  it("Below a path, the addresses of all tenants have it", async () => {
    const app = await openSubdomains({}, { ...hosts, APP_URL: "https://www.shop.example/back" });
    try {
      const headers = { "x-user": "3" };
      const { text } = await askAt(app, "alpine.shop.example", "/back/customer/posts/1/preview", { headers });
      const { own, here, there, job, helper, list } = JSON.parse(text) as Record<string, string>;
      assert.equal(
        [own, here, there, job, helper, list],
        [
          "/back/customer/posts/1",
          "/back/customer/posts/1",
          "https://baltic.shop.example/back/customer/posts/1",
          "https://baltic.shop.example/back/customer/posts/1",
          "https://alpine.shop.example/back/customer/posts",
          "https://www.shop.example/back/customer",
        ],
      );
      const listed = await askAt(app, "www.shop.example", "/back/customer", { headers });
      assert.equal(
        (JSON.parse(listed.text) as { data: { url: string }[] }).data.map(({ url }) => url),
        ["https://alpine.shop.example/back/customer", "https://baltic.shop.example/back/customer"],
      );
      assert.is((await askAt(app, "alpine.shop.example", "/customer/posts", { headers })).status, 404);
      const context = Object.assign(new IncomingMessage(new Socket()), {
        url: "/back/welcome",
        headers: { host: "www.shop.example" },
      });
      const shape = { entity: { target: databaseOf(app.application).model("Organization" as never) } };
      const request = new RequestContext(app.application, context);
      assert.is(await tenantUrl(request, shape as never, "/customer", 2), "https://baltic.shop.example/back/customer");
    } finally {
      await app.close();
    }
  });
  it("Without ALLOWED_HOSTS development has tenants below localhost", async () => {
    const app = await openSubdomains(subdomainFiles, { ALLOWED_HOSTS: "" });
    try {
      const { status } = await askAt(app, "alpine.localhost:3000", "/customer/posts", { headers: { "x-user": "1" } });
      assert.is(status, 200);
    } finally {
      await app.close();
    }
  });
});
