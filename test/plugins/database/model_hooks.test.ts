import { Model, type ModelOptions, type QueryContext, Schema } from "framewright/plugins/database";
import { assert } from "../../support/index.ts";
import { eachDatabase } from "./support.ts";

eachDatabase("The hooks of a model", (it) => {
  it("The hooks $beforeInsert and $beforeUpdate change what is written, and see the stored record", async (fresh) => {
    class Page extends Model("pages") {
      declare slug: string;
      declare title: string;
      override async $beforeInsert(context: QueryContext) {
        await super.$beforeInsert(context);
        this.slug ??= this.title.toLowerCase();
      }
      override async $beforeUpdate(options: ModelOptions, context: QueryContext) {
        await super.$beforeUpdate(options, context);
        if (this.title !== undefined) this.slug = `${(options.old as Page).slug}-${this.title.toLowerCase()}`;
      }
    }
    const first = await fresh.open();
    await new Schema(first.knex).createTable("pages", (t) => {
      t.id();
      t.string("title");
      t.string("slug");
    });
    const db = await fresh.open({ Page });
    const page = await db.query(Page).insertAndFetch({ title: "One" } as never);
    assert.is(page.slug, "one");
    const changed = await page.$query().patchAndFetch({ title: "Two" } as never);
    assert.is((changed as unknown as Page).slug, "one-two");
  });
  it("The hook $afterUpdate has the transaction of the write", async (fresh) => {
    class Line extends Model("lines") {
      declare count: number;
      override async $afterUpdate(options: ModelOptions, context: QueryContext) {
        await super.$afterUpdate(options, context);
        await context.transaction("notes").insert({ text: `${(options.old as Line).count} to ${this.count}` });
        if (this.count > 9) throw new Error("too many");
      }
    }
    const first = await fresh.open();
    const schema = new Schema(first.knex);
    await schema.createTable("lines", (t) => {
      t.id();
      t.integer("count");
    });
    await schema.createTable("notes", (t) => {
      t.id();
      t.string("text");
    });
    const db = await fresh.open({ Line });
    const line = await db.query(Line).insertAndFetch({ count: 1 } as never);
    await line.$query().patch({ count: 2 } as never);
    const tooMany = db.transaction((trx) => line.$query(trx).patch({ count: 10 } as never));
    assert.match(String(await tooMany.catch((error: Error) => error.message)), "too many");
    assert.equal(await db.knex("notes").select("text"), [{ text: "1 to 2" }]);
  });
});
