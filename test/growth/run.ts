// How long lists of very many records take to read, export, import and change: rows a second, CPU of this process and its memory.
// `npm run growth -- sqlite,mysql 20000 csv,import` runs these on so many rows; all of them on 100,000 by default.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Exporter } from "../plugins/resources/export_runs_app.ts";
import { countsOf, Importer, statusOf } from "../plugins/resources/import_app.ts";
import type { TestApp } from "../support/apps.ts";
import { databaseOf } from "../support/shop.ts";
import { type GrowthApp, importedColumns, importedFile, LIST, openGrowth } from "./app.ts";

const [databaseNames = "sqlite,mysql", rowText = "100000", workNames = "csv,xlsx,import,bulk,lists"] =
  process.argv.slice(2);
const rows = Number(rowText);
const ann = { "x-user": "1" };
const MAX_MS = 30 * 60_000;
process.env.FW_TEST_DATABASES = databaseNames;

/** What is requested of a list: a column of its filters and the search have an index, but for texts within others. */
const pages = {
  first: "",
  json: ".json",
  page: "?page=2",
  filter: "?filter[reference][is]=S-77",
  begins: "?filter[reference][begins]=S-77",
  search: "?q=S-77777",
  nothing: "?q=nothing",
  sorted: "?sort=-weight",
};

/** A work; the number of rows that it is measured by, and what can be compared between two releases. `begin`: what was before counts for nothing. */
type Work = (growth: GrowthApp, begin: () => Promise<void>) => Promise<{ rows: number; result: string }>;

const works: Record<string, Work> = {
  csv: ({ app }) => download(app, "export.csv"),
  sorted: ({ app }) => download(app, "export.csv?sort=-weight"),
  /** Milliseconds of requests to the list, the fastest of five: what a page costs on so many rows. */
  async lists({ app }) {
    const found: string[] = [];
    for (const [name, query] of Object.entries(pages)) {
      const times: number[] = [];
      let status = 0;
      for (let count = 0; count < 5; count++) {
        const start = performance.now();
        const answer = await app.request(`${LIST}${query}`, { headers: ann });
        await answer.text();
        times.push(performance.now() - start);
        status = answer.status;
      }
      found.push(`${name} ${status} ${Math.min(...times).toFixed(0)} ms`);
    }
    return { rows: 5 * found.length, result: found.join(", ") };
  },
  async xlsx({ app }) {
    const person = new Exporter(app, 1);
    const answer = await person.post(`${LIST}/export.xlsx`);
    if (answer.status !== 202) return { rows: 0, result: `${answer.status} ${(await answer.text()).slice(0, 200)}` };
    const html = await person.ended(answer.headers.get("location")!, MAX_MS);
    return { rows, result: statusOf(html) };
  },
  async import({ app }, begin) {
    const person = new Importer(app, 1);
    const url = await person.upload(importedFile(rows));
    const mapped = await person.map(url, importedColumns);
    if (mapped.status >= 400) throw new Error((await mapped.text()).slice(0, 2000));
    await person.start(url); // the first rows were checked by now
    await begin();
    await endedRun(app);
    const html = await person.ended(url, MAX_MS);
    return { rows, result: `${statusOf(html)} ${countsOf(html).join("/")}` };
  },
  async bulk({ app }) {
    const answer = await app.request(`${LIST}/bulk/pack.json?selected=all`, {
      method: "POST",
      headers: { ...ann, accept: "application/json", "content-type": "application/json" },
      body: JSON.stringify({ all: true }),
    });
    const url = answer.headers.get("location");
    if (!url) return { rows: 0, result: `${answer.status} ${(await answer.text()).slice(0, 300)}` };
    const { state, done, refused, failed } = await endedRun(app);
    const count = Number(done) + Number(refused) + Number(failed);
    return { rows: count, result: `${state}: ${done} done, ${refused} refused, ${failed} failed` };
  },
};

async function download(app: TestApp, path: string): Promise<{ rows: number; result: string }> {
  const answer = await app.request(`${LIST}/${path}`, { headers: ann });
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of answer.body!) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { rows, result: `${answer.status}, ${bytes} bytes, ${hash.digest("hex").slice(0, 12)}` };
}

/** The last run in the background, once it has ended. */
async function endedRun(app: TestApp): Promise<Record<string, unknown>> {
  const { knex } = databaseOf(app.application);
  for (const until = performance.now() + MAX_MS; performance.now() < until; ) {
    const [run] = await knex("framewright_background_runs").orderBy("id", "desc").limit(1);
    if (!["waiting", "running"].includes(run.state)) return run;
    await sleep(200);
  }
  throw new Error("the run did not end");
}

/** With GROWTH_PROFILE, a folder, the CPU of each work is profiled into a file of it; returns what writes it. */
async function startProfile(): Promise<((name: string) => Promise<void>) | undefined> {
  const folder = process.env.GROWTH_PROFILE;
  if (folder === undefined) return undefined;
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.start");
  return async (name) => {
    const { profile } = await session.post("Profiler.stop");
    writeFileSync(join(folder, name), JSON.stringify(profile));
    session.disconnect();
  };
}

console.log("database  work     rows/s   CPU µs/row   s        peak MB   result");
for (const database of databaseNames.split(",")) {
  const growth = await openGrowth(database, rows);
  try {
    for (const name of workNames.split(",")) {
      const work = works[name];
      if (!work) throw new Error(`there is no work "${name}"; there are ${Object.keys(works).join(", ")}`);
      let peak = 0;
      const watching = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage.rss());
      }, 100);
      let profile = await startProfile();
      let [start, before] = [performance.now(), process.cpuUsage()];
      const { rows: count, result } = await work(growth, async () => {
        await profile?.("before.cpuprofile");
        profile = await startProfile();
        [start, before] = [performance.now(), process.cpuUsage()];
      });
      await profile?.(`${database}-${name}.cpuprofile`);
      const seconds = (performance.now() - start) / 1000;
      const { user, system } = process.cpuUsage(before);
      clearInterval(watching);
      const cells = [
        ...[database.padEnd(8), name.padEnd(7), String(Math.round(count / seconds)).padStart(7)],
        ...[((user + system) / Math.max(1, count)).toFixed(1).padStart(11), seconds.toFixed(1).padStart(7)],
        ...[(peak / 1e6).toFixed(0).padStart(7), `  ${result}`],
      ];
      console.log(cells.join("  "));
    }
  } finally {
    await growth.close();
  }
}
process.exit(0);
