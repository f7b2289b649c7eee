import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTestApplication, type TestApplication } from "../../testing/index.ts";
import { hosts, openSubdomains } from "./subdomain_app.ts";
import { accountFiles } from "./tenants.ts";

const SECRET_KEY_BASE = "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19";

async function open(env: Record<string, string>): Promise<TestApplication> {
  const { root, close } = await openSubdomains(accountFiles, env);
  await close();
  const app = await openTestApplication({
    root,
    database: "sqlite::memory:",
    env: { ...hosts, SECRET_KEY_BASE, ...env },
  });
  const { knex } = databaseOf(app.application);
  await knex("organizations").insert({ id: 1, name: "Alpine", slug: "alpine" });
  await knex("users").insert({ id: 3, name: "Cat", email: "cat@example.test" });
  await knex("memberships").insert({ user_id: 3, organization_id: 1 });
  await knex("posts").insert({ id: 1, title: "Post Alpine", status: "live", organization_id: 1, author_id: 3 });
  return app;
}

describe("Tests of an application whose tenants have hosts", (it, { before, after }) => {
  let app: TestApplication;
  before(async () => {
    app = await open({});
  });
  after(() => app.close());

  it("The test helper signIn signs in at the application's address, beside a portal of tenants with hosts", async () => {
    const cat = await app.signIn("user", "cat@example.test");
    assert.is((await cat.json("/users/account")).status, 200);
    assert.is((await cat.json("/customer/posts")).status, 404, "there is no tenant at 127.0.0.1");
  });
  it("A visitor signs in, reads and writes at the host of a tenant", async () => {
    const cat = await app.signIn("user", { id: 3 }, { host: "alpine.shop.example" });
    assert.match(JSON.stringify((await cat.json("/customer/posts")).body), "Post Alpine");
    assert.is((await cat.submit("/customer/posts/new", { "post[title]": "Written" })).status, 303);
    assert.match(await cat.copy().page("/customer/posts"), "Written");
    assert.is((await cat.request("/customer/posts", { host: "baltic.shop.example" })).status, 303, "a guest");
  });
  it("Requests and visitors name the host that they request", async () => {
    const list = { headers: { accept: "application/json" } };
    assert.is((await app.request("/customer/posts", { ...list, host: "alpine.shop.example" })).status, 401);
    assert.is((await app.request("/healthz", { host: "alpine.shop.example:8080" })).status, 200);
    assert.is((await app.request("/users/login", { host: "elsewhere.example" })).status, 400);
    const guest = app.client({ host: "alpine.shop.example" });
    assert.is((await guest.request("/customer/posts")).headers.get("location")?.split("?")[0], "/users/login");
  });
});

describe("Tests of an application that does not serve its machine's address", (it, { before, after }) => {
  let app: TestApplication;
  before(async () => {
    app = await open({ ALLOWED_HOSTS: "shop.example,*.shop.example", APP_URL: "http://shop.example" });
  });
  after(() => app.close());

  it("Requests and sign-ins are at the host of APP_URL", async () => {
    assert.is((await app.request("/users/login")).status, 200);
    const cat = await app.signIn("user", "cat@example.test");
    assert.is((await cat.json("/users/account")).status, 200);
  });
});
