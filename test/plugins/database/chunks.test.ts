import { AsyncResource } from "node:async_hooks";
import { definePlugin } from "framewright/kernel";
import { type BaseModel, type Database, Model, type ModelClass, Schema } from "framewright/plugins/database";
import { assert } from "../../support/index.ts";
import { eachDatabase, type Fresh } from "./support.ts";

type Titled = BaseModel & { title: string };

async function open(fresh: Fresh) {
  class Post extends Model("posts") {}
  const schema = new Schema((await fresh.open()).knex);
  await schema.createTable("posts", (t) => {
    t.id();
    t.string("title");
  });
  const heard: string[] = [];
  const listener = definePlugin({
    name: "listener",
    requires: ["database"],
    apply({ hooks }) {
      hooks.database.changed.for(Post).tap("listener", ({ record }) => {
        heard.push((record as unknown as Titled).title);
      });
    },
  });
  const database = await fresh.open({ Post } as unknown as Record<string, ModelClass>, { plugins: [listener] });
  const titles = async () =>
    ((await database.query(Post).orderBy("id")) as unknown as Titled[]).map((one) => one.title);
  return { database, Post, heard, titles };
}
/** What a request of somebody else would do meanwhile: it is no part of the chunk. */
const others = () => new AsyncResource("others");
const read = async (database: Database, title: string) => (await database.knex("posts").where({ title })).length;

eachDatabase(
  "Transactions in a chunk",
  (it) => {
    it("They are committed together, and what a turn reads by any means has what was written before", async (fresh) => {
      const { database, Post, heard, titles } = await open(fresh);
      const outside = others();
      await database.inChunk(async (chunk) => {
        const settled: string[] = [];
        for (const title of ["a", "b"]) {
          await chunk.transaction(async (transaction) => {
            await database.query(Post, transaction).insert({ title } as never);
            const found = await database.knex("posts").where({ title }).transacting(transaction);
            assert.is(found.length, 1, "by a query that is given the transaction");
            void transaction.executionPromise?.then(() => settled.push(title));
          });
          assert.is(await read(database, title), 1, "by knex");
        }
        await database.insertRow("posts", { title: "c" });
        await database.transaction((transaction) => transaction("posts").insert({ title: "d" }));
        await database.knex.transaction((transaction) => transaction("posts").insert({ title: "e" }));
        assert.equal(await titles(), ["a", "b", "c", "d", "e"]);
        assert.equal(
          (await database.readByKey(database.model("Post"), 1)) as Titled | undefined,
          (await database.query(Post).findById(1)) as unknown as Titled,
        );
        assert.is(await outside.runInAsyncScope(() => read(database, "a")), 0, "others read what is committed");
        assert.equal([settled, heard], [[], []], "and nothing follows a commit yet");
      });
      assert.equal(
        [await titles(), heard],
        [
          ["a", "b", "c", "d", "e"],
          ["a", "b"],
        ],
      );
    });

    it("One is undone by itself, with what it would have reported, and all where the work fails", async (fresh) => {
      const { database, Post, heard, titles } = await open(fresh);
      const fails = async (work: Promise<unknown>, message: string) => {
        const error = await work.then(
          () => undefined,
          (one: Error) => one,
        );
        assert.match(error?.message ?? "", message);
      };
      const write = (title: string, error?: Error) => async (transaction: Parameters<typeof database.query>[1]) => {
        await database.query(Post, transaction).insert({ title } as never);
        await transaction!.transaction(async (nested) => {
          await database.query(Post, nested).insert({ title: `${title}+` } as never);
        });
        if (error) throw error;
      };
      let follows: Promise<void> | undefined;
      await database.inChunk(async (chunk) => {
        await chunk.transaction(write("a"));
        await fails(chunk.transaction(write("b", new Error("not b"))), "not b");
        await Promise.all(["c", "d"].map((title) => chunk.transaction(write(title))));
        follows = chunk.committed;
      });
      await follows;
      const written = ["a", "a+", "c", "c+", "d", "d+"];
      assert.equal(await titles(), written);
      assert.equal([...heard].sort(), written);
      heard.length = 0;
      const failed = database.inChunk(async (chunk) => {
        follows = chunk.committed;
        await chunk.transaction(write("e"));
        throw new Error("none of it");
      });
      await fails(failed, "none of it");
      await fails(follows!, "none of it");
      assert.equal([await titles(), heard], [written, []]);
    });

    it("After a conflict it runs again, and what waits for the commit of the first attempt fails", async (fresh) => {
      const { database, Post, heard, titles } = await open(fresh);
      const ended: string[] = [];
      let attempts = 0;
      await database.inChunk(async (chunk) => {
        const name = `attempt ${++attempts}`;
        await chunk.transaction(async (transaction) => {
          await database.query(Post, transaction).insert({ title: name } as never);
          transaction.executionPromise?.then(
            () => ended.push(`${name} is committed`),
            () => ended.push(`${name} is undone`),
          );
        });
        if (attempts === 1) throw Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY" });
      });
      assert.equal(
        [await titles(), heard, ended],
        [["attempt 2"], ["attempt 2"], ["attempt 1 is undone", "attempt 2 is committed"]],
      );
    });

    it("A query that forgets its transaction is refused, and a write of others waits", async (fresh) => {
      const { database, titles } = await open(fresh);
      const outside = others();
      let waits: Promise<unknown> | undefined;
      await database.inChunk(async (chunk) => {
        const lost = chunk.transaction(async () => database.knex("posts").insert({ title: "lost" }));
        const error = (await lost.then(
          () => undefined,
          (one: unknown) => one,
        )) as { code?: string } | undefined;
        assert.is(error?.code, "FW_TRANSACTION_LOST");
        waits = outside.runInAsyncScope(async () => database.knex("posts").insert({ title: "other" }));
        await chunk.transaction((transaction) => transaction("posts").insert({ title: "own" }));
      });
      await waits;
      assert.equal(await titles(), ["own", "other"]);
    });
  },
  ["sqlite"],
);
