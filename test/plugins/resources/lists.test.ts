import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openShop, shopFiles } from "../../support/shop.ts";

const policy = "packages/blogging/app/policies/blogging/post_policy.ts";
const definition = "packages/blogging/app/definitions/blogging/post_definition.ts";
/** Posts that are filtered by money and times, and sorted by their author's name and by a name of its own. */
const changes = {
  [policy]: edited(shopFiles, policy, [
    'return ["title", "author", "price", "status", "created_at"];',
    'return ["title", "author", "price", "status", "created_at", "published_at", "due_on", "secret_token", "body", "published"];',
  ]),
  [definition]: edited(shopFiles, definition, [
    "super.configure();",
    `super.configure(); this.filter("price"); this.filter("published_at", { as: "date" }); this.filter("due_on"); this.sort("author", { by: "name" });
     this.sort("body", "title"); this.filter("published", { labels: { true: "Out", false: "Hidden" } });
     this.defaultSort((query) => query.orderByRaw("case when price_cents is null then 0 else 1 end").orderBy("price_cents", "desc"));
     this.sort("loudest", { using: (query, direction) => query.orderByRaw("length(blogging_posts.title) " + direction) });`,
  ]),
};
const stamps = { created_at: "2026-01-01 10:00:00.000", updated_at: "2026-01-01 10:00:00.000" };

for (const database of await databases({ withPostgres: true })) {
  describe(`Filters and sorts, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openShop(changes, await database.values());
        const { knex } = databaseOf(app.application);
        for (const name of ["Zoe", "Ada"]) await knex("authors").insert({ name, ...stamps });
        const row = (
          title: string,
          author_id: number | null,
          price_cents: number | null,
          published_at: string | null,
          more: object,
        ) => knex("blogging_posts").insert({ title, author_id, price_cents, published_at, ...more, ...stamps });
        await row("By Ada, long", 2, 900, "2026-03-02 00:00:00.000", { body: "c", published: 1 });
        await row("Nobody's", null, null, null, { body: "a", published: 0 });
        await row("By Zoe", 1, 1250, "2026-03-01 23:59:59.000", { body: "b", published: 0 });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const list = async (query: string) => {
      const answer = await app.request(`/admin/blogging/posts?${query}`, { headers: { accept: "application/json" } });
      const { data } = (await answer.json()) as { data?: { title: string }[] };
      return data?.map(({ title }) => title) ?? answer.status;
    };

    can("A filter of money accepts an amount as it is written, and refuses any other text with 422", async () => {
      assert.equal(await list("filter[price]=12.50"), ["By Zoe"]);
      assert.equal(await list("filter[price]=9"), ["By Ada, long"]);
      for (const bad of ["abc", "1.234", "-"]) assert.is(await list(`filter[price]=${bad}`), 422);
    });
    can("A filter by day matches the whole day of a time, and refuses any other text with 422", async () => {
      assert.equal(await list("filter[published_at]=2026-03-01"), ["By Zoe"]);
      for (const bad of ["garbage", "2026-13-01", "99999-01-01", "9999-12-31", "%2B275760-09-13", "-1"]) {
        assert.is(await list(`filter[published_at]=${bad}`), 422, bad);
        const page = await app.request(`/admin/blogging/posts?filter[published_at]=${bad}&sort=title`);
        assert.is(page.status, 303, bad);
        assert.is(page.headers.get("location"), "/admin/blogging/posts?sort=title", "the page leaves it out");
      }
      assert.is(await list("filter[due_on]=garbage"), 422);
    });
    can("A list is sorted by a column of an associated record, also from its header", async () => {
      const ascending = (await list("sort=author")) as string[];
      assert.equal(
        ascending.filter((title) => title !== "Nobody's"),
        ["By Ada, long", "By Zoe"],
      );
      const descending = (await list("sort=-author")) as string[];
      assert.equal(
        descending.filter((title) => title !== "Nobody's"),
        ["By Zoe", "By Ada, long"],
      );
      assert.match(await app.client().page("/admin/blogging/posts"), 'href="/admin/blogging/posts?sort=author"');
    });
    can("A custom sort has its own name, and an unknown sort is refused with 422", async () => {
      assert.equal(await list("sort=-loudest,id"), ["By Ada, long", "Nobody's", "By Zoe"]);
      assert.is(await list("sort=loudes"), 422);
      const page = await app.request("/admin/blogging/posts?sort=loudes&q=Ada");
      assert.is(page.headers.get("location"), "/admin/blogging/posts?q=Ada", "a browser is led to the list without it");
    });
    can("Several columns are made sortable in one line, of long texts too", async () => {
      assert.equal(await list("sort=body"), ["Nobody's", "By Zoe", "By Ada, long"]);
      assert.equal(await list("sort=-title"), ["Nobody's", "By Zoe", "By Ada, long"]);
      assert.match(await app.client().page("/admin/blogging/posts"), 'href="/admin/blogging/posts?sort=body"');
    });
    can("A function orders a list that asks for none, on each of its pages; no request can ask for it", async () => {
      assert.equal(await list(""), ["Nobody's", "By Zoe", "By Ada, long"]);
      assert.equal(await list("per_page=1&page=2"), ["By Zoe"]);
      assert.equal(await list("per_page=2&page=2"), ["By Ada, long"]);
      assert.equal(await list("sort=id"), ["By Ada, long", "Nobody's", "By Zoe"]);
      for (const asked of ["-", ",", "-,id"]) assert.is(await list(`sort=${asked}`), 422, asked);
    });
    can("The values of a boolean filter have the labels of their own, and Yes and No without any", async () => {
      const page = await app.client().page("/admin/blogging/posts?filter[published]=0");
      assert.match(page, '<option value="1">Published: Out</option>');
      assert.match(page, '<option value="0" selected>Published: Hidden</option>');
      assert.equal(await list("filter[published]=1"), ["By Ada, long"]);
      assert.equal(await list("filter[published]=0"), ["Nobody's", "By Zoe"]);
    });
    can("A list can't be sorted by a secret column, and its header has no link", async () => {
      assert.is(await list("sort=secret_token"), 422);
      assert.not.match(await app.client().page("/admin/blogging/posts"), "sort=secret_token");
    });
  });
}
