// What every filler of the slot "jobs" must do. Uses node:assert alone, so that it runs under any test runner.
import assert from "node:assert/strict";
import type { Database } from "framewright/plugins/database";
import type { Jobs } from "framewright/plugins/jobs";

/** A filler whose storage is there and empty; nothing does its jobs but `drain`. */
export interface OpenJobs {
  jobs: Jobs;
  database: Database;
}
export interface JobsCheck {
  sentence: string;
  check(open: OpenJobs): Promise<void>;
}

export const jobsConformance: readonly JobsCheck[] = [
  {
    sentence: "A job runs once with its payload and is listed as done",
    async check({ jobs }) {
      const seen: unknown[] = [];
      jobs.define<{ name: string }>("greet", async (payload, job) => void seen.push([payload, job]));
      const id = await jobs.enqueue("greet", { name: "Ada", list: [1, { two: null }] });
      assert.equal((await jobs.list())[0]?.state, "waiting");
      assert.equal(await jobs.drain(), 1);
      assert.equal(await jobs.drain(), 0);
      assert.deepEqual(seen, [
        [
          { name: "Ada", list: [1, { two: null }] },
          { id, attempt: 1 },
        ],
      ]);
      const [info] = await jobs.list({ state: "done" });
      assert.equal(info?.id, id);
      assert.ok(info?.finishedAt instanceof Date);
    },
  },
  {
    sentence:
      "A second definition of a kind fails with FW_JOB_KIND_TAKEN, and an undefined kind with FW_JOB_KIND_UNKNOWN",
    async check({ jobs }) {
      jobs.define("one", async () => undefined);
      assert.throws(() => jobs.define("one", async () => undefined), { code: "FW_JOB_KIND_TAKEN" });
      await assert.rejects(jobs.enqueue("onee", {}), { code: "FW_JOB_KIND_UNKNOWN", message: /"one"/ });
    },
  },
  {
    sentence: "A job does not run before its runAt, unless it is retried",
    async check({ jobs }) {
      jobs.define("later", async () => undefined);
      const id = await jobs.enqueue("later", {}, { runAt: new Date(Date.now() + 60_000) });
      assert.equal(await jobs.drain(), 0);
      assert.ok(await jobs.retry(id), "a job that waits can be made due");
      assert.equal(await jobs.drain(), 1);
    },
  },
  {
    sentence:
      "A failed job waits for its next attempt, keeps the error's message, and is listed as failed after the last one",
    async check({ jobs }) {
      jobs.define("fail", async () => {
        throw new Error(`no luck ${"x".repeat(900)}`);
      });
      await jobs.enqueue("fail", {}, { maxAttempts: 2 });
      assert.equal(await jobs.drain(), 1);
      assert.equal(await jobs.drain(), 0, "not at once");
      const [waiting] = await jobs.list({ kind: "fail" });
      assert.equal(waiting?.state, "waiting");
      assert.ok(waiting.runAt.getTime() > Date.now() + 5000);
      assert.match(waiting.lastError ?? "", /^no luck x+$/);
      assert.equal(waiting.lastError?.length, 500);
      const last = await jobs.enqueue("fail", {}, { maxAttempts: 1 });
      assert.equal(await jobs.drain(), 1);
      assert.equal((await jobs.list({ state: "failed" }))[0]?.id, last);
    },
  },
  {
    sentence: "A failed job runs again after a retry, and a discarded job is no longer listed",
    async check({ jobs }) {
      let works = false;
      jobs.define("fix", async () => {
        if (!works) throw new Error("broken");
      });
      const id = await jobs.enqueue("fix", {}, { maxAttempts: 1 });
      await jobs.drain();
      assert.equal((await jobs.list({ state: "failed" }))[0]?.id, id);
      works = true;
      assert.ok(await jobs.retry(id));
      assert.equal(await jobs.drain(), 1);
      assert.equal((await jobs.list({ state: "done" }))[0]?.id, id);
      assert.equal(await jobs.retry(id), false, "what is done stays done");
      assert.ok(await jobs.discard(id));
      assert.equal(await jobs.discard(id), false);
      assert.deepEqual(await jobs.list(), []);
    },
  },
  {
    sentence: "A job that is enqueued in a transaction runs after its commit, and does not exist after a rollback",
    async check({ jobs, database }) {
      let done = 0;
      jobs.define("count", async () => void done++);
      const failing = database.transaction(async (transaction) => {
        await jobs.enqueue("count", {}, { transaction });
        throw new Error("rolled back");
      });
      await assert.rejects(failing, /rolled back/);
      assert.deepEqual(await jobs.list(), []);
      assert.equal(await jobs.drain(), 0);
      await database.transaction(async (transaction) => void (await jobs.enqueue("count", {}, { transaction })));
      assert.equal(await jobs.drain(), 1);
      assert.equal(done, 1);
    },
  },
  {
    sentence: "Jobs are listed newest first, by state, kind and limit, and without their payloads",
    async check({ jobs }) {
      for (const kind of ["a", "b"]) jobs.define(kind, async () => undefined);
      const ids: number[] = [];
      for (const kind of ["a", "b", "a"]) ids.push(await jobs.enqueue(kind, { secret: "marked-payload" }));
      assert.deepEqual(
        (await jobs.list()).map(({ id }) => id),
        ids.toReversed(),
      );
      assert.equal((await jobs.list({ kind: "a" })).length, 2);
      assert.equal((await jobs.list({ limit: 1 })).length, 1);
      assert.equal((await jobs.list({ state: "failed" })).length, 0);
      assert.ok(!JSON.stringify(await jobs.list()).includes("marked-payload"));
    },
  },
  {
    sentence: "Schedules are listed by name with their next due time and without payloads, and store no job before it",
    async check({ jobs }) {
      jobs.define("tick", async () => undefined);
      jobs.every("yearly", { kind: "tick", cron: "0 0 1 1 *", timeZone: "Europe/Zurich" });
      jobs.every("tick", { hours: 700, payload: { secret: "marked-payload" } });
      assert.equal(await jobs.drain(), 0);
      const listed = await jobs.schedules();
      assert.deepEqual(
        listed.map(({ name, kind, lastAt }) => [name, kind, lastAt]),
        [
          ["tick", "tick", undefined],
          ["yearly", "tick", undefined],
        ],
      );
      for (const { nextAt } of listed) assert.ok(nextAt.getTime() > Date.now());
      assert.match(listed[1]!.nextAt.toISOString(), /-12-31T23:00:00/);
      assert.ok(!JSON.stringify(listed).includes("marked-payload"));
    },
  },
  {
    sentence:
      "A schedule with a wrong cron text, time zone or option, with a name that is taken, or for an undefined kind is refused by its name",
    async check({ jobs }) {
      jobs.define("tick", async () => undefined);
      jobs.every("tick", { minutes: 5 });
      const refused: [string, Parameters<Jobs["every"]>[1]][] = [
        ["FW_SCHEDULE_CRON", { kind: "tick", cron: "0 25 * * *" }],
        ["FW_SCHEDULE_ZONE", { kind: "tick", cron: "0 3 * * *", timeZone: "Europe/Nowhere" }],
        ["FW_SCHEDULE_OPTION", { kind: "tick", minutes: 0 }],
        ["FW_SCHEDULE_KIND", { minutes: 5 }],
      ];
      for (const [code, options] of refused)
        assert.throws(() => jobs.every("nightly", options), { code, message: /"nightly"/ });
      assert.throws(() => jobs.every("tick", { minutes: 5 }), { code: "FW_SCHEDULE_TAKEN", message: /"tick"/ });
    },
  },
];
