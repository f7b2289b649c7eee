import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openShop, shopFiles } from "../../support/shop.ts";

const routes = "packages/admin_portal/config/routes.ts";
/** The shop with one author at /admin/author, who has the posts. */
const changes = {
  [routes]: edited(shopFiles, routes, [
    "routes.registerResource(Author);",
    "routes.registerResource(Author, { singular: true });",
  ]),
};
const accept = { accept: "application/json" };
const stamps = { created_at: "2026-01-01 10:00:00.000", updated_at: "2026-01-01 10:00:00.000" };
const base = "/admin/author/nested_posts";

for (const database of await databases()) {
  describe(`The children of a singular parent, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openShop(changes, await database.values());
        const { knex } = databaseOf(app.application);
        await knex("authors").insert({ name: "Ada", ...stamps });
        for (const title of ["First", "Second", "Third"])
          await knex("blogging_posts").insert({ title, author_id: 1, ...stamps });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const titleOf = async (id: number) =>
      (await databaseOf(app.application).knex("blogging_posts").where({ id }).first())?.title;

    can("The form of a child below a singular parent changes only that child", async () => {
      const client = app.client();
      const saved = await client.submit(`${base}/2/edit`, { "blogging_post[title]": "Changed" }, /_posts/);
      assert.is(saved.status, 303);
      assert.is(saved.headers.get("location"), `${base}/2`);
      assert.equal([await titleOf(1), await titleOf(2)], ["First", "Changed"]);
    });
    can("Every link and form below a singular parent on a child's page leads to that child", async () => {
      const html = await app.client().page(`${base}/2`);
      const addresses = [...html.matchAll(/(?:href|action)="(\/admin\/author\/nested_posts\/[^"]+)"/g)].map(
        ([, url]) => url!,
      );
      assert.ok(addresses.length > 2);
      for (const url of addresses) assert.match(url, /^\/admin\/author\/nested_posts\/2(\/|$)/);
    });
    can(
      "A child created below a singular parent has its own Location, and deleting one deletes only that one",
      async () => {
        const made = await app.request(base, {
          method: "POST",
          headers: { ...accept, "content-type": "application/json" },
          body: JSON.stringify({ blogging_post: { title: "New" } }),
        });
        const { data } = (await made.json()) as { data: { id: number } };
        assert.is(made.headers.get("location"), `${base}/${data.id}`);
        const gone = await app.client().submit(`${base}/3/actions/destroy`, {}, /nested_posts/);
        assert.is(gone.status, 303);
        assert.equal([await titleOf(1), await titleOf(3)], ["First", undefined]);
      },
    );
  });
}
