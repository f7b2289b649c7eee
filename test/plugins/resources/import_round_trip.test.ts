import { setTimeout as sleep } from "node:timers/promises";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { countsOf, Importer, importFiles, list, problemsOf } from "./import_app.ts";

// A column of each type of fields, which exports write and imports read.

const migration = "db/migrate/20260301000000_create_shipments.ts";
const policy = "app/policies/shipment_policy.ts";
const more = [
  "mark",
  "memo",
  "big",
  "rate",
  "ratio",
  "opens_at",
  "site",
  "phone",
  "tint",
  "priority",
  "subject",
  "tags",
];
const names = [
  ...[
    "reference",
    "note",
    "carrier",
    "contact_email",
    "status",
    "weight",
    "fee",
    "fragile",
    "due_on",
    "sent_at",
    "extra",
  ],
  ...["author", "category", ...more],
];
const files: Record<string, string> = {
  ...importFiles,
  [migration]: edited(importFiles, migration, [
    't.json("extra");',
    `t.json("extra"); t.uuid("mark"); t.text("memo"); t.bigint("big"); t.decimal("rate", 24, 6); t.float("ratio"); t.time("opens_at");
    t.string("site"); t.string("phone"); t.string("tint"); t.string("priority"); t.polymorphic("subject"); t.binary("blob");`,
  ]).replace(
    '  await db.createTable("shipments"',
    `  await db.createTable("tags", (t) => { t.id(); t.string("name").notNull(); t.belongsTo("organization", { null: false }); });
  await db.createTable("shipment_tags", (t) => { t.id(); t.bigint("shipment_id").notNull(); t.bigint("tag_id").notNull(); });
  await db.createTable("shipments"`,
  ),
  "app/models/tag.ts": `import { belongsTo, Model } from "framewright/plugins/database";
export default class Tag extends Model("tags" as never) { static override associations = { organization: belongsTo() }; }`,
  "app/models/shipment_tag.ts": `import { belongsTo, hasOne, Model } from "framewright/plugins/database";
export default class ShipmentTag extends Model("shipment_tags" as never) {
  static override associations = { shipment: belongsTo(), tag: belongsTo(), organization: hasOne({ through: "shipment" }) };
}`,
  "app/policies/tag_policy.ts": `import { Policy } from "framewright/plugins/resources";
export default class TagPolicy extends Policy { override canRead() { return true; } override permittedAttributesForRead() { return ["name"]; } }`,
  "app/definitions/tag_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
export default class TagDefinition extends ResourceDefinition {}`,
  "packages/customer_portal/config/routes.ts": edited(
    importFiles,
    "packages/customer_portal/config/routes.ts",
    [
      'import Shipment from "#app/models/shipment.ts";',
      'import Shipment from "#app/models/shipment.ts";\nimport Tag from "#app/models/tag.ts";',
    ],
    ["Category, Shipment]", "Category, Shipment, Tag]"],
  ),
  "app/models/shipment.ts": edited(
    importFiles,
    "app/models/shipment.ts",
    ["import { belongsTo, Model }", "import { belongsTo, hasMany, Model }"],
    [
      "category: belongsTo() }",
      'category: belongsTo(), subject: belongsTo({ polymorphic: ["Post", "Category"] }), shipmentTags: hasMany({ dependent: "destroy" }), tags: hasMany({ through: "shipmentTags" }) }',
    ],
  ),
  "app/definitions/shipment_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
export default class ShipmentDefinition extends ResourceDefinition {
  override configure() {
    super.configure();
    this.input("memo", { as: "markdown" });
    this.input("site", { as: "url" });
    this.input("phone", { as: "tel" });
    this.input("tint", { as: "color" });
    this.input("priority", { as: "radio", choices: [{ value: "1", label: "Very high" }, { value: "2", label: "Low; later" }] });
  }
}`,
  [policy]: edited(
    importFiles,
    policy,
    [/"author", "category"/g, `"author", "category", ${more.map((name) => `"${name}"`).join(", ")}`],
    [
      /override permittedAttributesForIndex\(\) \{ return \[(.*?)\]; \}/,
      'override permittedAttributesForIndex() { return [$1, "tracking_code", "blob", "created_at"]; }',
    ],
  ),
};

