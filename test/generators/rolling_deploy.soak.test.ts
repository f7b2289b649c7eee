import { renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { writeApp } from "../support/apps.ts";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { first, second, third, writeRelease } from "./rolling_app.ts";
import { RollingLoad } from "./rolling_load.ts";
import { fw, inConsole, runCommand } from "./support.ts";

for (const base of await databases()) {
  describe(`A rolling deploy, on ${base.name}`, (it, { after }) => {
    after(() => base.clean());
    const story = async () => {
      const [one, two, three] = [first, second, third].map((release) => writeRelease(release)) as [
        string,
        string,
        string,
      ];
      const folder = writeApp({});
      const current = join(folder, "current");
      const env = {
        DATABASE_URL: `sqlite:${join(folder, "served.sqlite3")}`,
        ...(await base.values()),
        NODE_ENV: "production",
        SECRET_KEY_BASE: "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19",
        LOG_LEVEL: "warn",
      };
      const run = async (root: string, ...words: string[]) => runCommand(process.execPath, [fw, ...words], root, env);
      const ok = async (root: string, ...words: string[]) => {
        const { code, out, err } = await run(root, ...words);
        assert.is(code, 0, out + err);
        return out;
      };
      const link = (root: string) => {
        symlinkSync(root, `${current}.next`);
        renameSync(`${current}.next`, current);
      };
      link(one);
      await ok(one, "db:migrate");
      const values = { ...env, PWD: current };
      const { child, url, output } = await serveApp(current, values, "start", [process.execPath, fw], ["--workers=2"]);
      const until = async <T>(what: string, found: () => T | Promise<T>): Promise<NonNullable<T>> => {
        for (let turn = 0; turn < 300; turn++) {
          const answer = await found();
          if (answer || load.failures.length > 0) return answer as NonNullable<T>;
          await sleep(200);
        }
        throw new Error(`${what} did not come\n${output()}`);
      };
      const load = new RollingLoad(url);
      const readyz = async () => (await fetch(`${url}/readyz`, { headers: { connection: "close" } })).status;
      try {
        load.start();
        await until("the load", () => load.titles.length > 1);
        assert.equal(load.failures, []);
        assert.match(await ok(two, "db:check"), /1 pending migration, with nothing against what runs: \S+/);
        const early = await run(three, "db:check");
        assert.is(early.code, 1, early.out + early.err);
        assert.match(
          early.out,
          /REFUSED 20260301000000_drop_subtitle drops or renames posts\.subtitle.* read by Post of/,
        );
        await ok(two, "db:migrate");
        assert.is(await readyz(), 200, "the release before is ready after the migrations of this one");
        const before = load.titles.length;
        await until("writes of the first release after the migration", () => load.titles.length > before + 1);
        link(two);
        child.kill("SIGHUP");
        await until("both releases", () => load.releases.size === 2);
        const answered = load.answers;
        await until("requests to the second", async () => {
          const releases = await answersOf(url);
          return releases.every((release) => release === 2) && load.answers > answered + 20;
        });
        const checked = await run(three, "db:check");
        assert.is(checked.code, 0, checked.out + checked.err);
        await ok(three, "db:migrate");
        const written = load.titles.length;
        await until("writes without the dropped column", () => load.titles.length > written + 1);
        await load.stop();
        assert.equal(load.failures, []);
        assert.is(await readyz(), 200);

        const kept = await until("the jobs", async () => {
          const rows = await storedRows(three, env);
          return (rows.notes?.length ?? 0) >= load.jobs.length ? rows : undefined;
        });
        assert.equal(kept.notes, [...load.jobs].sort());
        for (const title of load.titles) assert.ok(kept.posts?.includes(title), title);
        assert.equal(kept.companies, [...load.orders].sort());
        assert.ok(load.orders.length > 2 && load.jobs.some((job) => job.startsWith("greet")));
        child.kill("SIGTERM");
        assert.is(await exitOf(child), 0);
      } finally {
        await load.stop();
        child.kill("SIGKILL");
      }
    };
    it.unless(
      base.skip,
      "Under load nothing fails, nothing is lost, and a column is dropped once nothing that runs reads it",
      story,
      400_000,
    );
  });
}

/** Which releases answer, over some connections. */
async function answersOf(url: string): Promise<number[]> {
  const asked = Array.from({ length: 6 }, () => fetch(`${url}/release`, { headers: { connection: "close" } }));
  const answers = (await Promise.all(asked)).map((answer) => answer.json() as Promise<{ release: number }>);
  return (await Promise.all(answers)).map(({ release }) => release);
}

/** What was written, as the application in this folder reads it. */
async function storedRows(root: string, env: Record<string, string>): Promise<Partial<Record<string, string[]>>> {
  const columns = { notes: "text", posts: "title", companies: "name" };
  const line = `console.log("ROWS" + JSON.stringify(Object.fromEntries(await Promise.all(${JSON.stringify(Object.entries(columns))}.map(async ([table, column]) => [table, (await app.kernel.service("database").knex(table).pluck(column)).sort()])))))`;
  const out = await inConsole(root, env, line);
  return JSON.parse(/ROWS(\{.*\})/.exec(out)?.[1] ?? "{}") as Record<string, string[]>;
}
