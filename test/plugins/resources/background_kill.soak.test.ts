import { setTimeout as sleep } from "node:timers/promises";
import { openKernel, type Settings } from "framewright/kernel";
import { type Database, database as databasePlugin } from "framewright/plugins/database";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { exitOf, serveApp } from "../../support/processes.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { bulkFiles } from "./bulk_app.ts";

const RECORDS = Number(process.env.FW_TEST_BACKGROUND_RECORDS ?? 300);
const headers = { "x-user": "1", accept: "application/json", "content-type": "application/json" };
const interaction = { label: "red" };
/** The ways to act on all posts: an action of the list, and one on records, of which all that match were selected. Of very many posts the second, which does more. */
const WAYS = [
  { name: "an action of the list", path: "actions/mark", body: { interaction } },
  { name: "a bulk action on all that match", path: "bulk/mark_one?q=Post", body: { interaction, all: true } },
];
interface Run {
  state: string;
  total: number;
  done: number;
  refused: number;
  reasons: Record<string, number>;
}

/** The application with so many posts of Ann's tenant, closed again. */
async function prepare(values: Record<string, string>): Promise<string> {
  const app = await openTenants(bulkFiles, values);
  const { knex } = databaseOf(app.application);
  for (let at = 1; at < RECORDS; at += 500) {
    const count = Math.min(500, RECORDS - at);
    await knex("posts").insert(
      Array.from({ length: count }, (_, index) => ({
        title: `Post ${at + index}`,
        status: "live",
        organization_id: 1,
        author_id: 3,
      })),
    );
  }
  await app.close();
  return app.root;
}

/** The database alone, beside the process that serves the application. */
async function connect(
  root: string,
  url: string | undefined,
): Promise<{ knex: Database["knex"]; close(): Promise<void> }> {
  const settings = { root, env: "test", databaseUrl: url, secrets: [] } as unknown as Settings;
  const kernel = await openKernel([databasePlugin({ busyTimeout: 10_000 })], { settings });
  return { knex: kernel.service("database").knex, close: () => kernel.close() };
}

for (const database of await databases()) {
  describe(`A background run whose process is killed, on ${database.name}`, (it, { after }) => {
    after(() => database.clean());
    for (const { name, path, body } of WAYS.slice(RECORDS < 1000 ? 0 : 1))
      it.unless(
        database.skip,
        `Of ${RECORDS} records, as ${name}, killed at 40 % and resumed, with a right taken away at 60 %: each is done once, and from there on refused`,
        async () => {
          const values = await database.values();
          const root = await prepare(values);
          let { child, url } = await serveApp(root, values);
          const store = await connect(root, values.DATABASE_URL);
          try {
            const started = await fetch(`${url}/customer/1/posts/${path}`, {
              method: "POST",
              headers,
              body: JSON.stringify(body),
            });
            assert.is(started.status, 202);
            const page = started.headers.get("location")!;
            const shown = async () => ((await (await fetch(url + page, { headers })).json()) as { data: Run }).data;
            const until = async (done: (run: Run) => boolean) => {
              for (let tries = 0; tries < 20_000; tries++) {
                const run = await shown();
                if (done(run)) return run;
                await sleep(Math.max(5, RECORDS / 1000));
              }
              throw new Error("the run made no progress");
            };
            await until(({ done }) => done >= RECORDS * 0.4);
            child.kill("SIGKILL");
            await exitOf(child);
            const [{ done: atKill, state }] = (await store
              .knex("framewright_background_runs")
              .select("done", "state")) as [Run];
            assert.is(state, "running");
            assert.is(
              Number((await store.knex("marks").count("* as n"))[0]!.n),
              atKill,
              "records and cursor are of one commit",
            );
            ({ child, url } = await serveApp(root, values));
            await until(({ done }) => done >= RECORDS * 0.6);
            await store.knex("users").where({ id: 1 }).update({ may_mark: false });
            const { total, done, refused, reasons } = await until((run) => run.state === "done");
            assert.is(total, RECORDS);
            assert.ok(done >= RECORDS * 0.6 && done < RECORDS, String(done));
            assert.equal([done + refused, reasons], [RECORDS, { policy: refused }]);
            const marked = (await store.knex("marks").orderBy("post").select("post")).map(({ post }) => Number(post));
            const posts = (await store
              .knex("posts")
              .where({ organization_id: 1 })
              .orderBy("id")
              .limit(done)
              .select("id")) as { id: number }[];
            assert.equal(
              marked,
              posts.map(({ id }) => Number(id)),
              "each once, and none after the first refused one",
            );
          } finally {
            await store.close();
            child.kill("SIGTERM");
            await exitOf(child);
          }
        },
        60_000 + RECORDS * 20,
      );
  });
}
