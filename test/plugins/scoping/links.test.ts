import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTags } from "./tags_app.ts";

for (const database of await databases({ withPostgres: true })) {
  describe(`Links within a tenant, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTags(await database.values());
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const send = async (path: string, tags: unknown) => {
      const headers = { accept: "application/json", "content-type": "application/json", "x-user": "1" };
      const answer = await app.request(`/customer/1${path}`, {
        method: path === "/posts" ? "POST" : "PATCH",
        headers,
        body: JSON.stringify({ post: { title: "New", tags } }),
      });
      return { status: answer.status, text: await answer.text() };
    };
    it.unless(
      database.skip,
      "A record of another tenant is no choice, as if it were not there; the row in between gets the tenant",
      async () => {
        const [foreign, missing] = [await send("/posts/1", [2]), await send("/posts/1", [999])];
        assert.is(foreign.status, 422);
        assert.is(foreign.text, missing.text);
        assert.is((await send("/posts", [1, 2])).status, 422);
        const made = await send("/posts/1", [1]);
        assert.is(made.status, 200, made.text);
        assert.not.match(made.text, "Baltic");
        const rows = await databaseOf(app.application).knex("taggings").where({ post_id: 1 }).orderBy("id");
        assert.equal(
          rows.map(({ tag_id, organization_id }: Record<string, number>) => [tag_id, organization_id]),
          [
            [2, 2],
            [1, 1],
          ],
        );
        for (const path of ["/posts/1/edit", "/posts/new", "/posts/typeahead/tags?q=Baltic", "/posts/1"]) {
          const answer = await app.request(`/customer/1${path}`, { headers: { "x-user": "1" } });
          assert.not.match((await answer.text()).replaceAll("q=Baltic", ""), "Baltic");
        }
        assert.is((await send("/posts/1", [])).status, 200);
        assert.equal(await databaseOf(app.application).knex("taggings").pluck("tag_id"), [2]);
      },
    );
  });
}
