import { conflict } from "framewright";
import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { PNG } from "../../support/png.ts";
import { databaseOf } from "../../support/shop.ts";
import type { Client } from "../../testing/client.ts";
import { as, openWizards, portalRoutes, twoSteps, wizardFile, wizardFiles } from "./mounts_support.ts";

const location = (answer: Response) => answer.headers.get("location") ?? "";
const at = (step: string) => new RegExp(`action="[^"]*/${step}"`);
const engineOf = (app: TestApp) => app.application.kernel.service("wizards").engine;
const walk = async (client: Client, path: string) => {
  await client.submit(`${path}/first`, { "wizard[title]": "x" }, at("first"));
  return client.submit(`${path}/second`, {}, at("second"));
};

describe("The end of a wizard", (it) => {
  it("A wizard redirects to where execute says and shows its message there", async () => {
    const app = await openWizards({
      "app/wizards/import_wizard.ts": wizardFile("ImportWizard", `presents: { label: "Import" }`, {
        body: `async execute() { return succeed().withMessage("Imported").withRedirect("/admin/comments"); }`,
      }),
    });
    const ann = as(app.client(), 1);
    const first = location(await ann.request("/admin/posts/wizards/intake")).replace(/\/first$/, "");
    assert.is(location(await walk(ann, first)), "/admin/comments");
    assert.match(await ann.page("/admin/comments"), "Imported");
    await app.close();
  });
  it("A wizard of a resource ends at the record's page or the list", async () => {
    const app = await openWizards();
    const ann = as(app.client(), 1);
    await ann.request("/admin/posts/1/wizards/configure");
    assert.is(location(await walk(ann, "/admin/posts/1/wizards/configure")), "/admin/posts/1");
    assert.match(await ann.page("/admin/posts/1"), "Configured");
    const first = location(await ann.request("/admin/posts/wizards/intake")).replace(/\/first$/, "");
    assert.is(location(await walk(ann, first)), "/admin/posts");
    assert.is(location(await ann.request(`${first}/first`)), "/admin/posts");
    await app.close();
  });
  it("A one-time wizard ends at its completed page, and later launches redirect there", async () => {
    const app = await openWizards();
    const ann = as(app.client(), 1);
    await ann.request("/admin/onboarding");
    assert.is(location(await walk(ann, "/admin/onboarding")), "/admin/onboarding/completed");
    const page = await ann.page("/admin/onboarding/completed");
    assert.match(page, "<h1>Welcome aboard</h1>");
    assert.match(page, "Well done");
    assert.is(location(await ann.request("/admin/onboarding")), "/admin/onboarding/completed");
    assert.is(location(await ann.request("/admin/onboarding/first")), "/admin/onboarding/completed");
    assert.is((await as(app.client(), 2).request("/admin/onboarding/completed")).status, 303);
    const { body } = await ann.json("/admin/onboarding/completed");
    assert.equal(body, { data: { wizard: "OnboardWizard", state: "completed", message: "Well done" } });
    await app.close();
  });
  it("The completed page of an open run redirects to its current step", async () => {
    const app = await openWizards();
    const ann = as(app.client(), 1);
    await ann.request("/admin/onboarding");
    assert.is(location(await ann.request("/admin/onboarding/completed")), "/admin/onboarding/first");
    await app.close();
  });
  it("A run that is being completed shows a page that refreshes itself, and is 202 in JSON", async () => {
    const app = await openWizards();
    const ann = as(app.client(), 1);
    await ann.request("/admin/onboarding");
    const engine = engineOf(app);
    engine.resolveStep = async (_, run) => ({ kind: "busy", run });
    const answer = await ann.request("/admin/onboarding/first");
    assert.is(answer.status, 200);
    assert.is(answer.headers.get("refresh"), "3");
    assert.match(await answer.text(), /Processing[\s\S]*Refresh/);
    assert.is((await ann.json("/admin/onboarding/first")).status, 202);
    await app.close();
  });
});

