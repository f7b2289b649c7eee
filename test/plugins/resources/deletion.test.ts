import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

const migration = "db/migrate/20260101000000_create_tables.ts";
/** Attachments go with their comment, as the database has it. */
const changes = {
  [migration]: edited(tenantFiles, migration, [
    't.belongsTo("comment", { null: false });',
    't.belongsTo("comment", { null: false, onDelete: "cascade" });',
  ]),
  "app/policies/comment_policy.ts": edited(tenantFiles, "app/policies/comment_policy.ts", [
    'return (this.entityScope as { name: string }).name === "Baltic";',
    "return true;",
  ]),
};

const withReplies = {
  ...changes,
  "app/models/comment.ts": edited(
    tenantFiles,
    "app/models/comment.ts",
    [
      'belongsTo({ class: "Comment" }),',
      'belongsTo({ class: "Comment" }),\n    replies: hasMany({ class: "Comment", foreignKey: "reply_to_id" }),',
    ],
    ["import { belongsTo", "import { belongsTo, hasMany"],
  ),
};

const hasButton = (html: string) => /<button class="btn btn-danger">/.test(html);

for (const database of await databases()) {
  describe(`What is said before a record is deleted, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(changes, await database.values());
        await knex()("notes").delete();
        await knex()("attachments").delete();
        await knex()("categories").insert({ id: 2, name: "Theirs" });
        await knex()("posts").where({ id: 2 }).update({ category_id: 2 });
        await knex()("comments").insert({ id: 10, title: "Another", post_id: 1 });
        await knex()("comments").insert({ id: 11, title: "Quoted", post_id: 1, reply_to_id: 10 });
        for (const id of [21, 22]) await knex()("attachments").insert({ id, name: `File ${id}`, comment_id: 10 });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const asked = async (path: string) =>
      (await app.request(`/customer/1/${path}/actions/destroy`, { headers: { "x-user": "1" } })).text();

    can("What goes with it by the model or the foreign key is counted, and the title names the record", async () => {
      const post = await asked("posts/1");
      assert.match(post, "<h1>Delete Post Alpine?</h1>");
      assert.match(post, "3 comments will be deleted with it.");
      assert.ok(hasButton(post));
      const comment = await asked("comments/10");
      assert.match(comment, "2 attachments will be deleted with it.");
      const last = await asked("comments/11");
      assert.not.match(last, "with it");
      assert.match(last, "undone");
    });

    can(
      "Who thinks better of it is led back to where they came from, and who deletes to the list as it was",
      async () => {
        const ask = async (referer: string | undefined, path = "comments/11") => {
          const headers = { "x-user": "1", ...(referer === undefined ? {} : { referer: app.url + referer }) };
          return (await app.request(`/customer/1/${path}/actions/destroy`, { headers })).text();
        };
        const cancelOf = (html: string) => /<a class="btn" href="([^"]*)"/.exec(html.slice(html.indexOf("<main")))?.[1];
        const listed = await ask("/customer/1/comments?sort=title");
        assert.is(cancelOf(listed), "/customer/1/comments?sort=title");
        assert.match(listed, 'name="return_to" value="/customer/1/comments?sort=title"');
        assert.is(
          cancelOf(await ask("/customer/1/comments/11?_list=sort%3Dtitle")),
          "/customer/1/comments/11?_list=sort%3Dtitle",
        );
        assert.is(cancelOf(await ask(undefined)), "/customer/1/comments/11");
        assert.is(cancelOf(await ask("/customer/2/comments")), "/customer/1/comments/11");
      },
    );

    can("What stands in the way is said at once, with what the person sees of it, and there is no button", async () => {
      const shared = await asked("categories/1");
      assert.match(shared, "Shared can&#39;t be deleted: it is still used by 1 post.");
      assert.is(hasButton(shared), false);
      const theirs = await asked("categories/2");
      assert.match(theirs, "Theirs can&#39;t be deleted: other records still need it.");
      assert.not.match(theirs, /1 post|Baltic/);
    });
  });

  describe(`The deletion of a record that refers to itself, on ${database.name}`, (it, { after }) => {
    after(() => database.clean());
    it.unless(
      database.skip,
      "A record that refers to itself alone can be deleted, and one that others refer to can't",
      async () => {
        const app = await openTenants(withReplies, await database.values());
        const { knex } = databaseOf(app.application);
        const asked = async () =>
          (await app.request("/customer/1/comments/30/actions/destroy", { headers: { "x-user": "1" } })).text();
        await knex("comments").insert({ id: 30, title: "Circular", post_id: 1, reply_to_id: 30 });
        await knex("comments").insert({ id: 31, title: "Reply", post_id: 1, reply_to_id: 30 });
        const remove = async () => {
          const headers = { accept: "application/json", "x-user": "1" };
          return (await app.request("/customer/1/comments/30", { method: "DELETE", headers })).status;
        };
        assert.is(hasButton(await asked()), false);
        assert.is(await remove(), 409);
        const [kept] = await knex("comments").where({ id: 30 });
        assert.is(kept?.reply_to_id, 30);
        await knex("comments").where({ id: 31 }).delete();
        assert.ok(hasButton(await asked()));
        assert.ok([200, 204].includes(await remove()));
        assert.equal(await knex("comments").where({ id: 30 }), []);
        await app.close();
      },
    );
  });
}
