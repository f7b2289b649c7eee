import { definePortal } from "framewright/plugins/portals";
import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { openShop, shopFiles } from "../../support/shop.ts";

/** A second portal beside the shop's: its people bring a key, and the main application has a page of its own. */
const files = {
  "packages/partner_portal/lib/engine.ts": `import { definePortal } from "framewright/plugins/portals"; export const PartnerPortal = definePortal("PartnerPortal");`,
  "packages/partner_portal/config/routes.ts": `import { PartnerPortal } from "../lib/engine.ts"; import Author from "#app/models/author.ts";
    export default PartnerPortal.routes.draw((routes) => { routes.root({ to: "who#index" }); routes.get("settings", { to: "who#settings" }); routes.registerResource(Author, { associations: [] }); });`,
  "packages/partner_portal/app/controllers/partner_portal/concerns/controller.ts": `import { concern, type ControllerClass } from "framewright"; import { CurrentUser, PortalController } from "framewright/plugins/portals";
    export default <B extends ControllerClass>(Base: B) => concern(Base, PortalController, CurrentUser(async (request) => (request.header("x-api-key") === "key" ? { id: 7, name: "Partner" } : undefined)));`,
  "packages/partner_portal/app/controllers/partner_portal/resource_controller.ts": `import { ResourceController as Base } from "framewright/plugins/resources"; import Controller from "./concerns/controller.ts"; export default class ResourceController extends Controller(Base) {}`,
  "packages/partner_portal/app/controllers/partner_portal/who_controller.ts": `import { BaseController } from "framewright"; import Controller from "./concerns/controller.ts";
    export default class WhoController extends Controller(BaseController) {
      index() { return this.json({ who: this.currentUser?.name ?? null, portal: this.portal?.name }); }
      settings() { return this.json({ path: this.helpers.settings_path(), authors: this.helpers.authors_path(), url: this.helpers.settings_url() }); }
    }`,
  "app/policies/author_policy.ts": `import { Policy } from "framewright/plugins/resources"; export default class AuthorPolicy extends Policy { override canRead() { return this.user?.name === "Partner"; } override permittedAttributesForRead() { return ["name"]; } }`,
  "app/controllers/home_controller.ts": `import { BaseController } from "framewright"; export default class HomeController extends BaseController { static override guests = "admit" as const; index() { return this.json({ home: true }); } }`,
  "config/routes.ts": `import { drawRoutes } from "framewright"; import { AdminPortal } from "#packages/admin_portal/lib/engine.ts"; import { PartnerPortal } from "#packages/partner_portal/lib/engine.ts";
    export default drawRoutes((routes) => { routes.root({ to: "home#index" }); routes.mount(AdminPortal, { at: "/admin" }); routes.mount(PartnerPortal, { at: "/partner" }); });`,
};
const accept = { accept: "application/json" };

describe("Portals", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openShop(files);
  });
  after(() => app.close());
  const get = async (path: string, headers = {}) =>
    (await app.request(path, { headers: { ...accept, ...headers } })).json();

  it("The CurrentUser function of a portal determines currentUser, also in policies", async () => {
    assert.equal(await get("/partner", { "x-api-key": "key" }), { who: "Partner", portal: "PartnerPortal" });
    assert.is((await app.request("/partner/authors", { headers: accept })).status, 401);
    assert.is((await app.request("/partner/authors", { headers: { ...accept, "x-api-key": "key" } })).status, 200);
  });
  it("A portal serves pages that are not resources, with path helpers of their own", async () => {
    assert.equal(await get("/partner/settings", { "x-api-key": "key" }), {
      path: "/partner/settings",
      authors: "/partner/authors",
      url: `${app.url}/partner/settings`,
    });
  });
  it("The routes of a portal are neither served by the main application nor by another portal", async () => {
    assert.equal(await get("/"), { home: true });
    assert.is((await app.request("/settings")).status, 404);
    assert.is((await app.request("/admin/settings")).status, 404);
  });
  it("Every route of a portal states its account type, guests, CSRF rule and policy", () => {
    const routes = app.application.routes();
    assert.ok(routes.length > 50);
    for (const route of routes.filter(({ engine }) => engine !== undefined)) {
      assert.ok(route.account === "byo" && route.guests === "refuse", `${route.verb} ${route.path}`);
      assert.is(route.csrf, "form");
      if (route.resource) assert.ok(route.policy, `${route.verb} ${route.path}`);
    }
    assert.ok(routes.some(({ account, engine }) => engine === "PartnerPortal" && account === "byo"));
  });
  it("The sidebar of a portal shows only what the user may see", async () => {
    const page = await (await app.request("/admin/blogging/posts")).text();
    assert.match(page, /href="\/admin\/blogging\/posts"[^>]*aria-current="page"/);
    assert.is(/href="\/admin\/authors"/.test(page), false);
  });
  it("A portal name that is not a class name is refused with FW_PORTAL_NAME and a suggestion", async () => {
    assert.match((await throwsCode("FW_PORTAL_NAME", () => definePortal("admin portal"))).message, /AdminPortal/);
  });
  it("Two portals at one path are refused with FW_MOUNT_TAKEN, which names both", async () => {
    const twice = edited(files, "config/routes.ts", [`at: "/partner"`, `at: "/admin"`]);
    await app.close();
    const error = await throwsCode("FW_MOUNT_TAKEN", () => openShop({ ...files, "config/routes.ts": twice }));
    assert.match(error.message, /"AdminPortal" and "PartnerPortal".*\/admin/);
    app = await openShop({ ...shopFiles, ...files });
  });
});