describe("Interrupted answers", (it) => {
  it("A conflicting answer is 409 and shown again with a note about the other window", async () => {
    const app = await openWizards();
    const ann = as(app.client(), 1);
    await ann.request("/admin/onboarding");
    engineOf(app).advance = async () => {
      throw conflict("changed");
    };
    const answer = await ann.submit("/admin/onboarding/first", { "wizard[title]": "My long text" }, at("first"));
    assert.is(answer.status, 409);
    const page = await answer.text();
    assert.match(page, 'value="My long text"');
    assert.match(page, "in another window");
    await app.close();
  });
  it("Answers pending from a sign-in are filled in once", async () => {
    const app = await openWizards({
      "packages/admin_portal/app/controllers/admin_portal/wizards_controller.ts": `import { WizardBaseController } from "framewright/plugins/wizards"; import Controller from "./concerns/controller.ts";
        export default class WizardsController extends Controller(WizardBaseController) { static override beforeActions = ["held"];
          held() { if (this.request.header("x-held")) this.request.typed = { take: () => ({ wizard: { title: "Typed before" } }) as never }; } }`,
    });
    const ann = as(app.client(), 1);
    await ann.request("/admin/onboarding");
    const page = await (await ann.request("/admin/onboarding/first", { headers: { "x-held": "1" } })).text();
    assert.match(page, 'value="Typed before"');
    assert.not.match(await ann.page("/admin/onboarding/first"), "Typed before");
    await app.close();
  });
  it("A file survives an error in execute and is deleted once the run completes", async () => {
    const steps = `.step("first", {}, (f) => f.string("title").file("logo", { accept: ["image/png"] }))`;
    const body = `async execute() { if (this.data.first.title !== "fine") throw new Error("broken"); return succeed(); }`;
    const app = await openWizards({
      "app/wizards/onboard_wizard.ts": wizardFile("OnboardWizard", `concurrencyKey: (run) => run.currentUser`, {
        steps,
        body,
      }),
    });
    app.application.log.error = (() => undefined) as never;
    const ann = as(app.client(), 1);
    await ann.request("/admin/onboarding");
    const post = async (title: string, file?: Blob) => {
      const page = await ann.page("/admin/onboarding/first");
      const form = new FormData();
      form.set(
        "authenticity_token",
        /name="authenticity_token" value="([^"]+)"/.exec(page.slice(page.search(at("first"))))![1]!,
      );
      form.set("wizard[title]", title);
      if (file) form.set("wizard[logo]", file, "logo.png");
      return ann.request("/admin/onboarding/first", { method: "POST", body: form });
    };
    assert.is((await post("bad", new Blob([new Uint8Array(PNG)], { type: "image/png" }))).status, 500);
    const run = (await databaseOf(app.application).knex("framewright_wizard_runs").first()) as { data: string };
    const { key } = (JSON.parse(run.data) as { first: { logo: { key: string } } }).first.logo;
    assert.ok(await app.application.kernel.service("storage").exists(key));
    assert.match(await ann.page("/admin/onboarding/first"), "logo.png");
    assert.is((await post("fine")).status, 303);
    assert.not(await app.application.kernel.service("storage").exists(key));
    await app.close();
  });
});

