import { addFiles, type TestApp, writeApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openMigrated, openShop, shopFiles } from "../../support/shop.ts";
import type { Client } from "../../testing/client.ts";

const model = "packages/blogging/app/models/blogging/post.ts";
const policy = "packages/blogging/app/policies/blogging/post_policy.ts";
const definition = "packages/blogging/app/definitions/blogging/post_definition.ts";
const routes = "packages/admin_portal/config/routes.ts";
const modelOf = (name: string, table: string, associations: string, more = "") =>
  `import { belongsTo, hasMany, Model } from "framewright/plugins/database";
export default class ${name} extends Model("${table}") { static override associations = { ${associations} }; ${more} }`;
/** Posts have tags, by a table in between; of the tags "hidden" ones are nobody's to see. */
const changes = {
  "db/migrate/20260102000000_add_tags.ts": `import type { Schema } from "framewright/plugins/database";
export async function up(db: Schema) {
  await db.createTable("tags", (t) => { t.id(); t.string("name").notNull(); });
  await db.createTable("taggings", (t) => {
    t.id(); t.belongsTo("tag", { null: false }); t.belongsTo("post", { table: "blogging_posts", null: false }); t.timestamps();
    t.index(["tag_id", "post_id"], { unique: true });
  });
}
export async function down() {}`,
  "app/models/tag.ts": modelOf("Tag", "tags", "taggings: hasMany()"),
  "app/models/tagging.ts": modelOf(
    "Tagging",
    "taggings",
    'tag: belongsTo(), post: belongsTo({ class: "Blogging::Post" })',
    'static override validations = { tag_id: { custom: (id: number) => (id === 9 ? "is worn out" : undefined) } };',
  ),
  "app/policies/tag_policy.ts": `import { Policy } from "framewright/plugins/resources";
export default class TagPolicy extends Policy {
  override canRead() { return true; }
  override permittedAttributesForRead() { return ["name"]; }
  override relationScope(query: any) { return query.whereNot("tags.name", "hidden"); }
}`,
  [model]: edited(shopFiles, model, [
    "note: hasOne(),",
    'note: hasOne(), taggings: hasMany({ class: "Tagging", foreignKey: "post_id", dependent: "destroy" }), tags: hasMany({ through: "taggings", class: "Tag" }),',
  ]),
  [policy]: edited(shopFiles, policy, ['["title", "body",', '["title", "tags", "body",']),
  [definition]: edited(shopFiles, definition, [
    'this.filter("status");',
    'this.filter("status");\n    this.action("duplicate");',
  ]),
  [routes]: edited(
    shopFiles,
    routes,
    ["import Author from", 'import Tag from "#app/models/tag.ts";\nimport Author from'],
    ["routes.registerResource(Author);", "routes.registerResource(Author);\n  routes.registerResource(Tag);"],
  ),
};
const posts = "/admin/blogging/posts";
const json = { accept: "application/json", "content-type": "application/json" };
interface Answer {
  status: number;
  body: { data?: { id: number; tags: { id: number; label: string }[] }; errors?: Record<string, string[]> };
}
async function send(app: TestApp, method: string, path: string, values: object): Promise<Answer> {
  const headers = { ...json, ...(values as { headers?: object }).headers };
  const answer = await app.request(path, { method, headers, body: JSON.stringify({ blogging_post: values }) });
  return { status: answer.status, body: (await answer.json()) as Answer["body"] };
}

/** Sends a form as a browser does, with each tag that is chosen. */
async function choose(client: Client, path: string, tags: readonly number[], more: Record<string, string> = {}) {
  const html = await client.page(path);
  const form = /<form class="fw-form"[^>]*action="([^"]*)"[^>]*>(.*?)<\/form>/s.exec(html)!;
  const body = new URLSearchParams();
  for (const [tag] of form[2]!.matchAll(/<input type="hidden"[^>]*>/g))
    body.append(/name="([^"]*)"/.exec(tag)![1]!, /value="([^"]*)"/.exec(tag)?.[1] ?? "");
  for (const [name, value] of Object.entries(more)) body.set(name, value);
  for (const tag of tags) body.append("blogging_post[tags]", String(tag));
  return client.request(form[1]!, { method: "POST", body });
}

