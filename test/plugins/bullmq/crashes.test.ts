import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { databases, type TestDatabase } from "../../support/databases.ts";
import { assert, describe, reasonToSkip, throwsCode } from "../../support/index.ts";
import { exitOf } from "../../support/processes.ts";
import { OwnRedis } from "../../support/redis.ts";
import { redisPath } from "../../support/requirements.ts";
import { jobsRoot, type OpenedJobs } from "../jobs/support.ts";
import { newPrefix, type OpenBullmqOptions, openBullmq } from "./support.ts";

const lacking = (await reasonToSkip("redis")) ?? (existsSync(redisPath) ? undefined : "needs redis-server");

/** An application's processes: in this process, and of their own. */
class Nodes {
  readonly #root = jobsRoot();
  readonly #prefix = newPrefix();
  readonly #opened: OpenedJobs[] = [];
  readonly #children: ChildProcess[] = [];
  readonly #url: string;
  readonly redis: OwnRedis;

  constructor(url: string | undefined, redis: OwnRedis) {
    this.#url = url ?? `sqlite:${join(this.#root, "jobs.sqlite3")}`;
    this.redis = redis;
  }
  async open(options: OpenBullmqOptions = {}): Promise<OpenedJobs> {
    const where = { url: this.#url, redisUrl: this.redis.url };
    const opened = await openBullmq(this.#root, where, { prefix: this.#prefix, ...options });
    this.#opened.push(opened);
    await opened.database.migrations.up();
    return opened;
  }
  async spawn(lease = 60_000): Promise<ChildProcess> {
    const file = join(import.meta.dirname, "fixtures/node.ts");
    const child = fork(file, [this.#root, this.#url, this.redis.url, this.#prefix, String(lease)]);
    this.#children.push(child);
    await answer(child, "ready");
    return child;
  }
  async close(): Promise<void> {
    for (const child of this.#children) child.kill("SIGKILL");
    await Promise.all(this.#children.map(exitOf));
    for (const { kernel } of this.#opened) await kernel.close();
  }
}
function answer<T>(child: ChildProcess, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    child.on("message", (message: object) => name in message && resolve(message as T));
    child.once("exit", (code) => reject(new Error(`the node ended with ${code}`)));
  });
}
async function until(condition: () => Promise<boolean> | boolean, milliseconds: number): Promise<void> {
  const start = performance.now();
  while (!(await condition())) {
    assert.ok(performance.now() - start < milliseconds, `not within ${milliseconds} ms`);
    await sleep(50);
  }
}

function tell(database: TestDatabase): void {
  describe(`Jobs in Redis when something dies, over ${database.name}`, (it, { before, after }) => {
    const skip = lacking ?? database.skip;
    let redis: OwnRedis | undefined;
    before(async () => {
      if (skip === undefined) redis = await OwnRedis.start();
    });
    after(async () => {
      await redis?.remove();
      await database.clean();
    });
    const can = (sentence: string, story: (nodes: Nodes) => Promise<void>) =>
      it.unless(skip, sentence, async () => {
        const nodes = new Nodes((await database.values()).DATABASE_URL, redis!);
        await story(nodes).finally(() => nodes.close());
      });

    can("A process that is killed between its commit and the relay leaves the job to another one", async (nodes) => {
      const { jobs, database: db } = await nodes.open();
      jobs.define("mark", async (_, { id }) => void (await db.knex("marks").insert({ job: id, process: 1 })));
      const child = await nodes.spawn();
      child.on("error", () => undefined).send("commit");
      await once(child, "exit");
      assert.is((await db.knex("marks")).length, 1, "what it committed");
      const [waiting] = await jobs.list();
      assert.is(waiting?.state, "waiting");
      assert.is(await jobs.drain(), 1);
      assert.equal(
        (await db.knex("marks").orderBy("id")).map(({ job }: { job: unknown }) => Number(job)),
        [0, waiting!.id],
      );
    });

    can(
      "A process that is killed between Redis and its row leaves no second run, whether the job is done or not",
      async (nodes) => {
        const { jobs, database: db } = await nodes.open();
        const seen: number[] = [];
        jobs.define("once", async (_, { id }) => void seen.push(id));
        for (const isDone of [true, false]) {
          const id = await jobs.enqueue("once", {});
          const [row] = await db.knex("framewright_jobs").where({ id });
          if (isDone) await jobs.drain();
          const stranded = { ...row, state: "running", locked_by: "dead", locked_until: "2026-01-01 00:00:00.000" };
          await db.knex("framewright_jobs").where({ id }).delete();
          await db.knex("framewright_jobs").insert(stranded);
          await jobs.drain();
          assert.equal(seen, [id]);
          assert.is((await db.knex("framewright_jobs")).length, 0);
          seen.length = 0;
        }
      },
    );

    can("Two processes do 100 jobs once each", async (nodes) => {
      const { jobs, database: db } = await nodes.open();
      jobs.define("mark", async () => undefined);
      for (let i = 0; i < 100; i++) await jobs.enqueue("mark", { i });
      const children = await Promise.all([nodes.spawn(), nodes.spawn()]);
      const totals = children.map((child) => answer<{ done: number }>(child, "done"));
      for (const child of children) child.send("drain");
      const done = (await Promise.all(totals)).map((total) => total.done);
      const marks: { job: unknown }[] = await db.knex("marks").select("job");
      assert.is(new Set(marks.map(({ job }) => Number(job))).size, 100);
      assert.is(marks.length, 100, `done ${done.join(" and ")}`);
      assert.is((await jobs.list({ state: "done", limit: 500 })).length, 100);
    });

    can(
      "The job of a killed process runs elsewhere once its lease has expired, and counts as an attempt",
      async (nodes) => {
        const attempts: number[] = [];
        const { jobs } = await nodes.open({ lease: 1000 });
        jobs.define("hang", async (_, { attempt }) => void attempts.push(attempt));
        await jobs.enqueue("hang", {});
        await jobs.enqueue("hang", {}, { maxAttempts: 1 });
        const child = await nodes.spawn(1000);
        let began = 0;
        child.on("message", (message: object) => {
          if ("began" in message) began++;
        });
        child.send("drain");
        await until(() => began === 2, 20_000);
        assert.is((await jobs.list({ state: "running" })).length, 2);
        assert.is(await jobs.drain(), 0, "a living process renews its lease");
        child.kill("SIGKILL");
        await once(child, "exit");
        let ended = 0;
        await until(async () => {
          ended += await jobs.drain();
          return ended === 2;
        }, 20_000);
        assert.equal(attempts, [2]);
        const [failed] = await jobs.list({ state: "failed" });
        assert.match(failed!.lastError!, "died at each attempt");
      },
    );

    can("A process ends when its application closes, although Redis is away", async (nodes) => {
      await nodes.open();
      const child = await nodes.spawn();
      const drained = answer(child, "done");
      child.send("drain");
      await drained;
      await nodes.redis.stop("SIGKILL");
      try {
        child.send("end");
        assert.is(await Promise.race([exitOf(child), sleep(20_000, "it goes on", { ref: false })]), 0);
      } finally {
        await nodes.redis.start();
      }
    });

    can("Jobs survive a Redis that is killed and started again while they run", async (nodes) => {
      const done = new Set<number>();
      const ids: number[] = [];
      const opened = [await nodes.open({ lease: 2000 }), await nodes.open({ lease: 2000 })];
      for (const { jobs } of opened)
        jobs.define("slow", async (_, { id }) => {
          await sleep(10);
          done.add(id);
        });
      const [{ jobs, database: db }] = opened as [OpenedJobs, OpenedJobs];
      for (let n = 0; n < 60; n++) ids.push(await jobs.enqueue("slow", {}));
      let isOver = false;
      const loops = opened.map(async (one) => {
        while (!isOver) {
          await one.jobs.drain().catch(() => undefined);
          await sleep(50);
        }
      });
      await until(() => done.size > 5, 10_000);
      await nodes.redis.stop("SIGKILL");
      await throwsCode("FW_REDIS_AWAY", () => jobs.list());
      await db.transaction(async (transaction) => {
        for (let n = 0; n < 5; n++) ids.push(await jobs.enqueue("slow", {}, { transaction }));
      });
      await nodes.redis.start();
      await until(() => done.size === ids.length, 30_000);
      await until(async () => (await jobs.list({ state: "done", limit: 100 })).length === ids.length, 10_000);
      isOver = true;
      await Promise.all(loops);
      assert.equal(
        [...done].sort((a, b) => a - b),
        ids,
      );
    });
  });
}

for (const database of await databases({ mysqlInSoak: true })) tell(database);