describe("The open runs of a user", (it) => {
  it('A relaunched tokened wizard offers the started run, unless onRelaunch is "new"', async () => {
    const app = await openWizards({
      "app/wizards/anew_wizard.ts": wizardFile("AnewWizard", `onRelaunch: "new"`),
      "packages/admin_portal/config/routes.ts": portalRoutes(
        `routes.registerWizard(AnewWizard, { at: "anew" });`,
        `import AnewWizard from "#app/wizards/anew_wizard.ts";`,
      ),
    });
    const ann = as(app.client(), 1);
    for (const [launch, offered] of [
      ["/admin/posts/wizards/intake", true],
      ["/admin/anew", false],
    ] as const) {
      const first = location(await ann.request(launch));
      assert.not.match(await ann.page(first), "You started this before");
      await ann.submit(first, { "wizard[title]": "x" }, at("first"));
      const page = await ann.page(location(await ann.request(launch)));
      assert.is(page.includes("You started this before"), offered, launch);
      assert.is(page.includes(`href="${first.replace(/first$/, "second")}"`), offered, launch);
    }
    await app.close();
  });
  it("A started run is listed with its step, a link and a cancel button, to its own user only", async () => {
    const app = await openWizards();
    const [ann, bob] = [as(app.client(), 1), as(app.client(), 2)];
    const first = location(await ann.request("/admin/posts/wizards/intake"));
    assert.match(await ann.page("/admin/posts/wizards/intake/runs"), "Nothing in progress");
    await ann.submit(first, { "wizard[title]": "x" }, at("first"));
    const second = first.replace(/first$/, "second");
    const page = await ann.page("/admin/posts/wizards/intake/runs");
    assert.match(page, "Current step: Second");
    assert.match(page, `href="${second}"`);
    assert.match(page, /action="\/admin\/posts\/wizards\/intake\/runs\/\d+">[\s\S]*<button[^>]* data-turbo-confirm=/);
    const { body } = await ann.json("/admin/posts/wizards/intake/runs");
    const listed = body.data as { url: string; step: string; cancel_url: string }[];
    assert.equal(
      listed.map(({ url, step }) => [url, step]),
      [[second, "Second"]],
    );
    assert.match(listed[0]!.cancel_url, /^\/admin\/posts\/wizards\/intake\/runs\/\d+$/);
    assert.not.match(JSON.stringify(body), "authenticity_token");
    assert.match(await bob.page("/admin/posts/wizards/intake/runs"), "Nothing in progress");
    await ann.submit("/admin/posts/wizards/intake/runs", {}, /action="[^"]*\/runs\/\d+"/);
    assert.match(await ann.page("/admin/posts/wizards/intake/runs"), "Nothing in progress");
    await app.close();
  });
  it("openRuns returns the open runs of all wizards to a page of the application, and none to a guest", async () => {
    const app = await openWizards({
      "packages/admin_portal/app/controllers/admin_portal/dashboard_controller.ts": `import { BaseController } from "framewright"; import { openRuns } from "framewright/plugins/wizards"; import Controller from "./concerns/controller.ts";
        export default class DashboardController extends Controller(BaseController) { async index() { return this.json(await openRuns(this)); } }`,
    });
    const ann = as(app.client(), 1);
    await ann.request("/admin/onboarding");
    await ann.submit("/admin/onboarding/first", { "wizard[title]": "x" }, at("first"));
    await ann.request("/admin/posts/1/wizards/configure");
    await ann.submit("/admin/posts/1/wizards/configure/first", { "wizard[title]": "x" }, at("first"));
    const runs = (await (await ann.request("/admin")).json()) as { title: string; step: string; url: string }[];
    assert.equal(runs.map(({ title, step, url }) => [title, step, url]).sort(), [
      ["Configure", "Second", "/admin/posts/1/wizards/configure/second"],
      ["Onboarding", "Second", "/admin/onboarding/second"],
    ]);
    for (const { url } of runs) assert.is((await ann.request(url)).status, 200);
    assert.equal(await (await app.client().request("/admin")).json(), []);
    await app.close();
  });
});

describe("The stepper", (it) => {
  const open = (options: string) =>
    openWizards({
      "app/wizards/onboard_wizard.ts": wizardFile(
        "OnboardWizard",
        `concurrencyKey: (run) => run.currentUser, ${options}`,
      ),
    });
  const stepperOf = (html: string) => /<nav class="fw-stepper"[\s\S]*?<\/nav>/.exec(html)?.[0] ?? "";
  const onBoth = async (app: TestApp) => {
    const ann = as(app.client(), 1);
    await ann.request("/admin/onboarding");
    await ann.submit("/admin/onboarding/first", { "wizard[title]": "x" }, at("first"));
    const second = await ann.page("/admin/onboarding/second");
    await ann.submit("/admin/onboarding/second", { _direction: "back" }, at("second"));
    return [stepperOf(second), stepperOf(await ann.page("/admin/onboarding/first"))];
  };
  it("The stepper of a linear wizard links earlier steps only, and that of a free one every visited step", async () => {
    const linear = await open("");
    const [second, first] = await onBoth(linear);
    assert.match(second!, 'href="/admin/onboarding/first"');
    assert.not.match(first!, "href=");
    await linear.close();
    const free = await open(`navigation: "free"`);
    assert.match((await onBoth(free))[1]!, 'href="/admin/onboarding/second"');
    await free.close();
  });
  it("A step that has to be sent again keeps its link in a free wizard, and redirects to the first such step", async () => {
    const app = await openWizards({
      "app/wizards/onboard_wizard.ts": wizardFile(
        "OnboardWizard",
        `concurrencyKey: (run) => run.currentUser, navigation: "free"`,
        {
          steps: `${twoSteps}.step("third", { label: "Third" }, (f) => f.string("note")).onSubmit("second", async ({ data }) => void data.first.title).review()`,
        },
      ),
    });
    const ann = as(app.client(), 1);
    await ann.request("/admin/onboarding");
    for (const step of ["first", "second", "third"])
      await ann.submit(`/admin/onboarding/${step}`, step === "first" ? { "wizard[title]": "x" } : {}, at(step));
    await ann.page("/admin/onboarding/first");
    await ann.submit("/admin/onboarding/first", { "wizard[title]": "y" }, at("first"));
    const stepper = stepperOf(await ann.page("/admin/onboarding/second"));
    assert.match(stepper, 'href="/admin/onboarding/third"');
    const third = await ann.request("/admin/onboarding/third");
    assert.is(third.headers.get("location"), "/admin/onboarding/second");
    await app.close();
  });
  it("stepper: false removes the stepper, and width sets the width of the page", async () => {
    const app = await open(`stepper: false, width: "wide"`);
    const ann = as(app.client(), 1);
    await ann.request("/admin/onboarding");
    const page = await ann.page("/admin/onboarding/first");
    assert.not.match(page, "fw-stepper");
    assert.match(page, "fw-wizard-wide");
    await app.close();
  });
});

