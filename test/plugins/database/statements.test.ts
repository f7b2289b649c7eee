import { type Database, Schema } from "framewright/plugins/database";
import { assert, throwsCode } from "../../support/index.ts";
import { eachDatabase, type Fresh } from "./support.ts";

async function notes(fresh: Fresh) {
  const first = await fresh.open();
  await new Schema(first.knex).createTable("notes", (t) => {
    t.id();
    t.string("title", 20).notNull();
    t.integer("pages");
    t.datetime("at");
  });
  return fresh.open();
}
const all = (db: Database) => db.rows(db.knex("notes").select("title", "pages").orderBy("id"));

eachDatabase("Rows written without models", (it) => {
  it("Rows are inserted and updated whatever the order of their columns", async (fresh) => {
    const db = await notes(fresh);
    const at = new Date("2026-01-31T12:00:00.123Z");
    assert.equal(
      [
        await db.insertRow("notes", { title: "one", pages: 1, at }),
        await db.insertRow("notes", { at: null, pages: null, title: "two" }),
        await db.insertRow("notes", { pages: 3, title: "three" }),
      ].map(Number),
      [1, 2, 3],
    );
    assert.is(await db.updateRows("notes", { id: 1 }, { pages: 10, title: "ten" }), 1);
    assert.is(await db.updateRows("notes", { pages: 3, title: "three" }, { title: "drei" }), 1);
    assert.is(await db.updateRows("notes", { title: "nobody" }, { pages: 0 }), 0);
    assert.equal(await all(db), [
      { title: "ten", pages: 10 },
      { title: "two", pages: null },
      { title: "drei", pages: 3 },
    ]);
    const [row] = await db.rows(db.knex("notes").select("at").where({ id: 1 }));
    assert.is(String(row?.at), "2026-01-31 12:00:00.123");
  });
  it("Rows are matched and set by null as well as by a value", async (fresh) => {
    const db = await notes(fresh);
    for (const pages of [1, null, null]) await db.insertRow("notes", { title: "x", pages });
    assert.is(await db.updateRows("notes", { pages: 1 }, { title: "one" }), 1);
    assert.is(await db.updateRows("notes", { pages: null }, { title: "none" }), 2);
    assert.is(await db.updateRows("notes", { title: "none" }, { pages: null }), 2);
    assert.is(await db.updateRows("notes", { title: "one" }, { pages: null }), 1);
  });
  it("Values may be SQL expressions, and an error names the table without stored values", async (fresh) => {
    const db = await notes(fresh);
    await db.insertRow("notes", { title: "x", pages: db.knex.raw("1 + 1") });
    await db.updateRows("notes", { title: "x" }, { pages: db.knex.raw("pages * 10") });
    assert.equal(await all(db), [{ title: "x", pages: 20 }]);
    await db.insertRow("notes", { title: "secret-value", pages: 1 }).catch(() => undefined);
    try {
      await db.updateRows("notes", { id: 1 }, { title: null });
      assert.unreachable("null went in");
    } catch (error) {
      assert.not.match((error as Error).message, /secret-value/);
      assert.match((error as Error).message, /notes/);
    }
  });
  it("Writes wait for a connection that a transaction uses and return the same results", async (fresh) => {
    const db = await notes(fresh);
    await db.insertRow("notes", { title: "one", pages: 1 });
    const held = await db.knex.transaction();
    await held("notes").insert({ title: "two", pages: 2 });
    const later = db.insertRow("notes", { title: "three", pages: 3 });
    await held.commit();
    assert.is(Number(await later), 3);
    const again = await db.knex.transaction();
    await again("notes").where({ id: 1 }).select();
    const change = db.updateRows("notes", { title: "three" }, { pages: 30 });
    await again.commit();
    assert.is(await change, 1);
    assert.equal(
      (await all(db)).map(({ pages }) => pages),
      [1, 2, 30],
    );
  });
  it("FW_DATABASE_CLOSED refuses a write once the database is closed", async (fresh) => {
    const db = await notes(fresh);
    await db.close();
    await throwsCode("FW_DATABASE_CLOSED", async () => db.insertRow("notes", { title: "x" }));
  });
});
