import { addFiles, type TestApp, writeApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openMigrated, shopFiles } from "../../support/shop.ts";

const model = "packages/blogging/app/models/blogging/post.ts";
const models = "packages/blogging/app/models/blogging";
const policies = "packages/blogging/app/policies/blogging";
const policy = `${policies}/post_policy.ts`;
const definition = "packages/blogging/app/definitions/blogging/post_definition.ts";
const migration = "db/migrate/20260101000000_create_tables.ts";
const routes = "packages/admin_portal/config/routes.ts";

const subclass = (name: string, body = "") =>
  `import Post from "#packages/blogging/app/models/blogging/post.ts";
export default class ${name} extends Post { ${body} }`;
/** Posts with two classes: articles have a resource, a policy and rules of their own, tutorials have none. */
const changes = {
  [migration]: edited(shopFiles, migration, [
    't.string("secret_token");',
    't.string("secret_token"); t.string("type");',
  ]),
  [model]: edited(shopFiles, model, [
    "static override money",
    'static override inheritance: string | undefined = "type";\n  static override money',
  ]),
  [`${models}/article.ts`]: subclass(
    "Article",
    "static override validations = { title: { presence: true, length: { maximum: 12 } } }; override toLabel() { return `Article: ` + this.title; }",
  ),
  [`${models}/tutorial.ts`]: subclass("Tutorial"),
  [policy]: edited(
    shopFiles,
    policy,
    ['["title", "body",', '["title", "type", "body",'],
    ['return ["title", "author",', 'return ["title", "type", "author",'],
  ),
  [`${policies}/article_policy.ts`]: `import PostPolicy from "./post_policy.ts";
export default class ArticlePolicy extends PostPolicy {
  override permittedAttributesForCreate() { return ["title", "body"] as never; }
  override permittedAttributesForIndex() { return ["title", "body"] as never; }
  override canDestroy() { return false; }
}`,
  [definition]: edited(shopFiles, definition, [
    'this.filter("status");',
    'this.filter("status"); this.filter("type");',
  ]),
  [routes]: edited(
    shopFiles,
    routes,
    ["import Note from", 'import Article from "#packages/blogging/app/models/blogging/article.ts";\nimport Note from'],
    ["routes.registerResource(Comment);", "routes.registerResource(Comment);\n  routes.registerResource(Article);"],
  ),
};
const posts = "/admin/blogging/posts";
const articles = "/admin/blogging/articles";
const json = { accept: "application/json", "content-type": "application/json" };
interface Answer {
  status: number;
  body: { data: Record<string, unknown>; errors: Record<string, string[]> };
}
async function send(app: TestApp, method: string, path: string, values: object): Promise<Answer> {
  const answer = await app.request(path, { method, headers: json, body: JSON.stringify(values) });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? {} : JSON.parse(text) };
}

