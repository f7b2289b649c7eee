import { type TestApp, writeApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { copyFixture, edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openMigrated } from "../../support/shop.ts";

// Tables of other programs: texts of one line in columns without a length, line breaks in texts of one line, computed defaults.

const shop = copyFixture("shop");
const names = ["name", "kind", "remarks", "seen_at"];
const files: Record<string, string> = {
  ...shop,
  "db/migrate/20260201000000_create_ships.ts": `export async function up(db: { knex: any }) {
    await db.knex.schema.createTable("ships", (t: any) => {
      t.increments("id"); t.text("name"); t.text("kind"); t.text("remarks");
      t.dateTime("seen_at").notNullable().defaultTo(db.knex.fn.now());
      t.string("berth", 60);
    });
  }`,
  "app/models/ship.ts": `import { Model } from "framewright/plugins/database";
    export default class Ship extends Model("ships") { static override enums = { kind: ["tug", "ferry"] }; }`,
  "app/policies/ship_policy.ts": `import { Policy } from "framewright/plugins/resources";
    export default class ShipPolicy extends Policy {
      override canCreate() { return true; }
      override canRead() { return true; }
      override canSearch() { return true; }
      override permittedAttributesForCreate() { return ${JSON.stringify([...names, "berth"])} as never[]; }
      override permittedAttributesForRead() { return ${JSON.stringify([...names, "berth"])} as never[]; }
    }`,
  "app/definitions/ship_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
    export default class ShipDefinition extends ResourceDefinition {
      override configure() { super.configure(); this.field("name", { as: "string" }); this.search(["name"]); }
    }`,
  "packages/admin_portal/config/routes.ts": edited(shop, "packages/admin_portal/config/routes.ts", [
    /registerResource\(Author.*\);/,
    (found: string) => `${found} routes.registerResource(Ship);`,
  ] as never).replace(/^/, 'import Ship from "#app/models/ship.ts";\n'),
};

for (const database of await databases({ withPostgres: true }))
  describe(`Texts and defaults of other programs on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openMigrated(writeApp(files), await database.values());
        const ships = databaseOf(app.application).knex("ships");
        await ships.insert([
          { name: "Wal", kind: "tug", remarks: "Long\nand wide", berth: "North\nside" },
          { name: "Aal", kind: "ferry", remarks: "Short", berth: "South" },
        ]);
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
    const text = async (path: string) => (await app.request(path)).text();

    can("A long column whose field is of one line, or has choices, is listed, searched and sorted by", async () => {
      const page = await text("/admin/ships?sort=name");
      for (const heading of ["Name", "Kind"]) assert.match(page, new RegExp(`<th[^>]*>(<a[^>]*>)?${heading}`));
      assert.not.match(page, /<th[^>]*>(<a[^>]*>)?Remarks/);
      assert.ok(page.indexOf("Aal") < page.indexOf("Wal"), "sorted by name");
      const found = await text("/admin/ships?q=wal");
      assert.match(found, "Wal");
      assert.not.match(found, "Aal");
      const answer = await app.request("/admin/ships?sort=remarks", { headers: { accept: "application/json" } });
      assert.is(answer.status, 422);
    });

    can("A text of one line with a line break keeps it in a form that is saved without a change of it", async () => {
      const client = app.client();
      const form = await (await client.request("/admin/ships/1/edit")).text();
      assert.match(form, /<textarea[^>]*name="ship\[berth\]"[^>]*>\s*North\nside<\/textarea>/);
      assert.match(form, /<input type="text"[^>]*name="ship\[name\]"/);
      const answer = await client.submit("/admin/ships/1/edit", { "ship[name]": "Wal 2" }, /ships\/1"/);
      assert.is(answer.status, 303);
      const row = await databaseOf(app.application).knex("ships").where({ id: 1 }).first();
      assert.equal([row.name, row.berth], ["Wal 2", "North\nside"]);
    });

    can("A field that is left empty has the default that the database computes", async () => {
      const client = app.client();
      const answer = await client.submit("/admin/ships/new", { "ship[name]": "Neu", "ship[seen_at]": "" }, /ships"/);
      assert.is(answer.status, 303);
      const row = await databaseOf(app.application).knex("ships").where({ name: "Neu" }).first();
      assert.ok(row.seen_at, "the time of the database");
      const emptied = await client.submit("/admin/ships/1/edit", { "ship[seen_at]": "" }, /ships\/1"/);
      assert.is(emptied.status, 422);
    });
  });
