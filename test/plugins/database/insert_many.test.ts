import {
  type BaseModel,
  confine,
  hasMany,
  Model,
  type QueryContext,
  Schema,
  type ValidationError,
} from "framewright/plugins/database";
import { assert } from "../../support/index.ts";
import { eachDatabase, type Fresh } from "./support.ts";

type Values = Record<string, unknown>;

async function openLibrary(fresh: Fresh) {
  class Book extends Model("books") {
    static override validations = { isbn: { uniqueness: true } };
    static override encrypts = { note: {} };
    static override defaults = { shelf: "new" };
    static override paramKey = "slug";
    static override slug = { from: "title" };
    declare id: number;
    declare title: string;
    override async $beforeInsert(context: QueryContext) {
      await super.$beforeInsert(context);
      (this as unknown as Values).initial = this.title[0];
    }
  }
  class Page extends Model("pages") {}
  class Author extends Model("authors") {
    static override associations = { pages: hasMany() };
  }
  const first = await fresh.open();
  const schema = new Schema(first.knex);
  await schema.createTable("authors", (t) => {
    t.id();
    t.string("name").notNull();
  });
  await schema.createTable("pages", (t) => {
    t.id();
    t.belongsTo("author");
    t.string("text").notNull();
    t.timestamps();
  });
  await schema.createTable("books", (t) => {
    t.id();
    t.string("title").notNull();
    t.string("slug").unique();
    t.string("isbn").unique();
    t.string("initial");
    t.string("shelf");
    t.text("note");
    t.json("tags");
    t.integer("library_id");
    t.timestamps();
  });
  const db = await fresh.open({ Author, Book, Page }, { secrets: ["a secret of at least thirty-two bytes"] });
  return { db, Author, Book, Page };
}

const all = (records: unknown): Values[] => records as Values[];

