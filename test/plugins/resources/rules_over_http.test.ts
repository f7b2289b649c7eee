import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openShop, shopFiles } from "../../support/shop.ts";

const post = "packages/blogging/app/models/blogging/post.ts";
const changes = {
  [post]: edited(shopFiles, post, [
    "title: { presence: true, length: { maximum: 100 } }",
    `title: { presence: true }, due_on: { custom: (due: string | null, record: Post) => due && record.published_at && due < (record.published_at as Date).toISOString().slice(0, 10) ? "is before it is published" : undefined }, author: { uniqueness: { scope: "status" } }`,
  ]),
  "packages/blogging/app/interactions/blogging/publish_post.ts": `import { Interaction, succeed } from "framewright/plugins/resources"; import Post from "#packages/blogging/app/models/blogging/post.ts";
    export default class PublishPost extends Interaction<Post> {
      async execute() { await this.query(Post).findById(this.record.id as number).patch({ due_on: "2020-01-01" } as never); return succeed(this.record); }
    }`,
};

for (const database of await databases()) {
  describe(`Validations over HTTP, on ${database.name}`, (it) => {
    it.unless(
      database.skip,
      "Validations of partial JSON see the whole record, and keep an association unique, also in a race",
      async () => {
        const app = await openShop(changes, await database.values());
        const headers = { accept: "application/json", "content-type": "application/json" };
        const send = async (method: string, path: string, blogging_post: object) => {
          const answer = await app.request(`/admin/blogging/posts${path}`, {
            method,
            headers,
            body: JSON.stringify({ blogging_post }),
          });
          const { errors } = (await answer.json()) as { errors?: object };
          return [answer.status, errors];
        };
        try {
          const { knex } = databaseOf(app.application);
          await knex("authors").insert({ name: "Ada", created_at: new Date(), updated_at: new Date() });
          const values = {
            title: "A",
            author: "1",
            status: "draft",
            published_at: "2026-01-10T00:00:00Z",
            due_on: "2026-02-01",
          };
          assert.equal(await send("POST", "", values), [201, undefined]);
          const early = { due_on: ["is before it is published"] };
          assert.equal(await send("PATCH", "/1", { due_on: "2020-01-01" }), [422, early]);
          assert.equal(await send("PATCH", "/1", { published_at: "2026-03-01T00:00:00Z" }), [422, early]);
          assert.equal(await send("POST", "/1/actions/publish", {}).then(([status]) => status), 422);
          const taken = { author: ["has already been taken"] };
          assert.equal(await send("POST", "", values), [422, taken]);
          assert.equal(await send("POST", "", { ...values, status: "live" }), [201, undefined]);
          assert.equal(await send("PATCH", "/2", { status: "draft" }), [422, taken]);
          await databaseOf(app.application).transaction(async (trx) => {
            await trx.raw("create unique index one_each on blogging_posts (author_id, status)");
          });
          const all = await Promise.all(
            Array.from({ length: 6 }, () => send("POST", "", { ...values, author: null, title: "N" })),
          );
          assert.ok(all.every(([status]) => status === 201));
          await knex("authors").insert({ name: "Bob", created_at: new Date(), updated_at: new Date() });
          const race = await Promise.all(Array.from({ length: 6 }, () => send("POST", "", { ...values, author: "2" })));
          assert.equal(race.filter(([status]) => status === 201).length, 1);
          for (const [status, errors] of race) if (status !== 201) assert.equal([status, errors], [422, taken]);
        } finally {
          await app.close();
          await database.clean();
        }
      },
    );
  });
}

describe("What a model refuses by a text that has plural forms", (it) => {
  it("It is said in the form of its count, also of none", async () => {
    const app = await openShop({
      [post]: edited(shopFiles, post, [
        "static override associations",
        `override async $beforeInsert(context: never) {
           await super.$beforeInsert(context);
           const count = Number((this as unknown as { title: string }).title);
           throw new ValidationError("Blogging::Post", { title: [{ key: "shop.too_few", vars: { count }, message: "shop too few" }] });
         }
         static override associations`,
      ]).replace(/^/, 'import { ValidationError } from "framewright/plugins/database";\n'),
      "config/locales/en.json": JSON.stringify({
        shop: { too_few_one: "has {{count}} page alone", too_few_other: "has {{count}} pages" },
      }),
    });
    try {
      const headers = { accept: "application/json", "content-type": "application/json" };
      const said = async (title: string) => {
        const body = JSON.stringify({ blogging_post: { title } });
        const answer = await app.request("/admin/blogging/posts", { method: "POST", headers, body });
        return ((await answer.json()) as { errors: Record<string, string[]> }).errors.title;
      };
      assert.equal(
        [await said("0"), await said("1"), await said("5")],
        [["has 0 pages"], ["has 1 page alone"], ["has 5 pages"]],
      );
    } finally {
      await app.close();
    }
  });
});

describe("What a rule of a model returns", (it) => {
  it("May be the key of a text, in the language of the person, and names an association that the form does not have by its label", async () => {
    const rule =
      'author_id: { custom: (id: number) => (id === 2 ? "shop.busy" : id === 3 ? "has left.The shop" : undefined) }';
    const app = await openShop({
      [post]: edited(shopFiles, post, [
        "title: { presence: true, length: { maximum: 100 } }",
        `title: { presence: true, length: { maximum: 5, message: "shop.long" } }, ${rule}`,
      ]),
      "config/locales/en.json": JSON.stringify({ shop: { busy: "is busy", long: "is over {{count}}" } }),
      "config/locales/de.json": JSON.stringify({
        shop: { busy: "ist beschäftigt", long: "hat über {{count}} Zeichen" },
        fields: { author: "Autorin" },
      }),
    });
    try {
      const { knex } = databaseOf(app.application);
      const stamps = { created_at: new Date(), updated_at: new Date() };
      for (const name of ["Ada", "Bob", "Cy"]) await knex("authors").insert({ name, ...stamps });
      const headers = { accept: "application/json", "content-type": "application/json" };
      const errors = async (values: object, language: string, path = "/admin/blogging/posts") => {
        const answer = await app.request(path, {
          method: "POST",
          headers: { ...headers, "accept-language": language },
          body: JSON.stringify({ blogging_post: values }),
        });
        return ((await answer.json()) as { errors?: unknown }).errors;
      };
      assert.equal(await errors({ title: "Much too long" }, "en"), { title: ["is over 5"] });
      assert.equal(await errors({ title: "Much too long" }, "de"), { title: ["hat über 5 Zeichen"] });
      assert.equal(await errors({ title: "A", author: "2" }, "de"), { author: ["ist beschäftigt"] });
      assert.equal(await errors({ title: "A", author: "3" }, "de"), { author: ["has left.The shop"] });
      const below = "/admin/authors/2/nested_posts";
      assert.equal(await errors({ title: "A" }, "de", below), { base: ["Autorin ist beschäftigt"] });
    } finally {
      await app.close();
    }
  });
});
