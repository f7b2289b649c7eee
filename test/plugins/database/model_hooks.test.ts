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
});
