import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { rowsFiles } from "./tenancy_files.ts";

const MARK = "Baltic";

for (const database of await databases({ withPostgres: true })) {
  describe(`Rows of tenants, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    before(async () => {
      if (database.skip === undefined) app = await openTenants(rowsFiles, await database.values());
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const ask = async (path: string, body?: object, method = body ? "PATCH" : "GET", user = "1") => {
      const headers = { "x-user": user, accept: "application/json", "content-type": "application/json" };
      const answer = await app.request(`/customer/1${path}`, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await answer.text();
      return {
        status: answer.status,
        text,
        errors: JSON.parse(text || "{}").errors as Record<string, unknown> | undefined,
      };
    };
    const knex = () => databaseOf(app.application).knex;

    can("A form and JSON have nothing of another tenant", async () => {
      const page = await app.request("/customer/1/posts/1/edit", { headers: { "x-user": "1" } });
      const html = await page.text();
      assert.match(html, "Comment Alpine");
      assert.not.match(html, MARK);
      assert.not.match((await ask("/posts/1.json")).text, MARK);
    });

    const foreign: [string, object, string][] = [
      ["a row", { comments: [{ id: 2, title: "mine" }] }, "comments.0.id"],
      ["a row that is removed", { comments: [{ id: 2, _destroy: true }] }, "comments.0.id"],
      ["a record that a row refers to", { comments: [{ title: "reply", reply_to: 2 }] }, "comments.0.reply_to"],
      ["the record of a has-one", { note: { id: 2, title: "mine" } }, "note.id"],
    ];
    for (const [what, post, path] of foreign)
      can(`${what} of another tenant is refused as one that is not there`, async () => {
        const { status, errors, text } = await ask("/posts/1.json", { post });
        assert.equal([status, Object.keys(errors ?? {})], [422, [path]], text);
        assert.not.match(text, MARK);
        const other = JSON.stringify(post).replaceAll(/:2([,}])/g, ":9999$1");
        assert.equal((await ask("/posts/1.json", { post: JSON.parse(other) })).errors, errors);
        assert.is((await knex()("comments").where({ id: 2 }).first()).title, "Comment Baltic");
      });

    can("A new row belongs to its parent, whatever it says", async () => {
      const { status, text } = await ask("/posts/1.json", {
        post: { comments: [{ title: "new", post: 2, post_id: 2 }] },
      });
      assert.is(status, 200, text);
      assert.is(Number((await knex()("comments").where({ title: "new" }).first()).post_id), 1);
    });

    can("The parent of another tenant is not found with its rows", async () => {
      assert.is((await ask("/posts/2.json", { post: { comments: [{ title: "x" }] } })).status, 404);
    });

    can("The rows of a new record belong to the tenant of the request", async () => {
      const { status, text } = await ask(
        "/posts.json",
        { post: { title: "Made", organization_id: 2, comments: [{ title: "first" }] } },
        "POST",
      );
      assert.is(status, 201, text);
      const post = await knex()("posts").where({ title: "Made" }).first();
      assert.is(Number(post.organization_id), 1);
      assert.is(Number((await knex()("comments").where({ title: "first" }).first()).post_id), Number(post.id));
    });
  });
}
