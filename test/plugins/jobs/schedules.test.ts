import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { definePlugin, type Plugin } from "framewright/kernel";
import type { ScheduleOptions } from "framewright/plugins/jobs";
import { Scheduler } from "../../../plugins/jobs/schedules/scheduler.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { declareMarks, jobsMigrationBefore, jobsRoot, type OpenedJobs, openJobs } from "./support.ts";

const at = (text: string) => Date.parse(`${text}Z`);
const nightly: ScheduleOptions = { kind: "mark", cron: "0 3 * * *" };

for (const database of await databases()) {
  describe(`Schedules on ${database.name}`, (it, { after }) => {
    after(() => database.clean());
    const can = (sentence: string, story: (world: World) => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        const root = jobsRoot();
        const { DATABASE_URL: url = `sqlite:${join(root, "jobs.sqlite3")}` } = await database.values();
        const opened = await openJobs(root, url);
        const world = new World(root, url, opened);
        try {
          await opened.database.migrations.up();
          opened.jobs.define("mark", async () => undefined);
          await story(world);
        } finally {
          await world.close();
        }
      });

    can(
      "Each due time stores one job, whichever of two nodes looks first, and none is stored before",
      async (world) => {
        const [a, b] = [world.node("2026-05-01T12:00"), world.node("2026-05-01T12:00")];
        for (const node of [a, b]) node.declare("nightly", nightly);
        assert.equal(await Promise.all([a.look(), b.look()]), [0, 0]);
        const counts: number[] = [];
        for (const time of ["2026-05-02T02:59:59", "2026-05-02T03:00", "2026-05-02T03:00:01", "2026-05-03T03:00"]) {
          const both = await Promise.all([a.look(time), b.look(time)]);
          counts.push(both[0]! + both[1]!);
        }
        assert.equal(counts, [0, 1, 0, 1]);
        assert.is((await world.jobs.list()).length, 2);
      },
    );

    can("Due times that passed while no process ran are made up for by one job", async (world) => {
      await world.node("2026-05-01T12:00").declare("nightly", nightly).look();
      const later = world.node("2026-05-20T12:00").declare("nightly", nightly);
      assert.equal([await later.look(), await later.look("2026-05-20T12:01")], [1, 0]);
      assert.is(await later.look("2026-05-21T03:00"), 1, "and the next one is on time");
      assert.is((await world.jobs.list()).length, 2);
    });

    can(
      "A clock that is set back repeats nothing, within one process, in another and under another cron text",
      async (world) => {
        const node = world.node("2026-05-01T12:00").declare("quarterly", { kind: "mark", minutes: 15 });
        await node.look();
        assert.equal([await node.look("2026-05-01T12:15"), await node.look("2026-05-01T12:30")], [1, 1]);
        const again = ["2026-05-01T11:00", "2026-05-01T12:15", "2026-05-01T12:30", "2026-05-01T12:44"];
        for (const time of again) assert.is(await node.look(time), 0, time);
        const other = world.node("2026-05-01T11:00").declare("quarterly", { kind: "mark", cron: "*/15 * * * *" });
        for (const time of again) assert.is(await other.look(time), 0, `${time} after a restart`);
        assert.is(await other.look("2026-05-01T12:45"), 1);
        assert.is((await world.jobs.list()).length, 3);
      },
    );

    can("A time that exists twice runs once, and one that does not exist runs once", async (world) => {
      const zone = { kind: "mark", cron: "30 2 * * *", timeZone: "Europe/Zurich" };
      const node = world.node("2026-03-28T12:00").declare("summer", zone);
      await node.look();
      assert.equal([await node.look("2026-03-29T00:59"), await node.look("2026-03-29T01:00")], [0, 1]);
      assert.is(await node.look("2026-03-29T23:59"), 0);
      const winter = world.node("2026-10-24T12:00").declare("winter", zone);
      await winter.look();
      assert.equal([await winter.look("2026-10-25T00:30"), await winter.look("2026-10-25T01:30")], [1, 0]);
    });

    can(
      "A schedule whose declaration is gone stores nothing, and its row is removed after the time that rows are kept",
      async (world) => {
        await world.node("2026-05-01T12:00").declare("nightly", nightly).declare("kept", nightly).look();
        const without = world.node("2026-05-01T12:00").declare("kept", nightly);
        assert.is(await without.look("2026-05-02T03:00"), 1);
        assert.is((await world.jobs.list()).length, 1);
        await without.sweep("2026-05-02T02:59");
        assert.equal(await world.names(), ["kept", "nightly"]);
        await without.sweep("2026-05-02T03:01");
        assert.equal(await world.names(), ["kept"]);
      },
    );

    can("A changed cron text begins with its next due time, and a process of before leaves it alone", async (world) => {
      const before = world.node("2026-05-01T12:00").declare("nightly", nightly);
      await before.look();
      const after = world.node("2026-05-02T02:00").declare("nightly", { kind: "mark", cron: "0 5 * * *" });
      await after.look();
      const times = [
        "2026-05-02T03:00",
        "2026-05-02T03:30",
        "2026-05-02T05:00",
        "2026-05-02T05:01",
        "2026-05-03T03:00",
      ];
      const counts: number[][] = [];
      for (const time of times) counts.push([await before.look(time), await after.look(time)]);
      assert.equal(counts, [
        [0, 0],
        [0, 0],
        [0, 1],
        [0, 0],
        [0, 0],
      ]);
    });

    can("A changed cron text makes up for what it has missed itself, and for nothing else", async (world) => {
      const change = async (name: string, cron: string) => {
        await world.node("2026-05-01T12:00").declare(name, nightly).look();
        return world.node("2026-05-02T03:30").declare(name, { kind: "mark", cron }).look();
      };
      assert.equal([await change("same", "0 3 * * SAT"), await change("later", "0 5 * * *")], [1, 0]);
      assert.equal([await change("earlier", "0 2 * * *"), await change("often", "*/5 * * * *")], [0, 1]);
    });

    can("A process of before takes a schedule over that nobody runs any more", async (world) => {
      const before = world.node("2026-05-01T12:00").declare("nightly", nightly);
      await before.look();
      await world.node("2026-05-01T12:00").declare("nightly", { kind: "mark", cron: "0 5 * * *" }).look();
      assert.is(await before.look("2026-05-02T05:01"), 0, "the other one may just be late");
      assert.is(await before.look("2026-05-02T05:03"), 0, "taken over");
      assert.is(await before.look("2026-05-03T03:00"), 1);
    });

    can(
      "A failure rolls the due time back with its job, does not keep other schedules, and is tried again",
      async (world) => {
        const node = world.node("2026-05-01T12:00").declare("broken", nightly).declare("sound", nightly);
        await node.look();
        node.fails = "broken";
        assert.is(await node.look("2026-05-02T03:00").catch((error: Error) => error.message), "out of luck");
        assert.is((await world.jobs.list()).length, 1);
        node.fails = "";
        assert.is(await node.look("2026-05-02T03:01"), 1);
        assert.is((await world.jobs.list()).length, 2);
      },
    );

    can(
      "The service lists schedules with their next and last due time and last job, and drain runs what is due",
      async (world) => {
        const seen: unknown[] = [];
        world.jobs.define<{ of: string }>("report", async ({ of }) => void seen.push(of));
        world.jobs.every("weekly", {
          kind: "report",
          cron: "0 4 * * MON",
          timeZone: "Europe/Zurich",
          payload: { of: "week" },
        });
        world.jobs.every("report", { hours: 1, payload: { of: "hour", secret: "marked-payload" }, maxAttempts: 3 });
        const [unseen] = await world.jobs.schedules();
        assert.equal([unseen?.name, unseen?.timing, unseen?.lastAt], ["report", "every hour", undefined]);
        assert.is(await world.jobs.drain(), 0);
        await world.makeDue("report", "2026-01-01 05:00:00.000");
        const { jobs } = await world.open();
        jobs.define<{ of: string }>("report", async ({ of }) => void seen.push(of));
        jobs.every("report", { hours: 1, payload: { of: "hour", secret: "marked-payload" }, maxAttempts: 3 });
        assert.is(await jobs.drain(), 1);
        assert.equal(seen, ["hour"]);
        const [job] = await jobs.list();
        assert.equal([job?.kind, job?.state, job?.maxAttempts], ["report", "done", 3]);
        const [info, weekly] = await world.jobs.schedules();
        assert.equal([info?.lastAt?.toISOString(), info?.lastJob], ["2026-01-01T05:00:00.000Z", job?.id]);
        assert.ok(info!.nextAt.getTime() > Date.now() && info!.nextAt.getTime() <= Date.now() + 3_600_000);
        assert.equal(
          [weekly?.kind, weekly?.timing, weekly?.lastJob],
          ["report", "0 4 * * MON Europe/Zurich", undefined],
        );
        assert.not.match(JSON.stringify([info, weekly]), "marked-payload");
      },
    );

    can("Three processes store one job for each of 20 schedules that are due", async (world) => {
      await world.makeMarksDue();
      const nodes = await Promise.all([world.spawn(), world.spawn(), world.spawn()]);
      const totals = await Promise.all(nodes.map((child) => told<{ done: number }>(child, "drain", "done")));
      const marks = await world.opened.database.knex("marks").select("job");
      assert.is(new Set(marks.map(({ job }: { job: unknown }) => Number(job))).size, 20);
      assert.is(marks.length, 20, JSON.stringify(totals));
      assert.is((await world.jobs.list()).length, 20);
    });

    can("The due time of a process that is killed within its transaction is run by another", async (world) => {
      await world.makeMarksDue("mark-7");
      const child = await world.spawn();
      await told(child, "hang", "inside");
      child.kill("SIGKILL");
      await once(child, "exit");
      assert.is((await world.jobs.list()).length, 0, "rolled back");
      const { jobs } = await world.open();
      jobs.define("mark", async () => undefined);
      declareMarks(jobs);
      assert.is(await jobs.drain(), 1);
      assert.is((await jobs.list()).length, 1);
    });

    can(
      "An application of an earlier release without schedules needs no table, and one with them is refused",
      async (world) => {
        const root = jobsRoot(jobsMigrationBefore);
        const { DATABASE_URL: url = `sqlite:${join(root, "before.sqlite3")}` } = await database.values();
        const scheduling = declaring("reports", ({ jobs }) => {
          jobs.define("mark", async () => undefined);
          jobs.every("nightly", nightly);
        });
        const pending = await world.keep(openJobs(root, url, { plugins: [scheduling] }));
        await pending.database.migrations.up();
        const error = await throwsCode("FW_SCHEDULES_TABLE", () => openJobs(root, url, { plugins: [scheduling] }));
        assert.match(error.message, /fw generate fw:jobs:install, then fw db:migrate/);
        const { jobs } = await world.keep(openJobs(root, url));
        jobs.define("mark", async () => undefined);
        await jobs.enqueue("mark", {});
        assert.equal([await jobs.drain(), await jobs.schedules()], [1, []]);
      },
    );
  });
}

