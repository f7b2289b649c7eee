import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { Importer, importFiles, list, problemsOf } from "../resources/import_app.ts";
import { openTenants } from "../scoping/tenants.ts";

const paths = { plugins: "plugins.config.ts", policy: "app/policies/shipment_policy.ts" };
const files: Record<string, string> = {
  ...importFiles,
  [paths.plugins]: edited(
    importFiles,
    paths.plugins,
    ["import { i18n }", 'import { extraFields } from "framewright/plugins/extra_fields";\nimport { i18n }'],
    ["  resources(),", "  resources(),\n  extraFields(),"],
  ),
  [paths.policy]: importFiles[paths.policy]!.replaceAll('"extra",', '"share", "colours", "stay", "home", "price",'),
  "db/migrate/20260303000000_add_extra_columns.ts": `export async function up(db) {
    await db.addColumns("shipments", (t) => {
      t.integer("share"); t.json("colours"); t.date("starts_on"); t.date("ends_on");
      t.string("street"); t.string("zip", 10); t.string("city"); t.string("land", 2);
      t.decimal("price_amount", 19, 4); t.string("price_currency", 3);
    });
  }
  export async function down() {}`,
  "app/definitions/shipment_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
    import type {} from "framewright/plugins/extra_fields";
    export default class ShipmentDefinition extends ResourceDefinition {
      override configure() {
        super.configure();
        this.field("share" as never, { as: "range", range: { from: 0, to: 100, step: 5 } });
        this.field("colours" as never, { as: "checkboxes", choices: [{ value: "red", label: "Red" }, { value: "blue", label: "Dark blue" }] });
        this.combined("stay", { as: "period", columns: { from: "starts_on", to: "ends_on" } as never });
        this.combined("home", { as: "address", columns: { street: "street", postcode: "zip", city: "city", country: "land" } as never });
        this.combined("price", { as: "amount", columns: { amount: "price_amount", currency: "price_currency" } as never });
        for (const name of ["colours", "stay", "home", "price"]) this.column(name as never);
      }
    }`,
};
const columns = ["reference", "weight", "share", "colours", "stay", "home", "price"];
const head = "Reference,Weight,Share,Colours,Stay,Home,Price";

for (const database of await databases({ withPostgres: true })) {
  describe(`Types of extraFields() in files, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    before(async () => {
      if (database.skip === undefined) app = await openTenants(files, await database.values());
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await knex()("shipments").delete();
        await story();
      });
    const knex = () => databaseOf(app.application).knex;
    const day = (value: unknown) =>
      value instanceof Date ? value.toISOString().slice(0, 10) : value === null ? null : String(value).slice(0, 10);
    const stored = async () =>
      (await knex()("shipments").orderBy("reference")).map((row) => [
        row.reference,
        row.share,
        typeof row.colours === "string" ? JSON.parse(row.colours) : row.colours,
        day(row.starts_on),
        day(row.ends_on),
        [row.street, row.zip, row.city, row.land],
        row.price_amount === null ? null : Number(row.price_amount),
        row.price_currency,
      ]);
    const home = JSON.stringify({ street: "Am Markt 1", postcode: "01234", city: "Neustadt", country: "DE" });
    const cell = (value: string) => `"${value.replaceAll('"', '""')}"`;

    can("Cells are read as their types are, and what an export wrote is imported as it is", async () => {
      const stay = JSON.stringify({ from: "2026-07-01", to: "2026-07-05" });
      const price = JSON.stringify({ amount: "1200", currency: "JPY" });
      const text = [
        head,
        `A-1,1,40,"red, blue",${cell(stay)},${cell(home)},${cell(price)}`,
        "A-2,2,,,,,",
        `A-3,3,0,${cell('["blue"]')},${cell(JSON.stringify({ from: "2026-07-01", to: null }))},,`,
      ].join("\n");
      const html = await new Importer(app, 1).import(text, columns);
      assert.equal(problemsOf(html), []);
      const all = await stored();
      assert.equal(all, [
        [
          "A-1",
          40,
          ["red", "blue"],
          "2026-07-01",
          "2026-07-05",
          ["Am Markt 1", "01234", "Neustadt", "DE"],
          1200,
          "JPY",
        ],
        ["A-2", null, null, null, null, [null, null, null, null], null, null],
        ["A-3", 0, ["blue"], "2026-07-01", null, [null, null, null, null], null, null],
      ]);
      const exported = await (await new Importer(app, 1).get(`${list}/export.csv`)).text();
      await knex()("shipments").delete();
      const [first = "", ...lines] = exported
        .replace(/^\uFEFF/, "")
        .trim()
        .split(/\r?\n/);
      const names = first.split(",").map((name) => columns.find((one) => one === name.toLowerCase()) ?? "");
      assert.equal(names.filter(Boolean).sort(), [...columns].sort(), first);
      const again = await new Importer(app, 1).import([first, ...lines].join("\n"), names);
      assert.equal(problemsOf(again), []);
      assert.equal(await stored(), all);
    });

    can("What is none of the type is named by its row and cell", async () => {
      const bad = JSON.stringify({ from: "2026-07-05", to: "2026-07-01" });
      const text = [
        head,
        "A-1,1,33,,,,",
        "A-2,1,,green,,,",
        `A-3,1,,,${cell(bad)},,`,
        `A-4,1,,,,${cell(JSON.stringify({ country: "XX" }))},`,
        `A-5,1,,,,,${cell(JSON.stringify({ amount: "1.5", currency: "JPY" }))}`,
        "A-6,1,,,soon,,",
      ].join("\n");
      const problems = problemsOf(await new Importer(app, 1).import(text, columns));
      assert.is(problems.length, 6, problems.join("\n"));
      for (const [at, name] of ["Share", "Colours", "Stay", "Home", "Price", "Stay"].entries())
        assert.match(problems[at]!, new RegExp(`^Row ${at + 2}, ${name}`));
      assert.equal(await stored(), []);
    });
  });
}
