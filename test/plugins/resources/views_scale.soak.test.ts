import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openShop, shopFiles } from "../../support/shop.ts";

const [FEW, MANY] = [1000, 1_000_000 * Number(process.env.FW_SOAK_SCALE ?? 1)];
const [AUTHORS, MAX_INSERTED, WARM, REQUESTS] = [100, 50_000, 150, 60];
/** How many times longer a view of many rows takes than one of few; what it asks has an index. */
const MAX_RATIO = 5;
const MAX_COUNT_MS = 2000;
/** A million rows, on a machine that does other work. */
const DEADLINE_MS = 600_000;

const plugins = join(import.meta.dirname, "../../../plugins");
const schema = ["jobs", "background_runs", "saved_views"]
  .map((folder) => readFileSync(join(plugins, folder, "schema.liquid"), "utf8"))
  .join("");
const definition = "packages/blogging/app/definitions/blogging/post_definition.ts";
const concern = "packages/admin_portal/app/controllers/admin_portal/concerns/controller.ts";
const files: Record<string, string> = {
  "db/migrate/20260401000000_create_views.ts": `export async function up(db) {\n${schema}  await db.addIndex("blogging_posts", ["author_id", "created_at"]);\n}\nexport async function down() {}\n`,
  [definition]: edited(shopFiles, definition, [
    "super.configure();",
    'super.configure(); this.action("destroy", { bulk: true });',
  ]),
  [concern]: edited(shopFiles, concern, ['{ name: "Somebody" }', '{ id: 1, name: "Somebody" }']),
  "plugins.config.ts": edited(
    shopFiles,
    "plugins.config.ts",
    [
      "import { views }",
      'import { backgroundRuns } from "framewright/plugins/background_runs"; import { jobs } from "framewright/plugins/jobs"; import { savedViews } from "framewright/plugins/saved_views"; import { views }',
    ],
    ["resources(),\n]", "jobs({ run: false }), backgroundRuns(), savedViews(), resources()]"],
  ),
};
const list = "/admin/blogging/posts";
const view = "?filter%5Bauthor%5D=7&sort=-created_at";
const paths = [list + view, `${list}?filter%5Bauthor%5D=7`, list];

/** Copies the rows until there are so many: each author has the same number of them. */
async function fill(app: TestApp, rows: number, analyze: string): Promise<void> {
  const { knex } = databaseOf(app.application);
  const columns = "title, price_cents, status, published, author_id, created_at, updated_at";
  const [{ total }] = (await knex("blogging_posts").count({ total: "*" })) as [{ total: number }];
  for (let count = Number(total); count < rows; ) {
    const more = Math.min(count, rows - count, MAX_INSERTED);
    await knex.raw(
      `insert into blogging_posts (${columns}) select ${columns} from blogging_posts order by id limit ${more}`,
    );
    count += more;
  }
  await knex.raw(analyze);
}

async function open(values: Record<string, string>): Promise<TestApp> {
  const app = await openShop(files, values);
  const { knex } = databaseOf(app.application);
  const stamps = { created_at: "2026-01-01 10:00:00.000", updated_at: "2026-01-01 10:00:00.000" };
  await knex("authors").insert(Array.from({ length: AUTHORS }, (_, at) => ({ name: `Author ${at}`, ...stamps })));
  const post = (at: number) => ({ title: `Post ${at}`, price_cents: at, status: "live", published: 0, ...stamps });
  for (let from = 0; from < FEW; from += AUTHORS)
    await knex("blogging_posts").insert(
      Array.from({ length: AUTHORS }, (_, at) => ({ ...post(from + at), author_id: at + 1 })),
    );
  return app;
}

for (const database of await databases({ mysqlInSoak: true })) {
  describe(`A saved view of many rows, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await open(await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const timed = async (path: string): Promise<number> => {
      const start = performance.now();
      const answer = await app.request(path, { redirect: "manual" });
      await answer.text();
      assert.is(answer.status, 200, path);
      return performance.now() - start;
    };
    /** The time within which 95 of 100 requests are answered, in milliseconds. */
    const p95 = async (path: string): Promise<number> => {
      for (let warm = 0; warm < WARM; warm++) await timed(path);
      const taken: number[] = [];
      for (let index = 0; index < REQUESTS; index++) taken.push(await timed(path));
      return taken.sort((a, b) => a - b)[Math.floor(REQUESTS * 0.95)]!;
    };
    it.unless(
      database.skip,
      `Of ${MANY} rows it takes at most ${MAX_RATIO} times as long as of ${FEW}, and all that match are counted`,
      async () => {
        const json = { accept: "application/json", "content-type": "application/json" };
        const body = JSON.stringify({ name: "By the seventh" });
        const made = await app.request(`${list}/views${view}`, { method: "POST", headers: json, body });
        assert.is(made.status, 201);
        assert.match(await (await app.request(list)).text(), "By the seventh");
        const few: number[] = [];
        for (const path of paths) few.push(await p95(path));
        await fill(app, MANY, database.name === "mysql" ? "analyze table blogging_posts" : "analyze");
        await sleep(500); // nothing was heard meanwhile: connections that were kept are closed first
        for (const [index, path] of paths.entries()) {
          const many = await p95(path);
          console.log(`${database.name} ${path}: ${few[index]!.toFixed(1)} ms, of ${MANY} ${many.toFixed(1)} ms`);
          assert.ok(many < few[index]! * MAX_RATIO, `${path}: ${many} ms after ${few[index]} ms`);
        }
        for (const [search, count] of [
          [view, MANY / AUTHORS],
          ["?", MANY],
        ] as const) {
          const start = performance.now();
          const asked = await app.request(`${list}/bulk/destroy${search}&all=1`);
          assert.match(await asked.text(), `Delete ${count.toLocaleString("en")} posts?`);
          const took = performance.now() - start;
          console.log(`${database.name} all of ${count}: ${took.toFixed()} ms`);
          assert.ok(took < MAX_COUNT_MS, `${count} were counted in ${took} ms`);
        }
      },
      DEADLINE_MS,
    );
  });
}
