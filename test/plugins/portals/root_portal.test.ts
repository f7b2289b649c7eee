import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf, openShop, shopFiles, withShop } from "../../support/shop.ts";
import { signIn } from "../authlib/accounts.ts";
import { deskFiles } from "../scoping/portals_app.ts";
import { openTenants, signedIn, tenantFiles } from "../scoping/tenants.ts";

const routes = "config/routes.ts";
const engine = "packages/admin_portal/lib/engine.ts";
const atRoot = { [routes]: edited(shopFiles, routes, ['at: "/admin"', 'at: "/"']) };
/** The links and the targets of forms of a page that lead to this application. */
const linksOf = (html: string): string[] =>
  [...html.matchAll(/<(?:a|form)\b[^>]*\b(?:href|action)="([^"]*)"/g)]
    .map(([, url]) => url!)
    .filter((url) => !/^(?:https?:|mailto:|#|\{url\})/.test(url)); // a template has {url}

describe("A portal at /", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openShop(atRoot);
    const stamps = { created_at: "2026-01-01 10:00:00.000", updated_at: "2026-01-01 10:00:00.000" };
    await databaseOf(app.application)
      .knex("blogging_posts")
      .insert({ title: "Kept", body: "A text", ...stamps });
  });
  after(() => app.close());

  it("Its pages, lists, records and JSON have addresses without a prefix, and links that lead there", async () => {
    const client = app.client();
    for (const path of ["/", "/blogging/posts", "/blogging/posts/1", "/blogging/posts/new", "/authors"]) {
      const links = linksOf(await client.page(path));
      assert.ok(links.length > 3, path);
      for (const link of links) assert.match(link, /^\/(?!\/)/, `${link || "an empty link"} of ${path}`);
    }
    const { data } = (await (await app.request("/blogging/posts.json")).json()) as { data: { title: string }[] };
    assert.equal(
      data.map(({ title }) => title),
      ["Kept"],
    );
  });
  it("Forms write, and lead back to its pages", async () => {
    const client = app.client();
    const created = await client.submit("/blogging/posts/new", { "blogging_post[title]": "At the root" });
    assert.equal([created.status, created.headers.get("location")], [303, "/blogging/posts/2"]);
    const changed = await client.submit("/blogging/posts/2/edit", { "blogging_post[title]": "Changed" });
    assert.is(changed.headers.get("location"), "/blogging/posts/2");
    assert.match(await client.page("/blogging/posts?q=Changed"), ">Changed<");
  });
  it("Unknown pages are 404, other methods 405, and a slash at the end leads to the page", async () => {
    assert.is((await app.request("/nothing")).status, 404);
    assert.is((await app.request("/blogging/nothing/1")).status, 404);
    assert.is((await app.request("/blogging/posts", { method: "DELETE" })).status, 405);
    const moved = await app.request("/blogging/posts/", { redirect: "manual" });
    assert.equal([moved.status, moved.headers.get("location")], [301, "/blogging/posts"]);
    assert.is((await app.request("/healthz")).status, 200);
  });
});

describe("A portal at / beside others", (it) => {
  it("Is found after the mounts of other paths, wherever it is drawn", async () => {
    const both = edited(
      shopFiles,
      routes,
      ["AdminPortal }", "AdminPortal, BackPortal }"],
      [
        'routes.mount(AdminPortal, { at: "/admin" });',
        'routes.mount(AdminPortal, { at: "/" }); routes.mount(BackPortal, { at: "/blogging" });',
      ],
    );
    const back = `${shopFiles[engine]}\nexport const BackPortal = definePortal("BackPortal");\n`;
    const own = {
      [routes]: both,
      [engine]: back,
      "packages/back_portal/lib/engine.ts": 'export { BackPortal } from "#packages/admin_portal/lib/engine.ts";',
      "packages/back_portal/config/routes.ts":
        'import { BackPortal } from "#packages/admin_portal/lib/engine.ts"; export default BackPortal.routes.draw((routes) => { routes.get("posts", { to: "here#index" }); });',
      "packages/back_portal/app/controllers/back_portal/here_controller.ts": `import { BaseController, concern } from "framewright"; import { PortalController, PublicAccess } from "framewright/plugins/portals";
        export default class HereController extends concern(BaseController, PortalController, PublicAccess) { index() { return this.json({ back: true }); } }`,
    };
    await withShop(own, async ({ request }) => {
      assert.equal(await (await request("/blogging/posts")).json(), { back: true });
      assert.is((await request("/blogging/comments")).status, 200, "what that one has not is the root's");
      assert.is((await request("/authors")).status, 200);
    });
  });
  it("Boot names what would be found before it, and what would be open to other origins", async () => {
    const home = edited(
      shopFiles,
      routes,
      ["routes.mount(", 'routes.root({ to: "home#index" }); routes.mount('],
      ['at: "/admin"', 'at: "/"'],
    );
    const error = await throwsCode("FW_MOUNT_ROOT", () => openShop({ [routes]: home }));
    assert.match(error.message, "AdminPortal");
    const open = edited(shopFiles, engine, [
      'definePortal("AdminPortal")',
      'definePortal("AdminPortal", (portal) => portal.allowOrigins("https://elsewhere.example"))',
    ]);
    await throwsCode("FW_MOUNT_ROOT_ORIGINS", () => openShop({ ...atRoot, [engine]: open }));
  });
});

describe("A portal at / of people who sign in", (it) => {
  it("Is where they come to, and pages of the account are drawn in its shell", async () => {
    const app = await openTenants({ ...deskFiles, [routes]: edited(deskFiles, routes, ['at: "/staff"', 'at: "/"']) });
    try {
      await signedIn(app);
      const cat = await signIn(app, "user", "cat@example.test");
      const html = await cat.page("/users/account?from=%2F");
      assert.match(html, '<body class="fw-shell"');
      assert.match(html, 'href="/_portals"');
      assert.match(await cat.page("/_portals"), 'href="/customer"');
      assert.is((await app.request("/", { redirect: "manual", headers: { accept: "text/html" } })).status, 303);
    } finally {
      await app.close();
    }
  });
  it("Has its tenants as the first part of the path", async () => {
    const changed = edited(tenantFiles, routes, ['at: "/customer"', 'at: "/"']);
    const app = await openTenants({ [routes]: changed });
    try {
      const ann = { headers: { "x-user": "1" } };
      assert.match(await (await app.request("/1/posts", ann)).text(), "Post Alpine");
      assert.is((await app.request("/2/posts", ann)).status, 404, "another tenant");
      assert.is((await app.request("/guest/1/posts")).status, 200);
      assert.match((await app.request("/", { ...ann, redirect: "manual" })).headers.get("location") ?? "/1", /^\/1$/);
    } finally {
      await app.close();
    }
  });
});