describe("Schedules that are refused at boot", (it) => {
  const opening = (...plugins: Plugin[]) => openJobs(jobsRoot(), "sqlite::memory:", { plugins });
  const sweeps = declaring("sweeps", ({ jobs }) => jobs.define("sweep", async () => undefined));

  it("An unknown kind is refused with schedule, plugin, kind and the nearest kind, also after boot", async () => {
    const broom = declaring("broom", ({ jobs }) => jobs.every("nightly", { kind: "sweeep", hours: 1 }));
    const { message } = await throwsCode("FW_SCHEDULE_KIND", () => opening(broom, sweeps));
    for (const text of ['"broom"', '"nightly"', '"sweeep"', 'Did you mean "sweep"?']) assert.ok(message.includes(text));
    const { kernel, jobs } = await opening(sweeps);
    await throwsCode("FW_SCHEDULE_KIND", () => jobs.every("sweeps", { hours: 1 }));
    jobs.every("sweep", { hours: 1 });
    await kernel.close();
  });

  it("A kind may be defined by a plugin that is applied later", async () => {
    const broom = declaring("broom", ({ jobs }) => jobs.every("nightly", { kind: "sweep", hours: 1 }));
    const { kernel, jobs } = await opening(broom, sweeps);
    await kernel.service("database").migrations.up();
    assert.equal(
      (await jobs.schedules()).map(({ name }) => name),
      ["nightly"],
    );
    await kernel.close();
  });

  it("A name that is taken is refused with both plugins, whatever its case", async () => {
    const plugins = ["broom", "vacuum"].map((name, index) =>
      declaring(name, ({ jobs }) => jobs.every(index === 0 ? "nightly" : "Nightly", { kind: "sweep", hours: 1 })),
    );
    const { message } = await throwsCode("FW_SCHEDULE_TAKEN", () => opening(sweeps, ...plugins));
    assert.match(message, '"broom" and "vacuum" both declare the schedule "Nightly"');
    const twice = declaring("broom", ({ jobs }) => {
      for (let n = 0; n < 2; n++) jobs.every("nightly", { kind: "sweep", hours: 1 });
    });
    assert.match(
      (await throwsCode("FW_SCHEDULE_TAKEN", () => opening(sweeps, twice))).message,
      '"broom" declares twice',
    );
  });

  it("A wrong cron text, time zone or option is refused with the plugin and the schedule", async () => {
    const circle: { self?: object } = {};
    circle.self = circle;
    const wrong: [string, string, unknown, string][] = [
      ["FW_SCHEDULE_CRON", "nightly", { cron: "61 * * * *" }, "61"],
      ["FW_SCHEDULE_ZONE", "nightly", { cron: "1 * * * *", timeZone: "Europe/Zurick" }, '"Europe/Zurich"?'],
      ["FW_SCHEDULE_OPTION", "nightly", { minuts: 5 }, 'not "minuts" (did you mean "minutes"?)'],
      ["FW_SCHEDULE_OPTION", "nightly", 5, "options such as"],
      ["FW_SCHEDULE_OPTION", "nightly", { minutes: 5, payload: [] }, "payload"],
      ["FW_SCHEDULE_OPTION", "nightly", { minutes: 5, payload: circle }, "payload"],
      ["FW_SCHEDULE_OPTION", "nightly", { minutes: 5, kind: "" }, "kind"],
      ["FW_SCHEDULE_OPTION", "nightly", { minutes: 5, maxAttempts: 0 }, "maxAttempts"],
      ["FW_SCHEDULE_OPTION", "", { minutes: 5 }, "a name"],
      ["FW_SCHEDULE_OPTION", "nächtlich", { minutes: 5 }, "a name"],
      ["FW_SCHEDULE_OPTION", "n".repeat(101), { minutes: 5 }, "a name"],
    ];
    for (const [code, name, options, text] of wrong) {
      const broom = declaring("broom", ({ jobs }) => jobs.every(name, options as ScheduleOptions));
      const { message } = await throwsCode(code, () => opening(sweeps, broom));
      for (const part of [text, '"broom"', `"${name}"`]) assert.ok(message.includes(part), message);
    }
  });
});

