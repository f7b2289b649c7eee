import {
  type BaseModel,
  belongsTo,
  type Database,
  hasMany,
  Model,
  type ModelClass,
  OmittedColumns,
  type Query,
  RowReader,
  Schema,
} from "framewright/plugins/database";
import { assert, throwsCode } from "../../support/index.ts";
import { eachDatabase, type Fresh } from "./support.ts";

type Values = Record<string, unknown>;

async function library(fresh: Fresh) {
  class Author extends Model("authors") {
    static override associations = { books: hasMany() };
  }
  class Book extends Model("books") {
    static override associations = { author: belongsTo(), reader: belongsTo({ class: "Author" }) };
    static override money = { price: "price_cents" };
    $shelf = "A";
    title = "none yet";
  }
  const first = await fresh.open();
  const schema = new Schema(first.knex);
  await schema.createTable("authors", (t) => {
    t.id();
    t.string("name").notNull();
  });
  await schema.createTable("books", (t) => {
    t.id();
    t.string("title");
    t.text("body");
    t.boolean("sold");
    t.integer("pages");
    t.bigint("copies");
    t.date("printed_on");
    t.datetime("sold_at");
    t.uuid("token");
    t.money("price");
    t.belongsTo("author");
    t.belongsTo("reader", { table: "authors" });
    t.timestamps();
  });
  await schema.createTable("parcels", (t) => {
    t.id();
    t.decimal("weight", 8, 3);
    t.float("length");
    t.json("labels");
    t.binary("photo");
    t.time("opens_at");
  });
  class Parcel extends Model("parcels") {}
  const db = await fresh.open({ Author: Author, Book: Book, Parcel: Parcel });
  for (const name of ["Ada", "Bob", "Cy"]) await db.query(Author).insert({ name });
  for (const book of books) await db.query(Book).insert(book as never);
  return { db, Author, Book, Parcel };
}

const books: Values[] = [
  { title: "Ärger 🚀", body: 'a "quoted" \\ line\nand\ttabs', sold: true, author_id: 2, price: "12.30", pages: -3 },
  { title: null, body: "", sold: false, printed_on: "2026-02-28", sold_at: new Date("2026-02-28T23:59:59.007Z") },
  { title: "'); drop table", copies: Number.MAX_SAFE_INTEGER, reader_id: 1, author_id: 2 },
  { title: "</script>", body: "x".repeat(3000), token: "7b3c1b6e-1f6c-4a53-8f5e-2a1f1f0a9c11", author_id: 3 },
  { title: "far", copies: "9223372036854775807", pages: 0, author_id: 1, reader_id: 3 },
];

/** As objection makes them: class, own keys in their order, values. */
const seen = (records: readonly BaseModel[]) =>
  records.map((record) => [record.constructor.name, Object.entries(record), JSON.stringify(record)]);

