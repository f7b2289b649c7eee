import { Model, type ModelClass, Schema, typesFile } from "framewright/plugins/database";
import { assert } from "../../support/index.ts";
import { eachDatabase } from "./support.ts";

const nasty = { quote: `it's "so"`, path: "a\\b", list: [1, null, true], text: "ü" };

eachDatabase("Defaults of documents and lists", (it) => {
  it("A json column of a migration takes any document as its default, and a row has it as such", async (fresh) => {
    const first = await fresh.open();
    const schema = new Schema(first.knex);
    await schema.createTable("items", (t) => {
      t.id();
      t.string("name");
      t.json("settings").notNull().default({});
      t.json("tags").notNull().default([]);
      t.json("nasty").default(nasty);
      t.json("text").default("draft");
      t.json("flag").default(true);
      t.json("none");
    });
    await schema.addColumns("items", (t) => {
      t.json("more")
        .notNull()
        .default({ a: [1] });
    });
    class Item extends Model("items") {}
    const database = await fresh.open({ Item: Item as unknown as ModelClass });
    await database.insert(Item as unknown as ModelClass, { name: "one" });
    const expected = { settings: {}, tags: [], nasty, text: "draft", flag: true, none: null, more: { a: [1] } };
    for (const found of [await database.readFirst(database.query(Item)), await database.query(Item).first()]) {
      const { id: _, name: __, ...rest } = { ...(found as unknown as Record<string, unknown>) };
      assert.equal(rest, expected);
    }
    const { columns } = database.model("Item");
    for (const [name, value] of Object.entries(expected))
      if (name !== "none") assert.equal(columns.get(name)!.default, value, name);
  });

  it("A list or document among a model's defaults is each record's own", async (fresh) => {
    const first = await fresh.open();
    await new Schema(first.knex).createTable("items", (t) => {
      t.id();
      t.json("tags");
      t.json("settings");
    });
    class Item extends Model("items") {
      static override defaults = { tags: ["new"], settings: { a: { b: 1 } } };
      declare tags: string[];
    }
    const database = await fresh.open({ Item: Item as unknown as ModelClass });
    const make = async () => (await database.insert(Item as unknown as ModelClass, {})) as unknown as Item;
    (await make()).tags.push("changed");
    const second = await make();
    assert.equal([second.tags, Item.defaults.tags], [["new"], ["new"]]);
    const stored = (await database.query(Item).findById(2)) as unknown as { tags: unknown; settings: unknown };
    assert.equal([stored.tags, stored.settings], [["new"], { a: { b: 1 } }]);
  });

  it("A rule of inclusion over texts is the type of its column, as an enum is", async (fresh) => {
    const first = await fresh.open();
    await new Schema(first.knex).createTable("items", (t) => {
      t.id();
      t.string("state").notNull();
      t.string("size");
      t.integer("level");
      t.string("both");
    });
    class Item extends Model("items") {
      static override validations = {
        state: { inclusion: ["open", "done"] },
        size: { inclusion: { in: ["s", "l"], message: "is no size" } },
        level: { inclusion: [1, 2] },
        both: { inclusion: ["a", "b", "c"] },
      };
      static override enums = { both: ["a", "b"] };
    }
    const database = await fresh.open({ Item: Item as unknown as ModelClass });
    const text = typesFile(database.models());
    assert.match(text, 'state: "open" | "done";');
    assert.match(text, 'size: "s" | "l" | null;');
    assert.match(text, "level: number | null;");
    assert.match(text, 'both: "a" | "b" | null;');
    const error = await database.insert(Item as unknown as ModelClass, { state: "x", size: "m" }).then(
      () => undefined,
      (one: { fields: object }) => one.fields,
    );
    assert.equal(error, { state: ["is not included in the list"], size: ["is no size"] });
  });
});
