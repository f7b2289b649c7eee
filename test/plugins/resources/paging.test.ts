import { bootApp, type TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openShop, shopFiles } from "../../support/shop.ts";

const json = { accept: "application/json" };
const posts = "/admin/blogging/posts";
const ROWS = 10_450;

const migration = "db/migrate/20260101000000_create_tables.ts";
const policy = "packages/blogging/app/policies/blogging/post_policy.ts";
const model = "packages/blogging/app/models/blogging/post.ts";
const files: Record<string, string> = {
  [migration]: edited(shopFiles, migration, [
    't.integer("position");',
    't.integer("position"); t.decimal("weight", 30, 12); t.enum("kind", ["zeta", "alpha", "mid"]); t.float("ratio");',
  ]),
  [policy]: edited(shopFiles, policy, [
    '["title", "author", "price", "status", "created_at"]',
    '["title", "price", "status", "published", "published_at", "due_on", "position", "weight", "kind", "ratio"]',
  ]),
};
/** The model makes its records itself: lists read instances. */
const withRecords = {
  ...files,
  [model]: edited(shopFiles, model, ["static override money", "override async $afterFind() {} static override money"]),
};

interface List {
  data: { id: number; title: string }[];
  meta: { total: number; capped?: boolean; page: number; per_page: number; next?: string };
}
async function ask(app: TestApp, path: string): Promise<List> {
  const answer = await app.request(path, { headers: json });
  assert.is(answer.status, 200, `${path}: ${await answer.clone().text()}`);
  return (await answer.json()) as List;
}
const ids = ({ data }: List) => data.map(({ id }) => id);

async function fill(app: TestApp): Promise<void> {
  const rows = Array.from({ length: ROWS }, (_, at) => ({
    title: ["Émile", "émile", "anna", "Bo", `T ${at % 900}`][at % 5],
    price_cents: at % 7 === 0 ? null : (at % 50) * 99,
    published: at % 2 === 0,
    published_at: at % 3 === 0 ? null : new Date(Date.UTC(2026, 0, 1, at % 24, 0, 0, at % 999)),
    due_on: at % 4 === 0 ? null : `2026-0${(at % 9) + 1}-11`,
    position: at % 5 === 0 ? null : at % 1000,
    weight: at % 6 === 0 ? null : `12345678901234567.${String(100_000_000_000 + (at % 40))}`,
    kind: [null, "zeta", "alpha", "mid"][at % 4],
    ratio: at / 8,
    created_at: new Date(0),
    updated_at: new Date(0),
  }));
  const { knex } = databaseOf(app.application);
  for (let at = 0; at < rows.length; at += 50) await knex("blogging_posts").insert(rows.slice(at, at + 50));
}

/** What each sort asked for means in SQL. */
const orders: Record<string, [column: string, direction: "asc" | "desc"][]> = {
  "": [["id", "desc"]],
  id: [["id", "asc"]],
  "-title": [
    ["title", "desc"],
    ["id", "desc"],
  ],
  "title,-position": [
    ["title", "asc"],
    ["position", "desc"],
    ["id", "asc"],
  ],
  "-published_at,title": [
    ["published_at", "desc"],
    ["title", "asc"],
    ["id", "desc"],
  ],
  price: [
    ["price_cents", "asc"],
    ["id", "asc"],
  ],
  "-price,id": [
    ["price_cents", "desc"],
    ["id", "asc"],
  ],
  "published,-due_on": [
    ["published", "asc"],
    ["due_on", "desc"],
    ["id", "asc"],
  ],
  "-weight": [
    ["weight", "desc"],
    ["id", "desc"],
  ],
  "kind,position": [
    ["kind", "asc"],
    ["position", "asc"],
    ["id", "asc"],
  ],
  "-kind": [
    ["kind", "desc"],
    ["id", "desc"],
  ],
};

