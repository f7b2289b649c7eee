import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { type Database, Schema } from "framewright/plugins/database";
import { assert, throwsCode } from "../../support/index.ts";
import { eachDatabase } from "./support.ts";

/**
 * Takes the lock of the file, prints so, and writes and commits after so many milliseconds. A process of its own: two libraries
 * in one process would release each other's locks, and this one may be another than that of the tests.
 */
const HOLDER = `
  const [driver, file, held] = process.argv.slice(1);
  const db = new (require(driver))(file);
  db.exec("begin immediate");
  console.log("locked");
  setTimeout(() => { db.exec("update counts set n = n + 1"); db.exec("commit"); db.close(); }, Number(held));`;
const driver = createRequire(import.meta.url).resolve("libsql");

/** Resolves when the lock is held; the promise that it resolves to does so when the lock is free. */
async function holdLock(url: string, held: number): Promise<{ ended: Promise<unknown> }> {
  const args = ["-e", HOLDER, driver, url.replace(/^sqlite:/, ""), String(held)];
  const holder = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(holder, "exit");
  await once(holder.stdout, "data");
  return { ended };
}

async function countFrom0({ knex }: Database): Promise<void> {
  await new Schema(knex).createTable("counts", (t) => {
    t.id();
    t.integer("n").notNull();
  });
  await knex("counts").insert({ n: 0 });
}

const stories: Parameters<typeof eachDatabase>[1] = (it) => {
  it("A write, and a transaction, wait for the commit of another process and see it", async (fresh) => {
    const db = await fresh.open();
    await countFrom0(db);
    const first = await holdLock(fresh.url, 100);
    assert.is((await db.knex("counts").first("n")).n, 0, "who reads does not wait");
    await db.knex("counts").update({ n: db.knex.raw("n + 10") });
    assert.is((await db.knex("counts").first("n")).n, 11);
    const second = await holdLock(fresh.url, 100);
    await db.transaction(async (trx) => {
      const { n } = await trx("counts").first("n");
      await trx("counts").update({ n: n + 10 });
    });
    assert.is((await db.knex("counts").first("n")).n, 22);
    await Promise.all([first.ended, second.ended]);
  });

  it("A write that got no lock within busyTimeout is answered 503, changes nothing, and can be sent again", async (fresh) => {
    const db = await fresh.open({}, { busyTimeout: 60 });
    await countFrom0(db);
    const { ended } = await holdLock(fresh.url, 1500);
    const start = performance.now();
    const write = () => db.knex("counts").update({ n: db.knex.raw("n + 10") });
    const error = await throwsCode("FW_DATABASE_LOCKED", write);
    const waited = performance.now() - start;
    assert.is((error as Error & { status?: number }).status, 503);
    assert.ok(waited >= 60 && waited < 1300, `it waited for ${waited} ms`);
    await ended;
    await write();
    assert.is((await db.knex("counts").first("n")).n, 11);
  });
};
eachDatabase("The lock of a database file", stories, ["sqlite"]);
