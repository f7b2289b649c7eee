import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { as, openWizards, portalRoutes, wizardFile } from "./mounts_support.ts";

const location = (answer: Response) => answer.headers.get("location") ?? "";
const sidebar = (page: string): string[] =>
  [...page.split("</aside>")[0]!.matchAll(/class="fw-nav-link" href="([^"]*)"( aria-current="page")?/g)].map(
    ([, url, active]) => `${url}${active ? " *" : ""}`,
  );
const wizards = ["Import", "Onboard", "Closed", "Throwing", "Missing", "Open", "Waiting", "Tenant", "Found"].map(
  (name) => `${name}Wizard`,
);
const imports = wizards
  .map((name) => `import ${name} from "#app/wizards/${name.replace(/(?!^)[A-Z]/g, "_$&").toLowerCase()}.ts";`)
  .join(" ");
const done = `async execute() { return succeed(); }`;
const mounted = {
  "packages/admin_portal/config/routes.ts": portalRoutes(
    wizards
      .map((name) => `routes.registerWizard(${name}, { at: "${name.replace("Wizard", "").toLowerCase()}" });`)
      .join(" "),
    imports,
  ),
  "app/wizards/closed_wizard.ts": wizardFile("ClosedWizard", "", { body: `authorize() { return false; } ${done}` }),
  "app/wizards/open_wizard.ts": wizardFile("OpenWizard", `presents: { label: "Open one", icon: "upload" }`, {
    body: `authorize() { return this.currentUser !== undefined; } ${done}`,
  }),
  "app/wizards/waiting_wizard.ts": wizardFile("WaitingWizard", "", {
    body: `async authorize() { throw new Error("asked"); } ${done}`,
  }),
  "app/wizards/throwing_wizard.ts": wizardFile("ThrowingWizard", "", {
    body: `authorize(): boolean { throw new Error("asked"); } ${done}`,
  }),
  "app/wizards/missing_wizard.ts": wizardFile("MissingWizard", "", {
    body: `authorize(): boolean { return undefined as never; } ${done}`,
  }),
  "app/wizards/tenant_wizard.ts": wizardFile("TenantWizard", `anchored: anchored({ via: "currentUser" })`),
  "app/wizards/found_wizard.ts": wizardFile("FoundWizard", `anchored: anchored({ via: "favourite" })`),
  "packages/admin_portal/app/controllers/admin_portal/wizards_controller.ts": `import { WizardBaseController } from "framewright/plugins/wizards"; import Controller from "./concerns/controller.ts";
    export default class WizardsController extends Controller(WizardBaseController) { async favourite() { return undefined; } }`,
};

describe("The sidebar of a portal with registered wizards", (it) => {
  it("The sidebar links permitted repeatable wizards and marks the one that the user is in", async () => {
    const app = await openWizards(mounted);
    const ann = as(app.client(), 1);
    const page = await ann.page("/admin");
    assert.equal(sidebar(page), [
      "/admin *",
      "/admin/posts",
      "/admin/comments",
      "/admin/import",
      "/admin/open",
      "/admin/tenant",
    ]);
    assert.match(page, "Open one");
    const step = location(await ann.request("/admin/import"));
    const lit = sidebar(await ann.page(step)).filter((line) => line.endsWith("*"));
    assert.equal(lit, ["/admin/import *"]);
    assert.equal(
      sidebar(await ann.page("/admin/import/runs")).filter((line) => line.endsWith("*")),
      ["/admin/import *"],
    );
    await app.close();
  });
  it("The sidebar shows a one-time wizard while the user is in it", async () => {
    const app = await openWizards(mounted);
    const ann = as(app.client(), 1);
    await ann.request("/admin/onboard");
    const lit = sidebar(await ann.page("/admin/onboard/first")).filter((line) => line.endsWith("*"));
    assert.equal(lit, ["/admin/onboard *"]);
    await app.close();
  });
  it("The sidebar of a guest does not link a wizard that requires a user", async () => {
    const app = await openWizards(mounted);
    assert.equal(sidebar(await app.client().page("/admin")).includes("/admin/import"), false);
    await app.close();
  });
});

const definition = (lines: string) =>
  `import { ResourceDefinition } from "framewright/plugins/resources"; import type {} from "framewright/plugins/wizards"; import type Post from "#app/models/post.ts";
   import ConfigureWizard from "../wizards/configure_wizard.ts"; import ImportWizard from "../wizards/import_wizard.ts"; import OnboardWizard from "../wizards/onboard_wizard.ts";
   export default class PostDefinition extends ResourceDefinition<Post> { override configure() { super.configure(); ${lines} } }`;
