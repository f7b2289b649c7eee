import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { fieldsOf } from "../../support/form_fields.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import type { Client } from "../../testing/client.ts";
import { as } from "../wizards/mounts_support.ts";
import { asAnn, openPermits, permitFiles } from "./permits_app.ts";

/** Permits have gates, whose codes and places are unique within the permit, and whose names are everywhere. */
const files: Record<string, string> = {
  "db/migrate/20260101000004_create_gates.ts": `import type { Schema } from "framewright/plugins/database";
    export async function up(db: Schema) {
      await db.createTable("gates", (t) => { t.id(); t.belongsTo("permit", { null: false }); t.string("code", 6).notNull(); t.string("name"); t.integer("position").notNull(); t.belongsTo("parcel"); t.timestamps();
        t.index(["permit_id", "code"], { unique: true }); t.index(["permit_id", "position"], { unique: true }); t.index(["name"], { unique: true }); t.index(["permit_id", "parcel_id"], { unique: true }); });
    }
    export async function down(db: Schema) { await db.dropTable("gates"); }`,
  "app/models/gate.ts": `import { belongsTo, Model } from "framewright/plugins/database";
    export default class Gate extends Model("gates") { static override associations = { permit: belongsTo(), parcel: belongsTo() }; static override validations = { name: { uniqueness: true } }; }`,
  "hearing.ts": `import { definePlugin } from "framewright/kernel";
    import Gate from "./app/models/gate.ts";
    export const hearing = definePlugin({ name: "hearing", requires: ["database"], apply({ hooks }) {
      hooks.database.changing.for(Gate).tapPromise("hearing", async ({ kind, record, before, changed, transaction }) => {
        if (kind === "updated") await transaction("notes").insert({ text: record.id + ": " + before!.code + " to " + record.code + " (" + changed.join(" ") + ")" });
      });
    } });`,
  "plugins.config.ts": edited(
    permitFiles,
    "plugins.config.ts",
    ["export default", 'import { hearing } from "./hearing.ts";\nexport default'],
    ["nestedRecords(),", "nestedRecords(), hearing,"],
  ),
  "app/models/permit.ts": edited(permitFiles, "app/models/permit.ts", [
    'site: hasOne({ dependent: "destroy" })',
    'site: hasOne({ dependent: "destroy" }), gates: hasMany({ dependent: "destroy" })',
  ]),
  "app/policies/permit_policy.ts": permitFiles["app/policies/permit_policy.ts"]!.replaceAll('"site"', '"site","gates"'),
  "app/policies/gate_policy.ts": permitFiles["app/policies/owner_policy.ts"]!.replaceAll("Owner", "Gate")
    .replaceAll("owner.ts", "gate.ts")
    .replaceAll('"name","parcel"', '"code","name","parcel"'),
  "app/definitions/permit_definition.ts": edited(permitFiles, "app/definitions/permit_definition.ts", [
    'this.column("lines");',
    'this.column("lines"); this.repeated("gates", { fields: ["code", "name", "parcel"], order: "position" });',
  ]),
  "packages/admin_portal/config/routes.ts": edited(
    permitFiles,
    "packages/admin_portal/config/routes.ts",
    ["routes.registerResource(Owner);", "routes.registerResource(Owner); routes.registerResource(Gate);"],
    ["import Permit", 'import Gate from "#app/models/gate.ts"; import Permit'],
  ),
};

