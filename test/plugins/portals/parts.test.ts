import { definePortalPart, type PortalPart } from "framewright/plugins/portals";
import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { openShop, shopFiles } from "../../support/shop.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

// A plugin's pages in one portal: as closed as the portal, and in its layout.

const lib = `import type { BaseController, ControllerClass } from "framewright"; import { htmlReply } from "framewright"; import { definePortalPart } from "framewright/plugins/portals"; import { resourceOf } from "framewright/plugins/resources";
  const Pages = <B extends ControllerClass>(Base: B) => class extends Base {
    index() { return this.json({ who: (this.currentUser as { name?: string } | undefined)?.name ?? null, tenant: (this.currentScopedEntity as { name?: string } | undefined)?.name ?? null, prepared: this.request.locals.prepared ?? null, resource: resourceOf(this)?.constant ?? null, path: this.helpers.audit_path!() }); }
    create() { return this.json({ written: true }); }
  };
  export const audit = ({ name = "audit", at = "audit", as = "audit" } = {}) => definePortalPart({
    name,
    routes(routes, portal) {
      const controller = portal.controller(Pages);
      routes.get(at, { controller, action: "index", as });
      routes.post(at, { controller, action: "create" });
      routes.get(at + "/page", { controller: portal.controller(), action: (page: BaseController) => htmlReply("<p>" + portal.name) });
    },
    navigation: (items, { request }) => void items.push({ label: "Audit", url: request.mountPath + "/" + at }),
    prepare: async (controller) => { controller.request.locals.prepared = (controller.currentScopedEntity as { name?: string } | undefined)?.name ?? "no tenant"; },
  });`;
const engine = "packages/admin_portal/lib/engine.ts";
const using = (uses: string) => ({
  "lib/audit.ts": lib,
  [engine]: `import { definePortal } from "framewright/plugins/portals"; import { audit } from "../../../lib/audit.ts"; void audit;
    export const AdminPortal = definePortal("AdminPortal", (portal) => { ${uses} });`,
});
const json = { accept: "application/json" };

