import type { TestApp } from "../../support/apps.ts";
import { addFiles, writeApp } from "../../support/apps.ts";
import { databases, type TestDatabase } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openMigrated } from "../../support/shop.ts";
import { leanFiles, leanRows } from "./lean_app.ts";

type Files = Record<string, string>;
const controllerFile = "packages/desk_portal/app/controllers/desk_portal/resource_controller.ts";
/** A controller that says anything about records anew is given records: what pages were before rows would do. */
const withRecords: Files = {
  [controllerFile]: edited(leanFiles, controllerFile, [
    /\{\}\n$/,
    `{ override recordJson(record: never, names?: readonly string[]) { return names ? super.recordJson(record, names) : super.recordJson(record); } }`,
  ]),
};

async function open(database: TestDatabase, changes: Files, values?: Record<string, string>): Promise<TestApp> {
  const root = writeApp(leanFiles);
  addFiles(root, changes);
  return openMigrated(root, values ?? { ...(await database.values()), FW_DATABASE_FAST: "on" });
}
async function fill(app: TestApp): Promise<void> {
  const { knex } = databaseOf(app.application);
  for (const [table, rows] of Object.entries(leanRows)) for (const row of rows) await knex(table).insert(row);
}

const people: Record<string, Record<string, string>> = {
  nobody: {},
  boss: { "x-role": "boss", "x-id": "2" },
  guest: { "x-role": "guest", "x-id": "1" },
  counter: { "x-role": "counter" },
};
const lists = [
  "/desk/items",
  "/desk/items?page=2",
  "/desk/items?page=3",
  "/desk/items?page=2&per_page=9",
  "/desk/items?sort=title",
  "/desk/items?sort=-position,title&per_page=7",
  "/desk/items?sort=price&page=2",
  "/desk/items?filter[status]=live&q=Item",
  "/desk/items?filter[owner]=2&sort=-created_at",
  "/desk/items?scope=mine&page=2",
  "/desk/items?q=nothing",
  "/desk/items?sort=secret_token",
  "/desk/people",
  "/desk/makers",
  "/desk/watchers",
  "/desk/parts?sort=-label",
  "/desk/manuals",
  "/desk/people/1/nested_items",
  "/desk/people/1/nested_parts",
  "/desk/people/2/nested_items?sort=title&per_page=2&page=2",
  "/desk/items/1/nested_parts",
  "/desk/items/1/nested_manual",
  "/desk/items/4/nested_manual",
];
const records = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 99, "1abc", "01"].map((id) => `/desk/items/${id}`),
  ...[1, 2, 3, 4].map((id) => `/desk/people/${id}`),
  "/desk/makers/1",
  "/desk/watchers/1",
  "/desk/parts/4",
  "/desk/manuals/1",
  "/desk/items/1/nested_parts/1",
  "/desk/items/1/nested_parts/2",
  "/desk/people/1/nested_items/4",
];

/** What a request is answered with, without what differs at each: tokens and the ids of requests. */
async function answerOf(app: TestApp, path: string, headers: Record<string, string>): Promise<string> {
  const answer = await app.request(path, { headers });
  const body = (await answer.text())
    .replace(/[\w-]{86}/g, "TOKEN")
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID");
  return `${answer.status} ${answer.headers.get("etag")} ${answer.headers.get("content-type")}\n${body}`;
}

/** The statements that an application sends while something is done. */
async function statementsOf(app: TestApp, work: () => Promise<void>): Promise<string[]> {
  const statements: string[] = [];
  databaseOf(app.application).knex.on("query", ({ sql }: { sql: string }) => statements.push(sql));
  await work();
  return statements;
}

/** Where two long texts part: a whole diff of pages would take minutes. */
function firstDifference(one: string, other: string): string {
  let at = 0;
  while (one[at] === other[at]) at++;
  return `\n${one.slice(Math.max(0, at - 100), at + 100)}\nis not\n${other.slice(Math.max(0, at - 100), at + 100)}`;
}

interface Collected {
  answers: Map<string, string>;
  reads: Map<string, string>;
}
/** What an application answers to everybody, and what it says of how it reads. */
async function collect(app: TestApp): Promise<Collected> {
  const answers = new Map<string, string>();
  for (const [name, person] of Object.entries(people)) {
    for (const accept of name === "counter" ? ["application/json"] : ["application/json", "text/html"]) {
      for (const path of [...lists, ...records])
        answers.set(`${path} as ${accept} for ${name}`, await answerOf(app, path, { ...person, accept }));
    }
  }
  const shown = app.application.routes().filter(({ verb }) => verb === "GET");
  return { answers, reads: new Map(shown.map(({ path, reads, because }) => [path, `${reads}: ${because}`])) };
}

