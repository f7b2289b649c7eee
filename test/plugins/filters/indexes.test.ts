import type { Finding } from "framewright/host";
import { Schema } from "framewright/plugins/database";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { shipments, wideFiles } from "../resources/wide_app.ts";
import { openTenants } from "../scoping/tenants.ts";

const definition = "app/definitions/shipment_definition.ts";
const files = {
  ...wideFiles,
  [definition]: edited(wideFiles, definition, [
    "super.configure();",
    `super.configure(); this.filter("status"); this.filter("fragile"); this.filter("heavy", { as: "boolean", apply: (query) => query.where("weight", ">", 90) });
    this.scope("packed", { apply: (query) => query.where("carrier", "Post") }); this.search(["reference"]);`,
  ]),
};
const ROWS = 5200;

for (const database of await databases()) {
  describe(`Statements of lists that no index serves, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(files, await database.values());
        const [row] = shipments(1, "ALP");
        const rows = Array.from({ length: ROWS }, (_, index) => ({
          ...row,
          id: 10_000 + index,
          status: ["draft", "packed", "sent"][index % 3],
          carrier: index % 2 === 0 ? "Post" : "Rail",
          weight: index % 100,
        }));
        for (let at = 0; at < rows.length; at += 50) await knex()("shipments").insert(rows.slice(at, at + 50));
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const explained = async (all = false) => {
      const findings: Finding[] = [];
      await app.application.hooks.explain.promise(findings, all);
      return findings;
    };
    const named = (findings: readonly Finding[]) =>
      findings
        .filter(({ ok, what }) => !ok && what.includes(" of shipments "))
        .map(({ what }) => what.split(" of ")[0]!);

    can("Filters, orders and scopes that read every row are named with the index and its migration", async () => {
      const findings = await explained();
      const status = findings.find(({ what }) => what === 'filter "status" of shipments in CustomerPortal');
      assert.is(
        status?.detail,
        `reads every row, ${ROWS} of them in one tenant: add an index on (organization_id, status), in a migration of fw g fw:migration index_shipments_by_status: await db.addIndex("shipments", ["organization_id","status"])`,
      );
      for (const name of [
        'filter "fragile"',
        'filter "weight"',
        'filter "due_on"',
        'order by "reference"',
        'scope "packed"',
      ])
        assert.ok(named(findings).includes(name), `${name} is missing in ${named(findings).join()}`);
    });
    can("What an index serves is not named: the key, what rows belong to, and columns of an index", async () => {
      const before = named(await explained());
      for (const name of ['filter "id"', 'filter "author"', 'filter "category"', 'filter "organization"'])
        assert.not.ok(before.includes(name), name);
      const schema = new Schema(knex());
      await schema.addIndex("shipments", ["organization_id", "status"]);
      await schema.addIndex("shipments", ["organization_id", "reference", "id"]);
      const after = named(await explained());
      for (const name of ['order by "reference"', 'order by "status"', 'filter "status"']) {
        assert.ok(before.includes(name), `${name} before`);
        assert.not.ok(after.includes(name), `${name} after`);
      }
      assert.ok(after.includes('filter "weight"'));
    });
    can("A part of a text is found by no index: that is said, and nothing has to be fixed", async () => {
      const search = (await explained()).find(({ what }) => what.startsWith("search of shipments"));
      assert.ok(search?.ok);
      assert.match(search!.detail, /no index finds a part of a text/);
    });
    can("Small tables are named where all are requested", async () => {
      const of = (findings: readonly Finding[]) => findings.filter(({ what }) => what.includes(" of posts "));
      assert.equal(of(await explained()), []);
      assert.ok(of(await explained(true)).length > 0);
    });
  });
}
