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
