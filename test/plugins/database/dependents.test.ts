import { belongsTo, hasMany, Model, Schema } from "framewright/plugins/database";
import { assert, throwsCode } from "../../support/index.ts";
import { eachDatabase, type Fresh } from "./support.ts";

async function shelf(fresh: Fresh, dependent: "destroy" | "nullify" | "restrict") {
  class Shelf extends Model("shelves") {
    static override associations = { books: hasMany({ dependent }) };
  }
  class Book extends Model("books") {
    static override associations = { shelf: belongsTo(), pages: hasMany({ dependent: "destroy" }) };
  }
  class Page extends Model("pages") {}
  const first = await fresh.open();
  const schema = new Schema(first.knex);
  await schema.createTable("shelves", (t) => t.id());
  await schema.createTable("books", (t) => {
    t.id();
    t.belongsTo("shelf");
  });
  await schema.createTable("pages", (t) => {
    t.id();
    t.belongsTo("book", { null: false });
  });
  const db = await fresh.open({ Shelf, Book, Page });
  const one = await db.query(Shelf).insert({});
  const book = await db.query(Book).insert({ shelf_id: one.$id() });
  await db.query(Page).insert({ book_id: book.$id() });
  return { db, one, Shelf, Book, Page };
}

eachDatabase("The deletion of a record with dependents", (it) => {
  it('dependent: "destroy" deletes the dependents and their dependents', async (fresh) => {
    const { db, one, Book, Page } = await shelf(fresh, "destroy");
    await db.transaction((trx) => one.$query(trx).delete());
    assert.is((await db.query(Book)).length + (await db.query(Page)).length, 0);
  });

  it('dependent: "nullify" sets the foreign key of the dependents to null', async (fresh) => {
    const { db, one, Book } = await shelf(fresh, "nullify");
    await one.$query().delete();
    assert.is((await db.query(Book).first())?.shelf_id, null);
  });

  it('dependent: "restrict" refuses the deletion with FW_INVALID while there are dependents', async (fresh) => {
    const { db, one, Shelf } = await shelf(fresh, "restrict");
    const error = (await throwsCode("FW_INVALID", () => one.$query().delete())) as Error & { fields?: unknown };
    assert.equal(error.fields, { base: ["can't be deleted: other records refer to it"] });
    assert.is((await db.query(Shelf).first())?.toLabel(), "Shelf #1");
  });
});

async function categories(fresh: Fresh, dependent?: "destroy" | "restrict") {
  class Category extends Model("categories") {
    static override associations = {
      parent: belongsTo({ class: "Category" }),
      children: hasMany({ class: "Category", foreignKey: "parent_id", ...(dependent ? { dependent } : {}) }),
    };
  }
  const first = await fresh.open();
  await new Schema(first.knex).createTable("categories", (t) => {
    t.id();
    t.belongsTo("parent", { table: "categories" });
  });
  const db = await fresh.open({ Category });
  const own = await db.query(Category).insert({});
  await db
    .query(Category)
    .findById(own.$id())
    .patch({ parent_id: own.$id() } as never);
  const stored = () => db.query(Category).orderBy("id");
  return { db, Category, own, stored };
}

eachDatabase("A record that refers to itself", (it) => {
  it("It can be deleted where no other one refers to it", async (fresh) => {
    const { own, stored } = await categories(fresh);
    await own.$query().delete();
    assert.is((await stored()).length, 0);
  });

  for (const dependent of ["destroy", "restrict"] as const)
    it(`It is none of its own dependents: "${dependent}"`, async (fresh) => {
      const { own, stored } = await categories(fresh, dependent);
      await own.$query().delete();
      assert.is((await stored()).length, 0);
    });

  it("It stays as it is where another one refers to it", async (fresh) => {
    const { db, Category, own, stored } = await categories(fresh);
    await db.query(Category).insert({ parent_id: own.$id() } as never);
    const error = (await throwsCode("FW_INVALID", () => own.$query().delete())) as Error & { fields?: unknown };
    assert.equal(error.fields, { base: ["can't be deleted: other records refer to it"] });
    const [first] = (await stored()) as unknown as { id: number; parent_id: number }[];
    assert.is(first?.parent_id, first?.id);
  });

  it("Records that refer to each other are refused, and both stay", async (fresh) => {
    const { db, Category, own, stored } = await categories(fresh, "destroy");
    const other = await db.query(Category).insert({ parent_id: own.$id() } as never);
    await db
      .query(Category)
      .findById(own.$id())
      .patch({ parent_id: other.$id() } as never);
    const error = (await throwsCode("FW_INVALID", () => own.$query().delete())) as Error & { fields?: unknown };
    assert.equal(error.fields, { base: ["can't be deleted: other records refer to it"] });
    assert.is((await stored()).length, 2);
  });
});