const stamps = { created_at: "2026-03-01 10:00:00.000", updated_at: "2026-03-01 10:00:00.000" };
const base = { organization_id: 1, author_id: 1, category_id: null, ...stamps };
/** As they are stored. */
const rows = [
  {
    ...{ ...base, reference: "R-1", note: "=1+1", carrier: "'=x", contact_email: "a@example.test", status: "packed" },
    ...{ weight: -7, fee_cents: -1205, fragile: true, due_on: "2026-03-29", sent_at: "2026-10-25 00:30:00.123" },
    ...{ extra: '{"a":[1,"x"],"b":null}', category_id: 1, mark: "0198b2c4-5a6e-7b3a-8d11-0123456789ab" },
    ...{ memo: "# One\n\n* two\n  three; \"four\", 'five'\n", big: 123456789012345, rate: "123456789.654321" },
    ...{ ratio: 0.1, opens_at: "09:05:00", site: "https://example.test/?a=1&b=2", phone: "+49 30 1234" },
    ...{ tint: "#aabbcc", priority: "2", subject_type: "Category", subject_id: 1 },
  },
  {
    ...{ ...base, reference: "R-2", note: "  spaces  ", carrier: "-5", contact_email: null, status: null, weight: 900 },
    ...{ fee_cents: 10, fragile: false, due_on: "1899-12-31", sent_at: "2026-10-25 01:30:00.000", extra: "[1.5,true]" },
    ...{ mark: null, memo: "_x0041_ and &amp; <b>", big: -1, rate: "0.100000", ratio: 1e21, opens_at: "23:59:59" },
    ...{ site: null, phone: "00491", tint: "#000000", priority: "1", subject_type: null, subject_id: null },
  },
  {
    ...{ ...base, reference: "R-3", note: null, carrier: "007", contact_email: null, status: "draft", weight: null },
    ...{ fee_cents: null, fragile: false, due_on: null, sent_at: "2026-03-29 01:00:00.000", extra: null, mark: null },
    ...{ memo: null, big: null, rate: null, ratio: -2.5e-7, opens_at: null, site: null, phone: null, tint: null },
    ...{ priority: null, subject_type: null, subject_id: null },
  },
  {
    ...{
      ...base,
      reference: "R-4",
      note: "true\u0001\v",
      carrier: "1e5",
      contact_email: null,
      status: "sent",
      weight: 0,
    },
    ...{ fee_cents: 0, fragile: true, due_on: "9999-12-31", sent_at: null, extra: '"text"', mark: null, memo: "#N/A" },
    ...{ big: 0, rate: "-0.000001", ratio: 0, opens_at: "00:00:00", site: null, phone: null, tint: null },
    ...{ priority: null, subject_type: "Post", subject_id: 1 },
  },
];

