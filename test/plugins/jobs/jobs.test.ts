import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { definePlugin } from "framewright/kernel";
import type { JobInfo } from "framewright/plugins/jobs";
import { jobs as jobsPlugin } from "framewright/plugins/jobs";
import { openPayloadSealer } from "../../../plugins/jobs/payload_encryption.ts";
import { Runner } from "../../../plugins/jobs/runner.ts";
import { JobStore } from "../../../plugins/jobs/store.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { jobsRoot, type OpenedJobs, type OpenJobsOptions, openJobs, secret } from "./support.ts";

for (const database of await databases()) {
  describe(`Jobs on ${database.name}`, (it, { after }) => {
    after(() => database.clean());
    const can = (sentence: string, story: (node: Nodes) => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        const root = jobsRoot();
        const { DATABASE_URL: url = `sqlite:${join(root, "jobs.sqlite3")}` } = await database.values();
        const nodes = new Nodes(root, url);
        try {
          await story(nodes);
        } finally {
          await nodes.close();
        }
      });

    can(
      "A kernel opens without the table of jobs, and its jobs service fails with FW_JOBS_TABLE and the command to run",
      async (nodes) => {
        const { jobs } = await nodes.open({}, false);
        jobs.define("mark", async () => undefined);
        const error = await throwsCode("FW_JOBS_TABLE", () => jobs.enqueue("mark", {}));
        assert.match(error.message, "fw db:migrate");
        await throwsCode("FW_JOBS_TABLE", () => jobs.list());
      },
    );

    can("The payload of a job is stored encrypted, and removed once the job is done", async (nodes) => {
      const { jobs, database: db } = await nodes.open();
      jobs.define("mail", async () => undefined);
      await jobs.enqueue("mail", { to: "ada@example.com", link: "https://x.example/reset?key=marked-secret" });
      const [row] = await db.knex("framewright_jobs");
      for (const text of ["marked-secret", "ada@example.com", "reset"]) assert.not.match(JSON.stringify(row), text);
      const bytes = Buffer.from(row.payload, "base64url").toString("latin1");
      assert.not.match(bytes, "marked-secret");
      await jobs.drain();
      const [done] = await db.knex("framewright_jobs");
      assert.is(done.payload, null);
      assert.is(done.state, "done");
    });

    can(
      "A payload under a previous secret is read, and without that secret its job fails with FW_JOB_SEALED",
      async (nodes) => {
        const { jobs: before } = await nodes.open();
        before.define("old", async () => undefined);
        await before.enqueue("old", { n: 1 });
        await before.enqueue("old", { n: 2 }, { maxAttempts: 1, runAt: new Date(Date.now() + 3_600_000) });
        const next = "another secret of at least thirty-two bytes";
        const { jobs: rotated } = await nodes.open({ secrets: [next, secret] });
        const seen: object[] = [];
        rotated.define("old", async (payload) => void seen.push(payload));
        await rotated.drain();
        assert.equal(seen, [{ n: 1 }]);
        const { jobs: lost } = await nodes.open({ secrets: [next] });
        lost.define("old", async () => assert.unreachable());
        const [{ id } = {} as JobInfo] = await lost.list({ state: "waiting" });
        await lost.retry(id);
        await lost.drain();
        const [failed] = await lost.list({ state: "failed" });
        assert.match(failed?.lastError ?? "", "FW_JOB_SEALED");
        await rotated.retry(id);
        assert.is(await rotated.drain(), 1);
        assert.equal(seen[1], { n: 2 });
      },
    );

    can("A payload in the row of another kind of job fails with FW_JOB_SEALED", async (nodes) => {
      const { jobs, database: db } = await nodes.open();
      for (const kind of ["a", "b"]) jobs.define(kind, async () => undefined);
      await jobs.enqueue("a", {}, { maxAttempts: 1 });
      await db.knex("framewright_jobs").update({ kind: "b" });
      await jobs.drain();
      assert.match((await jobs.list())[0]?.lastError ?? "", "FW_JOB_SEALED");
    });

    can(
      "A failed job waits 15 s, and twice as long after each further failure, with a jitter of a fifth",
      async (nodes) => {
        const { jobs, database: db } = await nodes.open();
        jobs.define("fail", () => Promise.reject(new Error("no")));
        const id = await jobs.enqueue("fail", {});
        for (const seconds of [15, 30, 60, 120]) {
          const start = Date.now();
          await jobs.drain();
          const [info] = await jobs.list();
          const delay = (info!.runAt.getTime() - start) / 1000;
          assert.ok(delay > seconds * 0.79 && delay < seconds * 1.21 + 5, `${delay} s for ${seconds} s`);
          await db.knex("framewright_jobs").where({ id }).update({ run_at: "2020-01-01 00:00:00.000" });
        }
        assert.is((await jobs.list())[0]?.attempts, 4);
        assert.is((await jobs.list())[0]?.maxAttempts, 12);
      },
    );

    can(
      "The hook failed is called for a job that has used up its attempts, even when another listener throws",
      async (nodes) => {
        const told: JobInfo[] = [];
        const listener = definePlugin({
          name: "listener",
          requires: ["jobs"],
          apply: ({ hooks }) => hooks.jobs.failed.tap("listener", (info) => void told.push(info)),
        });
        const broken = definePlugin({
          name: "broken",
          requires: ["jobs"],
          apply: ({ hooks }) =>
            hooks.jobs.failed.tap("broken", () => {
              throw new Error("broke");
            }),
        });
        const { jobs } = await nodes.open({ plugins: [broken, listener] });
        jobs.define("fail", () => Promise.reject(new Error("no")));
        const id = await jobs.enqueue("fail", {}, { maxAttempts: 1 });
        await jobs.drain();
        assert.equal(
          told.map((info) => [info.id, info.state, info.lastError]),
          [[id, "failed", "no"]],
        );
      },
    );

    can("A job of a kind that a node does not know is left to a node that does", async (nodes) => {
      const { jobs: newer } = await nodes.open();
      newer.define("new", async () => undefined);
      await newer.enqueue("new", {});
      const { jobs: older } = await nodes.open();
      older.define("old", async () => undefined);
      assert.is(await older.drain(), 0);
      assert.is(await newer.drain(), 1);
    });

    can("A sweep removes jobs that were done long enough ago", async (nodes) => {
      const { jobs, database: db } = await nodes.open();
      jobs.define("mark", async () => undefined);
      for (let i = 0; i < 3; i++) await jobs.enqueue("mark", {});
      await jobs.drain();
      const [first] = await jobs.list();
      await db.knex("framewright_jobs").where({ id: first!.id }).update({ finished_at: "2020-01-01 00:00:00.000" });
      assert.is(await new JobStore(db, 1000).sweep(new Date(Date.now() - 86_400_000)), 1);
      assert.is((await jobs.list()).length, 2);
    });

    can("200 jobs run exactly once when two processes work on them at once", async (nodes) => {
      const { jobs, database: db } = await nodes.open();
      jobs.define("mark", async () => undefined);
      for (let i = 0; i < 200; i++) await jobs.enqueue("mark", { i });
      const children = await Promise.all([nodes.spawn(), nodes.spawn()]);
      const totals = children.map((child) => answer<{ done: number }>(child, "done"));
      for (const child of children) child.send("drain");
      const done = (await Promise.all(totals)).map((total) => total.done);
      const marks = await db.knex("marks").select("job");
      assert.is(new Set(marks.map(({ job }: { job: unknown }) => Number(job))).size, 200);
      assert.is(marks.length, 200, `done ${done.join(" and ")}`);
      assert.is(done[0]! + done[1]!, 200);
      assert.is((await jobs.list({ state: "done", limit: 500 })).length, 200);
    });

    can("The job of a killed process runs elsewhere once its lease has expired, and not before", async (nodes) => {
      const { jobs } = await nodes.open({ lease: 1500 });
      const attempts: number[] = [];
      jobs.define("hang", async (_, { attempt }) => void attempts.push(attempt));
      await jobs.enqueue("hang", {});
      const child = await nodes.spawn(1500);
      const began = answer(child, "began");
      child.send("drain");
      await began;
      await sleep(2000); // longer than the lease, which a living process renews
      assert.is(await jobs.drain(), 0);
      child.kill("SIGKILL");
      await once(child, "exit");
      assert.is(await jobs.drain(), 0);
      await sleep(1600);
      assert.is(await jobs.drain(), 1);
      assert.equal(attempts, [2]);
    });

    can("A job whose process died at the last attempt is listed as failed", async (nodes) => {
      const { jobs, database: db } = await nodes.open();
      jobs.define("mark", async () => assert.unreachable());
      const id = await jobs.enqueue("mark", {}, { maxAttempts: 2 });
      const gone = { state: "running", attempts: 2, locked_by: "gone", locked_until: "2020-01-01 00:00:00.000" };
      await db.knex("framewright_jobs").where({ id }).update(gone);
      await jobs.drain();
      const [info] = await jobs.list();
      assert.is(info?.state, "failed");
      assert.match(info?.lastError ?? "", "died");
    });

    can("Closing the application lets a running job finish, and keeps the waiting ones", async (nodes) => {
      const { jobs, kernel } = await nodes.open({ concurrency: 1 });
      let ended = 0;
      jobs.define("slow", async () => {
        await sleep(300);
        ended++;
      });
      for (let i = 0; i < 2; i++) await jobs.enqueue("slow", {});
      const drained = jobs.drain();
      await sleep(100);
      await kernel.close();
      await drained;
      assert.is(ended, 1);
      const { jobs: after } = await nodes.open();
      assert.equal(
        (await after.list()).map(({ state }) => state),
        ["waiting", "done"],
      );
    });
  });
}