describe("A part of a portal", (it) => {
  const inShop = async (changes: Record<string, string>, story: (app: TestApp) => Promise<void>) => {
    const app = await openShop(changes);
    await story(app).finally(() => app.close());
  };
  it("Its pages have the portal's account and layout, its line stands in the sidebar, and other portals have neither", () =>
    inShop(using("portal.use(audit());"), async (app) => {
      const { prepared, path, resource } = (await (
        await app.request("/admin/audit", { headers: json })
      ).json()) as Record<string, unknown>;
      assert.equal([prepared, path, resource], ["no tenant", "/admin/audit", null]);
      assert.is(await (await app.request("/admin/audit/page")).text(), "<p>AdminPortal");
      assert.match(await (await app.request("/admin/blogging/posts")).text(), 'href="/admin/audit"');
      assert.is((await app.request("/audit", { headers: json })).status, 404);
      const listed = app.application.routes().filter(({ path }) => path.startsWith("/admin/audit"));
      assert.equal(
        listed.map(({ verb, path, to, guests }) => `${verb} ${path} ${to} ${guests}`),
        [
          "GET /admin/audit audit#index refuse",
          "POST /admin/audit audit#create refuse",
          "GET /admin/audit/page audit#(function) refuse",
        ],
      );
    }));
  it("Guests are refused, also in a public portal and on a base that admits them, unless the part admits them", () =>
    inShop(
      {
        ...using("portal.use(audit());"),
        "packages/admin_portal/app/controllers/admin_portal/concerns/controller.ts": `import { concern, type ControllerClass } from "framewright"; import { PortalController, PublicAccess } from "framewright/plugins/portals"; export default <B extends ControllerClass>(Base: B) => concern(Base, PortalController, PublicAccess);`,
        "packages/admin_portal/app/controllers/admin_portal/base_controller.ts": `import { BaseController } from "framewright"; import Controller from "./concerns/controller.ts"; export default class OwnBase extends Controller(BaseController) { static override guests = "admit" as const; }`,
      },
      async (app) => {
        for (const method of ["GET", "POST"]) {
          const body =
            method === "POST"
              ? { body: "{}", headers: { ...json, "content-type": "application/json" } }
              : { headers: json };
          assert.is((await app.request("/admin/audit", { method, ...body })).status, 401, method);
        }
        assert.is((await app.request("/admin/audit/page")).status, 401);
      },
    ));
  it("In a scoped portal it knows the tenant before it prepares, and a foreign tenant's page is the 404 of no tenant", async () => {
    const path = "packages/customer_portal/lib/engine.ts";
    const app = await openTenants({
      "lib/audit.ts": lib,
      [path]: edited(
        tenantFiles,
        path,
        ["export const", 'import { audit } from "../../../lib/audit.ts"; export const'],
        ["(engine) => {", "(engine) => { engine.use(audit());"],
      ),
    });
    try {
      const ask = async (url: string, user: string) => {
        const answer = await app.request(url, { headers: { ...json, "x-user": user } });
        return [answer.status, await answer.text()];
      };
      assert.equal(await ask("/customer/1/audit", "1"), [
        200,
        JSON.stringify({
          who: "Ann Alpine",
          tenant: "Alpine",
          prepared: "Alpine",
          resource: null,
          path: "/customer/1/audit",
        }),
      ]);
      assert.equal(await ask("/customer/2/audit", "1"), await ask("/customer/999/audit", "1"));
      assert.is((await ask("/customer/2/audit", "1"))[0], 404);
      assert.is((await app.request("/customer/1/audit", { headers: json })).status, 401);
      const chooser = await app.request("/customer", { headers: { ...json, "x-user": "3" } });
      assert.is(chooser.status, 200, "the list of tenants is prepared by no part");
    } finally {
      await app.close();
    }
  });
  it("Two parts at one path, and a part at a path of the portal, are refused by the names of both", async () => {
    const twice = `portal.use(audit()); portal.use(audit({ name: "trail", as: "trail" }));`;
    const error = await throwsCode("FW_ROUTE_TAKEN", () => inShop(using(twice), async () => undefined));
    assert.match(error.message, /GET \/audit.*the part "audit".*the part "trail"/);
    const names = `portal.use(audit()); portal.use(audit({ name: "trail", at: "trail" }));`;
    const named = await throwsCode("FW_ROUTE_NAME_TAKEN", () => inShop(using(names), async () => undefined));
    assert.match(named.message, /"audit".*the part "audit".*the part "trail"/);
    const own = await throwsCode("FW_ROUTE_TAKEN", () =>
      inShop(using(`portal.use(audit({ at: "authors", as: "listed" }));`), async () => undefined),
    );
    assert.match(own.message, /GET \/authors.*the part "audit"/);
  });
  it("A part that is used twice, one that nobody defined, and a portal without a base are refused with the fix", async () => {
    const refused = async (code: string, changes: Record<string, string>) =>
      (await throwsCode(code, () => inShop(changes, async () => undefined))).message;
    assert.match(
      await refused("FW_PORTAL_PART_TWICE", using("portal.use(audit()); portal.use(audit());")),
      /AdminPortal.*"audit" twice/,
    );
    for (const given of ["{ name: 'audit' } as never", "undefined as never", "audit as never"])
      assert.match(await refused("FW_PORTAL_USE", using(`portal.use(${given});`)), /AdminPortal.*definePortalPart/);
    const bare = {
      "lib/audit.ts": lib,
      "packages/bare_portal/lib/engine.ts": `import { definePortal } from "framewright/plugins/portals"; import { audit } from "../../../lib/audit.ts"; export const BarePortal = definePortal("BarePortal", (portal) => portal.use(audit()));`,
    };
    assert.match(
      await refused("FW_PORTAL_BASE", bare),
      /"audit".*BarePortal.*packages\/bare_portal\/app\/controllers\/bare_portal\/base_controller\.ts/,
    );
    assert.ok(shopFiles[engine], "the shop has the portal that is changed");
  });
  it("definePortalPart refuses a part without a name, and misspelt and unfit functions", () => {
    const refuse = (part: unknown) => {
      try {
        definePortalPart(part as PortalPart);
        return "taken";
      } catch (error) {
        return (error as Error).message;
      }
    };
    assert.match(refuse({ routes: () => undefined }), /FW_PORTAL_PART.*no name/);
    assert.match(refuse(undefined), /FW_PORTAL_PART/);
    assert.match(refuse({ name: "audit", route: () => undefined }), /no "route"; did you mean "routes"/);
    assert.match(refuse({ name: "audit", prepare: true }), /"prepare" is no function/);
  });
});
