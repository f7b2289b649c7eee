import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Schema } from "framewright/plugins/database";
import { assert } from "../../support/index.ts";
import { eachDatabase, type Fresh } from "./support.ts";

delete process.env.FW_DATABASE_FAST; // a run without the fast paths sets it, and then nothing is kept

async function badges(fresh: Fresh) {
  const [db, other] = [await fresh.open(), await fresh.open()];
  await new Schema(db.knex).createTable("badges", (t) => {
    t.id();
    t.string("name");
    t.binary("photo");
  });
  await db.knex("badges").insert({ id: 1, name: "first" });
  const select = db.prepared((knex, [id]) =>
    knex("badges")
      .select("name")
      .where("id", id as number)
      .limit(1),
  );
  let asked = 0;
  db.knex.on("query", ({ sql }: { sql: string }) => {
    if (/^select `name`/.test(sql)) asked++;
  });
  const name = async (id = 1) => (await select.repeatedRows([id]))[0]?.name;
  /** How often the database is asked while that is done. */
  const during = async (work: () => Promise<unknown>) => {
    const before = asked;
    await work();
    return asked - before;
  };
  return { db, other, name, during };
}

eachDatabase("Rows that every request asks again", (it, engine) => {
  it("Rows are those that are stored, whoever wrote them last", async (fresh) => {
    const { db, other, name } = await badges(fresh);
    const see = async (expected: string | undefined) => {
      for (let round = 0; round < 3; round++) assert.is(await name(), expected);
    };
    await see("first");
    await db.knex("badges").where("id", 1).update({ name: "own" });
    await see("own");
    await other.knex("badges").where("id", 1).update({ name: "other's" });
    await see("other's");
    await db.transaction((transaction) => transaction("badges").where("id", 1).update({ name: "committed" }));
    await see("committed");
    await db
      .transaction(async (transaction) => {
        await transaction("badges").where("id", 1).update({ name: "rolled back" });
        throw new Error("no");
      })
      .catch(() => undefined);
    await see("committed");
    await other.knex("badges").where("id", 1).delete();
    await see(undefined);
    await db.knex.raw("insert into badges (id, name) values (1, 'raw')");
    await see("raw");
    await other.knex.raw("alter table badges drop column photo");
    await other.knex.raw("delete from badges");
    await see(undefined);
  });

  it("What a transaction has not committed is not seen, and what it has is seen at once", async (fresh) => {
    const { db, name } = await badges(fresh);
    for (let round = 0; round < 3; round++) assert.is(await name(), "first");
    let commit: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let isWritten: () => void = () => undefined;
    const written = new Promise<void>((resolve) => {
      isWritten = resolve;
    });
    const transaction = db.transaction(async (open) => {
      await open("badges").where("id", 1).update({ name: "second" });
      isWritten();
      await waiting;
    });
    await written;
    for (let round = 0; round < 3; round++) assert.is(await name(), "first");
    commit();
    await transaction;
    for (let round = 0; round < 3; round++) assert.is(await name(), "second");
  });

  if (engine === "sqlite") {
    it("What another process has written is seen by whoever asks after it has ended", async (fresh) => {
      const { name } = await badges(fresh);
      for (const text of ["theirs", "theirs again"]) {
        for (let round = 0; round < 3; round++) await name();
        const write = `import Database from "libsql";
          new Database(process.argv[1]).prepare("update badges set name = ?").run(process.argv[2]);`;
        await promisify(execFile)(process.execPath, [
          ...["--input-type=module", "-e", write],
          ...[fresh.url.slice("sqlite:".length), text],
        ]);
        assert.is(await name(), text);
      }
    });

    it("What another connection of this process writes is seen in the same turn of the event loop", async (fresh) => {
      const { other, name } = await badges(fresh);
      for (let round = 0; round < 3; round++) await name();
      const before = name();
      const writing = other.knex("badges").where("id", 1).update({ name: "other's" });
      assert.is(await before, "first");
      await writing;
      assert.is(await name(), "other's");
    });

    it("An embedded database is asked again only where something was written", async (fresh) => {
      const { db, other, name, during } = await badges(fresh);
      await name();
      await name();
      assert.is(
        await during(async () => {
          for (let round = 0; round < 20; round++) await name();
        }),
        0,
      );
      await other.knex("badges").insert({ id: 2, name: "another's" });
      assert.is(await during(name), 1);
      assert.is(await during(() => name(2)), 1);
      await db.knex("badges").insert({ id: 3, name: "own" });
      assert.is(await during(name), 1, "nothing is kept while this process writes");
      assert.is(await during(name), 1);
      assert.is(await during(name), 0);
      await sleep(1);
      assert.is(await during(name), 0);
    });
  }
});
