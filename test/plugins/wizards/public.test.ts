import { assert, describe, throwsCode } from "../../support/index.ts";
import { as, bootWith, openWizards, portalRoutes, twoSteps, wizardFile } from "./mounts_support.ts";

const location = (answer: Response) => answer.headers.get("location") ?? "";
const imports = `import OnboardWizard from "#app/wizards/onboard_wizard.ts"; import GuestWizard from "#app/wizards/guest_wizard.ts"; import OtherWizard from "#app/wizards/other_wizard.ts";`;
const classes = {
  "app/wizards/guest_wizard.ts": wizardFile(
    "GuestWizard",
    `anonymous: true, presents: { label: "Sign up" }, completed: { title: "Check your inbox" }`,
  ),
  "app/wizards/other_wizard.ts": wizardFile("OtherWizard", "anonymous: true"),
};
const inPortal = (lines: string): Record<string, string> => ({
  ...classes,
  "packages/admin_portal/config/routes.ts": portalRoutes(lines, imports),
});
const guarded = {
  "config/routes.ts": `import { drawRoutes, redirectReply } from "framewright"; import { AdminPortal } from "#packages/admin_portal/lib/engine.ts";
    export default drawRoutes((routes) => { routes.constraints((request) => request.header("x-user") !== undefined || redirectReply("/login", 303), (r) => r.mount(AdminPortal, { at: "/admin" })); });`,
};
const signup = inPortal(`routes.registerWizard(GuestWizard, { at: "signup" });`);
const refused = (code: string, lines: string) => throwsCode(code, () => bootWith(inPortal(lines)));