for (const database of await databases()) {
  describe(`Resources of single-table inheritance, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        const root = writeApp({ ...shopFiles });
        addFiles(root, changes);
        app = await openMigrated(root, await database.values());
        const of = (type: string) => (type === "" ? {} : { type });
        for (const [title, type] of [
          ["One", ""],
          ["Two", "Blogging::Article"],
          ["Three", "Blogging::Tutorial"],
        ] as const)
          await send(app, "POST", posts, { blogging_post: { title, ...of(type) } });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const listed = async (path: string) =>
      ((await app.client().json(path)).body.data as { title: string }[]).map(({ title }) => title).sort();

    can("The list of the base has all, the list of a class its own, and a filter offers the classes", async () => {
      assert.equal(await listed(posts), ["One", "Three", "Two"]);
      assert.equal(await listed(articles), ["Two"]);
      assert.equal(await listed(`${posts}?filter[type]=Blogging::Tutorial`), ["Three"]);
      assert.match(await app.client().page(posts), '<option value="Blogging::Tutorial">');
      const { body } = await app.client().json(articles);
      assert.equal(Object.keys((body.data as object[])[0]!), ["id", "title", "body"]);
    });

    can("A record of another class is 404 at the address of a class, on every verb", async () => {
      assert.is((await app.client().json(`${articles}/2`)).status, 200);
      for (const id of [1, 3, 99]) {
        assert.is((await app.client().json(`${articles}/${id}`)).status, 404);
        assert.is((await send(app, "PATCH", `${articles}/${id}`, { blogging_article: { title: "x" } })).status, 404);
        assert.is((await send(app, "DELETE", `${articles}/${id}`, {})).status, 404);
      }
      assert.is((await send(app, "DELETE", `${articles}/2`, {})).status, 403);
    });

    can("A form of the base writes the class that is chosen, by the rules of that class", async () => {
      const page = await app.client().page(`${posts}/new`);
      assert.match(page, '<option value="Blogging::Article">');
      const long = { title: "much too long a title", type: "Blogging::Article" };
      const refused = await send(app, "POST", posts, { blogging_post: long });
      assert.equal([refused.status, refused.body.errors], [422, { title: ["is too long (at most 12 characters)"] }]);
      const wrong = await send(app, "POST", posts, { blogging_post: { title: "t", type: "Author" } });
      assert.equal([wrong.status, wrong.body.errors], [422, { type: ["is not one of the choices"] }]);
      const made = await send(app, "POST", articles, { blogging_article: { title: "Four" } });
      assert.is(made.status, 201);
      const { knex } = databaseOf(app.application);
      assert.is((await knex("blogging_posts").where({ title: "Four" }).first()).type, "Blogging::Article");
      assert.is((await knex("blogging_posts").where({ title: "One" }).first()).type, "Blogging::Post");
    });

    can("Pages of the base keep to its addresses, and a class without a resource has those of the base", async () => {
      const edit = await app.client().page(`${posts}/2/edit`);
      assert.match(edit, `action="${posts}/2"`);
      const saved = await app.client().submit(`${posts}/2/edit`, { "blogging_post[body]": "b" });
      assert.equal([saved.status, saved.headers.get("location")], [303, `${posts}/2`]);
      assert.match(await app.client().page(`${posts}/2`), `${posts}/2/nested_comments`);
      assert.match(await app.client().page(`${posts}/2/nested_comments`), `href="${posts}/2"`);
      const commented = await app
        .client()
        .submit(`${posts}/2/nested_comments/new`, { "blogging_comment[body]": "On it" });
      assert.equal([commented.status, commented.headers.get("location")], [303, `${posts}/2/nested_comments/1`]);
      const resources = app.application.kernel.service("resources");
      const urlOf = async (id: number) => {
        const record = await databaseOf(app.application).model("Blogging::Post").class.query().findById(id);
        return resources.urlFor(record as never, { portal: "AdminPortal" }).replace(/^.*\d\//, "/");
      };
      assert.equal([await urlOf(1), await urlOf(2), await urlOf(3)], [`${posts}/1`, `${articles}/2`, `${posts}/3`]);
    });

    can("An association to the base takes records of all classes, and shows them as what they are", async () => {
      for (const post of [1, 2, 3]) {
        const made = await send(app, "POST", "/admin/blogging/comments", {
          blogging_comment: { body: `on ${post}`, post },
        });
        assert.is(made.status, 201, JSON.stringify(made.body));
      }
      const list = await app.client().page("/admin/blogging/comments");
      assert.match(list, /Article: Two/);
    });

    can("A row whose class is gone is an error that the page does not repeat", async () => {
      const { knex } = databaseOf(app.application);
      await knex("blogging_posts").where({ id: 3 }).update({ type: "Gone" });
      assert.is((await app.client().json(`${posts}/3`)).status, 500);
      assert.is((await app.client().json(articles)).status, 200);
      await knex("blogging_posts").where({ id: 3 }).update({ type: "Blogging::Tutorial" });
    });
  });
}