for (const database of await databases()) {
  describe(`Rows instead of records, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let rows: Collected;
    let instances: Collected;
    let plain: Collected;
    let sentWhenOff: string[] = [];
    if (database.skip === undefined) {
      before(async () => {
        const other = await open(database, withRecords);
        await fill(other);
        instances = await collect(other);
        await other.close();
        const off = await open(database, {}, { ...(await database.values()), FW_DATABASE_FAST: "off" });
        await fill(off);
        sentWhenOff = await statementsOf(off, async () => {
          plain = await collect(off);
        });
        await off.close();
        app = await open(database, {});
        await fill(app);
        rows = await collect(app);
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => void | Promise<void>) => it.unless(database.skip, sentence, body);
    const compare = (wanted: RegExp, others = instances) => {
      let compared = 0;
      assert.is(rows.answers.size, others.answers.size);
      for (const [asked, one] of rows.answers) {
        if (!wanted.test(asked)) continue;
        const other = others.answers.get(asked)!;
        if (one !== other) assert.unreachable(`${asked}: ${firstDifference(one, other)}`);
        assert.is(one.includes("marked"), false, asked);
        compared++;
      }
      assert.ok(compared >= (lists.length + records.length) * 3, String(compared));
    };

    can("Each list and page reports whether it reads rows or instances, and why", () => {
      assert.match(rows.reads.get("/desk/items")!, /^rows: a record of Item is created where/);
      assert.match(rows.reads.get("/desk/watchers/:id")!, /^instances: Watcher has \$afterFind of its own/);
      assert.match(rows.reads.get("/desk/items/:item_id/nested_manual")!, /^instances: the only Manual/);
      assert.match(instances.reads.get("/desk/items")!, /^instances: ResourceController has recordJson of its own/);
      assert.is(rows.reads.get("/desk/items/new"), "undefined: undefined");
    });
    can("JSON from rows equals JSON from records byte for byte, including ETags", () => compare(/application.json/));
    can("Pages from rows equal pages from records byte for byte", () => compare(/text.html/));
    can(
      "Answers without the database's fast paths equal those with them byte for byte and use no JSON aggregates",
      () => {
        compare(/./, plain);
        assert.match(plain.reads.get("/desk/items")!, /^instances: the fast paths of the database are turned off/);
        assert.ok(sentWhenOff.length > 100);
        assert.equal(
          sentWhenOff.filter((sql) => /json_group_array|as `rows`/.test(sql)),
          [],
        );
      },
    );
    can("The compared answers include 200, 303, 403, 404 and 422, and pages with every kind of value", () => {
      const statuses = new Set([...rows.answers.values()].map((answer) => answer.slice(0, 3)));
      assert.equal([...statuses].sort(), ["200", "303", "403", "404", "422"]);
      const page = rows.answers.get("/desk/items as text/html for boss")!;
      for (const part of [
        /made by Smith/,
        /seen Hawk/,
        /№ 1/,
        /Polish it &amp; shine/,
        /€/,
        /&lt;b&gt;/,
        /-€1,234\.56/,
      ])
        assert.match(rows.answers.get("/desk/items/1 as text/html for boss")! + page, part);
    });
    can("A long list is counted up to 10,000, and continues after page 500 by a cursor", async () => {
      const { knex } = databaseOf(app.application);
      for (let times = 0; times < 11; times++)
        await knex.raw(
          "insert into parts (label, item_id, created_at, updated_at) select label, item_id, created_at, updated_at from parts",
        );
      const page = async (query: string, accept: string) =>
        (await app.request(`/desk/parts${query}`, { headers: { accept } })).text();
      const meta = async (query: string) => JSON.parse(await page(query, "application/json")).meta;
      const counted = { total: 10_000, capped: true, per_page: 20 };
      const { next, ...start } = await meta("");
      assert.equal(start, { ...counted, page: 1 });
      assert.match(next, /^\/desk\/parts\?after=/);
      const { next: further, ...last } = await meta("?page=500&sort=label");
      assert.equal(last, { ...counted, page: 500 });
      const { next: _, ...beyond } = await meta(further.replace("/desk/parts", ""));
      assert.equal(beyond, { ...counted, page: 501 });
      const first = await page("", "text/html");
      assert.not.match(
        first,
        /[^\0-\x7f]/,
        "what stands around plain ASCII is plain ASCII, which is written as it stands",
      );
      assert.match(first, /<p>10,000\+ parts<\/p>/);
      assert.match(first, "<p>1&ndash;20 of 10,000+</p>");
      const lastNumbered = await page("?page=500", "text/html");
      assert.match(lastNumbered, /<p>9,981&ndash;10,000 of 10,000\+<\/p>.*rel="next" href="[^"]*after=/s);
    });
    can("The ETag of a record read as a row permits one change, and the next one is 409", async () => {
      const path = "/desk/parts/1";
      const etag = (await app.request(path, { headers: { accept: "application/json" } })).headers.get("etag")!;
      const headers = {
        accept: "application/json",
        "content-type": "application/json",
        "if-match": etag,
        "x-role": "desk",
      };
      const change = (label: string) =>
        app.request(path, { method: "PATCH", headers, body: JSON.stringify({ part: { label } }) });
      assert.is((await change("Changed")).status, 200);
      assert.is((await change("Again")).status, 409);
    });
  });
}
