import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { as, bootWith, openWizards, portalRoutes, wizardFile, wizardFiles } from "./mounts_support.ts";

const location = (answer: Response) => answer.headers.get("location") ?? "";
const imports = `import OnboardWizard from "#app/wizards/onboard_wizard.ts"; import ImportWizard from "#app/wizards/import_wizard.ts"; import ConfigureWizard from "#app/wizards/configure_wizard.ts"; import GuestWizard from "#app/wizards/guest_wizard.ts"; import ViaWizard from "#app/wizards/via_wizard.ts";`;
const more = {
  "app/wizards/guest_wizard.ts": wizardFile("GuestWizard", "anonymous: true"),
  "app/wizards/via_wizard.ts": wizardFile("ViaWizard", `anchored: anchored({ via: "currentUser" })`),
};
const inPortal = (lines: string): Record<string, string> => ({
  ...more,
  "packages/admin_portal/config/routes.ts": portalRoutes(lines, imports),
});
const onMain = (lines: string): Record<string, string> => ({
  ...more,
  "config/routes.ts": `import { drawRoutes } from "framewright"; import { AdminPortal } from "#packages/admin_portal/lib/engine.ts"; import type {} from "framewright/plugins/wizards"; ${imports}
    export default drawRoutes((routes) => { routes.mount(AdminPortal, { at: "/admin" }); ${lines} });`,
});
const refused = (code: string, files: Record<string, string>) => throwsCode(code, () => bootWith(files));
const byHeader = `CurrentUser(async (request) => (await User.query().findById(Number(request.header("x-user") ?? 0))) as object | undefined)`;
const wizardsController = (chain: string) => ({
  "app/controllers/wizards_controller.ts": `import { BaseController, concern } from "framewright"; import { CurrentUser, PublicAccess } from "framewright/plugins/portals"; import { WizardBaseController, WizardController } from "framewright/plugins/wizards"; import User from "#app/models/user.ts";
    export default class WizardsController extends ${chain} {}`,
});
const drawn = (app: TestApp, path: string) => app.application.routes().filter((route) => route.path.startsWith(path));

