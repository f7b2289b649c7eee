import { addFiles, openApp, type TestApp, writeApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openMigrated, openShop, shopFiles } from "../../support/shop.ts";

const author = "app/models/author.ts";
const authorPolicy = "app/policies/author_policy.ts";
const post = "packages/blogging/app/models/blogging/post.ts";
const policy = "packages/blogging/app/policies/blogging/post_policy.ts";
const definition = "packages/blogging/app/definitions/blogging/post_definition.ts";
const authorDefinition = "app/definitions/author_definition.ts";
const posts = "/admin/blogging/posts";

const definitionOf = (lines: string) => `import { contains, ResourceDefinition } from "framewright/plugins/resources";
export default class AuthorDefinition extends ResourceDefinition {
  override configure() { super.configure(); ${lines} }
}`;
const SEARCH = "this.search((query, term) => contains(query, 'name', term), { reads: ['name'] });";
/** Authors have an email address that can be looked for; posts have a body and a token that nobody can. */
const changes = {
  [author]: edited(shopFiles, author, [
    "static override associations",
    `static override encrypts = { email: { searchable: true } };
  static override validations = { email: { uniqueness: true } };
  static override associations`,
  ]),
  [authorPolicy]: edited(shopFiles, authorPolicy, [
    "override permittedAttributesForRead",
    `override canCreate() { return true; }
  override permittedAttributesForCreate(): ReadAttributes<Author> { return ["name", "email"]; }
  override permittedAttributesForRead`,
  ]).replace(
    "permittedAttributesForCreate(): ReadAttributes<Author>",
    "permittedAttributesForCreate(): readonly ('name' | 'email')[]",
  ),
  [authorDefinition]: definitionOf(`this.filter("email"); ${SEARCH}`),
  [post]: edited(shopFiles, post, [
    "static override money",
    "static override encrypts = { body: {}, secret_token: {} };\n  static override money",
  ]),
  [policy]: edited(
    shopFiles,
    policy,
    ['["title", "body",', '["title", "body", "secret_token",'],
    ['return ["title", "author",', 'return ["title", "body", "author",'],
  ),
};
const json = { accept: "application/json", "content-type": "application/json" };
const send = (app: TestApp, method: string, path: string, values: object) =>
  app.request(path, { method, headers: json, body: JSON.stringify(values) });

/** What a request is answered with, without what differs at each. */
async function answerOf(app: TestApp, path: string, accept: string): Promise<string> {
  const answer = await app.request(path, { headers: { accept } });
  const body = (await answer.text())
    .replace(/[\w-]{86}/g, "TOKEN")
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID");
  return `${answer.status} ${answer.headers.get("etag")}\n${body}`;
}
const pages = ["", "?sort=title", "?q=Post", "/1"].map((rest) => posts + rest);
const others = ["/admin/authors", "/admin/authors/2", "/admin/authors/1/nested_posts"];
async function answersOf(app: TestApp): Promise<string[]> {
  const answers: string[] = [];
  for (const path of [...pages, ...others])
    for (const accept of ["text/html", "application/json"])
      answers.push(`${path} ${await answerOf(app, path, accept)}`);
  return answers;
}
const bootFailure = async (files: Record<string, string>): Promise<Error & { code?: string }> => {
  try {
    await (await openShop({ ...changes, ...files })).close();
  } catch (error) {
    return error as Error;
  }
  throw new Error("it booted");
};

