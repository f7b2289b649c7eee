import { edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf, shopFiles, withShop } from "../../support/shop.ts";

const stamps = { created_at: "2026-01-01 10:00:00.000", updated_at: "2026-01-01 10:00:00.000" };
const routes = "packages/admin_portal/config/routes.ts";
const definition = (sections: string) => ({
  "app/definitions/author_definition.ts": `import { html } from "framewright/host";
    import { ResourceDefinition } from "framewright/plugins/resources";
    export default class AuthorDefinition extends ResourceDefinition { override configure() { super.configure(); ${sections} } }`,
});

describe("Sections of a record's page", (it) => {
  it("A section shows its content below the fields, and an undefined one is left out", async () => {
    const files = definition(`
      this.section("stock", { content: ({ record }) => html\`<p>Stock of \${(record as any).name}</p>\` });
      this.section("later", { title: ({ controller }) => "For " + controller.actionName, content: async () => html\`<p>soon</p>\` });
      this.section("never", { content: () => undefined });`);
    await withShop(files, async (app) => {
      await databaseOf(app.application)
        .knex("authors")
        .insert({ name: "Ada <b>", ...stamps });
      const page = await app.client().page("/admin/authors/1");
      assert.match(page, /id="panel-stock">Stock<\/h2>/);
      assert.match(page, "<p>Stock of Ada &lt;b&gt;</p>");
      assert.match(page, /id="panel-later">For show<\/h2>/);
      assert.not.match(page, "panel-never");
      assert.ok(page.indexOf("panel-stock") < page.indexOf("panel-later"));
    });
  });
  it("Boot fails with FW_SECTION_OPTION for a section without content", async () => {
    const files = definition('this.section("stock", { title: "Stock" } as never);');
    await throwsCode("FW_SECTION_OPTION", () => withShop(files, async () => undefined));
  });
});

describe("Groups of fields", (it) => {
  const file = "packages/blogging/app/definitions/blogging/post_definition.ts";
  const grouped = (groups: string) => ({
    [file]: edited(shopFiles, file, ["super.configure();", `super.configure(); ${groups}`]),
  });
  const order = (html: string, ...parts: string[]) => {
    const places = parts.map((part) => html.indexOf(part));
    assert.equal(
      places,
      [...places].sort((a, b) => a - b),
      parts.join(" before "),
    );
    assert.ok(places[0]! >= 0, parts[0]);
  };

  it("They have a heading in forms and on the record's page, and a group of which nothing is shown is left out", async () => {
    const files = grouped(
      'this.fieldset("Price & state", ["status", "price"], { text: "What it costs <today>." }); this.fieldset("Unseen", ["secret_token"]);',
    );
    await withShop(files, async (app) => {
      await databaseOf(app.application)
        .knex("blogging_posts")
        .insert({ title: "First", price_cents: 1250, status: "draft", ...stamps });
      for (const path of ["/admin/blogging/posts/new", "/admin/blogging/posts/1/edit"])
        order(
          await app.client().page(path),
          'name="blogging_post[title]"',
          "<h2>Price &amp; state</h2><p>What it costs &lt;today&gt;.</p>",
          'name="blogging_post[status]"',
          'name="blogging_post[price]"',
          'class="fw-form-footer"',
        );
      const page = await app.client().page("/admin/blogging/posts/1");
      order(page, "<dt>Author</dt>", "<h2>Price &amp; state</h2>", "<dt>Status</dt>", "<dt>Price</dt>");
      assert.not.match(page, "Unseen");
    });
  });
  it("Boot fails for a field that does not exist, and for one in two groups", async () => {
    await throwsCode("FW_DEFINITION_NAME", () =>
      withShop(grouped('this.fieldset("Price", ["prise" as never]);'), async () => undefined),
    );
    const twice = 'this.fieldset("Price", ["price"]); this.fieldset("State", ["status", "price"]);';
    await throwsCode("FW_FIELDSET_TWICE", () => withShop(grouped(twice), async () => undefined));
  });
});

describe("The name of a singular resource", (it) => {
  const named = (options: string) => ({
    [routes]: edited(shopFiles, routes, ["registerResource(Author)", `registerResource(Author, ${options})`]),
  });
  it("The option as names its path and its title, in place of its class", async () => {
    await withShop(named('{ singular: true, as: "me" }'), async (app) => {
      await databaseOf(app.application)
        .knex("authors")
        .insert({ name: "", ...stamps });
      const page = await app.client().page("/admin/me");
      assert.match(page, /<h1[^>]*>Me<\/h1>/);
      assert.is((await app.request("/admin/author")).status, 404);
    });
  });
  it("Boot fails with FW_RESOURCE_OPTION_SHAPE for a name that is none", async () => {
    for (const options of ['{ singular: true, as: "My page" }', "{ singular: true, as: 3 as never }"])
      await throwsCode("FW_RESOURCE_OPTION_SHAPE", () => withShop(named(options), async () => undefined));
  });
});
