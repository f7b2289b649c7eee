import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { TestApp } from "../support/apps.ts";
import { edited } from "../support/fixtures.ts";
import { assert, describe } from "../support/index.ts";
import { databaseOf, openShop, shopFiles } from "../support/shop.ts";

const json = { accept: "application/json" };
const posts = "/admin/blogging/posts";
const ROWS = 300_000;
/** Of each title so much looks right that looking for it takes long. */
const HARD = `${"a".repeat(90)}b`;

/** A shop with many posts, in which a statement may take so many milliseconds. */
async function openLargeShop(statementTimeout: number, rows = ROWS): Promise<TestApp> {
  const config = edited(shopFiles, "plugins.config.ts", [
    "database()",
    `database({ statementTimeout: ${statementTimeout} })`,
  ]);
  const shop = await openShop({ "plugins.config.ts": config });
  await databaseOf(shop.application).knex.raw(
    `insert into blogging_posts (title, status, position, created_at, updated_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})
      select replace(hex(zeroblob(100)), '0', 'a') || ' ' || i, case i % 3 when 0 then 'live' else 'draft' end, i, '2026-01-01 10:00:00.000', '2026-01-01 10:00:00.000' from n`,
  );
  return shop;
}

interface Listed {
  data: { title: string; id: number }[];
  meta: { total: number; capped?: boolean };
}
async function listed(shop: TestApp, query: string): Promise<Listed> {
  const answer = await shop.request(`${posts}${query}`, { headers: json });
  assert.is(answer.status, 200, `${query}: ${await answer.clone().text()}`);
  return (await answer.json()) as Listed;
}

setFlagsFromString("--expose-gc");
/** What earlier searches left behind ends while others run. */
const collect = runInNewContext("gc") as () => void;

/** How long each of the requests took that were made, one after the other, until the work was done. */
async function timesDuring(shop: TestApp, path: string, work: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  let isDone = false;
  const end = () => {
    isDone = true;
  };
  work.then(end, end);
  while (!isDone) {
    const start = performance.now();
    assert.is((await shop.request(path)).status, 200);
    times.push(performance.now() - start);
    if (times.length % 10 === 0) collect();
    await sleep(5);
  }
  return times.sort((a, b) => a - b);
}

describe("Slow searches in SQLite", (it, { before, after }) => {
  let shop: TestApp;
  before(async () => {
    shop = await openLargeShop(1000);
  });
  after(() => shop.close());

  it("Searches that exceed the statement timeout get 503 with FW_DATABASE_SLOW, and other requests are served meanwhile", async () => {
    const first = await listed(shop, "");
    for (let round = 0; round < 3; round++) await listed(shop, `?q=needle${round}&sort=title`);
    const searches = Array.from({ length: 6 }, () =>
      shop.request(`${posts}?q=${HARD}&sort=status,-title`, { headers: json }),
    );
    const page = `${posts}/${first.data[0]!.id}`;
    const [health, pages] = await Promise.all(
      ["/healthz", page].map((path) => timesDuring(shop, path, Promise.all(searches))),
    );
    for (const search of searches) {
      const answer = await search;
      assert.is(answer.status, 503);
      assert.match(answer.headers.get("retry-after")!, /^\d+$/);
      assert.match(await answer.text(), /FW_DATABASE_SLOW/);
    }
    for (const [times, most] of [
      [health!, 100],
      [pages!, 200],
    ] as const) {
      assert.ok(times.length > 20, `${times.length} answers`);
      const late = times[Math.floor(times.length * 0.95)]!;
      assert.ok(late < most, `one of twenty took longer than ${late} ms`);
    }
  });

  it("Searches within the statement timeout return sorted and counted results", async () => {
    const found = await listed(shop, "?q=29999&sort=-title");
    assert.is(found.meta.total, 13);
    assert.equal(
      found.data.map(({ title }) => title.split(" ")[1]),
      [
        "299999",
        "299998",
        "299997",
        "299996",
        "299995",
        "299994",
        "299993",
        "299992",
        "299991",
        "299990",
        "29999",
        "229999",
        "129999",
      ],
    );
    const sorted = await listed(shop, "?sort=status,-title&per_page=2&filter[status]=live");
    assert.equal(
      sorted.data.map(({ title }) => title.split(" ")[1]),
      ["99999", "99996"],
    );
    assert.equal([sorted.meta.total, sorted.meta.capped], [10_000, true]);
    const html = await (await shop.request(`${posts}?q=nothing`)).text();
    assert.match(html, /No (?:posts|records|matches)|match/i);
  });

  it("A search finds the records that were created before it", async () => {
    for (let round = 0; round < 3; round++) {
      const body = JSON.stringify({ blogging_post: { title: `Needle ${round}` } });
      const headers = { ...json, "content-type": "application/json" };
      assert.is((await shop.request(posts, { method: "POST", headers, body })).status, 201);
      assert.is((await listed(shop, "?q=needle&sort=title")).meta.total, round + 1);
    }
  });

  it("A search works after a column was added to its table", async () => {
    await databaseOf(shop.application).knex.raw("alter table blogging_posts add column extra text");
    assert.is((await listed(shop, "?q=needle&sort=title")).meta.total, 3);
    assert.is((await listed(shop, "")).meta.total, 10_000);
  });
});

describe("Searches in SQLite during shutdown", (it) => {
  it("Closing the database ends running searches with FW_DATABASE_SLOW and pending ones with FW_DATABASE_CLOSED", async () => {
    const shop = await openLargeShop(0, 60_000);
    const { knex } = databaseOf(shop.application);
    const search = (number: number) =>
      knex("blogging_posts")
        .whereRaw("title like ? or title like ?", [`%${HARD}%`, `%${HARD}${number}%`])
        .orderBy("status")
        .then(
          () => "done",
          ({ code }: { code: string }) => code,
        );
    const searches = Array.from({ length: 8 }, (_, number) => search(number));
    await sleep(50); // some have begun
    const start = performance.now();
    await shop.close();
    const ended = await Promise.all(searches);
    assert.ok(performance.now() - start < 1000, `after ${performance.now() - start} ms`);
    assert.ok(ended.includes("FW_DATABASE_SLOW") && ended.includes("FW_DATABASE_CLOSED"), ended.join());
    assert.not(ended.includes("done"));
  });
});
