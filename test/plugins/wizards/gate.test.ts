import { copyFixture, edited, editedText } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { as, bootWith, openWizards, portalRoutes, wizardFile } from "./mounts_support.ts";

const location = (answer: Response) => answer.headers.get("location") ?? "";
const imports = `import OnboardWizard from "#app/wizards/onboard_wizard.ts"; import TourWizard from "#app/wizards/tour_wizard.ts"; import ImportWizard from "#app/wizards/import_wizard.ts";`;
const classes = {
  "app/wizards/onboard_wizard.ts": wizardFile(
    "OnboardWizard",
    `presents: { label: "Onboarding" }, concurrencyKey: (run) => run.currentUser, oneTime: true`,
  ),
  "app/wizards/tour_wizard.ts": wizardFile("TourWizard", `concurrencyKey: (run) => run.currentUser, oneTime: true`),
};
const gate = "packages/admin_portal/app/controllers/admin_portal/dashboard_controller.ts";
const dashboard = (
  call: string,
  from = `import OnboardWizard from "#app/wizards/onboard_wizard.ts"; import ImportWizard from "#app/wizards/import_wizard.ts"; import TourWizard from "#app/wizards/tour_wizard.ts";`,
) =>
  `import { BaseController, concern } from "framewright"; import { WizardGate } from "framewright/plugins/wizards"; import Controller from "./concerns/controller.ts"; import Post from "#app/models/post.ts"; ${from}
   export default class DashboardController extends Controller(concern(BaseController, WizardGate)) {
     static override beforeActions = ["onboarded"]; async onboarded() { return ${call}; } index() { return this.render(); } settings() { return this.json({ ok: true }); } }`;
const routes = (
  lines = `routes.registerWizard(OnboardWizard, { at: "onboarding" }); routes.registerWizard(TourWizard, { at: "tour" });`,
) =>
  portalRoutes(
    `routes.get("settings", { to: "dashboard#settings" }); routes.post("settings", { to: "dashboard#settings" }); ${lines}`,
    imports,
  );
