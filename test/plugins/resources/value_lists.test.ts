import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { openShop, shopFiles } from "../../support/shop.ts";

const migration = "db/migrate/20260101000000_create_tables.ts";
const model = "packages/blogging/app/models/blogging/post.ts";
const policy = "packages/blogging/app/policies/blogging/post_policy.ts";
const definition = "packages/blogging/app/definitions/blogging/post_definition.ts";
const files = {
  [migration]: edited(shopFiles, migration, [
    't.integer("position");',
    't.integer("position"); t.string("size"); t.json("extra").notNull().default({ list: [1] });',
  ]),
  [model]: edited(shopFiles, model, [
    "maximum: 100 } }",
    'maximum: 100 } }, size: { inclusion: { in: ["small", "large"], message: "is no size" } }',
  ]),
  [policy]: edited(
    shopFiles,
    policy,
    ['"position"]', '"position", "size", "extra"]'],
    ['return ["title", "author",', 'return ["title", "size", "author",'],
  ),
  [definition]: edited(shopFiles, definition, [
    'this.filter("status");',
    'this.filter("status"); this.filter("size");',
  ]),
};
const posts = "/admin/blogging/posts";
const headers = { accept: "application/json", "content-type": "application/json" };

for (const database of await databases()) {
  describe(`Values of a list, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    before(async () => {
      if (!database.skip) app = await openShop(files, await database.values());
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const create = async (values: object) => {
      const answer = await app.request(posts, {
        method: "POST",
        headers,
        body: JSON.stringify({ blogging_post: values }),
      });
      return { status: answer.status, body: (await answer.json()) as { errors?: object; data?: { extra: unknown } } };
    };

    can(
      "A rule of inclusion makes the input and the filter lists of its texts, and keeps its own message",
      async () => {
        const form = await app.client().page(`${posts}/new`);
        assert.match(form, /<select[^>]*name="blogging_post\[size\]"/);
        assert.match(form, /<option value="small">Small<\/option><option value="large">/);
        assert.equal((await create({ title: "T", size: "huge" })).body.errors, { size: ["is no size"] });
        assert.is((await create({ title: "Small one", size: "small" })).status, 201);
        assert.is((await create({ title: "Large one", size: "large" })).status, 201);
        assert.is((await create({ title: "None", size: "" })).status, 201);
        const list = await app.client().page(`${posts}?filter[size]=large`);
        assert.match(list, /<select[^>]*name="filter\[size\]"[\s\S]*<option value="large" selected>/);
        assert.match(list, "Large one");
        assert.not.match(list, "Small one");
      },
    );
    can(
      "A form begins with the document that is the column's default, as JSON, and JSON gets it where it sends none",
      async () => {
        const form = await app.client().page(`${posts}/new`);
        assert.match(
          form.replaceAll("&quot;", '"').replaceAll("&#34;", '"').replace(/\s+/g, ""),
          '{"list":[1]}</textarea>',
        );
        assert.equal((await create({ title: "T" })).body.data?.extra, { list: [1] });
        const saved = await app.client().submit(`${posts}/new`, { "blogging_post[title]": "By form" });
        assert.is(saved.status, 303);
        const { body } = await app.client().json(saved.headers.get("location")!);
        assert.equal((body.data as { extra: unknown }).extra, { list: [1] });
      },
    );
  });
}