for (const database of await databases({ withPostgres: true })) {
  describe(`Rows that exchange what is unique, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let client: Client;
    before(async () => {
      if (database.skip !== undefined) return;
      app = await openPermits(await database.values(), files);
      client = as(app.client(), 1);
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = () => databaseOf(app.application).knex;
    const gates = async () => {
      const rows = await knex()("gates").where({ permit_id: 1 }).orderBy("position");
      return rows.map(({ id, code, name }) => `${id > 3 ? "n" : id}${code}${name ? `/${name}` : ""}`);
    };
    const reset = async () => {
      await knex()("gates").delete();
      const stamps = { created_at: new Date("2026-01-01"), updated_at: new Date("2026-01-01") };
      for (const [id, code, name, parcel_id] of [
        [1, "A", "east", 1],
        [2, "B", "west", 2],
        [3, "C", null, null],
      ] as const)
        await knex()("gates").insert({ id, code, name, parcel_id, permit_id: 1, position: id, ...stamps });
    };
    const patch = async (...rows: object[]) => {
      await reset();
      return asAnn(app).json("/permits/1.json", { permit: { gates: rows } }, "PATCH");
    };
    const saved = async (expected: string[], ...rows: object[]) => {
      const { status, errors } = await patch(...rows);
      assert.is(status, 200, JSON.stringify(errors));
      assert.equal(await gates(), expected);
    };

    can("Two rows exchange a text that may not be empty", () =>
      saved(["1B/east", "2A/west", "3C"], { id: 1, code: "B" }, { id: 2, code: "A" }),
    );
    can("Three rows exchange it in a circle, in another case too", () =>
      saved(["1b/east", "2C/west", "3A"], { id: 1, code: "b" }, { id: 2, code: "C" }, { id: 3, code: "A" }),
    );
    can("Rows exchange what a rule of the model holds unique", () =>
      saved(["1A/west", "2B/east", "3C"], { id: 1, name: "west" }, { id: 2, name: "east" }),
    );
    can("A new row takes what another gives up in the same request", () =>
      saved(["1D/east", "2B/west", "3C", "nA"], { id: 1, code: "D" }, { code: "A" }),
    );
    can("Rows exchange the records that they refer to", async () => {
      await saved(["1A/east", "2B/west", "3C"], { id: 1, parcel: 2 }, { id: 2, parcel: 1 });
      const rows = await knex()("gates").orderBy("id");
      assert.equal(
        rows.map(({ parcel_id }) => parcel_id && Number(parcel_id)),
        [2, 1, null],
      );
    });

    can("A value that another row keeps is refused, and nothing is written", async () => {
      const { status, errors } = await patch({ id: 1, code: "B" }, { id: 2, name: "north" });
      assert.equal([status, Object.keys(errors ?? {})], [422, ["gates.0.code"]]);
      const chain = await patch({ id: 1, code: "B" }, { id: 2, code: "C" });
      assert.equal([chain.status, Object.keys(chain.errors ?? {})], [422, ["gates.1.code"]]);
      assert.equal(await gates(), ["1A/east", "2B/west", "3C"]);
    });

    can("What hears of changes hears of the values that were stored, and of one change of each row", async () => {
      await knex()("notes").delete();
      await saved(["1B/east", "2A/west", "3C"], { id: 1, code: "B" }, { id: 2, code: "A" });
      const heard = await knex()("notes").orderBy("id");
      assert.equal(
        heard.map(({ text }) => text),
        ["1: A to B (code updated_at)", "2: B to A (code updated_at)"],
      );
    });

    can("A form puts rows in another order, with a unique column for it, and changes one of them", async () => {
      await reset();
      const fields = fieldsOf(await client.page("/admin/permits/1/edit"));
      const row = (from: number, to: number) =>
        Object.entries(fields)
          .filter(([name]) => name.startsWith(`permit[gates][${from}]`))
          .map(([name, value]) => [name.replace(`[gates][${from}]`, `[gates][${to}]`), value] as const);
      const others = Object.entries(fields).filter(([name]) => !/\[gates\]\[\d\]/.test(name));
      const body = new URLSearchParams(
        Object.fromEntries([...others, ...row(2, 0), ...row(0, 1), ...row(1, 2)]) as Record<string, string>,
      );
      body.set("permit[gates][1][code]", "Z");
      const answer = await client.request("/admin/permits/1", { method: "POST", body });
      assert.is(answer.status, 303, (await answer.text()).slice(0, 2000));
      assert.equal(await gates(), ["3C", "1Z/east", "2B/west"]);
    });
  });
}
