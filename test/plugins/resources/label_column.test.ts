import { assert, describe } from "../../support/index.ts";
import { databaseOf, withShop } from "../../support/shop.ts";

// People look for records by what they are called, also where a model says so itself.

const at = { created_at: new Date("2026-01-01"), updated_at: new Date("2026-01-01") };
const author = (label: string) => ({
  "app/models/author.ts": `import { hasMany, Model } from "framewright/plugins/database";
    export default class Author extends Model("authors") {
      static override associations = { posts: hasMany({ class: "Blogging::Post" }) };
      override toLabel() { return ${label}; }
    }`,
});

describe("The column that records are known by", (it) => {
  it("It is the first text that the label reads: lists begin with it, and choices are found and ordered by it", async () => {
    const files = author("this.email ?? super.toLabel()");
    await withShop(files, async (app) => {
      const { knex } = databaseOf(app.application);
      await knex("authors").insert([
        { name: "Ada", email: "zoe@example.com", ...at },
        { name: "Zoe", email: "ada@example.com", ...at },
      ]);
      const [head] = /<thead>.*?<\/thead>/s.exec(await (await app.request("/admin/authors")).text())!;
      assert.ok(head.indexOf("sort=email") < head.indexOf("sort=name"), head);
      const labels = async (term: string) => {
        const answer = await app.request(`/admin/blogging/posts/typeahead/author?q=${term}`);
        return JSON.stringify(await answer.json());
      };
      assert.match(await labels("zoe@"), "zoe@example.com");
      assert.not.match(await labels("zoe@"), "ada@example.com");
      assert.match(await labels(""), /ada@example.com.*zoe@example.com/);
    });
  });

  it("A label without a text of its own leaves it as it is", async () => {
    await withShop(author('"No. " + this.id'), async (app) => {
      const { knex } = databaseOf(app.application);
      await knex("authors").insert({ name: "Ada", email: "zoe@example.com", ...at });
      const [head] = /<thead>.*?<\/thead>/s.exec(await (await app.request("/admin/authors")).text())!;
      assert.ok(head.indexOf("sort=name") < head.indexOf("sort=email"), head);
    });
  });
});
