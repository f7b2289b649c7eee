import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import type { Client } from "../../testing/client.ts";
import { as, bootWith, openWizards, portalRoutes, wizardFile, wizardFiles } from "./mounts_support.ts";

const imports = `import { html } from "framewright"; import Post from "#app/models/post.ts";`;
const steps = (review: string) =>
  `.step("company", { label: "Company" }, (f) => f.string("name", { presence: true }).password("secret"))
  .step("extra", { label: "Extra", condition: ({ data }) => data.company?.name === "Big" }, (f) => f.integer("seats"))
  .review(${review})`;
const content = `async content({ data, query, currentUser }) { const posts = await query(Post).where("title", "Hello"); return html\`<p id="own">\${data.company?.name}: \${data.extra?.seats ?? "no"} seats, \${posts.length} posts, \${(currentUser as { name: string }).name}</p>\`; }`;
const wizards: Record<string, string> = {
  both: `{ label: "Check", ${content} }`,
  own: `{ summary: false, ${content} }`,
  none: `{ summary: false, content: () => undefined }`,
  text: `{ summary: false, content: ({ data }) => \`<b>\${data.company?.name}</b>\` as never }`,
};
const keyed = "concurrencyKey: (run) => run.currentUser";
const classOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}Wizard`;
const filesOf = (all: Record<string, string>): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(all).map(([name, review]) => [
      `app/wizards/${name}_wizard.ts`,
      wizardFile(classOf(name), keyed, { imports, steps: steps(review) }),
    ]),
  ),
  "packages/admin_portal/config/routes.ts": portalRoutes(
    Object.keys(all)
      .map((name) => `routes.registerWizard(${classOf(name)}, { at: "${name}" });`)
      .join(" "),
    Object.keys(all)
      .map((name) => `import ${classOf(name)} from "#app/wizards/${name}_wizard.ts";`)
      .join(" "),
  ),
});
const at = (step: string) => new RegExp(`action="[^"]*/${step}"`);

/** The page of the review, once a company was named. */
async function reviewOf(client: Client, wizard: string, name: string): Promise<string> {
  await client.request(`/admin/${wizard}`);
  const fields = { "wizard[name]": name, "wizard[secret]": "hunter2hunter2" };
  await client.submit(`/admin/${wizard}/company`, fields, at("company"));
  if (name === "Big") await client.submit(`/admin/${wizard}/extra`, { "wizard[seats]": "7" }, at("extra"));
  return client.page(`/admin/${wizard}/review`);
}

describe("The review of a wizard", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openWizards(filesOf(wizards));
  });
  after(() => app.close());

  it("Shows its own content above the summary, outside of the form", async () => {
    const page = await reviewOf(as(app.client(), 1), "both", "Big");
    const [own, form, summary] = [
      '<p id="own">Big: 7 seats, 1 posts, Ann</p>',
      'action="/admin/both/review"',
      "Change: Company",
    ].map((text) => page.indexOf(text));
    assert.ok(own! > 0 && own! < form! && form! < summary!, page);
    assert.match(page, "Check");
  });
  it("Shows its own content alone where the summary is off, and can still be finished", async () => {
    const client = as(app.client(), 1);
    const page = await reviewOf(client, "own", "Acme");
    assert.match(page, '<p id="own">Acme: no seats, 1 posts, Ann</p>');
    assert.not.match(page, "fw-wizard-part");
    assert.not.match(page, "Change: Company");
    const end = await client.submit("/admin/own/review", {}, at("review"));
    assert.is(end.headers.get("location"), "/admin");
  });
  it("Escapes what was typed, also where a text is returned instead of HTML", async () => {
    const typed = "<script>alert(1)</script>";
    const client = as(app.client(), 2);
    assert.match(await reviewOf(client, "both", typed), '<p id="own">&lt;script&gt;alert(1)&lt;/script&gt;: no');
    assert.match(await reviewOf(client, "text", typed), "&lt;b&gt;&lt;script&gt;");
    assert.not.match(await client.page("/admin/text/review"), "<script>alert");
  });
  it("Shows nothing but its buttons without summary and content", async () => {
    const page = await reviewOf(as(app.client(), 1), "none", "Acme");
    assert.not.match(page, /fw-wizard-(part|content)/);
    assert.match(page, "Finish");
  });
});

describe("The options of review()", (it) => {
  it("An unknown option of review() is refused by name", async () => {
    const { message } = await throwsCode("FW_FILE_FAILED", () =>
      bootWith(filesOf({ odd: "{ sumary: false } as never" })),
    );
    assert.match(
      message,
      'FW_WIZARD_REVIEW_OPTION: review() has no option "sumary". Did you mean "summary"? It takes label, description, summary and content.',
    );
  });
});

describe("Options of the plugin for all wizards", (it) => {
  const config = "plugins.config.ts";
  const configured = (options: string) => ({
    [config]: edited(wizardFiles, config, ["sweep: false", `sweep: false, ${options}`]),
  });
  const stored = async (app: TestApp, wizard: string) =>
    ((await databaseOf(app.application).knex("framewright_wizard_runs").where({ wizard }).first()) as { data: string })
      .data;

  it("encryptData and width apply to the wizards that set neither", async () => {
    const app = await openWizards({
      ...configured('encryptData: true, width: "wide"'),
      "app/wizards/onboard_wizard.ts": wizardFile("OnboardWizard", `${keyed}, encryptData: false, width: "narrow"`),
    });
    const ann = as(app.client(), 1);
    for (const [wizard, path, width] of [
      ["ConfigureWizard", "/admin/posts/1/wizards/configure", "wide"],
      ["OnboardWizard", "/admin/onboarding", "narrow"],
    ] as const) {
      await ann.request(path);
      assert.match(await ann.page(`${path}/first`), `class="fw-wizard fw-wizard-${width}"`);
      await ann.submit(`${path}/first`, { "wizard[title]": "Plainly" }, at("first"));
      assert.is((await stored(app, wizard)).includes("Plainly"), width === "narrow", wizard);
      assert.match(await ann.page(`${path}/first`), 'value="Plainly"');
    }
    await app.close();
  });
  it("A width that does not exist is refused at boot", async () => {
    const { message } = await throwsCode("FW_FILE_FAILED", () => bootWith(configured('width: "broad" as never')));
    assert.match(message, /FW_OPTION_INVALID: the option "width".*"narrow", "normal", "wide"/);
  });
});