eachDatabase("The reading of rows", (it) => {
  it("Rows become the same records that objection creates", async (fresh) => {
    const { db, Book } = await library(fresh);
    const query = () => db.query(Book).orderBy("id", "desc") as unknown as Query<BaseModel>;
    const objections = (await query().withGraphFetched("author")) as BaseModel[];
    await (Book as unknown as ModelClass).fetchGraph(objections, "reader"); // both at once stand in the order in which they come
    const expected = seen(objections);
    for (let round = 0; round < 3; round++) assert.equal(seen(await db.read(query(), ["author", "reader"])), expected);
    const [book] = (await db.read(query(), ["author"])) as (BaseModel & Values)[];
    assert.instance(book, Book);
    const record = book as BaseModel & Values;
    assert.is(record.$id(), 5);
    assert.is(record.$shelf, "A");
    await record.$query().patchAndFetch({ title: "near" } as never);
    assert.is(record.title, "near");
    assert.not("title" in record.$omitFromJson("title").toJSON());
    assert.is((await db.readFirst(db.query(Book).where("books.id", 1)))?.price, "12.30");
  });

  it("Rows are read by key as records or as they are stored, and an absent key gives undefined", async (fresh) => {
    const { db, Book } = await library(fresh);
    const info = db.model(Book as unknown as ModelClass);
    for (let round = 0; round < 3; round++) {
      for (let id = 1; id <= 5; id++) {
        const expected = (await db.query(Book).findById(id).withGraphFetched("[author]")) as BaseModel;
        assert.equal(seen([(await db.readByKey(info, id, ["author"]))!]), seen([expected]));
        assert.is((await db.readRowByKey(info, id))?.rows[0]?.id, id);
      }
      assert.is(await db.readByKey(info, 6, ["author"]), undefined);
      assert.is(await db.readRowByKey(info, 6), undefined);
    }
  });

  it("Rows give the same values and JSON as the records, and are not changed", async (fresh) => {
    const { db, Book } = await library(fresh);
    const info = db.model(Book as unknown as ModelClass);
    const reader = RowReader.of(info);
    assert.is(reader.needsRecords, undefined);
    const prepared = db.prepared((knex, [id]) =>
      knex("books")
        .select("books.*")
        .where("books.id", ">", id as number),
    );
    for (let round = 0; round < 3; round++) {
      const { rows, related } = await db.readRows(info, { prepared, values: [1] }, ["author"]);
      const before = JSON.stringify(rows);
      for (const [index, row] of rows.entries()) {
        const record = reader.record(row) as BaseModel & Values;
        for (const column of info.columns.keys()) assert.equal(reader.value(row, column), record[column]);
        assert.equal(seen([reader.recordWithin({ ...row, fw_id: 7 })]), seen([record]));
        const json = Object.fromEntries([...info.columns.keys()].map((name) => [name, reader.json(row, name)]));
        for (const [name, value] of Object.entries(record.toJSON() as Values))
          if (name in json) assert.is(JSON.stringify(json[name]), JSON.stringify(value));
        const author = related.get("author")?.[index];
        assert.is(author?.id, row.author_id ?? undefined);
      }
      assert.is(JSON.stringify(rows), before, "a row is not changed");
    }
    await throwsCode("FW_ROWS_ASSOCIATION", () => db.readRows(info, db.query(Book), ["parts"]));
  });

  it("Rows are read without some columns, and who reads one of these all the same is refused", async (fresh) => {
    const { db, Book, Author } = await library(fresh);
    const info = db.model("Book");
    const reader = RowReader.of(info);
    const read = (own?: OmittedColumns, names = ["author"]) =>
      db.readRows(info, db.query(Book).orderBy("id"), names, { own, related: new Map() });
    await read(new OmittedColumns("Book", ["body"])); // the columns of the table are learned from whole rows
    for (const names of [[], ["author"]]) {
      const omitted = new OmittedColumns("Book", ["body", "token"]);
      const [{ rows: whole }, { rows, related }] = [await read(), await read(omitted, names)];
      if (process.env.FW_DATABASE_FAST === "off") {
        assert.equal(rows, whole, "without the fast paths nothing is left out");
        continue;
      }
      for (const [index, row] of rows.entries()) {
        const { body: _, token: __, ...rest } = whole[index]!;
        assert.equal({ ...row }, rest);
        if (names.length > 0) assert.is(related.get("author")![index]?.id ?? null, row.author_id);
        const { body, token, ...values } = { ...reader.record(whole[index]!) } as Values;
        const record = reader.record(row) as BaseModel & Values;
        for (const [name, value] of Object.entries(values)) assert.equal(record[name], value, name);
        record.token = token;
        assert.is(record.token, token, "it can be written");
        for (const of of [record, row])
          assert.match((await throwsCode("FW_COLUMN_OMITTED", () => of.body)).message, '"body" of a Book');
        await throwsCode("FW_COLUMN_OMITTED", () => record.toJSON());
        record.body = body;
        assert.equal(record.toJSON(), (reader.record(whole[index]!) as BaseModel).toJSON());
      }
    }
    const more = db.query(Author).select("authors.*").select(db.knex.raw("1 as one"));
    const { rows } = await db.readRows(db.model("Author"), more, [], {
      own: new OmittedColumns("Author", ["name"]),
      related: new Map(),
    });
    assert.is(rows[0]!.name, "Ada", "a select of more than whole rows is left as it is");
  });

  it("Decimals, floats, JSON, bytes and times are read exactly", async (fresh) => {
    const { db, Parcel } = await library(fresh);
    const given = { weight: "1.005", length: 0.30000000000000004, labels: { a: [1] }, opens_at: "10:30:00" };
    await db.query(Parcel).insert({ ...given, photo: Buffer.from([0, 255]) } as never);
    for (let round = 0; round < 3; round++) {
      const [one] = (await db.read(db.query(Parcel))) as (BaseModel & Values)[];
      assert.equal([one?.weight, one?.labels, one?.opens_at], ["1.005", given.labels, given.opens_at]);
      assert.equal([...((one as Values).photo as Buffer)], [0, 255]);
      assert.is(one?.length, ((await db.query(Parcel).first()) as unknown as Values).length);
    }
  });

  it("More than 700 rows and their associated rows come in the order of their query", async (fresh) => {
    const { db, Author } = await library(fresh);
    const more = Array.from({ length: 700 }, (_, n) => ({ name: `Author ${(n * 7919) % 700}` }));
    await db.knex.batchInsert("authors", more, 100);
    const query = () => db.query(Author).where("id", ">", 3).orderBy("name", "desc");
    for (let round = 0; round < 3; round++) {
      const ids = (await db.read(query())).map((author) => author.$id());
      assert.equal(
        ids,
        (await query()).map((author) => author.$id()),
      );
    }
    const rows = Array.from({ length: 700 }, (_, n) => ({ title: "t", author_id: n + 1, ...stamps }));
    await db.knex.batchInsert("books", rows, 100);
    const info = db.model("Book");
    const { related } = await db.readRows(info, db.query(info.class).where("title", "t").orderBy("id"), ["author"]);
    assert.equal(
      related.get("author")?.map((author) => author?.id),
      rows.map(({ author_id }) => author_id),
    );
  });

  it("Rows come with their associated rows, in one query on SQLite", async (fresh) => {
    const { knex } = await fresh.open();
    await knex.schema.createTable("notes", (t) => {
      t.increments("id");
      t.string("text");
      t.integer("above_id").unsigned();
    });
    class Note extends Model("notes") {
      static override associations = { above: belongsTo({ class: "Note" }) };
    }
    const db = await fresh.open({ Note: Note });
    const above = [null, 1, 1, 2, 99];
    for (const above_id of above) await db.knex("notes").insert({ text: "\u00e9 \" '", above_id });
    const info = db.model("Note");
    const prepared = db.prepared((query) => query("notes").select("notes.*").orderBy("notes.id"));
    const page = db.prepared((query, [most]) =>
      query("notes")
        .select("notes.*")
        .orderBy("notes.id")
        .limit(most as number),
    );
    const joins = fresh.name === "sqlite" && process.env.FW_DATABASE_FAST !== "off";
    let queries = 0;
    db.knex.on("query", () => queries++);
    for (let round = 0; round < 3; round++) {
      queries = 0;
      const { rows, related } = await db.readRows(info, { prepared, values: [] }, ["above"]);
      assert.is(queries, joins && round > 0 ? 1 : 2); // the first is looked at as it comes
      assert.equal(
        rows.map((row) => row.above_id),
        above,
      );
      const behind = related.get("above")!;
      assert.equal([...behind], [null, rows[0], rows[0], rows[1], null]);
      assert.is(behind[1], behind[2], "what several belong to is one row");
      for (const [index, above_id] of above.entries()) {
        queries = 0;
        const read = await db.readRowByKey(info, index + 1, ["above"]);
        assert.equal([read?.rows[0], read?.related.get("above")?.[0]], [rows[index], behind[index]]);
        if (joins && round > 0) assert.is(queries, 1, `the note above ${above_id}`);
      }
      queries = 0;
      const narrowed = await db.readRows(info, db.query(Note).where("notes.id", ">", 1).orderBy("notes.id"), ["above"]);
      assert.equal([...narrowed.related.get("above")!], [rows[0], rows[0], rows[1], null]);
      assert.is(queries, joins ? 1 : 2); // as a tenant's list is narrowed
      for (const most of [1, 3, 1, 5]) {
        const some = await db.readRows(info, { prepared: page, values: [most] }, ["above"]);
        assert.is(some.rows.length, most, "the same text finds one row or many, as it is asked");
      }
    }
  });

  it("Rows read inside a transaction include its own changes", async (fresh) => {
    const { db, Book, Author } = await library(fresh);
    await db.transaction(async (trx) => {
      const author = await db.query(Author, trx).insert({ name: "New" });
      await db.query(Book, trx).where("id", 1).patch({ author_id: author.$id() });
      const [book] = (await db.read(db.query(Book, trx).where("books.id", 1), ["author"])) as unknown as Values[];
      assert.is(((book as Values).author as Values).name, "New");
    });
  });
});

