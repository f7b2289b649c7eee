import { Model, Schema, type ValidationError } from "framewright/plugins/database";
import { assert } from "../../support/index.ts";
import { eachDatabase, type Fresh, isPostgres } from "./support.ts";

async function races(fresh: Fresh) {
  class Race extends Model("races") {
    static override validations = { name: { uniqueness: true } };
  }
  const first = await fresh.open();
  await new Schema(first.knex).createTable("races", (t) => {
    t.id();
    t.string("name").unique();
    t.datetime("starts_at");
    t.date("day");
  });
  const db = await fresh.open({ Race });
  /** Whether the record is stored; else the fields that are wrong. */
  const store = async (values: object): Promise<unknown> => {
    try {
      await db.query(Race).insert(values);
      return true;
    } catch (error) {
      return (error as ValidationError).fields ?? error;
    }
  };
  return { db, Race, store };
}

eachDatabase("Uniqueness", (it) => {
  it("Uniqueness ignores case and respects accents and spaces, in the validation and in the index", async (fresh) => {
    const { db, store } = await races(fresh);
    const names = [
      "DupRace",
      "DupRace ",
      " DupRace",
      "DüpRace",
      "Élan [1]*?",
      "Ärger-Über-Öl",
      "Привет мир",
      "日本",
      "straße",
    ];
    for (const name of names) assert.is(await store({ name }), true, name);
    const taken = { name: ["has already been taken"] };
    const same = [
      "dupRACE",
      "DUPRACE ",
      "DÜPrace",
      "éLAN [1]*?",
      "äRGER-üBER-öl",
      "ПРИВЕТ МИР",
      "日本",
      "STRAßE",
      "Du\u0308pRace",
    ];
    for (const name of same) assert.equal(await store({ name }), taken, name);
    for (const name of ["Elan [1]*?", "Élan 1", "Привет мих", "ДупRace", "日木"])
      assert.is(await store({ name }), true, name);
    for (const name of ["DüpRacf", "DupRace  ", "DúpRace"]) await db.knex("races").insert({ name });
  });
});

eachDatabase("The range of times", (it) => {
  it("A time or date outside of the years 0 to 9999 is out of range, and those within are stored exactly", async (fresh) => {
    const { db, Race, store } = await races(fresh);
    const first = isPostgres(fresh.name) ? [] : ["0000-01-01T00:00:00.000Z"]; // PostgreSQL has no year 0
    const refused = { starts_at: ["is out of range"] };
    for (const at of [
      "9999-12-31T23:59:59-14:00",
      "+010000-01-01T00:00:00Z",
      "-000001-06-01T00:00:00Z",
      "0000-01-01T00:00:00+14:00",
    ])
      assert.equal(await store({ starts_at: at }), refused, at);
    assert.equal(await store({ starts_at: new Date(8.64e15) }), refused);
    assert.equal(await store({ day: new Date(8.64e15) }), { day: ["is out of range"] });
    for (const at of ["9999-12-31T23:59:59.999Z", "0001-01-01T00:00:00.000Z", ...first]) {
      assert.is(await store({ starts_at: at }), true, at);
      const last = (await db.query(Race).orderBy("id", "desc").first()) as unknown as { starts_at: Date };
      assert.is(last.starts_at.getTime(), Date.parse(at), at);
    }
  });
});

eachDatabase("The defaults of JSON columns", (it) => {
  it("A JSON column has its default in new rows and in the model's column", async (fresh) => {
    class Setting extends Model("settings") {}
    const first = await fresh.open();
    const schema = new Schema(first.knex);
    await schema.createTable("settings", (t) => {
      t.id();
      t.json("options").notNull().default({});
    });
    await schema.addColumns("settings", (t) => {
      t.json("tags").notNull().default(["it's", 1]);
      t.json("word").default("plain");
    });
    const db = await fresh.open({ Setting });
    await db.knex("settings").insert({ id: 1 });
    const stored = (await db.query(Setting).findById(1)) as unknown as Record<string, unknown>;
    assert.equal([stored.options, stored.tags, stored.word], [{}, ["it's", 1], "plain"]);
    const columns = (await db.introspect("settings")).map(({ name, default: given }) => [name, given]);
    assert.equal(columns.slice(1), [
      ["options", {}],
      ["tags", ["it's", 1]],
      ["word", "plain"],
    ]);
  });
});