describe("A job that outlasts the shutdown", (it) => {
  it("A job that does not end before the shutdown is released to others, and its later result is ignored", async () => {
    const nodes = new Nodes(jobsRoot(), "sqlite::memory:");
    const { database: db, jobs } = await nodes.open();
    jobs.define("slow", async () => undefined);
    await jobs.enqueue("slow", {});
    const store = new JobStore(db, 60_000);
    let finish = () => {};
    const work = () => new Promise<void>((resolve) => (finish = resolve));
    const kinds = { size: 1, names: () => ["slow"], get: () => work };
    const log = { error: () => undefined, warn: () => undefined, info: () => undefined };
    const failed = () => undefined;
    const runner = new Runner({
      store,
      sealer: openPayloadSealer([secret]),
      kinds,
      concurrency: 1,
      lease: 60_000,
      log,
      failed,
      enter: (_job, entered) => entered(),
    });
    assert.is(await runner.startDueJobs(), 1);
    await sleep(20);
    await runner.stop(50);
    const [info] = await jobs.list();
    assert.is(info?.state, "waiting");
    assert.is(info?.attempts, 0);
    finish();
    await sleep(50);
    assert.is((await jobs.list())[0]?.state, "waiting");
    assert.is(await jobs.drain(), 1);
    await nodes.close();
  });
});

