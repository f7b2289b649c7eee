import { setTimeout as sleep } from "node:timers/promises";
import { definePlugin, type Plugin } from "framewright/kernel";
import { database, encodeDate } from "framewright/plugins/database";
import { type JobsOptions, jobs } from "framewright/plugins/jobs";
import { addFiles, openApp, type TestApp, writeApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { within } from "../../support/pace.ts";
import { freePort, OwnMariadb, reasonForNoMariadb } from "../../support/processes.ts";
import { jobsMigration } from "./support.ts";

const files = {
  "config/routes.ts": `import { drawRoutes } from "framewright"; export default drawRoutes(() => undefined);`,
  "db/migrate/20260101000000_create_framewright_jobs.ts": jobsMigration,
};

/** An application that listens, and notes what it did. */
async function serving(noted: number[], options: JobsOptions, values: Record<string, string>): Promise<TestApp> {
  const work = (): Plugin =>
    definePlugin({
      name: "work",
      requires: ["jobs"],
      apply({ services }) {
        services.jobs.define<{ n: number }>("note", async ({ n }) => void noted.push(n));
        services.jobs.define<{ n: number }>(
          "enqueue",
          async ({ n }) => void (await services.jobs.enqueue("note", { n })),
        );
      },
    });
  const root = writeApp({});
  addFiles(root, files);
  return openApp(root, { values, plugins: [database(), jobs(options), work()] });
}

async function until(condition: () => boolean, milliseconds: number): Promise<number> {
  const start = performance.now();
  while (!condition() && performance.now() - start < milliseconds) await sleep(5);
  return performance.now() - start;
}

for (const base of await databases()) {
  describe(`A serving application with jobs on ${base.name}`, (it, { after }) => {
    after(() => base.clean());
    const can = (sentence: string, options: JobsOptions, story: (app: TestApp, noted: number[]) => Promise<void>) =>
      it.unless(base.skip, sentence, async () => {
        const noted: number[] = [];
        const app = await serving(noted, options, await base.values());
        try {
          await app.application.kernel.service("database").migrations.up();
          await story(app, noted);
        } finally {
          await app.close();
        }
      });

    can(
      "A drain beside the worker also waits for a job that another job enqueued",
      { poll: 60_000 },
      async (app, noted) => {
        const service = app.application.kernel.service("jobs");
        for (let n = 1; n <= 200; n++) {
          await service.enqueue("enqueue", { n });
          for (let turns = n % 20; turns > 0; turns--) await new Promise(setImmediate);
          await service.drain();
          assert.is(noted.length, n);
        }
      },
    );

    can(
      "A job runs at once, and a job of a transaction once that is committed",
      { poll: 60_000 },
      async (app, noted) => {
        const service = app.application.kernel.service("jobs");
        await service.enqueue("note", { n: 1 });
        const waited = await until(() => noted.length === 1, 2000);
        assert.ok(waited < within(1000), `${waited} ms`);
        await app.application.kernel.service("database").transaction(async (transaction) => {
          await service.enqueue("note", { n: 2 }, { transaction });
          await sleep(200);
          assert.equal(noted, [1], "not before the commit");
        });
        await until(() => noted.length === 2, 2000);
        assert.equal(noted, [1, 2]);
        await service.drain(); // what was noted is written down as well
        assert.is((await service.list({ state: "done" })).length, 2);
      },
    );

    can("A job for a later instant is found by polling and runs then", { poll: 100 }, async (app, noted) => {
      const service = app.application.kernel.service("jobs");
      await service.enqueue("note", { n: 1 }, { runAt: new Date(Date.now() + 300) });
      const waited = await until(() => noted.length === 1, 5000);
      assert.ok(waited > 250 && waited < 3000, `${waited} ms`);
    });

    can("A schedule runs when it is due, between two polls", { poll: 60_000 }, async (app, noted) => {
      const service = app.application.kernel.service("jobs");
      const nextAt = new Date(Date.now() + 500);
      const row = { name: "hourly", timing: "every hour", next_at: encodeDate(nextAt) };
      await app.application.kernel.service("database").knex("framewright_job_schedules").insert(row);
      service.every("hourly", { kind: "note", hours: 1, payload: { n: 1 } });
      const waited = await until(() => noted.length === 1, 5000);
      assert.ok(waited > 250 && waited < 3000, `${waited} ms`);
      await service.drain();
      assert.equal(noted, [1]);
      assert.is((await service.schedules())[0]?.lastAt?.getTime(), nextAt.getTime());
    });

    can("Jobs run while schedules fail, and schedules run once they can", { poll: 50 }, async (app, noted) => {
      const service = app.application.kernel.service("jobs");
      const { knex } = app.application.kernel.service("database");
      await knex.schema.renameTable("framewright_job_schedules", "hidden");
      service.every("hourly", { kind: "note", hours: 1, payload: { n: 1 } });
      await service.enqueue("note", { n: 2 });
      await until(() => noted.length === 1, 5000);
      assert.equal(noted, [2]);
      await throwsCode("FW_SCHEDULES_TABLE", () => service.schedules());
      const row = { name: "hourly", timing: "every hour", next_at: "2026-01-01 05:00:00.000" };
      await knex("hidden").insert(row);
      await knex.schema.renameTable("hidden", "framewright_job_schedules");
      await until(() => noted.length === 2, 5000);
      assert.equal(noted, [2, 1]);
    });

    can("An application with the option run: false runs no jobs", { run: false, poll: 20 }, async (app, noted) => {
      await app.application.kernel.service("jobs").enqueue("note", { n: 1 });
      await sleep(300);
      assert.equal(noted, []);
    });
  });
}

describe("A database that becomes unavailable", (it) => {
  it.unless(
    reasonForNoMariadb(),
    "Enqueueing gets 503 while MariaDB is down, the application stays alive, and stored jobs run once it is back",
    async () => {
      const maria = new OwnMariadb(await freePort());
      const noted: number[] = [];
      let app: TestApp | undefined;
      try {
        await maria.install();
        await maria.start();
        app = await serving(noted, { poll: 50 }, { DATABASE_URL: maria.url });
        await app.application.kernel.service("database").migrations.up();
        const service = app.application.kernel.service("jobs");
        await service.enqueue("note", { n: 1 }, { runAt: new Date(Date.now() + 1000) });
        await maria.stop();
        await sleep(1500);
        assert.is((await app.request("/healthz")).status, 200);
        const refused = (await service.enqueue("note", { n: 2 }).catch((error: unknown) => error)) as {
          status: number;
        };
        assert.is(refused.status, 503);
        await maria.start();
        await until(() => noted.length > 0, 15_000);
        assert.equal(noted, [1]);
      } finally {
        await app?.close();
        await maria.remove();
      }
    },
  );
});
