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
      assert.is(await during(name), 1, "nothing is kept while this process writes the table");
      assert.is(await during(name), 1);
      assert.is(await during(name), 0);
      await sleep(1);
      assert.is(await during(name), 0);
    });

    const notes = async (fresh: Fresh) => {
      const all = await badges(fresh);
      await new Schema(all.db.knex).createTable("notes", (t) => {
        t.id();
        t.string("text");
      });
      const write = () => all.db.knex("notes").insert({ text: "a note" });
      const settle = async () => {
        for (let round = 0; round < 4; round++) {
          await write();
          await all.name();
        }
      };
      await settle();
      return { ...all, write, settle };
    };

    it("A write of another table by this process leaves them, and one of their own does not", async (fresh) => {
      const { db, name, during, write } = await notes(fresh);
      const others = [
        write,
        () => db.knex("notes").where("id", 1).update({ text: "edited" }),
        () => db.knex.raw('INSERT INTO "Notes" (text) VALUES (?)', ["raw"]),
        () => db.transaction((transaction) => transaction("notes").insert({ text: "committed" })),
      ];
      for (const one of others) {
        await one();
        assert.is(await during(name), 0);
      }
      let text = 0;
      const own = [
        () =>
          db
            .knex("badges")
            .where("id", 1)
            .update({ name: `${++text}` }),
        () => db.knex.raw(`UPDATE "Badges" SET name = '${++text}'`),
        () => db.knex.raw(`insert or replace into badges (id, name) values (1, '${++text}')`),
        () => db.knex.raw(`with it as (select 1) update badges set name = '${++text}'`),
        () =>
          db.knex.raw(`update notes set text = 'x'`).then(() => db.knex.raw(`update badges set name = '${++text}'`)),
        () => db.transaction((transaction) => transaction("badges").update({ name: `${++text}` })),
      ];
      for (const one of own) {
        await one();
        assert.is(await name(), `${text}`);
        await name();
        assert.is(await name(), `${text}`);
      }
    });

    it("What a trigger, a view or a foreign key makes of a write of another table is seen", async (fresh) => {
      const { db, other, name, settle } = await notes(fresh);
      await db.knex.raw("create trigger spread after insert on notes begin update badges set name = new.text; end");
      await settle();
      for (const text of ["one", "two"]) {
        await db.knex("notes").insert({ text });
        assert.is(await name(), text);
      }
      await db.knex.raw("drop trigger spread");
      await settle();
      await other.knex.raw("create trigger spread after insert on notes begin update badges set name = new.text; end");
      for (const text of ["three", "four"]) {
        await db.knex("notes").insert({ text });
        assert.is(await name(), text);
      }
      await db.knex.raw("drop trigger spread");
      await db.knex.raw("create view labels as select id, text from notes");
      const label = db.prepared((knex, [id]) =>
        knex("labels")
          .select("text")
          .where("id", id as number)
          .limit(1),
      );
      await settle();
      for (const text of ["five", "six"]) {
        await db.knex("notes").where("id", 1).update({ text });
        for (let round = 0; round < 3; round++) assert.is((await label.repeatedRows([1]))[0]?.text, text);
      }
      await db.knex.raw("drop view labels");
      await db.knex.raw("create table tags (name text references badges (name) on update cascade)");
      await db.knex.raw("create unique index badge_names on badges (name)");
      await db.knex.raw("insert into tags (name) select name from badges limit 1");
      const tag = db.prepared((knex, [count]) =>
        knex("tags")
          .select("name")
          .limit(count as number),
      );
      for (const text of ["seven", "eight", "nine"]) {
        await db.knex("badges").where("id", 1).update({ name: text });
        for (let round = 0; round < 3; round++) assert.is((await tag.repeatedRows([1]))[0]?.name, text);
      }
    });

    it("What is rolled back is not kept, whoever read it", async (fresh) => {
      const { db, name, write } = await notes(fresh);
      const before = await name();
      await db
        .transaction(async (transaction) => {
          await transaction("badges").where("id", 1).update({ name: "not yet" });
          await transaction("notes").insert({ text: "nor this" });
          await transaction.raw("savepoint one");
          await transaction("badges").where("id", 1).update({ name: "nor that" });
          await transaction.raw("release one");
          throw new Error("no");
        })
        .catch(() => undefined);
      for (let round = 0; round < 3; round++) assert.is(await name(), before);
      await write();
      for (let round = 0; round < 3; round++) assert.is(await name(), before);
    });
  }
});
