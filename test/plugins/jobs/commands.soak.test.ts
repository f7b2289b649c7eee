import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fw, fwOk, newApp, runFw } from "../../generators/support.ts";
import { assert, describe } from "../../support/index.ts";
import { jobsMigrationBefore } from "./support.ts";

/** What the application does: notes each job in a file, and fails the kind "fail" as long as no file "repaired" is there. */
const work = `import { appendFileSync, existsSync } from "node:fs";
import { definePlugin } from "framewright";
import type {} from "framewright/plugins/jobs";
export const work = () => definePlugin({
  name: "work",
  requires: ["jobs"],
  apply({ services: { jobs } }) {
    jobs.define<{ n: number }>("note", async ({ n }) => appendFileSync("noted", n + "\\n"));
    jobs.define("fail", async () => { if (!existsSync("repaired")) throw new Error("out of luck"); });
    jobs.define("slow", async () => { appendFileSync("noted", "begun\\n"); await new Promise((resolve) => setTimeout(resolve, 1500)); appendFileSync("noted", "ended\\n"); });
  },
});
`;
const seeds = (...jobs: string[]) => `import type { Application } from "framewright";
export default async (app: Application) => { const jobs = app.kernel.service("jobs"); ${jobs.join("; ")}; };
`;

/** A new application with jobs, and the migration as an earlier release wrote it. */
async function appWithJobs(): Promise<string> {
  const app = await newApp();
  const config = join(app, "plugins.config.ts");
  const text = readFileSync(config, "utf8");
  const imports = 'import { work } from "./lib/work.ts";\n';
  const own = text.includes("jobs()") ? "" : 'import { jobs } from "framewright/plugins/jobs";\n';
  writeFileSync(
    config,
    imports + own + text.replace("database(),", own ? "database(), jobs(), work()," : "database(), work(),"),
  );
  for (const folder of ["lib", "db/migrate"]) mkdirSync(join(app, folder), { recursive: true });
  writeFileSync(join(app, "lib/work.ts"), work);
  writeFileSync(join(app, "db/migrate/20260101000000_create_framewright_jobs.ts"), jobsMigrationBefore);
  return app;
}

