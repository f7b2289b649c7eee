import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { openShop, shopFiles } from "../../support/shop.ts";

const policy = "packages/blogging/app/policies/blogging/post_policy.ts";
const definition = "packages/blogging/app/definitions/blogging/post_definition.ts";
const model = "packages/blogging/app/models/blogging/post.ts";
const routes = "packages/admin_portal/config/routes.ts";

const messageOf = (changes: Record<string, string>) =>
  openShop(changes).then(
    (app) => app.close().then(() => "it booted"),
    (error: Error) => error.message,
  );
const replaced = (file: string, from: string, to: string) => ({ [file]: edited(shopFiles, file, [from, to]) });
const says = (line: string) => replaced(definition, "super.configure();", `super.configure(); ${line}`);

describe("The checks of resources at boot", (it) => {
  it("Boot fails with FW_ATTRIBUTE_READONLY for a has-many, has-one or computed name that a policy lets forms write", async () => {
    for (const name of ["comments", "note", "shout"]) {
      const message = await messageOf({
        ...replaced(policy, '["title", "body",', `["title", "${name}", "body",`),
        ...replaced(model, "static override money", 'get shout() { return "x"; } static override money'),
      });
      assert.match(message, "FW_ATTRIBUTE_READONLY");
      assert.match(message, `PostPolicy.permittedAttributesForCreate() lists "${name}"`);
    }
  });
  it("Boot fails with FW_POLICY_ASYNC for an asynchronous predicate of a policy", async () => {
    const message = await messageOf(replaced(policy, "canPublish()", "async canPublish()"));
    assert.match(message, "FW_POLICY_ASYNC");
    assert.match(message, "PostPolicy.canPublish()");
  });
  it("Boot fails with FW_FIELD_UNIT for the unit of a text, and of an amount of money", async () => {
    for (const wrong of ['this.input("title", { unit: "kg" });', 'this.display("price", { unit: "kg" });']) {
      const message = await messageOf(says(wrong));
      assert.match(message, "FW_FIELD_UNIT");
      assert.match(message, 'the unit "kg", which belongs to numbers');
    }
  });
  it("Boot fails with FW_FILTER_COLUMN for a filter without a comparable column and without apply", async () => {
    assert.match(await messageOf(says('this.filter("comments");')), "FW_FILTER_COLUMN");
    assert.match(await messageOf(says('this.filter("note");')), "FW_FILTER_COLUMN");
    const json = {
      "db/migrate/20260102000000_add_facts.ts": `import type { Schema } from "framewright/plugins/database";
        export async function up(db: Schema) { await db.addColumns("blogging_posts", (t) => { t.json("facts"); }); } export async function down() {}`,
    };
    assert.match(await messageOf({ ...json, ...says('this.filter("facts" as never);') }), /FW_FILTER_COLUMN.*json/);
    assert.is(await messageOf(says('this.filter("comments", { apply: (query) => query });')), "it booted");
  });
  it("Boot fails with FW_FILTER_LABELS for labels of a filter that is no boolean, or that has choices", async () => {
    const labels = 'labels: { true: "Out" }';
    const message = await messageOf(says(`this.filter("title", { ${labels} });`));
    assert.match(message, /FW_FILTER_LABELS: PostDefinition filters by "title" with labels/);
    const both = `this.filter("published", { ${labels}, choices: [{ value: "1", label: "Out" }] });`;
    assert.match(await messageOf(says(both)), "Leave one of the two out");
    assert.is(await messageOf(says(`this.filter("published", { ${labels} });`)), "it booted");
  });
  it("Boot fails with FW_SORT_NAME, FW_DEFINITION_NAME or FW_SORT_WIDENS for a misspelt sort or one of another table", async () => {
    assert.match(await messageOf(says('this.sort("titel");')), /FW_SORT_NAME.*Did you mean "title"\?/);
    assert.match(await messageOf(says('this.sort("title", "bodi" as never);')), /FW_SORT_NAME.*Did you mean "body"\?/);
    assert.match(await messageOf(says('this.defaultSort("-titel" as never);')), "FW_SORT_NAME");
    const narrowing = 'this.defaultSort((query) => query.where("id", 1).orderBy("id"));';
    assert.match(await messageOf(says(narrowing)), /FW_SORT_WIDENS: PostDefinition.defaultSort.*where/);
    assert.match(await messageOf(says('this.sort("author", { by: "nmae" });')), /FW_DEFINITION_NAME.*"name"/);
    assert.match(await messageOf(says('this.sort("comments", { by: "body" });')), "FW_SORT_NAME");
    const join =
      'this.sort("author", { using: (query) => query.joinRelated("author" as never).orderBy("author.name") });';
    assert.match(await messageOf(says(join)), /FW_SORT_WIDENS.*Join/);
  });
  it("Boot fails for an unknown type of field, with a suggestion and the known types", async () => {
    assert.match(
      await messageOf(says('this.input("title", { as: "markdwn" });')),
      /Did you mean "markdown"\?.*There are: string, uuid/,
    );
  });
  it("Boot fails with FW_RESOURCE_OPTION_SHAPE for an option of registerResource of a wrong type", async () => {
    const registers = (options: string) =>
      replaced(routes, "registerResource(Post, {}", `registerResource(Post, ${options} as never`);
    assert.match(
      await messageOf(registers('{ associations: "comments" }')),
      /FW_RESOURCE_OPTION_SHAPE.*associations a list of names/,
    );
    assert.match(await messageOf(registers('{ singular: "yes" }')), /FW_RESOURCE_OPTION_SHAPE.*singular true or false/);
  });
  it("Boot fails with FW_RESOURCE_KEY for a model whose key is a column that there is not", async () => {
    const message = await messageOf(
      replaced(model, "static override money", 'static override idColumn = "titel"; static override money'),
    );
    assert.match(message, /FW_RESOURCE_KEY.*has no column "titel"/);
  });
  it("Boot fails with FW_ACTION_ROUTE for an action of a list or a record whose path has no route", async () => {
    assert.match(
      await messageOf(says('this.action("reprot", { resourceAction: true, path: "reprot", policy: "index" });')),
      /FW_ACTION_ROUTE.*"reprot".*GET \/blogging\/posts\/reprot/,
    );
    assert.match(
      await messageOf(says('this.action("open", { path: "preview", method: "post", policy: "show" });')),
      /FW_ACTION_ROUTE.*POST/,
    );
    assert.is(
      await messageOf(
        says(
          'this.action("report", { resourceAction: true, path: "report?all=1" }); this.action("preview", { path: "preview" });',
        ),
      ),
      "it booted",
    );
  });
  it("Boot fails with FW_LABEL_ASSOCIATION for a label that needs an unknown association", async () => {
    assert.match(
      await messageOf(
        replaced(
          model,
          "static override money",
          'static override labelAssociations = ["autor"]; static override money',
        ),
      ),
      "FW_LABEL_ASSOCIATION",
    );
  });
});
