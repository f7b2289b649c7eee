import { openApp, type TestApp, writeApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { copyFixture, edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf, openMigrated } from "../../support/shop.ts";

// Keys of several columns with a day in them, of the record itself, and to the record's own table; columns that a policy permits
// one by one; and the same without the fast paths.

type Row = Record<string, unknown>;
const shop = copyFixture("shop");
const model = (table: string, name: string, body: string) =>
  `import { belongsTo, hasMany, hasOne, Model } from "framewright/plugins/database";
export default class ${name} extends Model("${table}" as never) { ${body} }
export { belongsTo, hasMany, hasOne };`;
const policy = (name: string, names: readonly string[], more = "") =>
  `import { Policy } from "framewright/plugins/resources";
export default class ${name}Policy extends Policy {
  override canCreate() { return true; } override canRead() { return true; } override canUpdate() { return true; } override canDestroy() { return true; }
  override permittedAttributesForCreate() { return ${JSON.stringify(names)} as never[]; }
  override permittedAttributesForRead() { return ${JSON.stringify(names)} as never[]; }
  ${more}
}`;
const served = ["Tide", "Report", "Stay", "Part"];
const routes = "packages/admin_portal/config/routes.ts";

const files: Record<string, string> = {
  ...shop,
  "db/migrate/20260501000000_create_tides.ts": `export async function up({ knex }) {
    await knex.schema.createTable("tides", (t) => { t.string("place", 20).notNullable(); t.date("day").notNullable(); t.string("name", 40); t.boolean("secret"); t.primary(["place", "day"]); });
    await knex.schema.createTable("reports", (t) => {
      t.string("place", 20).notNullable(); t.date("day").notNullable(); t.string("name", 40); t.primary(["place", "day"]);
      t.foreign(["place", "day"]).references(["place", "day"]).inTable("tides");
    });
    await knex.schema.createTable("stays", (t) => {
      t.increments("id"); t.string("title", 40); t.string("place", 20); t.date("day"); t.foreign(["place", "day"]).references(["place", "day"]).inTable("tides");
    });
    await knex.schema.createTable("parts", (t) => {
      t.string("kind", 20).notNullable(); t.integer("no").notNullable(); t.string("name", 40); t.integer("parent_no"); t.primary(["kind", "no"]);
      t.foreign(["kind", "parent_no"]).references(["kind", "no"]).inTable("parts");
    });
  }
  export async function down() {}`,
  "app/models/tide.ts": model(
    "tides",
    "Tide",
    `static override idColumn = ["place", "day"];
     static override associations = { report: hasOne({ foreignKey: ["place", "day"] }), stays: hasMany({ foreignKey: ["place", "day"], dependent: "nullify" }) };`,
  ),
  "app/models/report.ts": model(
    "reports",
    "Report",
    'static override idColumn = ["place", "day"]; static override associations = { tide: belongsTo({ foreignKey: ["place", "day"] }) };',
  ),
  "app/models/stay.ts": model(
    "stays",
    "Stay",
    `static override associations = { tide: belongsTo({ foreignKey: ["place", "day"] }) };
     static override validations = { tide: { uniqueness: true } };`,
  ),
  "app/models/part.ts": model(
    "parts",
    "Part",
    `static override idColumn = ["kind", "no"];
     static override associations = {
       parent: belongsTo({ class: "Part", foreignKey: ["kind", "parent_no"] }),
       parts: hasMany({ class: "Part", foreignKey: ["kind", "parent_no"] }),
     };`,
  ),
  "app/policies/tide_policy.ts": policy(
    "Tide",
    ["place", "day", "name"],
    `override permittedAttributesForUpdate() { return ["name"] as never[]; }
     override permittedAttributesForRead() { return ["place", "day", "name", "report"] as never[]; }
     override permittedAssociations() { return ["report", "stays"] as never[]; }
     override relationScope(query: any) { return query.whereNull("tides.secret").orWhere("tides.secret", false); }`,
  ),
  "app/policies/report_policy.ts": policy("Report", ["tide", "name"]),
  "app/policies/stay_policy.ts": policy("Stay", ["title", "tide"]),
  "app/policies/part_policy.ts": policy(
    "Part",
    ["kind", "no", "name", "parent"],
    'override permittedAttributesForUpdate() { return ["name", "parent"] as never[]; } override permittedAssociations() { return ["parts"] as never[]; }',
  ),
  [routes]: edited(shop, routes, [
    "  routes.registerResource(Author);",
    `  routes.registerResource(Author);\n${served.map((name) => `  routes.registerResource(${name});`).join("\n")}`,
  ]).replace(/^/, served.map((name) => `import ${name} from "#app/models/${name.toLowerCase()}.ts";\n`).join("")),
};
/** Stays whose place and day are entered one by one. */
const plain = { ...files, "app/policies/stay_policy.ts": policy("Stay", ["title", "place", "day"]) };

for (const database of await databases({ withPostgres: true }))
  describe(`Kinds of associations of several columns on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let values: Record<string, string>;
    if (database.skip === undefined) {
      before(async () => {
        values = await database.values();
        app = await openMigrated(writeApp(files), values);
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const knex = () => databaseOf(app.application).knex;
    const fill = async () => {
      await knex()("parts").update({ parent_no: null });
      for (const table of ["stays", "reports", "tides", "parts"]) await knex()(table).delete();
      await knex()("tides").insert([
        { place: "Kiel", day: "2026-01-31", name: "High", secret: false },
        { place: "Kiel", day: "2026-02-01", name: "Low", secret: false },
        { place: "Sylt", day: "2026-02-01", name: "Covert", secret: true },
      ]);
      await knex()("reports").insert({ place: "Kiel", day: "2026-01-31", name: "Calm" });
      await knex()("stays").insert([
        { id: 1, title: "One", place: "Kiel", day: "2026-01-31" },
        { id: 2, title: "Two", place: "Sylt", day: "2026-02-01" },
        { id: 3, title: "Half", place: "Kiel", day: null },
      ]);
      await knex()("parts").insert({ kind: "a", no: 1, name: "Frame", parent_no: 1 });
      await knex()("parts").insert({ kind: "a", no: 2, name: "Wheel", parent_no: 1 });
      await knex()("parts").insert({ kind: "b", no: 1, name: "Sail", parent_no: null });
    };
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await fill();
        await story();
      });
    const ask = async (path: string, init: RequestInit = {}) => {
      const headers = { accept: "application/json", "content-type": "application/json" };
      const answer = await app.request(`/admin${path}`, {
        ...init,
        headers: { ...headers, ...(init.headers as object) },
      });
      const text = await answer.text();
      const isJson = /json/.test(answer.headers.get("content-type") ?? "");
      return { status: answer.status, text, body: (isJson ? JSON.parse(text) : {}) as Row };
    };
    const page = async (path: string) => (await ask(path, { headers: { accept: "text/html" } })).text;
    const send = (method: string, path: string, body: unknown) => ask(path, { method, body: JSON.stringify(body) });
    const errorsOf = (body: Row) => Object.keys((body.errors ?? {}) as Row);
    const column = async (path: string, name: string) => ((await ask(path)).body.data as Row[]).map((row) => row[name]);

    can("A key with a day in it is shown, written and filtered by", async () => {
      assert.equal(await column("/stays?sort=id", "tide"), [{ id: "Kiel~2026-01-31", label: "High" }, null, null]);
      const made = await send("POST", "/stays", { stay: { title: "Three", tide: "Kiel~2026-02-01" } });
      assert.is(made.status, 201, made.text);
      assert.equal(await column("/stays?filter[tide]=Kiel~2026-02-01", "title"), ["Three"]);
      const twice = await send("POST", "/stays", { stay: { title: "Four", tide: "Kiel~2026-02-01" } });
      assert.equal([twice.status, errorsOf(twice.body)], [422, ["tide"]], "one stay a tide");
      assert.is((await send("POST", "/stays", { stay: { title: "None" } })).status, 201, "and any without one");
      for (const wrong of ["Kiel~2026-02-30", "Kiel~2026-2-1", "Sylt~2026-02-01"]) {
        const answer = await send("POST", "/stays", { stay: { title: "x", tide: wrong } });
        assert.equal([answer.status, errorsOf(answer.body)], [422, ["tide"]], wrong);
      }
      const html = await page("/stays?sort=id");
      assert.match(html, 'href="/admin/tides/Kiel~2026-01-31');
      assert.not.match(html, "Covert");
    });

    can("The one record that has the same key is found both ways", async () => {
      assert.equal(await column("/tides?sort=day", "report"), [{ id: "Kiel~2026-01-31", label: "Calm" }, null]);
      assert.equal(await column("/reports", "tide"), [{ id: "Kiel~2026-01-31", label: "High" }]);
      assert.match(await page("/tides/Kiel~2026-01-31"), "Calm");
      const made = await send("POST", "/tides/Kiel~2026-02-01/nested_report", { report: { name: "Windy" } });
      assert.is(made.status, 201, made.text);
      assert.equal(await column("/reports?sort=name", "name"), ["Calm", "Windy"]);
    });

    can("A record refers to others of its table by a part of its own key", async () => {
      assert.equal(await column("/parts?sort=name", "parent"), [
        { id: "a~1", label: "Frame" },
        null,
        { id: "a~1", label: "Frame" },
      ]);
      const other = await send("PATCH", "/parts/a~2", { part: { parent: "b~1" } });
      assert.equal([other.status, errorsOf(other.body)], [422, ["parent"]], "the kind is in its key");
      const none = await send("PATCH", "/parts/a~2", { part: { parent: null } });
      assert.is(none.status, 200, none.text);
      const set = await send("PATCH", "/parts/a~2", { part: { parent: "a~1" } });
      assert.is(set.status, 200, set.text);
      const made = await send("POST", "/parts", { part: { kind: "b", no: 2, name: "Rope", parent: "a~1" } });
      assert.equal([made.status, errorsOf(made.body)], [422, ["parent"]], "it says another kind");
      assert.equal(await column("/parts/a~1/nested_parts?sort=name", "name"), ["Frame", "Wheel"]);
      assert.is((await send("PATCH", "/parts/a~2", { part: { parent: null } })).status, 200);
      const gone = await send("DELETE", "/parts/a~1", {});
      assert.is(gone.status, 204, `one that refers to itself alone: ${gone.text}`);
    });

    can("What is deleted leaves the columns empty that nothing else needs", async () => {
      await knex()("reports").delete();
      const gone = await send("DELETE", "/tides/Kiel~2026-01-31", {});
      assert.is(gone.status, 204, gone.text);
      const stay = (await knex()("stays").where({ id: 1 }).first()) as Row;
      assert.equal([stay.place, stay.day], [null, null]);
    });

    can(
      "Pages are the same without the fast paths, and columns one by one lead to nothing that is hidden",
      async () => {
        const paths = [
          "/stays?sort=id",
          "/stays/1",
          "/tides?sort=day",
          "/parts?sort=name",
          "/stays?sort=id&filter[tide][empty]=1",
        ];
        const all = () => Promise.all(paths.map(async (path) => (await ask(path)).body));
        const fast = await all();
        await app.close();
        app = await openApp(app.root, { values: { ...values, FW_DATABASE_FAST: "off" } });
        assert.equal(await all(), fast);
        await app.close();
        app = await openMigrated(writeApp(plain), values);
        await fill();
        const own = await send("POST", "/stays", { stay: { title: "Own", place: "Kiel", day: "2026-02-01" } });
        assert.is(own.status, 201, own.text);
        const hidden = await send("POST", "/stays", { stay: { title: "Hidden", place: "Sylt", day: "2026-02-01" } });
        assert.equal([hidden.status, errorsOf(hidden.body)], [422, ["place"]], hidden.text);
        const moved = await send("PATCH", "/stays/3", { stay: { place: "Sylt", day: "2026-02-01" } });
        assert.is(moved.status, 422, moved.text);
        assert.is((await send("PATCH", "/stays/3", { stay: { title: "Whole" } })).status, 200);
        assert.equal(
          await column("/stays?sort=id", "place"),
          ["Kiel", null, "Kiel", "Kiel"],
          "a part of a hidden key is hidden",
        );
        assert.not.match(await page("/stays"), "Sylt");
        assert.equal(await column("/stays?filter[place][is]=Sylt", "title"), [], "nor is it found by it");
        assert.equal((await column("/stays?filter[place][is]=Kiel", "title")).sort(), ["One", "Own", "Whole"]);
      },
    );
  });

describe("What associations of several columns can't empty", (it) => {
  it("A dependent that would be emptied and has no column for it is refused by name", async () => {
    const tide = edited(files, "app/models/tide.ts", [
      'hasOne({ foreignKey: ["place", "day"] })',
      'hasOne({ foreignKey: ["place", "day"], dependent: "nullify" })',
    ]);
    const error = await throwsCode("FW_ASSOCIATION_NULLIFY", () =>
      openMigrated(writeApp({ ...files, "app/models/tide.ts": tide })),
    );
    assert.match(error.message, /"report" of "Tide".*place, day in "reports"/);
  });
});
