import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { Importer, importFiles, list, problemsOf } from "../resources/import_app.ts";
import { openTenants } from "../scoping/tenants.ts";

const files = {
  ...importFiles,
  "plugins.config.ts": edited(
    importFiles,
    "plugins.config.ts",
    ["import { i18n }", 'import { nestedRecords } from "framewright/plugins/nested_records";\nimport { i18n }'],
    ["  resources(),", "  resources(),\n  nestedRecords(),"],
  ),
  "app/definitions/shipment_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
    import type {} from "framewright/plugins/nested_records";
    export default class ShipmentDefinition extends ResourceDefinition {
      override configure() { super.configure(); this.repeated("extra" as never, { fields: { name: { as: "string", presence: true }, pieces: { as: "integer" } } }); this.column("extra" as never); }
    }`,
};

const cell = (value: unknown) => `"${JSON.stringify(value).replaceAll('"', '""')}"`;
/** The second row of a cell, and what the import says of it. */
const wrong: readonly (readonly [what: string, row: unknown, said: RegExp])[] = [
  ["a text that is missing", { pieces: 3 }, /Row 2.*Extra 2.*Name.*can't be blank/],
  ["what is no number", { name: "a", pieces: "many" }, /Row 2.*Extra 2.*Pieces/],
  ["a list in the place of a text", { name: ["a"] }, /Row 2.*Extra 2.*Name/],
];

for (const database of await databases({ withPostgres: true })) {
  describe(`Rows in files, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    before(async () => {
      if (database.skip === undefined) app = await openTenants(files, await database.values());
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = () => databaseOf(app.application).knex;
    const extras = async () =>
      (await knex()("shipments").orderBy("reference")).map(({ reference, extra }) => [
        reference,
        typeof extra === "string" ? JSON.parse(extra) : extra,
      ]);
    const rows = [
      { name: "box", pieces: 2 },
      { name: "crate", pieces: null },
    ];

    for (const [what, row, said] of wrong)
      can(`A cell with ${what} is named by its line, its row and its field, and nothing is written of it`, async () => {
        await knex()("shipments").delete();
        const text = `Reference,Weight,Extra\nB-1,1,${cell([{ name: "a" }, row])}\nB-2,2,${cell([{ name: "b" }])}\n`;
        const html = await new Importer(app, 1).import(text, ["reference", "weight", "extra"]);
        assert.match(problemsOf(html).join("\n"), said);
        assert.equal(await extras(), [["B-2", [{ name: "b", pieces: null }]]]);
      });
    can(
      "What an export wrote is imported, with its rows; what is wrong with a row is told with its place",
      async () => {
        await knex()("shipments").delete();
        const person = new Importer(app, 1);
        const text = `Reference,Weight,Extra\nA-1,1,${cell(rows)}\nA-2,2,${cell([{ pieces: 3 }])}\nA-3,3,\n`;
        const html = await person.import(text, ["reference", "weight", "extra"]);
        assert.equal(await extras(), [
          ["A-1", rows],
          ["A-3", null],
        ]);
        assert.match(problemsOf(html).join(), /Row 3.*can't be blank/);
        const exported = await (await person.get(`${list}/export.csv`)).text();
        assert.match(exported, '[{""name"":""box""');
        await knex()("shipments").delete();
        const again = new Importer(app, 1);
        const [head = "", ...lines] = exported
          .replace(/^\uFEFF/, "")
          .trim()
          .split(/\r?\n/);
        const at = head
          .split(",")
          .map((name) => ({ Reference: "reference", Weight: "weight", Extra: "extra" })[name] ?? "");
        await again.import([head, ...lines].join("\n"), at);
        assert.equal((await extras())[0], ["A-1", rows]);
      },
    );
  });
}