describe("The commands fw jobs", (it, { before }) => {
  let app: string;
  before(async () => {
    app = await appWithJobs();
  });
  const noted = () => (existsSync(join(app, "noted")) ? readFileSync(join(app, "noted"), "utf8") : "");
  const seed = async (...jobs: string[]) => {
    writeFileSync(join(app, "db/seeds.ts"), seeds(...jobs));
    await fwOk(app, "db:seed");
  };

  it("The command fw jobs fails with FW_JOBS_TABLE and the command to run before the migration", async () => {
    const { code, err } = await runFw(app, "jobs");
    assert.is(code, 1);
    assert.match(err, /FW_JOBS_TABLE.*fw db:migrate/);
    await fwOk(app, "db:migrate");
    assert.match((await fwOk(app, "jobs")).out, "no jobs");
  });

  it("The command fw jobs lists the stored jobs without their payloads, and a command that only boots runs none", async () => {
    await seed(
      'await jobs.enqueue("note", { n: 1, secret: "marked" })',
      'await jobs.enqueue("fail", {}, { maxAttempts: 1 })',
    );
    await fwOk(app, "routes");
    const { out } = await fwOk(app, "jobs");
    assert.match(out, /2 +fail +waiting +0\/1/);
    assert.match(out, /1 +note +waiting +0\/12/);
    assert.not.match(out, "marked");
    assert.is(noted(), "");
    const listed = JSON.parse((await fwOk(app, "jobs", "--kind=note", "--json")).out) as { kind: string }[];
    assert.equal(
      listed.map(({ kind }) => kind),
      ["note"],
    );
  });

  it("The command fw jobs:work runs due jobs, and failed jobs can be listed, retried and discarded", async () => {
    assert.match((await fwOk(app, "jobs:work")).out, "2 jobs ended");
    assert.is(noted(), "1\n");
    assert.match((await fwOk(app, "jobs", "--state=failed")).out, /fail +failed +1\/1 .*out of luck/);
    writeFileSync(join(app, "repaired"), "");
    assert.match((await fwOk(app, "jobs:retry", "all")).out, "1 job is due again");
    assert.match((await fwOk(app, "jobs:work")).out, "1 job ended");
    assert.match((await fwOk(app, "jobs", "--state=failed")).out, "no jobs");
    assert.match((await fwOk(app, "jobs:discard", "2")).out, "discarded job 2");
  });

  it("The jobs commands refuse a missing job with exit code 1, and invalid arguments with exit code 2", async () => {
    const refused: [string[], number, string][] = [
      [["jobs:retry", "99"], 1, "FW_JOB_MISSING"],
      [["jobs:discard", "99"], 1, "FW_JOB_MISSING"],
      [["jobs:retry", "1; drop table"], 2, "number of a job"],
      [["jobs:retry"], 2, "FW_ARGUMENT_MISSING"],
      [["jobs", "--state=gone"], 2, "FW_FLAG_CHOICE"],
      [["jobs", "--schedules", "--kind=note"], 2, "FW_FLAGS_CLASH"],
    ];
    for (const [words, code, text] of refused) {
      const ran = await runFw(app, ...words);
      assert.is(ran.code, code, `${words}: ${ran.err}`);
      assert.match(ran.err, text);
    }
  });

  it("The command fw jobs:work --watch lets its running job finish after SIGTERM, and exits with 0", async () => {
    const { NODE_ENV: _, FW_SOURCE: __, ...env } = process.env;
    const child = spawn(process.execPath, [fw, "jobs:work", "--watch"], { cwd: app, env, stdio: "ignore" });
    await sleep(500);
    appendFileSync(join(app, "noted"), "--\n");
    await seed(
      'await jobs.enqueue("slow", {})',
      'await jobs.enqueue("note", { n: 3 }, { runAt: new Date(Date.now() + 60_000) })',
    );
    for (let tries = 0; !noted().includes("begun") && tries < 100; tries++) await sleep(100);
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    assert.is(code, 0);
    assert.match(noted(), /--\nbegun\nended\n$/);
  });

  it("The commands refuse schedules without their table with the generator to run, and list them after it", async () => {
    assert.match((await fwOk(app, "jobs", "--schedules")).out, "no schedules");
    const file = join(app, "lib/work.ts");
    const every = `jobs.every("nightly", { kind: "note", cron: "0 3 * * *", timeZone: "Europe/Zurich", payload: { n: 7 } });`;
    writeFileSync(file, readFileSync(file, "utf8").replace('jobs.define("fail"', `${every}\n    jobs.define("fail"`));
    const { code, err } = await runFw(app, "jobs");
    assert.is(code, 1);
    assert.match(err, /FW_SCHEDULES_TABLE.*fw generate fw:jobs:install, then fw db:migrate/);
    assert.match((await fwOk(app, "g", "fw:jobs:install")).out, "create_framewright_job_schedules.ts");
    assert.match((await fwOk(app, "g", "fw:jobs:install")).out, "The tables of jobs are complete.");
    await fwOk(app, "db:migrate");
    assert.match((await fwOk(app, "jobs")).out, /nightly +note +0 3 \* \* \* Europe\/Zurich +20\S+ 0[12]:00:00 +never/);
    await fwOk(app, "jobs:work");
    await seed(
      'const { knex } = app.kernel.service("database"); await knex("framewright_job_schedules").update({ next_at: "2026-01-01 02:00:00.000" })',
    );
    await fwOk(app, "jobs:work");
    assert.match(noted(), /\n7\n$/);
    const { out } = await fwOk(app, "jobs", "--schedules", "--json");
    const [{ name, timing, lastAt, lastJob }] = JSON.parse(out) as [Record<string, unknown>];
    const [job] = JSON.parse((await fwOk(app, "jobs", "--json")).out) as [{ id: number; kind: string }];
    assert.equal(
      [name, timing, lastAt, lastJob, job.kind],
      ["nightly", "0 3 * * * Europe/Zurich", "2026-01-01T02:00:00.000Z", job.id, "note"],
    );
    assert.not.match((await fwOk(app, "jobs", "--state=failed")).out, "nightly");
  });
});
