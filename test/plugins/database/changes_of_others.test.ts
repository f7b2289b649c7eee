import { definePlugin } from "framewright/kernel";
import {
  type BaseModel,
  belongsTo,
  type Change,
  type Database,
  hasMany,
  Model,
  type ModelClass,
  Schema,
} from "framewright/plugins/database";
import { assert } from "../../support/index.ts";
import { eachDatabase, type Fresh } from "./support.ts";

// Changes that no statement of an application names: of foreign keys' rules, of rows in between, of conflicts.

function models() {
  class Shelf extends Model("shelves") {
    static override associations = { books: hasMany(), tagged: hasMany({ class: "Book" }) };
  }
  class Book extends Model("books") {
    static override associations = {
      shelf: belongsTo({ optional: true }),
      taggings: hasMany({ dependent: "destroy" }),
      tags: hasMany({ through: "taggings" }),
    };
    static override validations = { title: { length: { maximum: 20 } } };
  }
  class Page extends Model("pages") {}
  class Loan extends Model("loans") {}
  class Tag extends Model("tags") {}
  class Tagging extends Model("taggings") {
    static override associations = { book: belongsTo(), tag: belongsTo() };
  }
  return { Shelf, Book, Page, Loan, Tag, Tagging };
}
type Heard = [kind: string, model: string, id: unknown, changed: string];
interface Opened extends ReturnType<typeof models> {
  database: Database;
  taken(): Heard[];
}
async function open(fresh: Fresh, only?: keyof ReturnType<typeof models>): Promise<Opened> {
  const schema = new Schema((await fresh.open()).knex);
  await schema.createTable("shelves", (t) => {
    t.id();
    t.string("name").unique();
    t.integer("size");
    t.datetime("seen_at");
  });
  await schema.createTable("books", (t) => {
    t.id();
    t.string("title");
    t.belongsTo("shelf", { onDelete: "cascade" });
  });
  await schema.createTable("pages", (t) => {
    t.id();
    t.belongsTo("book", { onDelete: "cascade" });
  });
  await schema.createTable("loans", (t) => {
    t.id();
    t.belongsTo("book", { onDelete: "set null" });
  });
  await schema.createTable("tags", (t) => {
    t.id();
    t.string("name");
  });
  await schema.createTable("taggings", (t) => {
    t.id();
    t.belongsTo("book", { onDelete: "cascade" });
    t.belongsTo("tag");
    t.timestamps();
  });
  const made = models();
  const heard: Heard[] = [];
  const listener = definePlugin({
    name: "listener",
    requires: ["database"],
    apply({ hooks: { database } }) {
      const note = ({ kind, model, record, changed }: Change) =>
        void heard.push([kind, model.constant, record.$id(), changed.join(" ")]);
      const hook = only ? database.changing.for(made[only] as never) : database.changing;
      hook.tapPromise("listener", async (change) => note(change));
    },
  });
  const database = await fresh.open(made as unknown as Record<string, ModelClass>, { plugins: [listener] });
  return { database, taken: () => heard.splice(0), ...made };
}
const insert = async (database: Database, cls: unknown, values: object): Promise<BaseModel & Record<string, unknown>> =>
  (await database.insert(cls as never, values)) as never;
const messageOf = async (run: () => PromiseLike<unknown>): Promise<string> => {
  try {
    await run();
  } catch (error) {
    return (error as Error).message;
  }
  return "";
};

