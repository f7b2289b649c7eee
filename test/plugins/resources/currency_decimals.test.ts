import { type TestApp, writeApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { copyFixture, edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf, openMigrated } from "../../support/shop.ts";

// Amounts of a fixed currency that has no decimals, or three.

const shop = copyFixture("shop");
const model = "app/models/fare.ts";
const files: Record<string, string> = {
  ...shop,
  "db/migrate/20260201000000_create_fares.ts": `export async function up(db) {
    await db.createTable("fares", (t) => { t.id(); t.string("name").notNull(); t.bigint("price_yen"); t.bigint("toll_fils"); t.bigint("fee_cents"); t.timestamps(); });
  }
  export async function down(db) { await db.dropTable("fares"); }`,
  [model]: `import { Model } from "framewright/plugins/database";
    export default class Fare extends Model("fares" as never) {
      static override money = { price: "price_yen", toll: "toll_fils", fee: "fee_cents" };
      static override currencies = { price: "JPY", toll: "KWD" };
      static override validations = { price: { numericality: { lessThan: 1000000 } } } as never;
    }`,
  "app/policies/fare_policy.ts": `import { Policy } from "framewright/plugins/resources";
    export default class FarePolicy extends Policy {
      override canCreate() { return true; } override canRead() { return true; } override canExport() { return true; }
      override permittedAttributesForCreate() { return ["name", "price", "toll", "fee"] as never[]; }
      override permittedAttributesForRead() { return ["name", "price", "toll", "fee"] as never[]; }
    }`,
  "app/interactions/raise.ts": `import { Interaction, succeed } from "framewright/plugins/resources";
    export default class Raise extends Interaction {
      static override attributes = { by: { as: "money", currency: "JPY" }, toll: { as: "money", currency: "KWD" } } as const;
      async execute() { await this.transaction("fares").where({ id: 1 }).update({ name: JSON.stringify(this.values) }); return succeed(this.record as never); }
    }`,
  "app/definitions/fare_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
    import Raise from "../interactions/raise.ts";
    export default class FareDefinition extends ResourceDefinition {
      override configure() {
        super.configure();
        for (const name of ["price", "toll", "fee"]) this.column(name, { total: "sum" });
        this.filter("price");
        this.action("raise", { interaction: Raise, policy: "update" });
      }
    }`,
  "packages/admin_portal/config/routes.ts": edited(shop, "packages/admin_portal/config/routes.ts", [
    /registerResource\(Author.*\);/,
    (found: string) => `${found} routes.registerResource(Fare);`,
  ] as never).replace(/^/, 'import Fare from "#app/models/fare.ts";\n'),
};
interface Answer {
  data: Record<string, unknown>;
  errors: Record<string, string[]>;
}
const json = { accept: "application/json", "content-type": "application/json" };

for (const database of await databases({ withPostgres: true }))
  describe(`Decimals of currencies on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openMigrated(writeApp(files), await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
    const text = async (path: string) => (await (await app.request(path)).text()).replace(/\u00a0/g, " ");
    const send = async (method: string, path: string, body: unknown) => {
      const answer = await app.request(path, { method, headers: json, body: JSON.stringify(body) });
      return { status: answer.status, body: (await answer.json()) as Answer };
    };

    can("An amount is read, stored, shown, summed and filtered in the decimals of its currency", async () => {
      const client = app.client();
      const sent = { "fare[name]": "Tokyo", "fare[price]": "1200", "fare[toll]": "1.25", "fare[fee]": "2.5" };
      assert.is((await client.submit("/admin/fares/new", sent, /fares"/)).status, 303);
      const { knex } = databaseOf(app.application);
      const [row] = await knex("fares");
      assert.equal([row.price_yen, row.toll_fils, row.fee_cents].map(Number), [1200, 1250, 250]);
      const other = await send("POST", "/admin/fares.json", { fare: { name: "Kobe", price: 300, toll: "0.005" } });
      assert.is(other.status, 201, JSON.stringify(other.body));
      const record = await send("GET", "/admin/fares/1.json", undefined as never);
      assert.equal([record.body.data.price, record.body.data.toll, record.body.data.fee], ["1200", "1.250", "2.50"]);
      const page = await text("/admin/fares/1");
      for (const shown of ["¥1,200", "KWD 1.250", "2.50"]) assert.match(page, shown);
      assert.match(await text("/admin/fares/1/edit"), /value="1200"[^>]*name="fare\[price\]"/);
      const list = await text("/admin/fares");
      const foot = /<tfoot>.*<\/tfoot>/s.exec(list)![0].replace(/<[^>]*>/g, " ");
      for (const total of ["¥1,500", "KWD 1.255", "2.50"]) assert.match(foot, total);
      const found = await text("/admin/fares?filter[price]=300");
      assert.match(found, "Kobe");
      assert.not.match(found, "Tokyo");
      assert.match(await text("/admin/fares/export.csv"), /Tokyo,1200,1\.250,2\.50/);
    });

    can(
      "More decimals than it has are refused by their number, in a form, in JSON, by code and in an action",
      async () => {
        const wrong = await send("POST", "/admin/fares.json", {
          fare: { name: "x", price: "12.5", toll: "1.2345", fee: "1.234" },
        });
        assert.is(wrong.status, 422);
        assert.equal(wrong.body.errors, {
          price: ["has at most 0 decimal places"],
          toll: ["has at most 3 decimal places"],
          fee: ["must be an amount, such as 12.50"],
        });
        const none = await send("POST", "/admin/fares.json", { fare: { name: "x", price: "a lot" } });
        assert.equal(none.body.errors, { price: ["is not a number"] });
        const many = await send("POST", "/admin/fares.json", { fare: { name: "x", price: "1000000" } });
        assert.match(JSON.stringify(many.body.errors), "less than");
        const service = databaseOf(app.application);
        const Fare = service.model("Fare").class;
        const error = await service
          .insert(Fare, { name: "y", price: "1.5" } as never)
          .catch((problem: unknown) => problem);
        assert.match(JSON.stringify((error as { problems: unknown }).problems), "too_many_decimals");
        const done = await send("POST", "/admin/fares/1/actions/raise.json", {
          interaction: { by: "50", toll: "0.125" },
        });
        assert.is(done.status, 200);
        const [raised] = await service.knex("fares").where({ id: 1 });
        assert.equal(JSON.parse(raised.name), { by: "50", toll: "0.125" });
        const refused = await send("POST", "/admin/fares/1/actions/raise.json", { interaction: { by: "50.5" } });
        assert.equal(refused.body.errors, { by: ["has at most 0 decimal places"] });
      },
    );
  });

describe("The currency of an amount", (it) => {
  it("One that ISO 4217 lacks, or of what is no money, is refused at boot", async () => {
    for (const currencies of ['{ price: "JPX" }', '{ name: "JPY" }']) {
      const root = writeApp({
        ...files,
        [model]: edited(files, model, ['{ price: "JPY", toll: "KWD" }', currencies]),
      });
      const { message } = await throwsCode("FW_MODEL_CURRENCY", () => openMigrated(root));
      assert.match(message, 'the model "Fare" has the currency');
    }
  });
});