describe("The macro registerWizard", (it) => {
  it("registerWizard draws the routes of launch, show, advance and autosave, with and without a token", async () => {
    const app = await openWizards(inPortal(`routes.registerWizard(ImportWizard, { at: "imports/posts" });`));
    const routes = drawn(app, "/admin/imports/posts").map(({ verb, path }) => `${verb} ${path.slice(20)}`);
    for (const expected of [
      "GET ",
      "GET /:step",
      "POST /:step",
      "GET /:token/:step",
      "POST /:token/:step",
      "PUT /:step",
      "PUT /:token/:step",
    ])
      assert.ok(routes.includes(expected), expected);
    const ann = as(app.client(), 1);
    assert.match(location(await ann.request("/admin/imports/posts")), /^\/admin\/imports\/posts\/[\w-]+\/first$/);
    await app.close();
  });
  it("The path helpers of a wizard are named by as, else by at", async () => {
    const app = await openWizards(
      inPortal(
        `routes.registerWizard(OnboardWizard, { at: "on/boarding" }); routes.registerWizard(ImportWizard, { at: "imports", as: "bring" });`,
      ),
    );
    const { paths } = app.application;
    const path = (name: string, ...args: unknown[]) => paths.path("AdminPortal", name, args);
    assert.is(path("on_boarding_wizard_launch"), "/admin/on/boarding");
    assert.is(path("on_boarding_wizard", { step: "first" }), "/admin/on/boarding/first");
    assert.is(path("on_boarding_wizard", "first"), "/admin/on/boarding/first");
    assert.is(path("bring_wizard", { step: "first", token: "abc" }), "/admin/imports/abc/first");
    assert.is(path("bring_wizard", { step: "first", token: undefined }), "/admin/imports/first");
    assert.is(path("bring_wizard", "abc", "first"), "/admin/imports/abc/first");
    assert.is(path("bring_wizard", { step: "first", q: "x" }), "/admin/imports/first?q=x");
    await throwsCode("FW_ROUTE_ARGUMENT", () => path("bring_wizard"));
    await app.close();
  });
  it("The path helpers of a wizard are named by its class where at contains no name", async () => {
    const app = await openWizards({
      ...onMain(`routes.registerWizard(ImportWizard, { at: "/2026" });`),
      ...wizardsController(`concern(WizardBaseController, PublicAccess, ${byHeader})`),
    });
    assert.is(app.application.paths.path(undefined, "import_wizard_launch"), "/2026");
    await app.close();
  });
  it("A wizard of the main application leads below the path of APP_URL, step by step", async () => {
    const app = await openWizards(
      {
        ...onMain(`routes.registerWizard(OnboardWizard, { at: "welcome" });`),
        ...wizardsController(`concern(WizardBaseController, PublicAccess, ${byHeader})`),
      },
      { APP_URL: "http://shop.example/back" },
    );
    const ann = as(app.client(), 1);
    assert.is(location(await ann.request("/back/welcome")), "/back/welcome/first");
    const page = await ann.page("/back/welcome/first");
    for (const [, url] of page.matchAll(/(?:action|formaction|data-url)="(\/[^"]*)"/g)) assert.match(url!, /^\/back\//);
    await app.close();
  });
  it("Views have the path and URL helpers of a wizard", async () => {
    const app = await openWizards({
      "packages/admin_portal/app/views/admin_portal/dashboard/index.liquid": `<a href="{{ onboarding_wizard_launch_path }}">go</a> {{ "first" | onboarding_wizard_path }} {{ "first" | onboarding_wizard_url }}`,
    });
    const page = await as(app.client(), 1).page("/admin");
    assert.match(page, 'href="/admin/onboarding"');
    assert.match(page, " /admin/onboarding/first ");
    assert.match(page, `${app.url}/admin/onboarding/first`);
    await app.close();
  });
  it("Every route of a wizard lists its account, its policy, its CSRF protection and its layout", async () => {
    const app = await openWizards(
      inPortal(
        `routes.registerWizard(OnboardWizard, { at: "onboarding" }); routes.registerWizard(GuestWizard, { at: "signup" });`,
      ),
    );
    const routes = [
      ...drawn(app, "/admin/onboarding"),
      ...drawn(app, "/signup"),
      ...drawn(app, "/admin/posts").filter(({ path }) => path.includes("/wizards/")),
    ];
    assert.ok(routes.length >= 40);
    for (const { path, account, policy, csrf, layout } of routes) {
      assert.is(csrf, "form");
      assert.is(account, path.startsWith("/signup") ? "public" : "byo", path);
      assert.is(layout, path.startsWith("/signup") ? "basic" : "resource", path);
      assert.ok(policy, path);
    }
    await app.close();
  });
  it("FW_WIZARD_MOUNT suggests the name of an unknown option, and FW_WIZARD_BULK refuses bulk", async () => {
    const error = await refused(
      "FW_WIZARD_MOUNT",
      inPortal(`routes.registerWizard(ImportWizard, { at: "x", layuot: "basic" } as never);`),
    );
    assert.match(error.message, /registerWizard\(ImportWizard\) has no option "layuot"\. Did you mean "layout"\?/);
    await refused("FW_WIZARD_BULK", inPortal(`routes.registerWizard(ImportWizard, { at: "x", bulk: true } as never);`));
  });
  it("FW_WIZARD_AT refuses an invalid path, name or flag, and FW_WIZARD_CLASS a class that is no wizard", async () => {
    for (const options of [
      `{}`,
      `{ at: 3 }`,
      `{ at: "a//b" }`,
      `{ at: "teams/:id" }`,
      `{ at: "x", as: "Big" }`,
      `{ at: "x", public: "yes" }`,
    ])
      await refused("FW_WIZARD_AT", inPortal(`routes.registerWizard(ImportWizard, ${options} as never);`));
    await refused("FW_WIZARD_CLASS", inPortal(`routes.registerWizard(Post as never, { at: "x" });`));
  });
  it("FW_WIZARD_LAYOUT suggests the name of an unknown layout", async () => {
    const error = await refused(
      "FW_WIZARD_LAYOUT",
      inPortal(`routes.registerWizard(ImportWizard, { at: "x", layout: "basik" });`),
    );
    assert.match(error.message, /Did you mean "basic"/);
  });
  it("FW_WIZARD_ANCHOR refuses a wizard anchored with a model and names the definition to mount it on", async () => {
    const error = await refused("FW_WIZARD_ANCHOR", inPortal(`routes.registerWizard(ConfigureWizard, { at: "x" });`));
    assert.match(error.message, /anchored with Post\. Mount it on the definition of Post/);
  });
  it("A wizard anchored via a controller's method is launched, and FW_WIZARD_VIA refuses a missing method", async () => {
    const app = await openWizards(inPortal(`routes.registerWizard(ViaWizard, { at: "via" });`));
    assert.is(location(await as(app.client(), 1).request("/admin/via")), "/admin/via/first");
    await app.close();
    const files = {
      ...inPortal(`routes.registerWizard(ViaWizard, { at: "via" });`),
      "app/wizards/via_wizard.ts": wizardFile("ViaWizard", `anchored: anchored({ via: "curentUser" })`),
    };
    const error = await refused("FW_WIZARD_VIA", files);
    assert.match(
      error.message,
      /anchored via "curentUser", which WizardsController does not have\. Did you mean "currentUser"\?/,
    );
    const scoped = {
      ...files,
      "app/wizards/via_wizard.ts": wizardFile("ViaWizard", `anchored: anchored({ via: "currentScopedEntity" })`),
    };
    await refused("FW_WIZARD_VIA", scoped);
  });
  it("A wizard whose anchor method returns undefined is 404", async () => {
    const app = await openWizards({
      ...inPortal(`routes.registerWizard(ViaWizard, { at: "via" });`),
      "app/wizards/via_wizard.ts": wizardFile("ViaWizard", `anchored: anchored({ via: "favourite" })`),
      "packages/admin_portal/app/controllers/admin_portal/wizards_controller.ts": `import { WizardBaseController } from "framewright/plugins/wizards"; import Controller from "./concerns/controller.ts";
        export default class WizardsController extends Controller(WizardBaseController) { async favourite() { return undefined; } }`,
    });
    assert.is((await as(app.client(), 1).request("/admin/via")).status, 404);
    await app.close();
  });
  it("FW_WORD_UNKNOWN names registerWizard and wizard where the plugin wizards is missing", async () => {
    const plugins = edited(wizardFiles, "plugins.config.ts", ["wizards({ sweep: false }),", ""]);
    const error = await refused("FW_WORD_UNKNOWN", { "plugins.config.ts": plugins });
    assert.match(error.message, /calls "wizard", and no plugin defines it\. Add wizards\(\)/);
    const bare = {
      "plugins.config.ts": plugins,
      "app/definitions/post_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources"; export default class PostDefinition extends ResourceDefinition {}`,
    };
    assert.match(
      (await refused("FW_WORD_UNKNOWN", bare)).message,
      /calls "registerWizard", and no plugin defines it\. Add wizards\(\)/,
    );
  });
});

describe("The controller of a registered wizard", (it) => {
  it("A registered wizard is served by the portal's own WizardsController with its before-actions", async () => {
    const app = await openWizards({
      "packages/admin_portal/app/controllers/admin_portal/wizards_controller.ts": `import { WizardBaseController } from "framewright/plugins/wizards"; import Controller from "./concerns/controller.ts";
        export default class WizardsController extends Controller(WizardBaseController) {
          static override beforeActions = ["mark"]; mark() { if (this.request.header("x-stop")) return this.json({ stopped: this.actionName }); }
        }`,
    });
    assert.is(drawn(app, "/admin/onboarding")[0]!.to, "AdminPortal::WizardsController#launchWizard");
    const answer = await as(app.client(), 1).request("/admin/onboarding", { headers: { "x-stop": "1" } });
    assert.equal(await answer.json(), { stopped: "launchWizard" });
    await app.close();
  });
  it("A portal without a WizardsController serves wizards with its own authentication", async () => {
    const app = await openWizards();
    const routes = drawn(app, "/admin/onboarding");
    assert.ok(routes.every(({ account }) => account === "byo"));
    assert.is((await app.client().request("/admin/onboarding")).status, 401);
    assert.is((await app.client().json("/admin/onboarding/first")).status, 401);
    await app.close();
  });
  it("FW_WIZARD_CONTROLLER names the controller to write in a portal without a base", async () => {
    const files: Record<string, string> = {
      "packages/bare_portal/lib/engine.ts": `import { definePortal } from "framewright/plugins/portals"; export const BarePortal = definePortal("BarePortal");`,
      "packages/bare_portal/config/routes.ts": `import { BarePortal } from "../lib/engine.ts"; import type {} from "framewright/plugins/wizards"; import OnboardWizard from "#app/wizards/onboard_wizard.ts"; export default BarePortal.routes.draw((routes) => routes.registerWizard(OnboardWizard, { at: "x" }));`,
    };
    const error = await refused("FW_WIZARD_CONTROLLER", files);
    assert.match(
      error.message,
      "no controller serves OnboardWizard in BarePortal. Write packages/bare_portal/app/controllers/bare_portal/wizards_controller.ts",
    );
  });
  it("FW_WIZARD_CONTROLLER requires WizardController and authentication in the main application's controller", async () => {
    const files = onMain(`routes.registerWizard(OnboardWizard, { at: "welcome" });`);
    const missing = await refused("FW_WIZARD_CONTROLLER", files);
    assert.match(missing.message, "Write app/controllers/wizards_controller.ts");
    const bare = await refused("FW_WIZARD_CONTROLLER", {
      ...files,
      ...wizardsController(`concern(BaseController, PublicAccess)`),
    });
    assert.match(bare.message, "WizardsController does not include WizardController");
    const open = await refused("FW_WIZARD_CONTROLLER", { ...files, ...wizardsController("WizardBaseController") });
    assert.match(open.message, "WizardsController has no authentication concern");
  });
  it("The main application serves a wizard by its own controller in the basic layout, and answers guests 401", async () => {
    const app = await openWizards({
      ...onMain(`routes.registerWizard(OnboardWizard, { at: "welcome" });`),
      ...wizardsController(`concern(BaseController, WizardController, PublicAccess, ${byHeader})`),
    });
    const ann = as(app.client(), 1);
    assert.is(location(await ann.request("/welcome")), "/welcome/first");
    const page = await ann.page("/welcome/first");
    assert.match(page, 'class="fw-basic"');
    assert.not.match(page, "fw-sidebar");
    assert.is((await app.client().request("/welcome")).status, 401);
    await app.close();
  });
});

describe("The layout of a wizard", (it) => {
  const views = {
    "app/views/layouts/plain.liquid": `<!doctype html><html lang="en"><body class="plain">{{ content }}</body></html>`,
  };
  it("The layout basic has no sidebar, top bar or account menu, what the application is called at its foot, and cancel leaves the wizard", async () => {
    const app = await openWizards(inPortal(`routes.registerWizard(ImportWizard, { at: "imports", layout: "basic" });`));
    const ann = as(app.client(), 1);
    const step = location(await ann.request("/admin/imports?return_to=/admin/posts"));
    for (const path of [step, "/admin/imports/runs"]) {
      const page = await ann.page(path);
      assert.match(page, 'class="fw-basic"');
      assert.match(page, '<main id="main"');
      for (const part of ["fw-basic-top", "fw-topbar", "fw-user", "fw-sidebar"]) assert.not.match(page, part);
      assert.match(page, /<footer class="fw-basic-foot"><a class="fw-brand" href="\/admin"/, "the way home");
    }
    assert.match(await ann.page("/admin/imports/runs"), 'href="/admin" data-turbo-frame="_top">Leave</a>');
    assert.match(await ann.page(step), 'name="_direction" value="cancel"');
    assert.is(location(await ann.submit(step, { _direction: "cancel" })), "/admin/posts");
    await app.close();
  });
  it("An application's own basic layout is used as it is", async () => {
    const app = await openWizards({
      ...inPortal(`routes.registerWizard(ImportWizard, { at: "imports", layout: "basic" });`),
      "app/views/layouts/basic.liquid": `<!doctype html><html lang="en"><body><nav>Mine</nav>{{ content }}</body></html>`,
    });
    const ann = as(app.client(), 1);
    assert.match(await ann.page(location(await ann.request("/admin/imports"))), "<nav>Mine</nav>");
    await app.close();
  });
  it("A wizard in a portal has the layout resource, unless its mount names another one", async () => {
    const app = await openWizards({
      ...views,
      ...inPortal(`routes.registerWizard(OnboardWizard, { at: "a" }); routes.registerWizard(ImportWizard, { at: "b", layout: "basic" });
        routes.registerWizard(ImportWizard, { at: "c", layout: "plain" });`),
    });
    const ann = as(app.client(), 1);
    const page = async (path: string) => ann.page(location(await ann.request(path)));
    assert.match(await page("/admin/a"), "fw-sidebar");
    const basic = await page("/admin/b");
    assert.match(basic, 'class="fw-basic"');
    assert.not.match(basic, "fw-sidebar");
    assert.match(await page("/admin/c"), 'class="plain"');
    assert.match(await page("/admin/posts/1/wizards/configure"), "fw-sidebar");
    await app.close();
  });
  it("A wizard of the main application has the layout resource where its mount names it", async () => {
    const app = await openWizards({
      ...onMain(`routes.registerWizard(OnboardWizard, { at: "welcome", layout: "resource" });`),
      ...wizardsController(`concern(WizardBaseController, PublicAccess, ${byHeader})`),
    });
    const ann = as(app.client(), 1);
    await ann.request("/welcome");
    assert.match(await ann.page("/welcome/first"), "fw-shell");
    await app.close();
  });
  it("A wizard in a Turbo frame has no layout, whatever its mount names", async () => {
    const app = await openWizards({
      ...views,
      ...inPortal(`routes.registerWizard(OnboardWizard, { at: "a", layout: "plain" });`),
    });
    const ann = as(app.client(), 1);
    for (const path of ["/admin/a", "/admin/posts/1/wizards/configure"]) {
      await ann.request(path);
      const html = await (await ann.request(`${path}/first`, { headers: { "turbo-frame": "modal" } })).text();
      assert.match(html, /^<turbo-frame id="modal">/);
      assert.not.match(html, /<html|fw-sidebar|class="plain"/);
    }
    await app.close();
  });
  it("A wizard has the layout of its mount, else that of its controller", async () => {
    const own = {
      "packages/admin_portal/app/controllers/admin_portal/wizards_controller.ts": `import { WizardBaseController } from "framewright/plugins/wizards"; import Controller from "./concerns/controller.ts";
        export default class WizardsController extends Controller(WizardBaseController) { override layout = "plain"; }`,
    };
    const app = await openWizards({
      ...views,
      ...own,
      ...inPortal(
        `routes.registerWizard(OnboardWizard, { at: "a" }); routes.registerWizard(ImportWizard, { at: "b", layout: "basic" });`,
      ),
    });
    const ann = as(app.client(), 1);
    const page = async (path: string) => ann.page(location(await ann.request(path)));
    assert.match(await page("/admin/a"), 'class="plain"');
    assert.match(await page("/admin/b"), 'class="fw-basic"');
    await app.close();
  });
});