for (const database of await databases()) {
  describe(`The pages of a long list, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openShop(files, await database.values());
        await fill(app);
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);

    /** The ids of all rows from the last numbered page on, and that they are those that the database gives. */
    const turnAll = async (sort: string) => {
      const query = databaseOf(app.application).knex("blogging_posts").select("id").limit(ROWS).offset(9900);
      for (const [column, direction] of orders[sort]!) query.orderBy(column, direction);
      const expected = (await query).map(({ id }) => Number(id));
      const seen: number[] = [];
      let next: string | undefined = `${posts}?per_page=100&page=100${sort && `&sort=${sort}`}`;
      for (let page = 100; next !== undefined; page++) {
        const list: List = await ask(app, next);
        seen.push(...ids(list));
        next = list.meta.next;
        assert.equal([list.meta.total, list.meta.capped, list.meta.page], [10_000, true, page], sort);
      }
      assert.is(seen.length, expected.length, `${sort}: ${seen.length} rows`);
      if (seen.join() !== expected.join()) assert.equal(seen, expected, sort);
    };

    can("The cursors from the last numbered page on lead to every further row once, in each of 11 orders", async () => {
      for (const sort of Object.keys(orders)) await turnAll(sort);
    });

    can(
      "A cursor keeps filters, order and page size, begins at any page, and stays valid when its row changes",
      async () => {
        const first = await ask(app, `${posts}.json?q=e&per_page=7&sort=-position&filter[status]=draft`);
        assert.is(first.meta.next, undefined, "a list that is counted to its end has numbers for all pages");
        const long = await ask(app, `${posts}.json?per_page=7&sort=-position&filter[status]=draft`);
        assert.match(
          long.meta.next!,
          /^\/admin\/blogging\/posts\.json\?filter\[?.*status.*=draft&sort=-position&after=[\w-]+&per_page=7$/,
        );
        const second = await ask(app, long.meta.next!);
        assert.equal(
          ids(second),
          ids(await ask(app, `${posts}?per_page=7&sort=-position&filter[status]=draft&page=2`)),
        );
        const { knex } = databaseOf(app.application);
        await knex("blogging_posts").where("id", long.data.at(-1)!.id).update({ position: -1 });
        assert.equal(
          ids(await ask(app, long.meta.next!)),
          ids(second),
          "what it begins behind may change in the meantime",
        );
      },
    );

    can("A page above 500 is 422 in JSON and redirects a browser to page 500, from where cursors lead on", async () => {
      for (const page of [501, 5000, 1_000_000]) {
        const answer = await app.request(`${posts}?sort=title&page=${page}`, { headers: json });
        assert.is(answer.status, 422);
        assert.match(await answer.text(), /"page":\["goes no further than 500: follow/);
      }
      const html = await app.request(`${posts}?sort=title&page=5000&per_page=20`);
      assert.is(html.status, 303);
      assert.is(html.headers.get("location"), `${posts}?sort=title&page=500&per_page=20`);
      const last = await (await app.request(html.headers.get("location")!)).text();
      assert.match(last, /9,981&ndash;10,000 of 10,000\+/);
      const next = /rel="next" href="([^"]+)"/.exec(last)![1]!.replaceAll("&amp;", "&");
      assert.match(next, /after=/);
      const beyond = await (await app.request(next)).text();
      assert.match(beyond, /10,001&ndash;10,020 of 10,000\+/);
      assert.match(beyond, /page=500[^"]*" aria-label="Page 500"/);
      assert.not.match(beyond, /page=50[1-9]/);
      const further = /rel="next" href="([^"]*after=[^"]*)"/.exec(beyond)![1]!.replaceAll("&amp;", "&");
      const far = await (await app.request(further)).text();
      assert.match(far, /10,021&ndash;10,040 of 10,000\+/);
      assert.match(far, /aria-label="Page 500">500<\/a><\/li><li class="fw-page-gap">/);
      assert.is(far.includes('rel="prev"'), false);
    });

    can("A page behind the last one leads a browser to the last one, with its search and order", async () => {
      const narrowed = `${posts}?q=Bo&sort=title`;
      const { meta } = await ask(app, `${narrowed}&per_page=50`);
      const last = Math.ceil(meta.total / 50);
      assert.ok(last > 1 && last < 200, `${last} pages`);
      const answer = await app.request(`${narrowed}&per_page=50&page=${last + 1}`);
      assert.is(answer.status, 303);
      const to = answer.headers.get("location")!;
      assert.match(to, new RegExp(`sort=title&page=${last}&per_page=50$`));
      assert.is((await app.request(to)).status, 200);
      assert.equal((await ask(app, `${narrowed}&per_page=50&page=${last + 1}`)).data, [], "JSON has an empty page");
      const none = await app.request(`${posts}?q=nothing-like-it&page=9`);
      assert.is(none.status, 200, "a list without rows has no last page");
    });

    can("A list offers 20, 50 and 100 rows a page, with its search and order", async () => {
      const sizesOf = async (query: string) => {
        const html = await app.client().page(posts + query);
        const part = /<p class="fw-sizes">(.*?)<\/p>/s.exec(html)?.[1] ?? "";
        return [...part.matchAll(/<a( aria-current="true")? href="([^"]*)">(\d+)<\/a>/g)].map(
          ([, current, url, rows]) => `${rows}${current ? "!" : ""} ${url!.replaceAll("&amp;", "&")}`,
        );
      };
      assert.equal(await sizesOf("?sort=title&filter[status]=draft&page=2"), [
        `20! ${posts}?filter%5Bstatus%5D=draft&sort=title`,
        `50 ${posts}?filter%5Bstatus%5D=draft&sort=title&per_page=50`,
        `100 ${posts}?filter%5Bstatus%5D=draft&sort=title&per_page=100`,
      ]);
      const [first, second] = await sizesOf("?per_page=50");
      assert.equal([first, second], [`20 ${posts}`, `50! ${posts}?per_page=50`]);
      assert.is((await ask(app, `${posts}?per_page=50`)).data.length, 50);
      assert.equal(await sizesOf("?filter[title]=no such title"), []);
    });

    can("A cursor of another order or an altered one is refused with 422, and a sort by a float has none", async () => {
      const { meta } = await ask(app, `${posts}?sort=title`);
      const cursor = new URL(meta.next!, "http://x").searchParams.get("after")!;
      for (const query of [
        `sort=-title&after=${cursor}`,
        `after=${cursor}`,
        `sort=title&after=${cursor.slice(1)}`,
        "after=1",
      ]) {
        const answer = await app.request(`${posts}?${query}`, { headers: json });
        assert.is(answer.status, 422, query);
        assert.match(await answer.text(), /"after":/);
      }
      assert.is(
        (await ask(app, `${posts}?sort=ratio`)).meta.next,
        undefined,
        "a fraction is not stored as it is shown",
      );
    });

    can("Cursors lead to every further row once where lists read instances", async () => {
      const { root } = app;
      const { databaseUrl } = app.application.settings;
      await app.close();
      const DATABASE_URL = databaseUrl ?? `sqlite:${root}/storage/test.sqlite3`;
      app = await bootApp({ ...shopFiles, ...withRecords }, { values: { DATABASE_URL } });
      const index = app.application.routes().find(({ verb, path }) => verb === "GET" && path === posts);
      assert.is(index!.reads, "instances");
      for (const sort of ["", "-title", "-weight"]) await turnAll(sort);
    });
  });
}