const stamps = { created_at: "2026-01-01 10:00:00.000", updated_at: "2026-01-01 10:00:00.000" };

eachDatabase("Rows with values of other types", (it, name) => {
  if (name !== "sqlite") return; // where a column takes any value
  it("Rows with values that do not match their columns become the same records that objection creates", async (fresh) => {
    const first = await fresh.open();
    await first.knex.raw(
      "create table things (id integer primary key, name varchar(255), n integer, at datetime, twice integer as (n * 2))",
    );
    await first.knex.raw("create table plain (id integer primary key, name varchar(255), n integer, at datetime)");
    class Thing extends Model("things") {}
    class Plain extends Model("plain") {}
    const db = await fresh.open({ Thing: Thing, Plain: Plain });
    const hostile = [
      "'a' || char(0) || 'b'",
      "x'00ff'",
      "'\\u0000'",
      "9007199254740993",
      "1.5",
      "0.1 + 0.2",
      "9e999",
      "null",
    ];
    for (const [table, model] of [
      ["things", Thing],
      ["plain", Plain as unknown as typeof Thing],
    ] as const) {
      await db.knex.raw(`insert into ${table} (name, n, at) values ('tame', 1, '2026-01-31 12:00:00.000')`);
      for (const value of hostile) {
        await db.knex.raw(`insert into ${table} (name, n) values (${value}, ${value})`);
        for (const query of [() => db.query(model).orderBy("id"), () => db.query(model).orderBy("id", "desc").limit(1)])
          for (let round = 0; round < 2; round++)
            assert.equal(
              seen((await db.read(query())) as unknown as BaseModel[]),
              seen((await query()) as unknown as BaseModel[]),
            );
        await db.knex(table).where("id", ">", 1).del();
      }
    }
  });
});

