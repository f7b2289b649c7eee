import { definePlugin } from "framewright/kernel";
import {
  type BaseModel,
  belongsTo,
  type Change,
  type Database,
  hasMany,
  Model,
  type ModelClass,
  type OpenChange,
  Schema,
} from "framewright/plugins/database";
import { assert } from "../../support/index.ts";
import { eachDatabase, type Fresh } from "./support.ts";

function models() {
  class Post extends Model("posts") {
    static override associations = {
      notes: hasMany({ dependent: "nullify" }),
      parts: hasMany({ dependent: "destroy" }),
    };
  }
  class Note extends Model("notes") {
    static override associations = { post: belongsTo() };
  }
  class Part extends Model("parts") {
    static override associations = { post: belongsTo() };
  }
  return { Post, Note, Part };
}
type Heard = [hook: string, kind: string, model: string, id: unknown, changed: string];
const heardOf = (hook: string, { kind, model, record, changed }: Change): Heard => [
  hook,
  kind,
  model.constant,
  record.$id(),
  changed.join(" "),
];

/** A plugin that notes what it hears, and a row of its own for each change in the transaction. */
function listener(made: ReturnType<typeof models>, heard: Heard[], only?: "Post") {
  return definePlugin({
    name: "listener",
    requires: ["database"],
    apply({ hooks }) {
      const { changing, changed } = hooks.database;
      const key = made[only ?? "Post"];
      const [open, done] = only ? [changing.for(key), changed.for(key)] : [changing, changed];
      open.tapPromise("listener", async (change: OpenChange) => {
        heard.push(heardOf("changing", change));
        if ((change.record as unknown as { title?: string }).title === "forbidden") throw new Error("not this one");
        await change.transaction("lines").insert({ text: `${change.kind} ${change.model.constant}` });
      });
      done.tapPromise("listener", async (change) => {
        heard.push(heardOf("changed", change));
        if ((change.record as unknown as { title?: string }).title === "broken") throw new Error("heard too much");
      });
    },
  });
}

interface Opened extends ReturnType<typeof models> {
  database: Database;
  heard: Heard[];
  lines(): Promise<number>;
}
async function open(fresh: Fresh, only?: "Post"): Promise<Opened> {
  const first = await fresh.open();
  const schema = new Schema(first.knex);
  await schema.createTable("posts", (t) => {
    t.id();
    t.string("title");
    t.datetime("at");
    t.json("data");
  });
  for (const name of ["notes", "parts"])
    await schema.createTable(name, (t) => {
      t.id();
      t.string("title");
      t.belongsTo("post");
    });
  await schema.createTable("lines", (t) => {
    t.id();
    t.string("text");
  });
  const made = models();
  const heard: Heard[] = [];
  const database = await fresh.open(made as unknown as Record<string, ModelClass>, {
    plugins: [listener(made, heard, only)],
  });
  const lines = async () => (await database.knex("lines")).length;
  return { database, heard, lines, ...made };
}
const find = async (database: Database, cls: unknown, id: number) =>
  (await database.query(cls as never).findById(id)) as unknown as BaseModel;
const messageOf = async (run: () => PromiseLike<unknown>): Promise<string> => {
  try {
    await run();
  } catch (error) {
    return (error as Error).message;
  }
  return "";
};

