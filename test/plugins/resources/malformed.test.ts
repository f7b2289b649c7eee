import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openShop, shopFiles } from "../../support/shop.ts";

const model = "packages/blogging/app/models/blogging/post.ts";
const definition = "packages/blogging/app/definitions/blogging/post_definition.ts";
const policy = "packages/blogging/app/policies/blogging/post_policy.ts";
/** Posts whose price is held to a rule, with an action that asks for an amount and times, each with a default. */
const changes = {
  [model]: edited(shopFiles, model, [
    "validations = {",
    "validations = { price: { numericality: { lessThanOrEqualTo: 100 } }, author: { presence: true },",
  ]),
  [policy]: edited(shopFiles, policy, ["canTidy()", "canBill() { return true; } canTidy()"]),
  [definition]: edited(
    shopFiles,
    definition,
    ["super.configure();", 'super.configure(); this.action("bill", { interaction: Bill });'],
    ["import TidyPosts", 'import Bill from "#packages/blogging/lib/bill.ts"; import TidyPosts'],
  ),
  "packages/blogging/lib/bill.ts": `import { Interaction, succeed } from "framewright/plugins/resources";
    export default class Bill extends Interaction {
      static override attributes = {
        fee: { as: "money", default: 12.5, numericality: { lessThanOrEqualTo: 100 } }, at: { as: "datetime", default: "2026-03-01T10:00:00Z" },
        on: { as: "date", default: () => new Date("2026-03-01T10:00:00Z") }, count: { as: "integer", default: "3" },
      };
      async execute() { return succeed().withMessage(JSON.stringify(this.values) + " " + String(this.values.at instanceof Date)); }
    }`,
};
const stamps = { created_at: "2026-01-01 10:00:00.000", updated_at: "2026-01-01 10:00:00.000" };
const posts = "/admin/blogging/posts";

for (const database of await databases()) {
  describe(`Malformed values, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openShop(changes, await database.values());
        await databaseOf(app.application)
          .knex("authors")
          .insert({ name: "Ada", ...stamps });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const send = async (method: string, path: string, body: object) => {
      const answer = await app.request(path, {
        method,
        headers: { accept: "application/json", "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const { errors = {}, data } = (await answer.json()) as {
        errors?: Record<string, string[]>;
        data?: { id: number; price: string; message: string };
      };
      return { status: answer.status, errors, data };
    };
    const create = (values: object) => send("POST", posts, { blogging_post: { title: "One", author: 1, ...values } });

    can("Malformed values are reported all at once, together with the errors of validations and columns", async () => {
      const bad = { title: "", author: null, price: "abc", due_on: "soon", published_at: "x", position: "1.5" };
      const made = await create({ ...bad, status: "no-such", published: "maybe" });
      assert.is(made.status, 422);
      assert.equal(made.errors, {
        title: ["can't be blank"],
        author: ["can't be blank"],
        price: ["must be an amount, such as 12.50"],
        published: ["must be yes or no"],
        status: ["is not one of the choices"],
        published_at: ["is not a time"],
        due_on: ["is not a date"],
        position: ["must be a whole number"],
      });
      const unsent = await send("POST", posts, { blogging_post: { price: "abc" } });
      assert.equal(Object.keys(unsent.errors).sort(), ["author", "price", "title"]);
      const { data } = await create({});
      const changed = await send("PATCH", `${posts}/${data!.id}`, { blogging_post: { price: "abc", title: "" } });
      assert.equal(Object.keys(changed.errors).sort(), ["price", "title"]);
    });
    can("Amounts of money are read exactly as they are typed, and refused where they are none", async () => {
      const read = { "12.5": "12.50", "12,50": "12.50", " 7 ": "7.00", "+1.10": "1.10", "-0.05": "-0.05", "": null };
      for (const [typed, price] of Object.entries(read)) assert.is((await create({ price: typed })).data?.price, price);
      assert.is((await create({ price: 12.5 })).data?.price, "12.50");
      for (const price of ["1.234", "1e3", "12.", ".5", "12 €", "1.000,00", "0x10", "Infinity", "- 1", 1.005, 1e21])
        assert.equal((await create({ price })).errors, { price: ["must be an amount, such as 12.50"] }, String(price));
      for (const price of [true, {}, [], ["1"], { cents: 1 }])
        assert.equal(Object.keys((await create({ price })).errors), ["price"], JSON.stringify(price));
      assert.equal((await create({ price: "100.01" })).errors, { price: ["must be 100 or less"] });
      assert.equal((await create({ price: "99,99", position: "x" })).errors, { position: ["must be a whole number"] });
    });
    can("A refused amount of money appears in the form again as it was typed", async () => {
      const fields = {
        "blogging_post[title]": "One",
        "blogging_post[author]": "1",
        "blogging_post[price]": "12,345 €",
      };
      const answer = await app.client().submit(`${posts}/new`, fields);
      assert.is(answer.status, 422);
      assert.match(await answer.text(), 'value="12,345 €"');
    });
    can("The defaults of an interaction are converted to the same types as typed values", async () => {
      const { data } = await create({});
      const bill = (interaction: object) => send("POST", `${posts}/${data!.id}/actions/bill`, { interaction });
      const at = '"at":"2026-03-01T10:00:00.000Z","on":"2026-03-01","count":3} true';
      assert.is((await bill({})).data?.message, `{"fee":"12.50",${at}`);
      assert.is((await bill({ fee: "7,5" })).data?.message, `{"fee":"7.50",${at}`);
      assert.equal((await bill({ fee: "100,01" })).errors, { fee: ["must be 100 or less"] });
      assert.equal((await bill({ fee: "1.005", count: "x" })).errors, {
        fee: ["must be an amount, such as 12.50"],
        count: ["must be a whole number"],
      });
    });
  });
}
