import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { filledRows } from "../../support/filled_rows.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openShop, shopFiles } from "../../support/shop.ts";

const routes = "packages/admin_portal/config/routes.ts";
const post = "packages/blogging/app/models/blogging/post.ts";
const policy = "packages/blogging/app/policies/blogging/post_policy.ts";
const controller = "packages/admin_portal/app/controllers/admin_portal/blogging/posts_controller.ts";
/** Posts out of whose list drafts are left, with two associations to comments, in a portal of labels that need more. */
const changes = {
  "db/migrate/20260102000000_add_reviewed.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) { await db.addColumns("blogging_comments", (t) => { t.belongsTo("reviewed", { table: "blogging_posts" }); }); }
    export async function down() {}`,
  [post]: edited(
    shopFiles,
    post,
    ["note: hasOne()", 'note: hasOne(), reviews: hasMany({ class: "Blogging::Comment", foreignKey: "reviewed_id" })'],
    [
      "static override money",
      'static override labelAssociations = ["author"]; override toLabel() { return this.title + " by " + ((this as unknown as { author?: { name: string } }).author?.name ?? "nobody"); } static override money',
    ],
  ),
  [policy]: edited(
    shopFiles,
    policy,
    ['return ["comments", "note"];', 'return ["comments", "note", "reviews"];'],
    [
      "canPublish()",
      'override relationScope(query: never) { return (query as { whereNot(name: string, value: string): never }).whereNot("blogging_posts.status", "draft"); } canPublish()',
    ],
  ),
  [controller]: edited(
    shopFiles,
    controller,
    [
      "nameless() {",
      'ambiguous() { return this.json({ url: this.resourceUrlFor(Comment, { parent: this.record! }) }); } both() { return this.json({ url: this.resourceUrlFor(Comment, { parent: this.record!, association: "reviews" }) }); } nameless() {',
    ],
    [
      "import ResourceController",
      'import Comment from "#packages/blogging/app/models/blogging/comment.ts"; import ResourceController',
    ],
  ),
  [routes]: edited(shopFiles, routes, ['m.get("nameless");', 'm.get("nameless"); m.get("ambiguous"); m.get("both");']),
  "packages/admin_portal/app/views/admin_portal/resource/show.liquid": `<h1>{{ title }}</h1><i>{{ record.email }} {{ record }}</i>{{ details }}{{ panels }}`,
};
const stamps = { created_at: "2026-01-01 10:00:00.000", updated_at: "2026-01-01 10:00:00.000" };
const posts = "/admin/blogging/posts";

for (const database of await databases()) {
  describe(`The links and redirects of pages, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openShop(changes, await database.values());
        const { knex } = databaseOf(app.application);
        await knex("authors").insert({ name: "Ada", email: "ada@x.test", ...stamps });
        await knex("blogging_posts").insert({ title: "One", status: "live", author_id: 1, ...stamps });
        await knex("blogging_comments").insert({ body: "Hm", post_id: 1, ...stamps });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);

    can(
      "Creating a record that is not visible redirects to the list with a notice, and has no Location in JSON",
      async () => {
        const client = app.client();
        const made = await client.submit(`${posts}/new`, {
          "blogging_post[title]": "Hidden",
          "blogging_post[status]": "draft",
        });
        assert.is(made.status, 303);
        assert.is(made.headers.get("location"), posts);
        const html = await client.page(posts);
        assert.match(html, "Hidden by nobody was created.");
        assert.match(html, "It is not one of the records that you can see here.");
        const json = await app.request(posts, {
          method: "POST",
          headers: { accept: "application/json", "content-type": "application/json" },
          body: JSON.stringify({ blogging_post: { title: "Hidden too" } }),
        });
        assert.equal([json.status, json.headers.get("location")], [201, null]);
      },
    );
    can("A label made from an association appears in lists, pages, choices and JSON", async () => {
      const client = app.client();
      assert.match(await client.page(`${posts}/1`), "<h1>One by Ada</h1>");
      assert.match(filledRows(await client.page(posts)), "Edit: One by Ada");
      assert.match(await client.page("/admin/blogging/comments/new"), />One by Ada<\/option>/);
      assert.match(await client.page("/admin/blogging/comments"), /One by Ada/);
      const { body } = await client.json("/admin/blogging/comments/typeahead/post");
      assert.equal(body.data, [{ id: 1, label: "One by Ada" }]);
      const { body: list } = await client.json("/admin/blogging/comments");
      assert.equal((list.data as { post: unknown }[])[0]!.post, { id: 1, label: "One by Ada" });
    });
    can("Two associations to one class have separate panels, lists and URLs, and an ambiguous URL is 500", async () => {
      const client = app.client();
      const html = await client.page(`${posts}/1`);
      for (const title of ["Reviews", "Note"]) assert.match(html, new RegExp(`<h2[^>]*>${title}</h2>`));
      assert.match(html, /<h2[^>]*>Comments <span class="fw-count">\d+<\/span><\/h2>/);
      assert.match(html, "No reviews yet");
      assert.match(await client.page(`${posts}/1/nested_reviews`), "<h1>Reviews</h1>");
      assert.equal((await client.json(`${posts}/1/both`)).body, { url: `${posts}/1/nested_reviews` });
      assert.is((await client.json(`${posts}/1/ambiguous`)).status, 500);
    });
    can("A record's page offers a new has-one only while there is none, and a second one is 409", async () => {
      const client = app.client();
      const note = `${posts}/1/nested_note`;
      assert.match(await client.page(`${posts}/1`), `href="${note}/new"`);
      assert.match(await client.page(`${posts}/1`), "No note yet");
      assert.is((await client.submit(`${note}/new`, { "blogging_note[title]": "Only" })).status, 303);
      assert.not.match(await client.page(`${posts}/1`), `href="${note}/new"`);
      assert.is((await client.request(`${note}/new`)).headers.get("location"), note);
      const second = await app.request(note, {
        method: "POST",
        headers: { accept: "application/json", "content-type": "application/json" },
        body: JSON.stringify({ blogging_note: { title: "Second" } }),
      });
      assert.is(second.status, 409);
    });
    can("An application's own show template prints the record and the panels", async () => {
      const html = await app.client().page("/admin/authors/1");
      assert.match(html, "<i>ada@x.test Ada</i>");
      assert.not.match(html, "[object Object]");
    });
    can("Deleting a record that others need is 409 with the code FW_IN_USE and its own title", async () => {
      const answer = await app.request(`${posts}/1`, { method: "DELETE", headers: { accept: "application/json" } });
      assert.is(answer.status, 409);
      const { code, title } = (await answer.json()) as { code: string; title: string };
      assert.equal([code, title], ["FW_IN_USE", "Something else still needs this"]);
    });
  });
}