eachDatabase("Changes that no statement names", (it) => {
  it("What foreign keys delete or empty is heard of, once, after the deletion that caused it", async (fresh) => {
    const { database, taken, Shelf, Book, Page, Loan, Tag, Tagging } = await open(fresh);
    const shelf = await insert(database, Shelf, { name: "A" });
    const books = [1, 2].map(() => insert(database, Book, { title: "book", shelf_id: shelf.id }));
    const [first, second] = await Promise.all(books);
    const tag = await insert(database, Tag, { name: "new" });
    for (const book of [first!, second!]) {
      await insert(database, Page, { book_id: book.id });
      await insert(database, Loan, { book_id: book.id });
      await insert(database, Tagging, { book_id: book.id, tag_id: tag.id });
    }
    taken();
    await first!.$query().delete();
    const sorted = (found: Heard[]) =>
      found.map(([kind, model, id, changed]) => `${kind} ${model} ${id} ${changed}`).sort();
    assert.equal(sorted(taken().map(([kind, model, id]) => [kind, model, id, ""])), [
      `deleted Book ${first!.id} `,
      "deleted Page 1 ",
      "deleted Tagging 1 ",
      "updated Loan 1 ",
    ]);
    await database.query(Shelf).delete().where("name", "A");
    const found = taken();
    assert.equal(found[0]!.slice(0, 2), ["deleted", "Shelf"]);
    assert.equal(
      sorted(found).map((line) => line.replace(/ \S*(?: \S*)+_at$/, "")),
      [
        `deleted Book ${second!.id} id title shelf_id`,
        "deleted Page 2 id book_id",
        `deleted Shelf ${shelf.id} id name`,
        "deleted Tagging 2 id book_id tag_id created_at",
        "updated Loan 2 book_id",
      ].map((line) => line.replace(/ \S*(?: \S*)+_at$/, "")),
    );
    const undone = database.transaction(async (transaction) => {
      const again = await insert(database, Shelf, { name: "B" });
      await database.query(Shelf, transaction).deleteById(again.id as number);
      throw new Error("no");
    });
    assert.match(await messageOf(() => undone), /no|FW_TRANSACTION_LOST|without it/);
  });

  it("A deletion is heard by who taps nothing but what it takes along, and others are written as before", async (fresh) => {
    const { database, taken, Shelf, Book, Page } = await open(fresh, "Page");
    const shelf = await insert(database, Shelf, { name: "A" });
    const book = await insert(database, Book, { title: "book", shelf_id: shelf.id });
    await insert(database, Page, { book_id: book.id });
    assert.equal(
      taken().map(([kind, model]) => [kind, model]),
      [["created", "Page"]],
    );
    assert.is(await database.changeRows(database.model("Shelf"), { id: shelf.id }, undefined), 1);
    assert.equal(taken(), [["deleted", "Page", 1, "id book_id"]]);
  });

  it("Rows between records are heard of: related, unrelated, and in graphs", async (fresh) => {
    const { database, taken, Book, Tag } = await open(fresh);
    const book = await insert(database, Book, { title: "book" });
    const [red, blue] = [await insert(database, Tag, { name: "red" }), await insert(database, Tag, { name: "blue" })];
    taken();
    await database.related(book, "tags").relate(red.id as number);
    assert.equal(
      taken().map(([kind, model]) => [kind, model]),
      [["created", "Tagging"]],
    );
    const green = await insert(database, Tag, { name: "green" });
    assert.is(await database.related(book, "tags").relate([blue.id, green.id] as never), 2);
    assert.is(await database.related(book, "tags").resultSize(), 3);
    taken();
    assert.is(await database.related(book, "tags").unrelate().where("tags.name", "red"), 1);
    assert.equal(
      taken().map(([kind, model, id]) => [kind, model, id]),
      [["deleted", "Tagging", 1]],
    );
    await database.query(Book).insertGraph({ title: "graph", tags: [{ name: "yellow" }] } as never);
    assert.equal(
      taken()
        .map(([kind, model]) => `${kind} ${model}`)
        .sort(),
      ["created Book", "created Tag", "created Tagging"],
    );
    assert.equal(
      (await database.query(Book).withGraphFetched("tags").orderBy("id")).map((one) =>
        (one as unknown as { tags: { name: string }[] }).tags.map(({ name }) => name),
      ),
      [["blue", "green"], ["yellow"]],
    );
  });

  it("Conflicts are heard as what they do: a new record, a change, or nothing", async (fresh) => {
    const { database, taken, Shelf } = await open(fresh);
    const write = (values: object) =>
      database
        .query(Shelf)
        .insert(values as never)
        .onConflict("name");
    const merged = (await write({ name: "A", size: 1 }).merge()) as unknown as { id: number };
    assert.equal(taken(), [["created", "Shelf", merged.id, "id name size"]]);
    const again = (await write({ name: "A", size: 2 }).merge()) as unknown as { id: number };
    assert.is(again.id, merged.id);
    assert.equal(taken(), [["updated", "Shelf", merged.id, "size"]]);
    await write({ name: "A", size: 2 }).merge();
    await write({ name: "A", size: 9 }).ignore();
    assert.equal(taken(), []);
    await write({ name: "A", size: 9, seen_at: new Date(0) }).merge(["seen_at"]);
    assert.equal(taken(), [["updated", "Shelf", merged.id, "seen_at"]]);
    await write({ name: "A", size: 9 }).merge({ size: 5 } as never);
    assert.equal(taken(), [["updated", "Shelf", merged.id, "size"]]);
    await database
      .query(Shelf)
      .insert([
        { name: "A", size: 6 },
        { name: "B", size: 7 },
      ] as never)
      .onConflict(["name"])
      .merge();
    assert.equal(
      taken().map(([kind, , , changed]) => [kind, changed]),
      [
        ["updated", "size"],
        ["created", "id name size"],
      ],
    );
    const rows = await database.query(Shelf).orderBy("name").select("name", "size");
    assert.equal(
      rows.map((row) => ({ ...row })),
      [
        { name: "A", size: 6 },
        { name: "B", size: 7 },
      ],
    );
    const both = await Promise.all([1, 2, 3, 4].map((size) => write({ name: "C", size }).merge()));
    assert.is(new Set(both.map((one) => (one as unknown as { id: number }).id)).size, 1);
    assert.is(taken().filter(([kind]) => kind === "created").length, 1);
    for (const unclear of [
      () =>
        database
          .query(Shelf)
          .insert({ name: "A" } as never)
          .onConflict()
          .ignore(),
      () => write({ size: 1 }).ignore(),
      () => write({ name: "A" }).merge().where("size", 6),
    ])
      assert.match(await messageOf(unclear), "onConflict() on Shelf does not name");
  });
});