for (const database of await databases()) {
  describe(`Encrypted attributes of resources, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let root: string;
    let values: Record<string, string>;
    if (database.skip === undefined) {
      before(async () => {
        root = writeApp({ ...shopFiles });
        addFiles(root, changes);
        values = await database.values();
        app = await openMigrated(root, values);
        for (const name of ["Ada", "Bea"])
          await send(app, "POST", "/admin/authors", { author: { name, email: `${name}@x.test` } });
        for (const at of [1, 2, 3])
          await send(app, "POST", posts, {
            blogging_post: { title: `Post ${at}`, body: `marked body ${at}`, author: 1, secret_token: "marked token" },
          });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);

    can("The database has none of what forms and JSON write; pages, lists and JSON show it", async () => {
      const { knex } = databaseOf(app.application);
      const rows = JSON.stringify([await knex("authors"), await knex("blogging_posts")]);
      assert.not.match(rows, /marked|x\.test/);
      assert.match(await app.client().page(posts), "marked body 2");
      assert.match(await app.client().page(`${posts}/1`), "marked body 1");
      assert.match(await app.client().page(`${posts}/1/edit`), "marked body 1");
      assert.not.match(await app.client().page(`${posts}/1`), "marked token");
      const { body } = await app.client().json("/admin/authors/1");
      assert.equal(body.data, { id: 1, name: "Ada", email: "Ada@x.test" });
      const saved = await app.client().submit(`${posts}/3/edit`, { "blogging_post[body]": "marked anew" });
      assert.is(saved.status, 303);
      assert.match(await app.client().page(`${posts}/3`), "marked anew");
    });

    can("Lists and pages are the same, byte for byte, without the fast paths", async () => {
      const fast = await answersOf(app);
      await app.close();
      app = await openApp(root, { values: { ...values, FW_DATABASE_FAST: "off" } });
      assert.equal(await answersOf(app), fast);
      await app.close();
      app = await openApp(root, { values });
    });

    can("A filter finds equal values of a searchable attribute, and uniqueness is checked", async () => {
      const found = async (email: string) =>
        (await app.client().json(`/admin/authors?filter[email]=${email}`)).body.data as { name: string }[];
      assert.equal(
        (await found("Bea@x.test")).map(({ name }) => name),
        ["Bea"],
      );
      assert.equal(await found("Bea"), []);
      assert.match(await app.client().page("/admin/authors?filter[email]=Ada@x.test"), "Ada");
      const twice = await send(app, "POST", "/admin/authors", { author: { name: "Third", email: "Ada@x.test" } });
      assert.is(twice.status, 422);
      assert.equal(((await twice.json()) as { errors: object }).errors, { email: ["has already been taken"] });
    });

    can("A list can't be sorted by what is encrypted, and no choice is searched by it", async () => {
      assert.is((await app.client().json("/admin/authors?sort=email")).status, 422);
      assert.is((await app.client().json(`${posts}?sort=secret_token`)).status, 422);
      assert.not.match(await app.client().page("/admin/authors"), /sort=-?email/);
      const { body } = await app.client().json(`${posts}/typeahead/author?q=Ad`);
      assert.equal(body.data, [{ id: 1, label: "Ada" }]);
    });

    can("A value that does not open is an error that names its place; neither page nor JSON shows it", async () => {
      const { knex } = databaseOf(app.application);
      const [{ body, secret_token }] = await knex("blogging_posts").where({ id: 2 });
      await knex("blogging_posts").where({ id: 2 }).update({ body: secret_token });
      for (const accept of ["text/html", "application/json"]) {
        const answer = await answerOf(app, `${posts}/2`, accept);
        assert.match(answer, /^500/);
        assert.not.match(answer, /marked|fw1r:/);
      }
      await knex("blogging_posts").where({ id: 2 }).update({ body });
      assert.match(await answerOf(app, `${posts}/2`, "text/html"), "marked body 2");
    });
  });
}

describe("Definitions of encrypted attributes", (it) => {
  it("Filters, sorts and searches that no query can have are refused at boot, by name", async () => {
    const refused: [Record<string, string>, string, string][] = [
      [
        { [definition]: edited(shopFiles, definition, ['this.filter("status");', 'this.filter("secret_token");']) },
        "FW_ENCRYPTED_FILTER",
        '"secret_token"',
      ],
      [{ [authorDefinition]: definitionOf('this.filter("email", { as: "text" });') }, "FW_ENCRYPTED_FILTER", '"email"'],
      [{ [authorDefinition]: definitionOf('this.sort("email");') }, "FW_ENCRYPTED_SORT", '"email"'],
      [{ [authorDefinition]: definitionOf('this.defaultSort("-email");') }, "FW_ENCRYPTED_SORT", '"email"'],
      [
        {
          [definition]: edited(shopFiles, definition, [
            'this.filter("status");',
            'this.sort("author", { by: "email" });',
          ]),
        },
        "FW_ENCRYPTED_SORT",
        '"email"',
      ],
      [
        { [authorDefinition]: definitionOf('this.search((query, term) => contains(query, "email", term));') },
        "FW_ENCRYPTED_QUERY",
        '"email"',
      ],
      [
        { [authorDefinition]: definitionOf('this.search((query, term) => query.where("email", "like", term));') },
        "FW_ENCRYPTED_SEARCH",
        '"email"',
      ],
      [
        { [authorDefinition]: definitionOf('this.search((query, term) => query.where("authors.email", term));') },
        "FW_ENCRYPTED_SEARCH",
        '"email"',
      ],
    ];
    for (const [files, code, name] of refused) {
      const error = await bootFailure(files);
      assert.is(error.code, code, error.message);
      assert.match(error.message, name);
    }
  });
  it("A search may ask for an equal value", async () => {
    const own = definitionOf('this.search((query, term) => whereEncrypted(query, "email", term));').replace(
      "import {",
      'import { whereEncrypted } from "framewright/plugins/database";\nimport {',
    );
    const app = await openShop({ ...changes, [authorDefinition]: own });
    await send(app, "POST", "/admin/authors", { author: { name: "Ada", email: "ada@x.test" } });
    const { body } = await app.client().json("/admin/authors?q=ada@x.test");
    assert.is((body.data as unknown[]).length, 1);
    await app.close();
  });
});