describe("Options of the jobs plugin", (it) => {
  it("An invalid option of the jobs plugin is refused with FW_OPTION_INVALID", async () => {
    for (const options of [{ poll: 0 }, { concurrency: "4" }, { lease: -1 }, { run: 1 }])
      await throwsCode("FW_OPTION_INVALID", () => jobsPlugin(options as never));
  });
});

/** The nodes of one story, in this process or in others. */
class Nodes {
  readonly #root: string;
  readonly #url: string;
  readonly #opened: OpenedJobs[] = [];
  readonly #children: ChildProcess[] = [];

  constructor(root: string, url: string) {
    this.#root = root;
    this.#url = url;
  }
  async open(options: OpenJobsOptions = {}, migrate = true): Promise<OpenedJobs> {
    const opened = await openJobs(this.#root, this.#url, options);
    this.#opened.push(opened);
    if (migrate) await opened.database.migrations.up();
    return opened;
  }
  async spawn(lease = 60_000): Promise<ChildProcess> {
    const file = join(import.meta.dirname, "fixtures/node.ts");
    const child = fork(file, [this.#root, this.#url, String(lease)]);
    this.#children.push(child);
    await answer(child, "ready");
    return child;
  }
  async close(): Promise<void> {
    for (const child of this.#children) child.kill("SIGKILL");
    for (const { kernel } of this.#opened) await kernel.close();
  }
}

function answer<T>(child: ChildProcess, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    child.on("message", (message: object) => name in message && resolve(message as T));
    child.once("exit", (code) => reject(new Error(`the node ended with ${code}`)));
  });
}