describe("The views of a wizard", (it) => {
  it("Views of a wizard are overridden by the application and the portal, also one partial at a time", async () => {
    const app = await openWizards({
      "app/views/wizards/_stepper.liquid": `<p>{{ steps.size }} steps of ours</p>`,
      "packages/admin_portal/app/views/wizards/completed.liquid": `<p>The portal's own: {{ heading }} {{ mark }}</p>`,
      "packages/admin_portal/app/controllers/admin_portal/wizards_controller.ts": `import { WizardBaseController } from "framewright/plugins/wizards"; import Controller from "./concerns/controller.ts";
        export default class WizardsController extends Controller(WizardBaseController) { override wizardLocals() { return { mark: "marked" }; } }`,
    });
    const ann = as(app.client(), 1);
    await ann.request("/admin/onboarding");
    assert.match(await ann.page("/admin/onboarding/first"), "2 steps of ours");
    await walk(ann, "/admin/onboarding");
    assert.match(await ann.page("/admin/onboarding/completed"), "The portal's own: Welcome aboard marked");
    await app.close();
  });
});

describe("A wizard in a modal", (it) => {
  it('A wizard with open: "dialog" runs in the modal\'s frame, and as a whole page without JavaScript', async () => {
    const definition = edited(wizardFiles, "app/definitions/post_definition.ts", [
      `ConfigureWizard);`,
      `ConfigureWizard, { open: "dialog" });`,
    ]);
    const app = await openWizards({ "app/definitions/post_definition.ts": definition });
    const ann = as(app.client(), 1);
    const page = await ann.page("/admin/posts/1");
    assert.match(page, 'class="fw-shell"'); // where the script adds the dialog
    assert.match(page, /href="\/admin\/posts\/1\/wizards\/configure"[^>]*data-turbo-frame="modal"/);
    await ann.request("/admin/posts/1/wizards/configure");
    assert.match(await ann.page("/admin/posts/1/wizards/configure/first"), "fw-sidebar");
    const headers = { "turbo-frame": "modal" };
    const framed = await (await ann.request("/admin/posts/1/wizards/configure/first", { headers })).text();
    assert.match(framed, /^<turbo-frame id="modal">/);
    const token = /name="authenticity_token" value="([^"]+)"/.exec(framed)![1]!;
    const post = (step: string, fields: Record<string, string>) =>
      ann.request(`/admin/posts/1/wizards/configure/${step}`, {
        method: "POST",
        headers,
        body: new URLSearchParams(fields),
      });
    assert.is((await post("first", { authenticity_token: token })).status, 422);
    const next = location(await post("first", { authenticity_token: token, "wizard[title]": "New" }));
    assert.is(next, "/admin/posts/1/wizards/configure/second");
    const second = await (await ann.request(next, { headers })).text();
    const end = location(
      await post("second", { authenticity_token: /name="authenticity_token" value="([^"]+)"/.exec(second)![1]! }),
    );
    assert.is(end, "/admin/posts/1/wizards/configure/completed?to=%2Fadmin%2Fposts%2F1");
    assert.match(await (await ann.request(end, { headers })).text(), 'content="reload"');
    assert.is(location(await ann.request(end)), "/admin/posts/1");
    assert.match(await ann.page("/admin/posts/1"), "Configured");
    await app.close();
  });
});