eachDatabase("A model that overrides its reading", (it) => {
  const cases: [reason: RegExp, make: () => ModelClass][] = [
    [
      /Thing has \$parseDatabaseJson of its own/,
      () =>
        class extends Model("things") {
          override $parseDatabaseJson(row: Values) {
            return { ...super.$parseDatabaseJson(row), name: "said" };
          }
        },
    ],
    [
      /Thing has \$afterFind of its own/,
      () =>
        class extends Model("things") {
          override $afterFind() {
            (this as Values).name = "said";
          }
        },
    ],
    [
      /Thing listens to afterFind/,
      () =>
        class extends Model("things") {
          static override async afterFind({ result }: { result?: unknown }) {
            for (const one of result as Values[]) one.name = "said";
          }
        },
    ],
    [
      /Thing has "name" of its own/,
      () =>
        class extends Model("things") {
          get name() {
            return "said";
          }
          set name(_: string) {}
        },
    ],
  ] as never;
  for (const [reason, make] of cases) {
    it(`Records are created by objection where ${reason.source}`, async (fresh) => {
      const first: Database = await fresh.open();
      await new Schema(first.knex).createTable("things", (t) => {
        t.id();
        t.string("name");
      });
      await first.knex("things").insert({ name: "stored" });
      const Thing = make();
      const db = await fresh.open({ Thing: Thing });
      assert.match(RowReader.of(db.model("Thing")).needsRecords ?? "", reason);
      const read = (await db.read(db.query(Thing as never) as unknown as Query<BaseModel>)) as (BaseModel & Values)[];
      assert.is(read[0]?.name, "said");
      assert.is(((await db.readByKey(db.model("Thing"), 1)) as unknown as Values).name, "said");
    });
  }
});

eachDatabase("A count", (it) => {
  it("A count stops at its maximum and reports whether it was capped", async (fresh) => {
    const { db, Author } = await library(fresh);
    const all = db.prepared((knex) => knex("authors").select("authors.*"));
    const some = db.prepared((knex, [name]) => knex("authors").where("name", "like", name as string));
    const upTo = async (most: number) => [
      await db.countUpTo(db.query(Author), most),
      await db.countUpTo({ prepared: all, values: [] }, most),
      await db.countUpTo(db.query(Author).where("name", "like", "%"), most),
      await db.countUpTo({ prepared: some, values: ["%"] }, most),
    ];
    for (const [most, total, capped] of [
      [10, 3, false],
      [3, 3, false],
      [2, 2, true],
      [2, 2, true],
    ] as const)
      assert.equal(await upTo(most), Array(4).fill({ total, capped }));
    await db.knex("books").del();
    await db.query(Author).delete().where("id", ">", 1);
    assert.equal(await upTo(2), Array(4).fill({ total: 1, capped: false }));
    assert.equal(await db.countUpTo({ prepared: some, values: ["A%"] }, 5), { total: 1, capped: false });
    assert.equal(await db.countUpTo({ prepared: some, values: ["B%"] }, 5), { total: 0, capped: false });
  });
});