const gated = (call = "this.ensureWizardCompleted(OnboardWizard)", lines?: string) => ({
  ...classes,
  [gate]: dashboard(call),
  "packages/admin_portal/config/routes.ts": routes(lines),
});
async function walk(client: ReturnType<typeof as>, path: string): Promise<Response> {
  await client.submit(`${path}/first`, { "wizard[title]": "x" }, /\/first"/);
  return client.submit(`${path}/second`, {}, /\/second"/);
}

describe("The gate of a one-time wizard", (it) => {
  it("A gate redirects to the wizard until it is completed, and then to the requested page", async () => {
    const app = await openWizards(gated());
    const ann = as(app.client(), 1);
    const sent = await ann.request("/admin/settings?tab=2");
    assert.is(sent.status, 303);
    assert.is(location(sent), "/admin/onboarding?return_to=%2Fadmin%2Fsettings%3Ftab%3D2");
    await ann.request(location(sent));
    assert.is(location(await walk(ann, "/admin/onboarding")), "/admin/settings?tab=2");
    assert.is((await ann.request("/admin/settings?tab=2")).status, 200);
    assert.is((await as(app.client(), 2).request("/admin")).status, 303);
    await app.close();
  });
  it("After a cancel a gate redirects to the list of runs, which names the wizard, and starts no new run", async () => {
    const app = await openWizards(gated());
    const ann = as(app.client(), 1);
    await ann.request(location(await ann.request("/admin/settings")));
    const cancelled = await ann.submit("/admin/onboarding/first", { _direction: "cancel" }, /\/first"/);
    assert.is(location(cancelled), "/admin/onboarding/runs");
    const page = await ann.page("/admin/onboarding/runs");
    assert.match(page, "Cancelled. Your answers were discarded.");
    assert.match(page, "Finish “Onboarding” first.");
    assert.match(page, 'href="/admin/onboarding"');
    assert.is(location(await ann.request("/admin")), "/admin/onboarding/runs"); // every gated page, and not one alone
    assert.is(location(await ann.request("/admin/settings")), "/admin/onboarding/runs");
    const { knex } = databaseOf(app.application);
    assert.equal(await knex("framewright_wizard_runs").select(), []);
    await ann.request("/admin/onboarding");
    assert.match(location(await ann.request("/admin/settings")), /^\/admin\/onboarding\?return_to/);
    assert.is(location(await walk(ann, "/admin/onboarding")), "/admin/settings");
    assert.is((await ann.request("/admin/settings")).status, 200);
    assert.not.match(await ann.page("/admin/onboarding/runs"), "first. The page");
    await app.close();
  });
  it("A gated wizard launched from an ungated page returns there on cancel", async () => {
    const app = await openWizards(gated());
    const ann = as(app.client(), 1);
    await ann.request("/admin/onboarding?return_to=/admin/posts");
    const cancelled = await ann.submit("/admin/onboarding/first", { _direction: "cancel" }, /\/first"/);
    assert.is(location(cancelled), "/admin/posts");
    assert.is((await ann.request("/admin/posts")).status, 200);
    assert.is(location(await ann.request("/admin")), "/admin/onboarding/runs");
    const page = await ann.page("/admin/onboarding/runs");
    assert.match(page, "Finish “Onboarding” first.");
    assert.not.match(page, />Leave</); // home waits as well
    await app.close();
  });
  it("A gate answers JSON requests 403 with FW_WIZARD_GATED and the wizard's label", async () => {
    const app = await openWizards(gated());
    const { status, body } = await as(app.client(), 1).json("/admin/settings");
    assert.is(status, 403);
    assert.is(body.code, "FW_WIZARD_GATED");
    assert.match(String(body.detail), "Onboarding");
    await app.close();
  });
  it("A gate returns to the portal's root after a POST", async () => {
    const app = await openWizards(gated());
    const ann = as(app.client(), 1);
    const page = await ann.page("/admin/posts/new");
    const token = /name="csrf-token" content="([^"]+)"/.exec(page)![1]!;
    const sent = await ann.request("/admin/settings", { method: "POST", headers: { "x-csrf-token": token } });
    assert.is(location(sent), "/admin/onboarding?return_to=%2Fadmin");
    await app.close();
  });
  it("A gate lets guests pass", async () => {
    const app = await openWizards(gated());
    assert.is((await app.client().request("/admin/settings")).status, 200);
    await app.close();
  });
  it("A gate in a portal's concern lets the routes of wizards through, also with two wizards", async () => {
    const concern = "packages/admin_portal/app/controllers/admin_portal/concerns/controller.ts";
    const files = {
      ...gated(
        undefined,
        `routes.registerWizard(OnboardWizard, { at: "onboarding" }); routes.registerWizard(TourWizard, { at: "tour" }); routes.registerWizard(ImportWizard, { at: "import" });`,
      ),
      [concern]: `import { concern, type ControllerClass } from "framewright"; import { CurrentUser, PortalController, PublicAccess } from "framewright/plugins/portals"; import { WizardGate } from "framewright/plugins/wizards";
        import User from "#app/models/user.ts"; import OnboardWizard from "#app/wizards/onboard_wizard.ts"; import TourWizard from "#app/wizards/tour_wizard.ts";
        export default <B extends ControllerClass>(Base: B) => class extends (concern(Base as ControllerClass, PortalController, PublicAccess, CurrentUser(async (request) => (await User.query().findById(Number(request.header("x-user") ?? 0))) as object | undefined), WizardGate) as any) {
          static beforeActions = ["first", "then"];
          first() { return (this as any).ensureWizardCompleted(OnboardWizard); } then() { return (this as any).ensureWizardCompleted(TourWizard); } } as any;`,
      [gate]: `import { BaseController } from "framewright"; import Controller from "./concerns/controller.ts"; export default class DashboardController extends Controller(BaseController) { index() { return this.render(); } settings() { return this.json({}); } }`,
    };
    const app = await openWizards(files);
    const ann = as(app.client(), 1);
    assert.match(location(await ann.request("/admin")), /^\/admin\/onboarding/);
    assert.is(location(await ann.request("/admin/onboarding")), "/admin/onboarding/first");
    assert.is((await ann.request("/admin/onboarding/first")).status, 200);
    assert.match(
      location(await ann.request("/admin/import")),
      /^\/admin\/onboarding\?/,
      "another wizard waits as pages do",
    );
    assert.match(location(await ann.request("/admin/import/first")), /^\/admin\/onboarding\?/);
    await walk(ann, "/admin/onboarding");
    assert.match(location(await ann.request("/admin")), /^\/admin\/tour/);
    await ann.request("/admin/tour");
    assert.is(location(await walk(ann, "/admin/tour")), "/admin");
    assert.is((await ann.request("/admin")).status, 200);
    await app.close();
  });
  it("A gate in the concern of a tenants' portal leaves the choice of a tenant open, and leads to the wizard below it", async () => {
    const tenants = copyFixture("wizard_tenants");
    const concern = "packages/admin_portal/app/controllers/admin_portal/concerns/controller.ts";
    const own = "packages/admin_portal/config/routes.ts";
    const terms = 'import TermsWizard from "#app/wizards/terms_wizard.ts";';
    const app = await openWizards({
      ...tenants,
      [own]: edited(
        tenants,
        own,
        ["import Comment", `${terms}\nimport Comment`],
        ["routes.root(", 'routes.registerWizard(TermsWizard, { at: "rules" }); routes.root('],
      ),
      [concern]: edited(
        tenants,
        concern,
        ["import User", `import { WizardGate } from "framewright/plugins/wizards";\n${terms}\nimport User`],
        ["PortalController, findUser", "PortalController, findUser, WizardGate(TermsWizard)"],
      ),
    });
    try {
      await databaseOf(app.application)
        .knex("organizations")
        .insert([
          { id: 1, name: "Alpine" },
          { id: 2, name: "Baltic" },
        ]);
      const ann = as(app.client(), 1);
      const page = await ann.request("/admin");
      assert.is(page.status, 200, location(page));
      assert.match(await page.text(), /Alpine[\s\S]*Baltic/);
      assert.is(location(await ann.request("/admin/2/posts")), "/admin/2/rules?return_to=%2Fadmin%2F2%2Fposts");
      assert.match(location(await ann.request("/admin/2/onboarding")), /^\/admin\/2\/rules\?/);
      assert.is(location(await ann.request("/admin/2/rules")), "/admin/2/rules/first");
    } finally {
      await app.close();
    }
  });
  it("FW_WIZARD_GATE names a wizard that is not one-time or not mounted when the gate is reached", async () => {
    for (const [call, lines, what] of [
      ["this.ensureWizardCompleted(ImportWizard)", undefined, /ImportWizard.*oneTime: true/],
      ["this.ensureWizardCompleted(OnboardWizard)", "", /OnboardWizard, which has no address here/],
    ] as const) {
      const app = await openWizards(gated(call, lines));
      const said: string[] = [];
      app.application.log.error = ((...parts: unknown[]) => void said.push(String(parts[1]))) as never;
      assert.is((await as(app.client(), 1).request("/admin/settings")).status, 500);
      assert.match(said.join(), /FW_WIZARD_GATE: DashboardController is gated by/);
      assert.match(said.join(), what);
      await app.close();
    }
  });
  const declared = (chain: string) => ({
    ...gated(),
    [gate]: editedText(
      dashboard("undefined"),
      ["WizardGate))", `${chain}))`],
      ["export default", "void [OnboardWizard, ImportWizard, TourWizard, Post]; export default"],
    ),
  });
  it("WizardGate with wizards gates a controller by one after the other", async () => {
    const app = await openWizards(declared("WizardGate(OnboardWizard), WizardGate(TourWizard)"));
    const ann = as(app.client(), 1);
    for (const path of ["/admin/onboarding", "/admin/tour"]) {
      const sent = location(await ann.request("/admin/settings?tab=2"));
      assert.is(sent, `${path}?return_to=%2Fadmin%2Fsettings%3Ftab%3D2`);
      await ann.request(sent);
      assert.is(location(await walk(ann, path)), "/admin/settings?tab=2");
    }
    assert.is((await ann.request("/admin/settings?tab=2")).status, 200);
    assert.is((await app.client().request("/admin/settings")).status, 200, "the login is not its business");
    await app.close();
  });
  it("Boot fails with FW_WIZARD_GATE for a wizard that can be repeated, is not mounted or needs a record", async () => {
    const boot = async (chain: string, changes: Record<string, string> = {}) => {
      try {
        await bootWith({ ...declared(chain), ...changes });
        return "booted";
      } catch (error) {
        return String(error);
      }
    };
    const without = { "packages/admin_portal/config/routes.ts": routes("") };
    const anchored = wizardFile("TourWizard", `anchored: anchored({ with: Post }), oneTime: true`, {
      imports: `import Post from "#app/models/post.ts";`,
    });
    assert.is(await boot("WizardGate(OnboardWizard)"), "booted");
    assert.match(await boot("WizardGate(ImportWizard)"), /FW_WIZARD_GATE.*ImportWizard, which can be repeated/);
    assert.match(
      await boot("WizardGate(OnboardWizard)", without),
      /FW_WIZARD_GATE: DashboardController is gated by OnboardWizard, which has no address here/,
    );
    assert.match(
      await boot("WizardGate(TourWizard)", { ...without, "app/wizards/tour_wizard.ts": anchored }),
      /FW_WIZARD_GATE: DashboardController is gated by TourWizard, which is anchored with a record/,
    );
  });
  it("A gate uses the anchor that it is given, or the one of a wizard anchored via a method", async () => {
    const anchoredFiles = {
      ...gated(
        "this.ensureWizardCompleted(TourWizard as never, { anchor: (await Post.query().findById(1)) as never })",
        "",
      ),
      "app/wizards/tour_wizard.ts": wizardFile("TourWizard", `anchored: anchored({ with: Post }), oneTime: true`, {
        imports: `import Post from "#app/models/post.ts";`,
      }),
      "app/definitions/post_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources"; import type {} from "framewright/plugins/wizards"; import TourWizard from "../wizards/tour_wizard.ts";
        export default class PostDefinition extends ResourceDefinition { override configure() { super.configure(); this.wizard("intake", TourWizard); } }`,
    };
    const app = await openWizards(anchoredFiles);
    const ann = as(app.client(), 1);
    const sent = location(await ann.request("/admin/settings"));
    assert.is(sent, "/admin/posts/1/wizards/intake?return_to=%2Fadmin%2Fsettings");
    await ann.request(sent);
    assert.is(location(await walk(ann, "/admin/posts/1/wizards/intake")), "/admin/settings");
    assert.is((await ann.request("/admin/settings")).status, 200);
    await app.close();
    const via = await openWizards({
      ...gated("this.ensureWizardCompleted(TourWizard)"),
      "app/wizards/tour_wizard.ts": wizardFile(
        "TourWizard",
        `anchored: anchored({ via: "currentUser" }), oneTime: true`,
      ),
    });
    const bob = as(via.client(), 2);
    await bob.request(location(await bob.request("/admin/settings")));
    assert.is(location(await walk(bob, "/admin/tour")), "/admin/settings");
    await via.close();
  });
  it("A gate without the anchor that its wizard needs is 500 for a user, and lets a guest pass", async () => {
    const app = await openWizards({
      ...gated("this.ensureWizardCompleted(TourWizard)", ""),
      "app/wizards/tour_wizard.ts": wizardFile("TourWizard", `anchored: anchored({ with: Post }), oneTime: true`, {
        imports: `import Post from "#app/models/post.ts";`,
      }),
      "app/definitions/post_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources"; import type {} from "framewright/plugins/wizards"; import TourWizard from "../wizards/tour_wizard.ts";
        export default class PostDefinition extends ResourceDefinition { override configure() { super.configure(); this.wizard("intake", TourWizard); } }`,
    });
    assert.is((await app.client().request("/admin/settings")).status, 200);
    const said: string[] = [];
    app.application.log.error = ((...parts: unknown[]) => void said.push(String(parts[1]))) as never;
    assert.is((await as(app.client(), 1).request("/admin/settings")).status, 500);
    assert.match(said.join(), /TourWizard, which is anchored with a record\. Pass it/);
    await app.close();
  });
});
