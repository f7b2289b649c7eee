import { get } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openShop } from "../../support/shop.ts";
import { exportFiles } from "./export_app.ts";

const ROWS = 1_000_000 * Number(process.env.FW_SOAK_SCALE ?? 1);
const [MAX_GROWTH_MB, MAX_FIRST_BYTE_MS] = [50, 1000];
/** A million rows, on a machine that does other work. */
const DEADLINE_MS = 1_800_000;
const MAX_INSERTED = 50_000;
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** Copies rows of the table until there are enough. */
async function fill(app: TestApp): Promise<void> {
  const { knex } = databaseOf(app.application);
  const stamps = { created_at: "2026-01-01 10:00:00.000", updated_at: "2026-01-01 10:00:00.000" };
  const row = (at: number) => ({ title: `Title ${at}`, price_cents: at * 9, status: "draft", published: 0, ...stamps });
  const rows = Array.from({ length: 40 }, (_, at) => row(at));
  await knex("blogging_posts").insert(rows);
  const columns = Object.keys(row(0)).join(", ");
  for (let count = rows.length; count < ROWS; ) {
    const more = Math.min(count, ROWS - count, MAX_INSERTED);
    await knex.raw(`insert into blogging_posts (${columns}) select ${columns} from blogging_posts limit ${more}`);
    count += more;
  }
}

const heap = (): number => {
  collect();
  return process.memoryUsage().heapUsed / 1_048_576;
};

interface Taken {
  lines: number;
  firstByte: number;
  growth: number;
}
/** Takes an export without keeping it; the heap is looked at every now and then. */
function take(url: string): Promise<Taken> {
  const [start, before] = [performance.now(), heap()];
  const taken: Taken = { lines: 0, firstByte: 0, growth: 0 };
  let chunks = 0;
  return new Promise((resolve, reject) => {
    get(url, (answer) => {
      answer.on("data", (chunk: Buffer) => {
        taken.firstByte ||= performance.now() - start;
        for (const byte of chunk) if (byte === 10) taken.lines++;
        if (++chunks % 200 === 0) taken.growth = Math.max(taken.growth, heap() - before);
      });
      answer.once("end", () => resolve(taken)).once("error", reject);
    }).once("error", reject);
  });
}

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`An export of many rows, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openShop(exportFiles, await database.values());
        await fill(app);
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    it.unless(
      database.skip,
      "It has every row, begins at once, and takes no more memory for more rows",
      async () => {
        await take(`${app.url}/admin/blogging/posts/export.csv?q=Title%201`); // compiles what is compiled once
        for (const [format, heads] of [
          ["csv", 1],
          ["jsonl", 0],
        ] as const) {
          const { lines, firstByte, growth } = await take(`${app.url}/admin/blogging/posts/export.${format}`);
          console.log(`${database.name} ${format}: ${lines} lines, ${firstByte.toFixed()} ms, ${growth.toFixed(1)} MB`);
          assert.is(lines, ROWS + heads);
          assert.ok(firstByte < MAX_FIRST_BYTE_MS, `the first byte came after ${firstByte} ms`);
          assert.ok(growth < MAX_GROWTH_MB, `the heap grew by ${growth} MB`);
        }
      },
      DEADLINE_MS,
    );
  });
}
