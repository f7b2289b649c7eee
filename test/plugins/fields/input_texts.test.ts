import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { as, openWizards, portalRoutes, wizardFile, wizardFiles } from "../wizards/mounts_support.ts";

const texts = `label: ({ record, currentUser, t }) => \`Title \${record?.title ?? "of a new one"} by \${(currentUser as { name: string }).name}, \${t("framework.yes")}\`,
  hint: ({ record }) => (record ? "It was " + record.title : undefined), placeholder: () => "For <you>"`;
const files: Record<string, string> = {
  "plugins.config.ts": edited(wizardFiles, "plugins.config.ts", ["i18n()", 'i18n({ locales: ["en", "de"] })']),
  "app/policies/post_policy.ts": edited(wizardFiles, "app/policies/post_policy.ts", [
    "canConfigure()",
    "canEcho() { return true; }\n  canConfigure()",
  ]),
  "app/models/post.ts": `import { hasMany, Model } from "framewright/plugins/database";
    export default class Post extends Model("posts") {
      static override associations = { comments: hasMany() };
      static override validations = { title: { presence: true } };
    }`,
  "app/definitions/post_definition.ts": `
    import { ResourceDefinition } from "framewright/plugins/resources";
    import type Post from "#app/models/post.ts";
    import Echo from "#app/interactions/echo.ts";
    export default class PostDefinition extends ResourceDefinition<Post> {
      override configure() {
        super.configure();
        this.input("title", { ${texts} });
        this.column("title", { edit: true });
        this.action("echo", { interaction: Echo });
      }
    }`,
  "app/interactions/echo.ts": `
    import { Interaction, type InteractionAttributes, type InteractionValues, succeed } from "framewright/plugins/resources";
    import type Post from "#app/models/post.ts";
    const attributes = { title: { as: "string", required: true, ${texts} } } as const satisfies InteractionAttributes<Post>;
    export default class Echo extends Interaction<Post, InteractionValues<typeof attributes>> {
      static override attributes = attributes;
      async execute() { return succeed().withMessage(this.values.title); }
    }`,
  "app/wizards/kinds_wizard.ts": wizardFile("KindsWizard", "", {
    steps: `.step("who", {}, (f) => f.string("name"))
      .step("wish", {}, (f) => f
        .string("wish", { presence: true, label: ({ data }) => "Wish of " + data.who?.name, hint: ({ t }) => t("framework.no"), placeholder: () => "A boat" })
        .string("more", { condition: ({ values }) => values.wish !== null, label: ({ data }) => "More of " + data.who?.name })
        .repeated("others", {}, (g) => g.string("one", { label: ({ data }) => "Other of " + data.who?.name })))
      .review()`,
    body: "async execute() { return succeed().withMessage(JSON.stringify(this.data)); }",
  }),
  "packages/admin_portal/config/routes.ts": portalRoutes(
    'routes.registerWizard(KindsWizard, { at: "kinds" });',
    'import KindsWizard from "#app/wizards/kinds_wizard.ts";',
  ),
};

describe("Labels, hints and placeholders that are functions", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openWizards(files);
  });
  after(() => app.close());
  const page = (path: string, headers = {}) =>
    as(app.client(), 1)
      .request(path, { headers })
      .then((answer) => answer.text());
  const shows = (text: string, label: string, hint?: string) => {
    assert.match(text, `>${label}`);
    assert.match(text, 'placeholder="For &lt;you&gt;"');
    if (hint === undefined) assert.not.match(text, "It was");
    else assert.match(text, hint);
  };

  it("Are called for each form of a record, with the person and the record", async () => {
    shows(await page("/admin/posts/new"), "Title of a new one by Ann, Yes");
    shows(await page("/admin/posts/1/edit"), "Title Hello by Ann, Yes", "It was Hello");
    shows(await page("/admin/posts/2/edit", { "accept-language": "de" }), "Title Locked by Ann, Ja", "It was Locked");
    const bob = await as(app.client(), 2).page("/admin/posts/1/edit");
    assert.match(bob, "Title Hello by Bob, Yes");
  });
  it("Errors name the label; lists, pages and JSON have the field's usual name", async () => {
    const ann = as(app.client(), 1);
    const answer = await ann.submit("/admin/posts/1/edit", { "post[title]": "" });
    assert.is(answer.status, 422);
    assert.match(await answer.text(), "Title Hello by Ann, Yes can&#39;t be blank");
    const list = await page("/admin/posts");
    assert.match(list, />Title</);
    assert.not.match(list, /by Ann, Yes|=&gt;|=>/);
    assert.not.match(await page("/admin/posts/1"), "by Ann");
    assert.match(await page("/admin/posts.json", { accept: "application/json" }), '"title":"Hello"');
  });
  it("Are called for the inputs of an interaction", async () => {
    shows(await page("/admin/posts/1/actions/echo"), "Title Hello by Ann, Yes", "It was Hello");
    const answer = await as(app.client(), 1).submit("/admin/posts/1/actions/echo", { "interaction[title]": "" });
    assert.match(await answer.text(), "Title Hello by Ann, Yes can&#39;t be blank");
  });
  it("Are called for the fields of a step, with the answers of the steps before, and on the review", async () => {
    const ann = as(app.client(), 1);
    await ann.request("/admin/kinds");
    const runs = (await ann.request("/admin/kinds")).headers.get("location")!;
    const base = runs.slice(0, runs.lastIndexOf("/"));
    await ann.submit(`${base}/who`, { "wizard[name]": "Bea" }, /kinds/);
    const form = await ann.page(`${base}/wish`);
    assert.match(form, />Wish of Bea</);
    assert.match(form, />Other of Bea</);
    assert.match(form, 'placeholder="A boat"');
    assert.match(form, /<small class="form-hint"[^>]*>No</);
    const wrong = await ann.submit(`${base}/wish`, { "wizard[wish]": "" }, /kinds/);
    assert.match(await wrong.text(), "Wish of Bea can&#39;t be blank");
    await ann.submit(`${base}/wish`, { "wizard[wish]": "A boat", "wizard[more]": "Blue" }, /kinds/);
    await ann.submit(`${base}/wish`, { "wizard[wish]": "A boat", "wizard[more]": "Blue" }, /kinds/);
    const review = await ann.page(`${base}/review`);
    assert.match(review, ">Wish of Bea<");
    assert.match(review, ">More of Bea<");
  });
});
