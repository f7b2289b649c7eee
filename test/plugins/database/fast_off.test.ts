import { belongsTo, type Database, Model, Schema } from "framewright/plugins/database";
import { assert } from "../../support/index.ts";
import { eachDatabase, type Fresh } from "./support.ts";

delete process.env.FW_DATABASE_FAST; // a run without the fast paths sets it: here both are compared

async function shelves(fresh: Fresh) {
  const first = await fresh.open();
  const schema = new Schema(first.knex);
  await schema.createTable("shelves", (t) => {
    t.id();
    t.string("name");
  });
  await schema.createTable("books", (t) => {
    t.id();
    t.string("title");
    t.boolean("open");
    t.json("settings");
    t.datetime("seen_at");
    t.money("price");
    t.belongsTo("shelf", { table: "shelves" });
  });
  const models = () => {
    class Shelf extends Model("shelves") {}
    class Book extends Model("books") {
      static override associations = { shelf: belongsTo({ class: "Shelf" }) };
      static override money = { price: "price_cents" };
    }
    return { Shelf, Book };
  };
  return {
    models,
    clear: () =>
      first
        .knex("books")
        .del()
        .then(() => first.knex("shelves").del()),
  };
}

/** Does what the fast paths are for; each result once, and again when statements and shapes are known. */
async function results(
  db: Database,
  { Shelf, Book }: Awaited<ReturnType<Awaited<ReturnType<typeof shelves>>["models"]>>,
) {
  const all: unknown[] = [];
  const see = (value: unknown) => all.push(JSON.stringify(value));
  const book = db.model(Book as never);
  const shelf = 7;
  see(await db.insertRow("shelves", { id: shelf, name: "Top" }));
  for (let round = 0; round < 3; round++) {
    const values = {
      title: `Book ${round}`,
      open: true,
      settings: { a: [1] },
      seen_at: new Date(0),
      price: "1.50",
      shelf_id: shelf,
    };
    const made = await db.insert(Book as never, values);
    const id = made.$id() as number;
    see([typeof id, made.toLabel()]);
    see(await db.updateRows("books", { id }, { title: "Changed", open: round === 1 }));
    see(await db.updateRows("books", { id: -1, title: null }, { title: "nobody" }));
    see(await db.has(book, id));
    see(await db.has(book, -1));
    const without = (record: object | undefined) => ({ ...record, id: typeof (record as { id?: unknown })?.id });
    see(without(await db.readByKey(book, id, ["shelf"])));
    see((await db.read(db.query(Book).orderBy("id"), ["shelf"])).map(without));
    see(without(await db.readFirst(db.query(Book).where("title", "Changed").orderBy("id"))));
    see(without(await db.readFirst(db.query(Book).findById(id) as never)));
    see(await db.readFirst(db.query(Book).findById(-1) as never));
    const { rows, related } = await db.readRows(book, db.query(Book).orderBy("id") as never, ["shelf"]);
    see([rows.map(without), related.get("shelf")!.map((row) => row?.name)]);
    const titles = db.prepared((knex, [title]) =>
      knex("books")
        .select("title")
        .where("title", title as string)
        .orderBy("id"),
    );
    see(await titles.rows(["Changed"]));
    see(await db.countUpTo({ prepared: titles, values: ["Changed"] }, 2));
    see(await db.countUpTo(db.query(Book) as never, 10));
    see(await db.count(db.query(Shelf)));
    see(await db.rows(db.knex("books").select("title", "open")));
    see(await db.transaction(async (trx) => (await db.query(Book, trx).insert({ title: "Inside" } as never)).title));
    see(await db.query(Book).delete().where("title", "Inside"));
  }
  return all;
}

eachDatabase("A database without its fast paths", (it) => {
  it("A database without its fast paths gives the same results and runs no statement synchronously", async (fresh) => {
    const { models, clear } = await shelves(fresh);
    const ask = async (fast: boolean) => {
      const own = models();
      const db = await fresh.open(own, { fast });
      let calls = 0;
      const client = db.knex.client as { executeSync?(query: unknown): unknown };
      const run = client.executeSync;
      if (run)
        client.executeSync = function (query) {
          calls++;
          return run.call(this, query);
        };
      const found = await results(db, own as never);
      await clear();
      return { found, calls, runs: run !== undefined };
    };
    const [quick, plain] = [await ask(true), await ask(false)];
    assert.equal(plain.found, quick.found);
    assert.is(plain.calls, 0);
    assert.is(quick.calls > 0, quick.runs);
  });

  it("The setting FW_DATABASE_FAST=off turns the fast paths off", async (fresh) => {
    const { models } = await shelves(fresh);
    const before = process.env.FW_DATABASE_FAST;
    process.env.FW_DATABASE_FAST = "off";
    try {
      const { Book } = models();
      const db = await fresh.open({ Book, Shelf: models().Shelf } as never);
      assert.is(db.model(Book as never).isFast, false);
    } finally {
      if (before === undefined) delete process.env.FW_DATABASE_FAST;
      else process.env.FW_DATABASE_FAST = before;
    }
  });
});
