import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { writeApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { exitOf, serveApp } from "../../support/processes.ts";
import { migrateRuns, openRunsApp, requests, runsFiles, whereTo } from "./runs_app.ts";

const RUNS = "framewright_wizard_runs";
/** Milliseconds after which a run counts as left behind; a restart takes longer. */
const GRACE = "200";
process.env.FW_TEST_GRACE = GRACE; // read where the application lists its plugins, here and in the processes below

const points: Record<string, string> = {
  locked: "after the lock",
  completing: "once the run is completing",
  inside: "inside execute",
  executed: "before the commit",
  completed: "after the commit",
};

/** Serves the application, goes to the last step, and dies there. */
async function dieAt(point: string, root: string, values: Record<string, string>): Promise<void> {
  const { child, url } = await serveApp(root, { ...values, FW_TEST_KILL: point });
  const ended = once(child, "exit");
  const { as, send } = requests(url);
  await as(1, "GET", "/office/onboard");
  await send(1, "/office/onboard/company", { name: "Acme", plan: "free" });
  await send(1, "/office/onboard/people", { count: "3" });
  const refused = await send(1, "/office/onboard/review").then(whereTo, () => "no answer");
  await ended;
  assert.is(refused, "no answer");
  await sleep(Number(GRACE) + 50);
}

const both = await databases();
for (const base of both) {
  describe(`A process that is killed, on ${base.name}`, (it, { after }) => {
    after(() => base.clean());
    for (const [point, when] of Object.entries(points)) {
      it.unless(
        base.skip,
        `A process killed ${when} leaves a run that was completed once or can be completed once`,
        async () => {
          const root = writeApp(runsFiles);
          const values = { ...(await base.values()), FW_TEST_GRACE: GRACE };
          await migrateRuns(root, values);
          await dieAt(point, root, values);
          const app = await openRunsApp({ ...values, migrated: "yes" }, {}, root);
          try {
            const [left] = await app.rows(RUNS);
            const companies = (await app.rows("companies")).length;
            assert.is(left!.state, { locked: "in_progress", completed: "completed" }[point] ?? "completing");
            assert.is(
              companies,
              point === "completed" ? 1 : 0,
              "what execute wrote is there with the run's end, or not",
            );
            assert.is(whereTo(await app.send(1, "/office/onboard/review")), "303 /office/done");
            assert.is(whereTo(await app.send(1, "/office/onboard/review")), "303 /office/done");
            assert.is((await app.rows("companies")).length, 1);
            assert.is((await app.rows(RUNS))[0]!.state, "completed");
          } finally {
            await app.close();
          }
        },
      );
    }

    it.unless(base.skip, "The sweep reopens the run that a killed process left in execute", async () => {
      const root = writeApp(runsFiles);
      const values = { ...(await base.values()), FW_TEST_GRACE: GRACE };
      await migrateRuns(root, values);
      await dieAt("inside", root, values);
      const app = await openRunsApp({ ...values, migrated: "yes" }, {}, root);
      try {
        const report = await app.application.kernel.service("wizards").engine.sweep();
        assert.is(report.recovered, 1);
        assert.is((await app.rows(RUNS))[0]!.state, "in_progress");
        assert.is(whereTo(await app.as(1, "GET", "/office/onboard")), "303 /office/onboard/review");
      } finally {
        await app.close();
      }
    });
  });
}

describe("Two server processes on one MariaDB", (it, { after }) => {
  const maria = both[1]!;
  after(() => maria.clean());
  it.unless(maria.skip, "Two server processes execute a run once and give the same answer", async () => {
    const root = writeApp(runsFiles);
    const values = { ...(await maria.values()), FW_TEST_GRACE: "60000" };
    await migrateRuns(root, values);
    const servers = [await serveApp(root, values), await serveApp(root, values)];
    const nodes = servers.map(({ url }) => requests(url));
    const node = (index: number) => nodes[index % 2]!;
    try {
      const launches = await Promise.all(
        Array.from({ length: 20 }, (_, index) => node(index).as(1, "GET", "/office/onboard")),
      );
      assert.equal([...new Set(launches.map(whereTo))], ["303 /office/onboard/company"]);
      await node(0).send(1, "/office/onboard/company", { name: "Acme", plan: "free" });
      await node(1).send(1, "/office/onboard/people", { count: "3" });
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) => node(index).send(1, "/office/onboard/review")),
      );
      assert.equal([...new Set(answers.map(whereTo))], ["303 /office/done"]);
      const app = await openRunsApp({ ...values, migrated: "yes" }, {}, root);
      assert.is((await app.rows("companies")).length, 1);
      assert.is((await app.rows(RUNS)).length, 1);
      await app.close();
    } finally {
      for (const { child } of servers) child.kill("SIGTERM");
      for (const { child } of servers) await exitOf(child);
    }
  });
});
