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
  it("A group that folds begins closed or open, and a form opens it where something in it is wrong; columns are of its own number", async () => {
    const files = grouped(
      'this.fieldset("Text", ["body"], { collapsed: true, text: "What it says." }); this.fieldset("State", ["status"], { collapsed: false }); this.fieldset("Price", ["price"], { collapsed: true, columns: 3 });',
    );
    await withShop(files, async (app) => {
      await databaseOf(app.application)
        .knex("blogging_posts")
        .insert({ title: "First", price_cents: 1250, status: "draft", body: "Text", ...stamps });
      const closed = [
        '<details class="fw-fieldset fw-folding"><summary><h2>Text</h2></summary><header><p>What it says.</p></header>',
        '<details class="fw-fieldset fw-folding" open><summary><h2>State</h2></summary>',
        '<details class="fw-fieldset fw-columns-3 fw-folding"><summary><h2>Price</h2></summary>',
      ];
      const client = app.client();
      for (const path of ["/admin/blogging/posts/1", "/admin/blogging/posts/1/edit"])
        order(await client.page(path), ...closed);
      const form = await client.page("/admin/blogging/posts/new");
      const token = /name="authenticity_token" value="([^"]+)"/.exec(form)![1]!;
      const body = new URLSearchParams({ authenticity_token: token, "blogging_post[price]": "much" });
      const answer = await client.request("/admin/blogging/posts", { method: "POST", body });
      assert.is(answer.status, 422);
      const wrong = '<details class="fw-fieldset fw-columns-3 fw-folding" open><summary><h2>Price</h2></summary>';
      order(await answer.text(), ...closed.slice(0, 2), wrong);
    });
  });
  it("Boot fails for a tab that folds, and for a number of columns that is none", async () => {
    for (const [code, call] of [
      ["FW_DEFINITION_OPTION", 'this.tab("Text", ["body"], { collapsed: true } as never);'],
      ["FW_FIELDSET_COLUMNS", 'this.fieldset("Text", ["body"], { columns: 5 as never });'],
    ] as const)
      await throwsCode(code, () => withShop(grouped(call), async () => undefined));
  });
  it("Neighbours that are tabs stand together, each under its heading, as they do without JavaScript", async () => {
    const files = grouped(
      'this.tab("State", ["status"], { text: "Where it is." }); this.tab("Price", ["price"]); this.fieldset("Text", ["body"]);',
    );
    await withShop(files, async (app) => {
      await databaseOf(app.application)
        .knex("blogging_posts")
        .insert({ title: "First", price_cents: 1250, status: "draft", body: "Text", ...stamps });
      for (const path of ["/admin/blogging/posts/1/edit", "/admin/blogging/posts/1"]) {
        const html = await app.client().page(path);
        const [tabs = "", ...more] = html.split('<div class="fw-tabs" data-tabs>').slice(1);
        assert.is(more.length, 0, path);
        order(
          tabs,
          '<section class="fw-fieldset" aria-label="State">',
          "<p>Where it is.</p>",
          'aria-label="Price"',
          "</section></div>",
          'aria-label="Text"',
        );
      }
    });
  });
  it("Where the condition of a group is false none of its fields is shown, and none is written", async () => {
    const files = grouped(`this.input("body", { condition: ({ record }) => record?.status === "published" });
      this.tab("Publishing", ["body", "price"], { condition: ({ values, record }) => values.title !== "Free" && record?.title !== "Locked" });`);
    await withShop(files, async (app) => {
      const { knex } = databaseOf(app.application);
      const [id] = await knex("blogging_posts").insert({
        title: "Free",
        price_cents: 1250,
        status: "published",
        body: "Text",
        ...stamps,
      });
      const path = `/admin/blogging/posts/${id}`;
      const row = async () => {
        const { title, price_cents, body } = await knex("blogging_posts").where({ id }).first();
        return [title, price_cents, body];
      };
      assert.not.match(await app.client().page(path), "Publishing");
      assert.not.match(await app.client().page(`${path}/edit`), 'name="blogging_post[price]"');
      const send = (values: object) =>
        app.request(path, {
          method: "PATCH",
          body: JSON.stringify({ blogging_post: values }),
          headers: { "content-type": "application/json", accept: "application/json" },
        });
      assert.is((await send({ price: "99.00", body: "Hidden" })).status, 200);
      assert.equal(await row(), ["Free", 1250, "Text"], "what is not shown is neither written nor lost");
      assert.is((await send({ title: "Dear", price: "99.00" })).status, 200);
      assert.equal(await row(), ["Dear", 9900, "Text"]);
      const page = await app.client().page(path);
      order(page, 'aria-label="Publishing"', "<dt>Price</dt>");
      assert.match(await app.client().page(`${path}/edit`), 'name="blogging_post[price]"');
      assert.is((await send({ title: "Locked", price: "1.00" })).status, 200);
      assert.is((await send({ price: "2.00" })).status, 200);
      assert.equal(await row(), ["Locked", 100, "Text"]);
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