function declaring(name: string, declare: (services: Pick<OpenedJobs, "jobs">) => void): Plugin {
  return definePlugin({ name, requires: ["jobs"], apply: ({ services }) => declare({ jobs: services.jobs }) });
}

/** A node whose clock stands still until it is asked to look. */
class Node {
  readonly #scheduler: Scheduler;
  #now: number;
  /** The schedule whose jobs can't be stored. */
  fails = "";

  constructor({ database, jobs }: OpenedJobs, now: string) {
    this.#now = at(now);
    this.#scheduler = new Scheduler({
      database,
      kinds: { has: (kind) => kind === "mark", names: () => ["mark"] },
      now: () => this.#now,
      enqueue: async ({ name, kind, payload }, transaction) => {
        const id = await jobs.enqueue(kind, payload, { transaction });
        if (name === this.fails) throw new Error("out of luck");
        return id;
      },
    });
  }
  declare(name: string, options: ScheduleOptions): this {
    this.#scheduler.declare(name, "test", options);
    return this;
  }
  /** Looks twice, as the loop of a process does after a change; returns how many jobs were stored. */
  async look(now?: string): Promise<number> {
    if (now !== undefined) this.#now = at(now);
    return (await this.#scheduler.enqueueDue()) + (await this.#scheduler.enqueueDue());
  }
  sweep(before: string): Promise<void> {
    return this.#scheduler.sweep(new Date(at(before)));
  }
}