eachDatabase("The changes of records", (it) => {
  it("Every way of writing a model is heard once: in its transaction, and after the commit", async (fresh) => {
    const { database, heard, lines, Post, Note, Part } = await open(fresh);
    const taken = () => heard.splice(0);
    const both = (kind: string, model: string, id: number, changed: string) =>
      ["changing", "changed"].map((hook) => [hook, kind, model, id, changed]);
    await database.insert(Post as never, { title: "one", data: { a: 1 } });
    assert.equal(taken(), both("created", "Post", 1, "id title data"));
    await database.query(Post).insert({ title: "two" } as never);
    assert.equal(taken(), both("created", "Post", 2, "id title"));
    const post = await find(database, Post, 1);
    await post.$query().patch({ title: "first", data: { a: 1 } } as never);
    assert.equal(taken(), both("updated", "Post", 1, "title"));
    await database
      .query(Post)
      .patch({ at: new Date(0) } as never)
      .where("id", "<", 9);
    assert.equal(
      taken()
        .filter(([hook]) => hook === "changed")
        .map(([, , , id, names]) => [id, names])
        .sort(),
      [
        [1, "at"],
        [2, "at"],
      ],
    );
    await database.query(Post).patchAndFetchById(2, { title: "second" } as never);
    assert.equal(taken(), both("updated", "Post", 2, "title"));
    await database.related(post, "notes").insert({ title: "note" } as never);
    assert.equal(taken(), both("created", "Note", 1, "id title post_id"));
    await database.query(Post).insertGraph({ title: "three", parts: [{ title: "part" }] } as never);
    assert.equal(
      taken()
        .filter(([hook]) => hook === "changed")
        .map(([, kind, model]) => `${kind} ${model}`),
      ["created Post", "created Part"],
    );
    await database.query(Note).delete().where("title", "nothing");
    assert.equal(taken(), []);
    await post.$query().delete();
    const deleted = taken().filter(([hook]) => hook === "changed");
    assert.equal(deleted, [
      ["changed", "updated", "Note", 1, "post_id"],
      ["changed", "deleted", "Post", 1, "id title at data"],
    ]);
    await database.query(Part).delete();
    taken();
    await database.query(Post).delete();
    assert.equal(
      taken()
        .filter(([hook]) => hook === "changed")
        .map(([, kind, , id]) => [kind, id])
        .sort(),
      [
        ["deleted", 2],
        ["deleted", 3],
      ],
    );
    assert.is(await lines(), 14);
  });

  it("A rollback is heard by nobody after it, and of a transaction within another after the outer commit", async (fresh) => {
    const { database, heard, lines, Post } = await open(fresh);
    const failing = () =>
      database.transaction(async (transaction) => {
        await database.query(Post, transaction).insert({ title: "undone" } as never);
        throw new Error("no");
      });
    assert.is(await messageOf(failing), "no");
    assert.equal(
      heard.splice(0).map(([hook]) => hook),
      ["changing"],
    );
    assert.is(await lines(), 0);
    await database.transaction(async (outer) => {
      await outer.transaction(async (inner) => {
        await database.query(Post, inner).insert({ title: "inner" } as never);
      });
      await messageOf(() =>
        outer.transaction(async (inner) => {
          await database.query(Post, inner).insert({ title: "inner, undone" } as never);
          throw new Error("no");
        }),
      );
      assert.equal(
        heard.splice(0).map(([hook]) => hook),
        ["changing", "changing"],
      );
    });
    assert.equal(
      heard.splice(0).map(([hook]) => hook),
      ["changed"],
    );
    const own = await database.knex.transaction();
    await database.query(Post, own as never).insert({ title: "by hand" } as never);
    await own.rollback();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(
      heard.splice(0).map(([hook]) => hook),
      ["changing"],
    );
  });

  it("What a tap throws in the transaction undoes the change; after the commit it changes nothing", async (fresh) => {
    const { database, heard, lines, Post } = await open(fresh);
    assert.match(await messageOf(() => database.insert(Post as never, { title: "forbidden" })), "listener");
    assert.is(await database.query(Post).resultSize(), 0);
    assert.is(await lines(), 0);
    heard.length = 0;
    await database.insert(Post as never, { title: "broken" });
    assert.is(await database.query(Post).resultSize(), 1);
    assert.equal(
      heard.map(([hook]) => hook),
      ["changing", "changed"],
    );
  });

  it("A hook of one model hears of that model alone, and others are written as before", async (fresh) => {
    const { database, heard, Post, Note } = await open(fresh, "Post");
    const statements: string[] = [];
    database.knex.on("query", ({ sql }: { sql: string }) => statements.push(sql));
    await database.query(Note).insert({ title: "note" } as never);
    await database.query(Note).patch({ title: "changed" } as never);
    assert.equal(
      statements.map((sql) => sql.split(" ")[0]),
      ["insert", "update"],
    );
    assert.equal(heard, []);
    await database.insert(Post as never, { title: "post" });
    assert.equal(
      heard.map(([, , model]) => model),
      ["Post", "Post"],
    );
  });

  it("Rows that are written past the rules of their model are heard of", async (fresh) => {
    const { database, heard, lines, Post } = await open(fresh);
    await database.insert(Post as never, { title: "one" });
    heard.length = 0;
    const model = database.model("Post");
    assert.is(await database.changeRows(model, { id: 1 }, { title: "two" }), 1);
    assert.is(await database.changeRows(model, { id: 9 }, { title: "two" }), 0);
    assert.is(await database.changeRows(model, { title: "two" }, undefined), 1);
    assert.equal(
      heard.filter(([hook]) => hook === "changed").map(([, kind, , id, names]) => [kind, id, names]),
      [
        ["updated", 1, "title"],
        ["deleted", 1, "id title"],
      ],
    );
    assert.is(await lines(), 3);
    assert.is(await database.query(Post).resultSize(), 0);
  });

  it("Boot fails for a plugin that taps the changes of what is no model", async (fresh) => {
    class Nothing {}
    const wrong = definePlugin({
      name: "wrong",
      requires: ["database"],
      apply: ({ hooks }) => void hooks.database.changed.for(Nothing as never).tap("wrong", () => undefined),
    });
    const made = models() as unknown as Record<string, ModelClass>;
    assert.match(
      await messageOf(() => fresh.open(made, { plugins: [wrong] })),
      'plugin "wrong" taps the changes of Nothing',
    );
  });
});