const single = (lines: string) => ({
  "packages/admin_portal/config/routes.ts": `import { AdminPortal } from "../lib/engine.ts"; import type {} from "framewright/plugins/resources"; import Post from "#app/models/post.ts";
    export default AdminPortal.routes.draw((routes) => { routes.root({ to: "dashboard#index" }); routes.registerResource(Post, { singular: true }); });`,
  "app/definitions/post_definition.ts": definition(lines),
});
/** Only one post is there to be the one. */
async function openSingle(lines: string) {
  const app = await openWizards(single(lines));
  await databaseOf(app.application).knex("posts").where({ id: 2 }).delete();
  return app;
}

describe("A wizard without an anchor on a singular resource", (it) => {
  it("A wizard of a singular resource is linked on its page, and its steps mark the resource in the sidebar", async () => {
    const app = await openSingle(`this.wizard("intake", ImportWizard); this.wizard("configure", ConfigureWizard);`);
    const ann = as(app.client(), 1);
    const page = await ann.page("/admin/post");
    assert.match(page, 'href="/admin/post/wizards/intake"');
    assert.match(page, 'href="/admin/post/wizards/configure"');
    assert.not.match(page, 'href="/admin/post/new"');
    const step = location(await ann.request("/admin/post/wizards/intake"));
    assert.equal(sidebar(await ann.page(step)), ["/admin", "/admin/post *"]);
    await app.close();
  });
  it("A wizard of a singular resource has its confirmation page, and a completed one-time wizard is not linked", async () => {
    const app = await openSingle(
      `this.wizard("intake", ImportWizard, { confirmation: "Really?" }); this.wizard("onboard", OnboardWizard);`,
    );
    const ann = as(app.client(), 1);
    const page = await ann.page("/admin/post");
    assert.match(page, 'href="/admin/post/actions/intake"');
    assert.match(await ann.page("/admin/post/actions/intake"), "Really?");
    assert.match(page, 'href="/admin/post/wizards/onboard"');
    await ann.request("/admin/post/wizards/onboard");
    await ann.submit("/admin/post/wizards/onboard/first", { "wizard[title]": "x" }, /\/first"/);
    await ann.submit("/admin/post/wizards/onboard/second", {}, /\/second"/);
    assert.not.match(await ann.page("/admin/post"), "wizards/onboard");
    await app.close();
  });
});

describe("A launch with a confirmation", (it) => {
  const confirmed = {
    "app/definitions/post_definition.ts": definition(
      `this.wizard("configure", ConfigureWizard, { confirmation: true, collectionRecordAction: true }); this.wizard("intake", ImportWizard, { confirmation: "Import now?" });`,
    ),
  };
  /** Opens "Sure?" from a page, launches as its form does, cancels, and says where that led. */
  async function cancelledFrom(from: string | undefined, asked: string, launch: string): Promise<string> {
    const app = await openWizards(confirmed);
    const ann = as(app.client(), 1);
    const headers: Record<string, string> = from === undefined ? {} : { referer: app.url + from };
    const page = await (await ann.request(asked, { headers })).text();
    const carried = /name="return_to" value="([^"]*)"/.exec(page)?.[1] ?? "";
    assert.match(page, `action="${launch}"`);
    const sent = await ann.request(`${launch}?return_to=${encodeURIComponent(carried)}`, {
      headers: { referer: app.url + asked },
    });
    const answer = await ann.submit(location(sent), { _direction: "cancel" }, /\/first"/);
    await app.close();
    return location(answer);
  }
  it("A cancel after a confirmed launch redirects to the page before the confirmation", async () => {
    const row = "/admin/posts/1/actions/configure";
    const launch = "/admin/posts/1/wizards/configure";
    assert.is(await cancelledFrom("/admin/posts?page=1", row, launch), "/admin/posts?page=1");
    assert.is(await cancelledFrom("/admin/posts/1", row, launch), "/admin/posts/1");
    assert.is(await cancelledFrom(undefined, row, launch), "/admin/posts/1");
    assert.is(await cancelledFrom(row, row, launch), "/admin/posts/1");
    assert.is(await cancelledFrom("/users/login", row, launch), "/admin/posts/1");
    const asked = "/admin/posts/actions/intake";
    assert.is(await cancelledFrom("/admin/comments", asked, "/admin/posts/wizards/intake"), "/admin/comments");
    assert.is(await cancelledFrom(undefined, asked, "/admin/posts/wizards/intake"), "/admin/posts");
  });
});
