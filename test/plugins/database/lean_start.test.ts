import { createRequire } from "node:module";
import { Model } from "framewright/plugins/database";
import { assert } from "../../support/index.ts";
import { eachDatabase } from "./support.ts";

const files = () => Object.keys(createRequire(import.meta.url).cache);

eachDatabase("What a start loads of the packages below models", (it, name) => {
  // Of one process, and before anything else asks for them.
  if (name === "sqlite")
    it("Reading and writing records loads no validators of JSON", async (fresh) => {
      const db = await fresh.open();
      await db.knex.raw("create table things (id integer primary key, title varchar(40))");
      class Thing extends Model("things") {}
      const opened = await fresh.open({ Thing });
      await opened.query(Thing).insert({ id: 1, title: "one" } as object);
      assert.is((await opened.query(Thing)).length, 1);
      const loaded = files().filter((file) => /node_modules\/(?:ajv|ajv-formats|db-errors)\//.test(file));
      assert.equal(loaded, []);
    });

  it("What is deferred works when it is asked for: DDL, errors of constraints, a graph", async (fresh) => {
    const db = await fresh.open();
    await db.knex.schema.createTable("things", (t) => {
      t.integer("id").primary();
      t.string("title", 40).unique();
    });
    class Thing extends Model("things") {}
    const opened = await fresh.open({ Thing });
    await opened.query(Thing).insertGraph({ id: 1, title: "one" } as never);
    try {
      await opened.query(Thing).insert({ id: 2, title: "one" } as object);
      assert.unreachable();
    } catch (error) {
      assert.is((error as { status?: number }).status, 422);
    }
  });

  it("Models of a view have its columns", async (fresh) => {
    const db = await fresh.open();
    await db.knex.raw("create table things (id integer primary key, title varchar(40))");
    await db.knex.raw("create view titles as select id, title from things");
    class Title extends Model("titles") {}
    const opened = await fresh.open({ Title });
    assert.equal([...opened.model("Title").columns.keys()], ["id", "title"]);
  });

  if (name === "sqlite")
    it("A table is found whose name is written in other letters, with its enums and unique columns", async (fresh) => {
      const db = await fresh.open();
      await db.knex.raw(
        "create table Things (id integer primary key, title varchar(40) unique, state varchar(9) check (`state` in ('new', 'old')), other_id integer references Others (id))",
      );
      class Thing extends Model("things") {}
      const { columns } = (await fresh.open({ Thing })).model("Thing");
      assert.is(columns.get("title")?.unique, true);
      assert.equal(columns.get("state")?.values, ["new", "old"]);
      assert.is(columns.get("other_id")?.references?.table, "Others");
    });
});