for (const database of await databases()) {
  describe(`Exports that are imported again, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    const ann = () => new Importer(app, 1);
    const headers = { "x-user": "1", authorization: "Bearer program", accept: "application/json" };
    const stored = async () => {
      const found = await knex()("shipments").orderBy("reference");
      const tags = await knex()("shipment_tags")
        .join("tags", "tags.id", "tag_id")
        .select("shipment_id", "name")
        .orderBy("name");
      return found.map(({ id, created_at: _, updated_at: __, secret_token: ___, ...rest }) => ({
        ...rest,
        fragile: Boolean(rest.fragile),
        tags: tags.filter((one) => Number(one.shipment_id) === Number(id)).map(({ name }) => name),
      }));
    };
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(files, { ...(await database.values()), TIME_ZONE: "Europe/Berlin" });
        await knex()("tags").insert(
          ["Red", "Blue; green", "Zoë"].map((name, at) => ({ id: at + 1, name, organization_id: 1 })),
        );
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const fill = async () => {
      for (const table of ["shipment_tags", "shipments", "arrivals", "framewright_imports"])
        await knex()(table).delete();
      await knex()("shipments").insert(rows);
      const { id } = await knex()("shipments").where({ reference: "R-1" }).first();
      await knex()("shipment_tags").insert([1, 2].map((tag_id) => ({ shipment_id: id, tag_id })));
      const other = await knex()("shipments").where({ reference: "R-2" }).first();
      await knex()("shipment_tags").insert({ shipment_id: other.id, tag_id: 3 });
      return stored();
    };
    const emptied = async () => {
      for (const table of ["shipment_tags", "shipments"]) await knex()(table).delete();
    };

    for (const format of ["csv", "xlsx"])
      it.unless(
        database.skip,
        `What ${format} has of every type is the same after it was imported, by a page`,
        async () => {
          const before = await fill();
          const file = new Uint8Array(await (await ann().get(`${list}/export.${format}?sort=reference`)).arrayBuffer());
          const person = ann();
          const at = await person.upload(file, `shipments.${format}`);
          const page = await person.page(at);
          const guessed = [...page.matchAll(/<select[^>]*name="columns\[c\d+\]".*?<\/select>/gs)].map(
            ([select]) => /<option value="([^"]*)" selected/.exec(select)?.[1] ?? "",
          );
          assert.equal(guessed, [...names, "tracking_code", "", ""], "each column is recognised that can be imported");
          await person.map(at, guessed, { rows: "update:reference" });
          await person.start(at);
          const same = await person.ended(at);
          assert.equal(problemsOf(same), []);
          assert.equal(countsOf(same), [0, 0, rows.length, 0], "nothing of it is a change");
          await emptied();
          const again = await person.upload(file, `shipments.${format}`);
          await person.map(again, guessed);
          await person.start(again);
          const done = await person.ended(again);
          assert.equal(problemsOf(done), []);
          assert.equal(await stored(), before);
        },
      );

    it.unless(database.skip, "Times, days and figures are read as other programs write them", async () => {
      await fill();
      await emptied();
      const lines = [
        "A,8:00,1e-6,1e-7,-12,20260331",
        "B,2:30 PM,1.5E+3,-2.5e-7,12,2026-03-31 00:00",
        "C,23:59:59,,1E21,,31.03.2026",
        "D,36:00:00,1e-9,0,1.5,20261331",
        "E,8:00Z,1e999,x,1,2026-03-31 14:30",
      ];
      const columns = ["reference", "opens_at", "rate", "ratio", "big", "due_on"];
      const done = await ann().import(`Reference,Opens at,Rate,Ratio,Big,Due on\n${lines.join("\n")}\n`, columns);
      assert.equal(
        problemsOf(done).map((said) => said.slice(0, said.indexOf(" “"))),
        ["Opens at", "Rate", "Big", "Due on"]
          .map((name) => `Row 5, ${name}`)
          .concat(["Opens at", "Rate", "Ratio", "Due on"].map((name) => `Row 6, ${name}`)),
      );
      const found = await stored();
      assert.equal(
        found.map(({ opens_at }) => String(opens_at).slice(0, 8).padEnd(8, ":00")),
        ["08:00:00", "14:30:00", "23:59:59"],
      );
      assert.equal(
        found.map(({ rate, ratio }) => [rate === null ? null : Number(rate), ratio]),
        [
          [0.000001, 1e-7],
          [1500, -2.5e-7],
          [null, 1e21],
        ],
      );
    });

    it.unless(
      database.skip,
      "A record keeps the one of several that are called alike; a new one does not guess",
      async () => {
        await fill();
        await knex()("memberships").insert({ user_id: 4, organization_id: 1 });
        await knex()("users").where({ id: 4 }).update({ name: "Ann Alpine" });
        await knex()("shipments").where({ reference: "R-2" }).update({ author_id: 4 });
        const before = await stored();
        const file = await ann().page(`${list}/export.csv?sort=reference&columns=reference,author,note`);
        const same = await ann().import(file, ["reference", "author", "note"], { rows: "update:reference" });
        assert.equal([problemsOf(same), countsOf(same)], [[], [0, 0, rows.length, 0]]);
        assert.equal(await stored(), before);
        await emptied();
        const made = await ann().import(file, ["reference", "author", "note"]);
        assert.equal(countsOf(made), [0, 0, 0, rows.length]);
        assert.match(problemsOf(made)[0]!, "names several records: give the id");
        await knex()("users").where({ id: 4 }).update({ name: "Dan" });
      },
    );

    for (const format of ["csv", "xlsx"])
      it.unless(
        database.skip,
        `What ${format} has of every type is the same after it was imported, by a program`,
        async () => {
          const before = await fill();
          const file = await (await app.request(`${list}/export.${format}?sort=reference`, { headers })).arrayBuffer();
          await emptied();
          const body = new FormData();
          body.set("file", new File([new Uint8Array(file)], `shipments.${format}`));
          const answer = await app.request(`${list}/import.json`, { method: "POST", body, headers });
          const { data } = (await answer.json()) as { data: { ignored: string[] } };
          assert.is(answer.status, 202, JSON.stringify(data));
          assert.is(data.ignored.length, 2, "what nobody can import is named");
          await app.application.kernel.service("jobs").drain();
          await sleep(0);
          assert.equal(await stored(), before);
        },
      );
  });
}