eachDatabase("An insert of several records", (it) => {
  it("Each record has its key in the order given, and hooks, defaults, timestamps, slugs and codecs apply", async (fresh) => {
    const { db, Book } = await openLibrary(fresh);
    const given = [
      { title: "Beta", isbn: "1", note: "kept to itself", tags: ["a", 1] },
      { title: "Alpha", isbn: "2", shelf: "old" },
      { title: "Alpha", isbn: "3" },
    ];
    const made = all(await db.query(Book).insert(given as never));
    const stored = all(await db.query(Book).orderBy("id"));
    assert.equal(
      made.map(({ id, title }) => [id, title]),
      stored.map(({ id, title }) => [id, title]),
    );
    assert.equal(
      stored.map(({ title, slug, initial, shelf }) => [title, slug, initial, shelf]),
      [
        ["Beta", "beta", "B", "new"],
        ["Alpha", "alpha", "A", "old"],
        ["Alpha", "alpha-2", "A", "new"],
      ],
    );
    assert.ok(stored.every(({ created_at: at, updated_at: last }) => at instanceof Date && last instanceof Date));
    assert.equal([stored[0]?.note, stored[0]?.tags], ["kept to itself", ["a", 1]]);
    assert.not.match(String((await db.knex("books").orderBy("id").first("note"))?.note), "kept");
  });

  it("One that can't be stored leaves none behind, and its field is named; the next one sees those before it", async (fresh) => {
    const { db, Book } = await openLibrary(fresh);
    const given = [
      { title: "One", isbn: "1" },
      { title: "Two", isbn: "1" },
    ];
    const error = await db
      .query(Book)
      .insert(given as never)
      .then(
        () => undefined,
        (cause: unknown) => cause as ValidationError,
      );
    assert.equal(error?.fields, { isbn: ["has already been taken"] });
    assert.is(await db.query(Book).resultSize(), 0);
  });

  it("A transaction that is given is the one they are written in", async (fresh) => {
    const { db, Page } = await openLibrary(fresh);
    const undone = new Error("undone");
    const error = await db
      .transaction(async (trx) => {
        const made = all(await db.query(Page, trx).insert([{ text: "a" }, { text: "b" }] as never));
        assert.is(new Set(made.map(({ id }) => id)).size, 2);
        assert.is(await db.query(Page, trx).resultSize(), 2);
        throw undone;
      })
      .catch((cause: unknown) => cause);
    assert.is(error, undone);
    assert.is(await db.query(Page).resultSize(), 0);
  });

  it("Some hundred records get their keys in order, and insertAndFetch, related records and ignored conflicts work", async (fresh) => {
    const { db, Author, Page } = await openLibrary(fresh);
    const texts = Array.from({ length: 450 }, (_, n) => ({ text: `page ${n}` }));
    const made = all(await db.query(Page).insert(texts as never));
    const stored = all(await db.query(Page).orderBy("id"));
    assert.equal(
      made.map(({ id, text }) => [id, text]),
      stored.map(({ id, text }) => [id, text]),
    );
    const fetched = all(await db.query(Page).insertAndFetch([{ text: "x" }, { text: "y" }] as never));
    assert.equal(
      fetched.map(({ text, author_id }) => [text, author_id]),
      [
        ["x", null],
        ["y", null],
      ],
    );
    const author = (await db.query(Author).insert({ name: "Ada" } as never)) as unknown as BaseModel & Values;
    await db.related(author, "pages").insert([{ text: "p" }, { text: "q" }] as never);
    assert.equal(
      all(await db.related(author, "pages").orderBy("pages.id")).map(({ text }) => text),
      ["p", "q"],
    );
    const id = made[0]?.id;
    const again = [
      { id, text: "taken" },
      { id: 9000, text: "free" },
    ];
    await db
      .query(Page)
      .insert(again as never)
      .onConflict("id")
      .ignore();
    const first = (await db.query(Page).findById(id as number)) as unknown as Values;
    assert.is(first.text, "page 0");
    assert.ok(await db.query(Page).findById(9000));
  });

  it("Each one passes the tenant's check", async (fresh) => {
    const { db, Book } = await openLibrary(fresh);
    const query = db.query(Book);
    confine(query as never, {
      narrow: () => undefined,
      write: async (record) => void Object.assign(record, { library_id: 7 }),
    });
    await query.insert([{ title: "One" }, { title: "Two" }] as never);
    const stored = all(await db.query(Book));
    assert.equal(
      stored.map(({ library_id }) => library_id),
      [7, 7],
    );
  });

  it("A graph with lists is written whole or not at all", async (fresh) => {
    const { db, Author, Page } = await openLibrary(fresh);
    const graph = (text: string | null) => [
      { name: "Ada", pages: [{ text: "a" }, { text: "b" }] },
      { name: "Bob", pages: [{ text: "c" }, { text }] },
    ];
    const made = all(await db.query(Author).insertGraph(graph("d") as never));
    const pages = all(await db.query(Page).orderBy("text"));
    assert.equal(
      pages.map(({ author_id, text }) => [author_id, text]),
      [
        [made[0]?.id, "a"],
        [made[0]?.id, "b"],
        [made[1]?.id, "c"],
        [made[1]?.id, "d"],
      ],
    );
    const error = await db
      .query(Author)
      .insertGraph(graph(null) as never)
      .then(
        () => undefined,
        (cause: unknown) => cause as ValidationError,
      );
    assert.equal(error?.fields, { text: ["can't be blank"] });
    assert.is(await db.query(Author).resultSize(), 2);
  });

  it("Plugins hear of each record once", async (fresh) => {
    const heard: unknown[] = [];
    class Page extends Model("pages") {}
    const first = await fresh.open();
    await new Schema(first.knex).createTable("pages", (t) => {
      t.id();
      t.string("text");
    });
    const db = await fresh.open(
      { Page },
      {
        plugins: [
          {
            name: "listener",
            requires: ["database"],
            apply: ({
              hooks,
            }: {
              hooks: {
                database: {
                  changed: { for(cls: unknown): { tap(name: string, f: (change: { record: Values }) => void): void } };
                };
              };
            }) => {
              hooks.database.changed
                .for(Page)
                .tap("listener", ({ record }) => void heard.push([record.id, record.text]));
            },
          } as never,
        ],
      },
    );
    const made = all(await db.query(Page).insert([{ text: "a" }, { text: "b" }] as never));
    assert.equal(
      heard,
      made.map(({ id, text }) => [id, text]),
    );
  });
});