for (const database of await databases()) {
  describe(`Links of a record, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        const root = writeApp({ ...shopFiles });
        addFiles(root, changes);
        app = await openMigrated(root, await database.values());
        const names = ["red", "green", "blue", "hidden", "many", "more", "other", "last", "worn"];
        await databaseOf(app.application)
          .knex("tags")
          .insert(names.map((name) => ({ name })));
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const stored = async (post_id: number): Promise<number[]> =>
      (await databaseOf(app.application).knex("taggings").where({ post_id }).orderBy("tag_id")).map(
        ({ tag_id }: { tag_id: number }) => tag_id,
      );
    const rows = (post_id: number) => databaseOf(app.application).knex("taggings").where({ post_id }).orderBy("id");

    can("JSON creates a record with its links, changes them by name or ids, and leaves what is not sent", async () => {
      const made = await send(app, "POST", posts, { title: "One", tags: [1, "2", 2] });
      assert.equal(
        [made.status, made.body.data?.tags],
        [
          201,
          [
            { id: 1, label: "red" },
            { id: 2, label: "green" },
          ],
        ],
      );
      const [first] = await rows(1);
      assert.is((await send(app, "PATCH", `${posts}/1`, { title: "Two" })).status, 200);
      assert.equal(await stored(1), [1, 2]);
      const changed = await send(app, "PATCH", `${posts}/1`, { tag_ids: [1, 3] });
      assert.equal(
        changed.body.data?.tags.map(({ id }) => id),
        [1, 3],
      );
      assert.equal((await rows(1))[0], first);
      assert.is((await send(app, "PATCH", `${posts}/1`, { tags: [{ id: 3, label: "blue" }] })).status, 200);
      assert.equal(await stored(1), [3]);
      assert.is((await send(app, "PATCH", `${posts}/1`, { tags: null })).status, 200);
      assert.equal(await stored(1), []);
    });

    can("The form of a duplicate has what is linked and seen, and saves links of its own", async () => {
      const client = app.client();
      const made = await send(app, "POST", posts, { title: "Pattern", tags: [1, 3] });
      const id = made.body.data!.id;
      await databaseOf(app.application).knex("taggings").insert({
        tag_id: 4,
        post_id: id,
        created_at: "2026-01-01 00:00:00.000",
        updated_at: "2026-01-01 00:00:00.000",
      });
      const page = await client.page(`${posts}/${id}/duplicate`);
      const chosen = [...page.matchAll(/<option value="(\d+)" selected>(?:red|green|blue|hidden)/g)].map(
        ([, tag]) => tag,
      );
      assert.equal(chosen.sort(), ["1", "3"]);
      assert.not.match(page, "hidden</option>");
      const copied = await choose(client, `${posts}/${id}/duplicate`, [1, 3], { "blogging_post[title]": "Copy" });
      assert.is(copied.status, 303);
      assert.equal(await stored(Number(copied.headers.get("location")!.split("/").at(-1))), [1, 3]);
      assert.equal(await stored(id), [1, 3, 4]);
    });

    can("A form has a list of several choices, keeps what was chosen, and clears it, without JavaScript", async () => {
      const client = app.client();
      const page = await client.page(`${posts}/new`);
      assert.match(page, /<input type="hidden" name="blogging_post\[tags\]" value="">/);
      assert.match(page, /<select[^>]*name="blogging_post\[tags\]"[^>]*multiple/);
      assert.not.match(page, "hidden</option>");
      const wrong = await choose(client, `${posts}/new`, [1, 2], { "blogging_post[title]": "" });
      assert.is(wrong.status, 422);
      assert.equal(
        [...(await wrong.text()).matchAll(/<option value="(\d+)" selected>/g)].map(([, id]) => id),
        ["2", "1"],
      );
      const made = await choose(client, `${posts}/new`, [1, 2], { "blogging_post[title]": "Formed" });
      assert.is(made.status, 303);
      const path = made.headers.get("location")!;
      const id = Number(path.split("/").at(-1));
      assert.equal(await stored(id), [1, 2]);
      assert.match(await client.page(path), /red[\s\S]*green/);
      assert.equal([...(await client.page(`${path}/edit`)).matchAll(/<option value="(\d+)" selected>[rg]/g)].length, 2);
      const title = { "blogging_post[title]": "Formed" };
      assert.is((await choose(client, `${path}/edit`, [3], title)).status, 303);
      assert.equal(await stored(id), [3]);
      assert.is((await choose(client, `${path}/edit`, [], title)).status, 303);
      assert.equal(await stored(id), []);
    });

    can(
      "An id that is missing, out of sight or of the wrong shape is 422 with the same answer, and nothing is written",
      async () => {
        const { id } = (await send(app, "POST", posts, { title: "Kept", tags: [1] })).body.data!;
        const answers = [];
        for (const tags of [[1, 999], [1, 4], [4], ["1abc"], ["01"]])
          answers.push(await send(app, "PATCH", `${posts}/${id}`, { title: "Changed", tags }));
        for (const { status, body } of answers)
          assert.equal([status, body.errors], [422, { tags: ["is not one of the choices"] }]);
        for (const tags of [[{}], [[1]], "1", { a: 1 }, 5])
          assert.equal((await send(app, "PATCH", `${posts}/${id}`, { tags })).status, 422, JSON.stringify(tags));
        const many = Array.from({ length: 201 }, (_, at) => at + 1);
        assert.is((await send(app, "PATCH", `${posts}/${id}`, { tags: many })).status, 422);
        assert.equal(await stored(id), [1]);
        assert.is((await databaseOf(app.application).knex("blogging_posts").where({ id }).first()).title, "Kept");
        assert.is((await send(app, "POST", posts, { title: "None", tags: [4] })).status, 422);
      },
    );

    can("Links to what the person does not see stay as they are", async () => {
      const { id } = (await send(app, "POST", posts, { title: "Seen", tags: [1] })).body.data!;
      const stamps = { created_at: "2026-01-01 00:00:00.000", updated_at: "2026-01-01 00:00:00.000" };
      await databaseOf(app.application)
        .knex("taggings")
        .insert({ post_id: id, tag_id: 4, ...stamps });
      assert.is((await send(app, "PATCH", `${posts}/${id}`, { tags: [2] })).status, 200);
      assert.equal(await stored(id), [2, 4]);
      assert.not.match(await app.client().page(`${posts}/${id}/edit`), 'value="4" selected');
    });

    can(
      "Record and links are written together, or none of them; what is wrong in between stands at the field",
      async () => {
        const refused = await send(app, "POST", posts, { title: "Undone", tags: [1, 9] });
        assert.equal([refused.status, refused.body.errors], [422, { tags: ["is worn out"] }]);
        const { knex } = databaseOf(app.application);
        assert.is(await knex("blogging_posts").where({ title: "Undone" }).first(), undefined);
        const { id } = (await send(app, "POST", posts, { title: "Before", tags: [1] })).body.data!;
        assert.is((await send(app, "PATCH", `${posts}/${id}`, { title: "After", tags: [2, 9] })).status, 422);
        assert.equal(await stored(id), [1]);
        assert.is((await knex("blogging_posts").where({ id }).first()).title, "Before");
      },
    );

    can("A change of links alone makes an edit of somebody else stale, which shows both", async () => {
      const { id } = (await send(app, "POST", posts, { title: "Shared", tags: [1] })).body.data!;
      const client = app.client();
      const edit = await client.page(`${posts}/${id}/edit`);
      const version = /name="lock_version" value="([^"]*)"/.exec(edit)![1]!;
      await new Promise((resolve) => setTimeout(resolve, 5));
      assert.is((await send(app, "PATCH", `${posts}/${id}`, { tags: [2] })).status, 200);
      const late = await choose(client, `${posts}/${id}/edit`, [3], {
        lock_version: version,
        "blogging_post[title]": "Shared",
      });
      assert.is(late.status, 409);
      const page = await late.text();
      assert.match(page.split('<form class="fw-form"')[0]!, /green[\s\S]*blue/);
      assert.equal(await stored(id), [2]);
    });

    can("The choices are searched by the target's policy, and only for who may fill the field in", async () => {
      const { body } = await app.client().json(`${posts}/typeahead/tags?q=re`);
      assert.equal(body.data, [
        { id: 2, label: "green" },
        { id: 6, label: "more" },
        { id: 1, label: "red" },
      ]);
      assert.equal((await app.client().json(`${posts}/typeahead/tags?q=hidd`)).body.data, []);
      assert.is((await app.client().json(`${posts}/typeahead/comments`)).status, 404);
    });
  });
}

describe("Associations that no form writes", (it) => {
  it("A has-many of the records' own key, and one through several tables, are refused at boot by name", async () => {
    const through = edited(shopFiles, model, [
      "note: hasOne(),",
      'note: hasOne(), others: hasMany({ through: "author", source: "posts", class: "Blogging::Post" }),',
    ]);
    for (const [name, files] of [
      ["comments", {}],
      ["others", { [model]: through }],
    ] as const) {
      const error = await openShop({
        ...files,
        [policy]: edited(shopFiles, policy, ['["title", "body",', `["title", "${name}", "body",`]),
      }).then(
        (app) => app.close(),
        (one: Error & { code: string }) => one,
      );
      assert.is((error as { code: string } | undefined)?.code, "FW_ATTRIBUTE_READONLY");
      assert.match((error as Error).message, `"${name}"`);
    }
  });
});