/** The nodes of one story, in this process or in others. */
class World {
  readonly opened: OpenedJobs;
  readonly #root: string;
  readonly #url: string;
  readonly #others: OpenedJobs[] = [];
  readonly #children: ChildProcess[] = [];

  constructor(root: string, url: string, opened: OpenedJobs) {
    this.#root = root;
    this.#url = url;
    this.opened = opened;
  }
  get jobs(): OpenedJobs["jobs"] {
    return this.opened.jobs;
  }
  node(now: string): Node {
    return new Node(this.opened, now);
  }
  async keep(opening: Promise<OpenedJobs>): Promise<OpenedJobs> {
    const opened = await opening;
    this.#others.push(opened);
    return opened;
  }
  open(): Promise<OpenedJobs> {
    return this.keep(openJobs(this.#root, this.#url));
  }
  async spawn(): Promise<ChildProcess> {
    const child = fork(join(import.meta.dirname, "fixtures/schedule_node.ts"), [this.#root, this.#url]);
    this.#children.push(child);
    await answer(child, "ready");
    return child;
  }
  async names(): Promise<string[]> {
    const rows = await this.opened.database.knex("framewright_job_schedules").orderBy("name").select("name");
    return rows.map(({ name }: { name: string }) => name);
  }
  /** As if nothing had run since. */
  async makeDue(name: string, next_at: string): Promise<void> {
    await this.opened.database.knex("framewright_job_schedules").where("name", "like", name).update({ next_at });
  }
  /** The schedules of fixtures/schedule_node.ts, with rows as if nothing had run them since. */
  async makeMarksDue(name = "mark-%"): Promise<void> {
    declareMarks(this.jobs);
    await this.jobs.drain();
    await this.makeDue(name, "2026-01-01 05:00:00.000");
  }
  async close(): Promise<void> {
    for (const child of this.#children) child.kill("SIGKILL");
    for (const { kernel } of [...this.#others, this.opened]) await kernel.close();
  }
}

function told<T>(child: ChildProcess, word: string, name: string): Promise<T> {
  const answered = answer<T>(child, name);
  child.send(word);
  return answered;
}
function answer<T>(child: ChildProcess, name: string): Promise<T> {
  return new Promise((resolve, reject) => {
    child.on("message", (message: object) => name in message && resolve(message as T));
    child.once("exit", (code) => reject(new Error(`the node ended with ${code}`)));
  });
}
