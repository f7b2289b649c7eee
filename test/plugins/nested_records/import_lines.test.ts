import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { countsOf, Importer, problemsOf, room } from "../resources/import_app.ts";
import { undoFiles } from "../resources/import_undo_app.ts";
import { openTenants, tenantFiles } from "../scoping/tenants.ts";

const path = {
  model: "app/models/shipment.ts",
  policy: "app/policies/shipment_policy.ts",
  migration: "db/migrate/20260302000000_create_imports.ts",
  plugins: "plugins.config.ts",
};
const routesOf = (portal: string) => `packages/${portal}/config/routes.ts`;

/** Shipments with pallets, in a table of their own, and with boxes in a json column. */
const files: Record<string, string> = {
  ...undoFiles,
  [path.migration]: edited(undoFiles, path.migration, [
    '  await db.createTable("arrivals"',
    '  await db.createTable("pallets", (t) => { t.id(); t.belongsTo("shipment", { null: false }); t.string("code").notNull(); t.integer("height"); t.date("packed_on"); t.belongsTo("author", { table: "users" }); t.string("kind").notNull().default("euro"); t.timestamps(); t.index(["shipment_id", "code"], { unique: true }); });\n  await db.createTable("arrivals"',
  ]),
  [path.model]: edited(undoFiles, path.model, [
    /associations = \{/,
    'associations = { pallets: hasMany({ dependent: "destroy" }), ',
  ]).replace("import { ", "import { hasMany, "),
  "app/models/pallet.ts": `import { belongsTo, Model } from "framewright/plugins/database";
    export default class Pallet extends Model("pallets" as never) {
      static override associations = { shipment: belongsTo(), author: belongsTo({ class: "User" }) };
      static override validations = { code: { presence: true }, height: { numericality: { lessThan: 300 } } } as never;
      static override choices = { kind: ["euro", "half"] } as never;
    }`,
  "app/policies/pallet_policy.ts": `import { Policy } from "framewright/plugins/resources";
    export default class PalletPolicy extends Policy {
      override canRead() { return true; } override canCreate() { return true; } override canUpdate() { return true; } override canDestroy() { return this.record?.code !== "KEEP"; }
      override permittedAttributesForCreate() { return ["code", "height", "packed_on", "author", "kind"]; } override permittedAttributesForRead() { return ["code", "height", "kind"]; }
    }`,
  "app/definitions/shipment_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
    import type {} from "framewright/plugins/nested_records";
    export default class ShipmentDefinition extends ResourceDefinition {
      override configure() {
        super.configure();
        this.repeated("extra" as never, { fields: { name: { as: "string", presence: true }, pieces: { as: "integer" }, since: { as: "date" } } });
        this.repeated("pallets" as never, { fields: ["code", "height", "packed_on", "author", "kind"] });
      }
    }`,
  [path.policy]: undoFiles[path.policy]!.replaceAll('"extra",', '"extra", "pallets",'),
  [path.plugins]: edited(
    undoFiles,
    path.plugins,
    ["import { i18n }", 'import { nestedRecords } from "framewright/plugins/nested_records";\nimport { i18n }'],
    ["  resources(),", "  resources(),\n  nestedRecords(),"],
  ),
  ...Object.fromEntries(
    ["customer_portal", "domain_portal", "guest_portal"].map((portal) => [
      routesOf(portal),
      { ...tenantFiles, ...undoFiles }
        [routesOf(portal)]!.replace("import User from", 'import Pallet from "#app/models/pallet.ts";\nimport User from')
        .replace("Organization, ", "Organization, Pallet, "),
    ]),
  ),
};
const columns = ["reference", "weight", "pallets.code", "pallets.height", "extra.name", "extra.pieces"];
const head = "Reference,Weight,Code,Height,Box,Pieces\n";

for (const database of await databases({ withPostgres: true })) {
  describe(`Files whose lines are rows of records, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    before(async () => {
      if (database.skip === undefined) app = await openTenants(files, await database.values());
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const knex = () => databaseOf(app.application).knex;
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        for (const table of ["pallets", "shipments", "framewright_import_writes", "framewright_import_failures"])
          await knex()(table).delete();
        Object.assign(room, { created: 0, events: [], ended: [] });
        await story();
      });
    const ann = () => new Importer(app, 1);
    const stored = async () => {
      const shipments = await knex()("shipments").orderBy("reference");
      const pallets = await knex()("pallets").orderBy("id");
      return shipments.map(({ id, reference, weight, extra }) => {
        const boxes = typeof extra === "string" ? JSON.parse(extra) : extra;
        const own = pallets.filter((one) => Number(one.shipment_id) === Number(id));
        return [
          reference,
          Number(weight),
          own.map(({ code, height }) => `${code}${height ?? ""}`).join(" "),
          (boxes ?? []).map(({ name, pieces }: Record<string, unknown>) => `${name}${pieces ?? ""}`).join(" "),
        ];
      });
    };
    const undone = async (url: string): Promise<string> => {
      await ann().send(`${url}/undo`, `${url}/undo`, {});
      await app.application.kernel.service("jobs").drain();
      for (let tries = 0; tries < 400; tries++) {
        const html = await ann().page(url);
        if (/The import was undone|Stopped/.test(html)) return html;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error("the undoing did not end");
    };

    can("Lines with the same key, or without what is not of a row, are one record with their rows", async () => {
      const text = `${head}A-1,15,p1,120,box,2\nA-1,15,p2,,crate,\n,,p3,90,,\nA-2,2,,,,\nA-3,3,p1,80,tin,7\n`;
      const html = await ann().import(text, columns);
      assert.equal(problemsOf(html), []);
      assert.equal(countsOf(html).slice(0, 4), [3, 0, 0, 0]);
      assert.equal(await stored(), [
        ["A-1", 15, "p1120 p2 p390", "box2 crate"],
        ["A-2", 2, "", ""],
        ["A-3", 3, "p180", "tin7"],
      ]);
      assert.is(room.created, 3);
    });

    can("Headers are recognised by the name of the rows and of the field", async () => {
      const url = await ann().upload("Reference,Weight,Pallets: Code,pallets.height\nA-1,1,p1,20\n");
      const html = await ann().page(url);
      assert.match(html, /<option value="pallets.code" selected>Pallets: Code/);
      assert.match(html, /<option value="pallets.height" selected>/);
    });

    can("Cells of rows are read as those of records: days, choices, records by their names, defaults", async () => {
      const names = ["reference", "weight", "pallets.code", "pallets.packed_on", "pallets.author", "pallets.kind"];
      const text = "Reference,Weight,Code,Packed,By,Kind\nA-1,1,p1,25.12.2026,Ann Alpine,half\nA-1,1,p2,,,\n";
      const html = await ann().import(text, names);
      assert.equal(problemsOf(html), []);
      const boxes = "Reference,Weight,Box,Since\nA-2,1,box,24.12.2026\nA-3,1,,24.12.2026\n";
      const some = await ann().import(boxes, ["reference", "weight", "extra.name", "extra.since"]);
      assert.equal(problemsOf(some), ["Row 3, Box: can't be blank"]);
      const [, second] = await knex()("shipments").orderBy("reference");
      const extra = typeof second.extra === "string" ? JSON.parse(second.extra) : second.extra;
      assert.equal(extra, [{ name: "box", pieces: null, since: "2026-12-24" }]);
      const pallets = await knex()("pallets").orderBy("id");
      assert.equal(
        pallets.map(({ code, packed_on, author_id, kind }) => [
          code,
          packed_on === null ? null : new Date(packed_on).getUTCFullYear(),
          author_id === null ? null : Number(author_id),
          kind,
        ]),
        [
          ["p1", 2026, 1, "half"],
          ["p2", null, null, "euro"],
        ],
      );
    });

    can("What is wrong is named by its line, and all lines of the record are left, to be corrected", async () => {
      const text = `${head}A-1,1,p1,120,box,2\nA-1,1,p2,400,,\nA-1,1,p3,5,bag,many\nA-2,2,p1,1,,\nA-3,3,p1,,,\nA-3,4,p1,,,\n`;
      const person = ann();
      const url = await person.upload(text);
      await person.map(url, columns);
      const check = problemsOf(await person.page(`${url}/check`));
      await person.start(url);
      const html = await person.ended(url);
      assert.equal(problemsOf(html), check);
      assert.equal(check, [
        "Row 2: is left out with row 3, which is about the same record",
        "Row 3, Height “400”: must be less than 300",
        "Row 4, Pieces “many”: must be a whole number",
        "Row 6: is left out with row 7, which is about the same record",
        "Row 7, Weight “4”: is not the value of row 6, which is about the same record",
      ]);
      assert.equal(countsOf(html).slice(0, 4), [1, 0, 0, 5]);
      assert.equal(await stored(), [["A-2", 2, "p11", ""]]);
      const failures = await (await person.get(`${url}/failures.csv`)).text();
      assert.is(failures.trim().split("\n").length, 6);
      const corrected = failures.replace("400", "40").replace("many", "4").replace("A-3,4,p1", "A-3,3,p2");
      await ann().import(corrected, [...columns, ""]);
      assert.equal(await stored(), [
        ["A-1", 1, "p1120 p240 p35", "box2 bag4"],
        ["A-2", 2, "p11", ""],
        ["A-3", 3, "p1 p2", ""],
      ]);
    });

    can("All or none counts records with their rows", async () => {
      const text = `${head}A-1,1,p1,1,,\nA-2,2,p1,1,,\nA-2,2,p2,999,,\n`;
      if (database.name === "pglite") {
        const person = ann();
        const url = await person.upload(text);
        assert.not.match(await person.page(url), 'value="undo"');
        const answer = await person.map(url, columns, { failing: "undo" });
        assert.is(answer.status, 422);
        assert.match(await answer.text(), "needs a database with several connections");
        return;
      }
      await ann().import(text, columns, { failing: "undo" });
      assert.equal(await stored(), []);
      assert.is((await knex()("pallets")).length, 0);
    });

    can("Rows are added to a stored record, and changed by their ids; rows of a json column are replaced", async () => {
      await ann().import(`${head}A-1,1,p1,120,box,2\nA-1,1,p2,60,tin,1\n`, columns);
      const [first] = await knex()("pallets").orderBy("id");
      const text = `Reference,Weight,Id,Code,Height,Box\nA-1,1,${first.id},,33,bag\nA-1,1,,p9,9,\n`;
      const names = ["reference", "weight", "pallets.id", "pallets.code", "pallets.height", "extra.name"];
      const wrong = await ann().import(text, names, { rows: "both:reference" });
      assert.match(problemsOf(wrong).join(), /Row 2, Code: can't be blank/);
      const html = await ann().import(text.replace(`${first.id},,`, `${first.id},p1,`), names, {
        rows: "both:reference",
      });
      assert.equal(problemsOf(html), []);
      assert.equal(await stored(), [["A-1", 1, "p133 p260 p99", "bag"]]);
    });

    can("The same file again changes rows that an index tells apart, and adds none", async () => {
      const text = `${head}A-1,1,p1,120,,\nA-1,1,p2,60,,\nA-2,2,p1,7,,\n`;
      await ann().import(text, columns);
      const again = await ann().import(text, columns, { rows: "both:reference" });
      assert.equal(problemsOf(again), []);
      assert.equal(countsOf(again).slice(0, 4), [0, 0, 2, 0]);
      const more = text.replace("p1,120", "p1,99").replace("p2,60", "p3,5");
      const person = ann();
      const url = await person.upload(more);
      await person.map(url, columns, { rows: "both:reference" });
      assert.match(await person.page(`${url}/check`), "A-1, Pallets: 1 row is added to the 2 that it has.");
      await person.start(url);
      assert.equal(problemsOf(await person.ended(url)), []);
      assert.equal(
        (await stored()).map(([name, , pallets]) => [name, pallets]),
        [
          ["A-1", "p199 p260 p35"],
          ["A-2", "p17"],
        ],
      );
      const twice = await ann().import(`${head}A-1,1,p1,1,,\nA-1,1,p1,2,,\n`, columns, { rows: "both:reference" });
      assert.match(problemsOf(twice).join(), /Row 3/);
      const html = await undone(url);
      assert.match(html, "The import was undone");
      assert.equal((await stored())[0]![2], "p1120 p260");
    });

    can("Rows that nothing tells apart are counted in the check, for each record that has some", async () => {
      await ann().import(`${head}A-1,1,p1,120,,\nA-2,1,,,,\n`, columns);
      const names = ["reference", "weight", "pallets.height", "pallets.code"];
      await knex()("shipments").where({ reference: "A-1" }).update({ weight: 1 });
      const person = ann();
      const url = await person.upload("Reference,Weight,Height,Code\nA-1,1,5,n1\nA-1,1,6,n2\nA-2,1,7,n1\nA-3,1,7,n1\n");
      await person.map(url, names, { rows: "both:reference" });
      const check = await person.page(`${url}/check`);
      assert.match(check, "Records that have rows already, and get more");
      assert.match(check, "A-1, Pallets: 2 rows are added to the 1 that it has.");
      assert.not.match(check, /A-[23], Pallets/);
      assert.is((await knex()("pallets")).length, 1);
    });

    can("Undoing takes back records with their rows, and rows of records that were there", async () => {
      await ann().import(`${head}A-0,1,p1,120,,\n`, columns);
      const [old] = await knex()("pallets");
      const text = `Reference,Weight,Id,Code,Height\nA-0,1,${old.id},p1,44\nA-0,1,,p2,2\nA-1,1,,n1,1\nA-1,1,,n2,2\nA-2,1,,KEEP,2\n`;
      const names = ["reference", "weight", "pallets.id", "pallets.code", "pallets.height"];
      const person = ann();
      const url = await person.upload(text);
      await person.map(url, names, { rows: "both:reference" });
      await person.start(url);
      assert.equal(problemsOf(await person.ended(url)), []);
      assert.equal(
        (await stored()).map(([, , pallets]) => pallets),
        ["p144 p22", "n11 n22", "KEEP2"],
      );
      const html = await undone(url);
      assert.match(html, "A-2: may not be");
      assert.equal(
        (await stored()).map(([name, , pallets]) => [name, pallets]),
        [
          ["A-0", "p1120"],
          ["A-2", "KEEP2"],
        ],
      );
    });

    can(
      "A record whose row was changed since then, or got another one, stays as it is when the import is undone",
      async () => {
        const person = ann();
        const url = await person.upload(`${head}A-1,1,p1,1,,\nA-2,2,p1,1,,\n`);
        await person.map(url, columns);
        await person.start(url);
        await person.ended(url);
        const [one, two] = await knex()("shipments").orderBy("reference");
        await knex()("pallets").where({ shipment_id: one.id }).update({ height: 9 });
        await knex()("pallets").insert({
          shipment_id: two.id,
          code: "new",
          created_at: new Date(),
          updated_at: new Date(),
        });
        const html = await undone(url);
        assert.match(html, "A-1: was changed");
        assert.match(html, "A-2: is used");
        assert.is((await stored()).length, 2);
      },
    );

    can("Rows of another tenant, and a whole attribute beside its rows, are refused", async () => {
      await knex()("shipments").insert({
        id: 900,
        reference: "B",
        organization_id: 2,
        weight: 1,
        created_at: new Date(),
        updated_at: new Date(),
      });
      await knex()("pallets").insert({
        id: 900,
        shipment_id: 900,
        code: "foreign",
        created_at: new Date(),
        updated_at: new Date(),
      });
      await ann().import(`${head}A-1,1,p1,1,,\n`, columns);
      const text = "Reference,Id,Code\nA-1,900,mine\n";
      const html = await ann().import(text, ["reference", "pallets.id", "pallets.code"], { rows: "update:reference" });
      assert.match(problemsOf(html).join(), /Row 2, Id “900”: is not one of the choices/);
      assert.is((await knex()("pallets").where({ id: 900 }).first()).code, "foreign");
      const url = await ann().upload("Reference,Pallets,Code\nA-9,[],p1\n");
      const both = await ann().map(url, ["reference", "pallets", "pallets.code"]);
      assert.is(both.status, 422);
      assert.match(await both.text(), /can(&#39;|')t both be imported/);
    });
  });
}