describe("The public mounts of anonymous wizards", (it) => {
  it("A public wizard is mounted on the main application, outside of the constraint of its portal", async () => {
    const app = await openWizards({ ...signup, ...guarded });
    assert.is(location(await app.client().request("/admin/onboarding")), "/login");
    const routes = app.application.routes().filter(({ path }) => path.includes("signup"));
    assert.ok(
      routes.length > 0 &&
        routes.every(
          ({ engine, constrained, account }) => engine === undefined && !constrained && account === "public",
        ),
    );
    assert.is(location(await app.client().request("/signup")), "/signup/first");
    const guest = app.client();
    await guest.request("/signup");
    const page = await guest.page("/signup/first");
    assert.match(page, /<footer class="fw-basic-foot">\s*<a class="fw-brand" href="\/"/, "the way home");
    assert.match(page, /<p class="fw-wizard-out"><a href="\/admin"[^>]*>Have an account\? Sign in</);
    assert.is((await as(app.client(), 1).request("/admin/signup")).status, 404);
    await app.close();
  });
  it("An anonymous wizard may be registered with public: true", async () => {
    await bootWith(inPortal(`routes.registerWizard(GuestWizard, { at: "signup", public: true });`));
  });
  it("FW_WIZARD_PUBLIC refuses public: true without anonymous, and public: false for an anonymous wizard", async () => {
    assert.match(
      (await refused("FW_WIZARD_PUBLIC", `routes.registerWizard(OnboardWizard, { at: "x", public: true });`)).message,
      "OnboardWizard",
    );
    assert.match(
      (await refused("FW_WIZARD_PUBLIC", `routes.registerWizard(GuestWizard, { at: "x", public: false });`)).message,
      "GuestWizard",
    );
  });
  it("A public wizard has the basic layout without a sidebar or user menu, and no current user", async () => {
    const body = `async execute() { return succeed().withMessage(String(this.currentUser === undefined)); }`;
    const app = await openWizards({
      ...signup,
      "app/wizards/guest_wizard.ts": wizardFile("GuestWizard", "anonymous: true", { body }),
    });
    const ann = as(app.client(), 1);
    await ann.request("/signup");
    const page = await ann.page("/signup/first");
    assert.match(page, 'class="fw-basic"');
    assert.not.match(page, /fw-sidebar|fw-user"/);
    await ann.submit("/signup/first", { "wizard[title]": "x" }, /signup/);
    const answer = await ann.submit("/signup/second", {}, /signup/);
    assert.is(location(answer), "/signup/completed");
    assert.match(await ann.page("/signup/completed"), "true");
    await app.close();
  });
  it("A public wizard is served by PublicWizardsController, generated or the application's own", async () => {
    const base = {
      "app/controllers/application_controller.ts": `import { BaseController } from "framewright"; export default class ApplicationController extends BaseController { override pageLocals() { return { ...super.pageLocals(), title: "Of the base" }; } }`,
    };
    const app = await openWizards({ ...signup, ...base });
    assert.is(
      app.application.routes().find(({ path }) => path === "/signup")!.to,
      "PublicWizardsController#launchWizard",
    );
    await app.close();
    const own = await openWizards({
      ...signup,
      "app/controllers/public_wizards_controller.ts": `import { concern } from "framewright"; import { PublicAccess } from "framewright/plugins/portals"; import { WizardBaseController } from "framewright/plugins/wizards";
        export default class PublicWizardsController extends concern(WizardBaseController, PublicAccess) { override wizardLocals() { return { steps: [] }; } override wizardHome() { return "/thanks"; } }`,
    });
    const guest = own.client();
    await guest.request("/signup");
    assert.is((await guest.request("/signup/first")).status, 200);
    assert.is(location(await guest.submit("/signup/first", { _direction: "cancel" }, /signup/)), "/thanks");
    await own.close();
  });
  it("FW_WIZARD_PUBLIC refuses the layout of accounts for guests, and a wizard of accounts in a portal without any", async () => {
    const layout = await refused(
      "FW_WIZARD_PUBLIC",
      `routes.registerWizard(GuestWizard, { at: "x", layout: "resource" });`,
    );
    assert.match(layout.message, /its layout is "resource".*layout: "basic"/);
    const concern = "packages/admin_portal/app/controllers/admin_portal/concerns/controller.ts";
    const open = `import { concern, type ControllerClass } from "framewright"; import { PortalController, PublicAccess } from "framewright/plugins/portals";
      export default <B extends ControllerClass>(Base: B) => concern(Base, PortalController, PublicAccess);`;
    const error = await throwsCode("FW_WIZARD_PUBLIC", () =>
      bootWith({
        ...signup,
        [concern]: open,
        "packages/admin_portal/config/routes.ts": portalRoutes(
          `routes.registerWizard(OnboardWizard, { at: "onboarding" });`,
          'import OnboardWizard from "#app/wizards/onboard_wizard.ts";',
        ),
      }),
    );
    assert.match(error.message, "AdminPortal can't mount OnboardWizard: its runs belong to accounts");
  });
  it("FW_WIZARD_PUBLIC refuses a PublicWizardsController that is not public or lacks WizardController", async () => {
    const own = (chain: string) => ({
      ...signup,
      "app/controllers/public_wizards_controller.ts": `import { BaseController, concern } from "framewright"; import { CurrentUser, PublicAccess } from "framewright/plugins/portals"; import { WizardBaseController } from "framewright/plugins/wizards";
        export default class PublicWizardsController extends concern(${chain}) {} void [BaseController, CurrentUser, PublicAccess, WizardBaseController];`,
    });
    for (const [chain, what] of [
      ["BaseController, PublicAccess", /PublicWizardsController.*no WizardController/],
      ["WizardBaseController", /no PublicAccess/],
      ["WizardBaseController, CurrentUser(async () => undefined)", /its authentication is "byo", which refuses guests/],
      [
        "WizardBaseController, PublicAccess, CurrentUser(async () => undefined)",
        /its authentication is "byo", which refuses guests/,
      ],
    ] as const)
      assert.match((await throwsCode("FW_WIZARD_PUBLIC", () => bootWith(own(chain)))).message, what);
  });
  it("FW_WIZARD_NAME refuses two public wizards with one name, and the same one may be drawn twice", async () => {
    const error = await refused(
      "FW_WIZARD_NAME",
      `routes.registerWizard(GuestWizard, { at: "signup" }); routes.registerWizard(OtherWizard, { at: "join", as: "signup" });`,
    );
    assert.match(
      error.message,
      'the public wizards GuestWizard at signup and OtherWizard at join are both named "signup"',
    );
    const app = await openWizards(
      inPortal(
        `routes.registerWizard(GuestWizard, { at: "signup" }); routes.registerWizard(GuestWizard, { at: "/signup" }); routes.registerWizard(OtherWizard, { at: "other" });`,
      ),
    );
    assert.is(app.application.paths.path(undefined, "signup_wizard", [{ step: "first" }]), "/signup/first");
    await app.close();
  });
  it("A guest resumes the run of the own browser and does not see that of another one", async () => {
    const app = await openWizards(signup);
    const [one, two] = [app.client(), app.client()];
    await one.request("/signup");
    await one.submit("/signup/first", { "wizard[title]": "Secret words" }, /signup/);
    assert.is(location(await one.request("/signup")), "/signup/second");
    assert.is(location(await two.request("/signup")), "/signup/first");
    assert.not.match(await two.page("/signup/first"), "Secret words");
    assert.is(location(await app.client().request("/signup/second")), "/signup");
    assert.is((await app.client().request("/signup/second")).headers.get("cache-control"), "no-store");
    await app.close();
  });
  it("A public wizard ends at its completed page by default", async () => {
    const app = await openWizards({
      ...signup,
      "app/wizards/guest_wizard.ts": wizardFile("GuestWizard", "anonymous: true", {
        steps: twoSteps,
        body: "async execute() { return succeed(); }",
      }),
    });
    const guest = app.client();
    await guest.request("/signup");
    await guest.submit("/signup/first", { "wizard[title]": "x" }, /signup/);
    assert.is(location(await guest.submit("/signup/second", {}, /signup/)), "/signup/completed");
    assert.match(await guest.page("/signup/completed"), "All done");
    await app.close();
  });
});
