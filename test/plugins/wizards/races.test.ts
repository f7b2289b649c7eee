import { setTimeout as sleep } from "node:timers/promises";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { type RunsApp, stories, whereTo } from "./runs_app.ts";

const RUNS = "framewright_wizard_runs";
const EVENTS = "framewright_wizard_events";
const CROWD = 50;
const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

/** Holds whoever comes to a moment until a crowd has come to the server. */
function holdFor(app: RunsApp, moment: string, crowd: number): void {
  app.arrived.requests = 0;
  app.moments[moment] = async () => {
    for (let waited = 0; app.arrived.requests < crowd && waited < 400; waited++) await sleep(10);
  };
}
async function fill(app: RunsApp, user: number): Promise<void> {
  await app.as(user, "GET", "/office/onboard");
  await app.send(user, "/office/onboard/company", { name: "Acme", plan: "free" });
  await app.send(user, "/office/onboard/people", { count: "3" });
}

for (const base of await databases()) {
  describe(`Races, on ${base.name}`, (it, around) => {
    const story = stories(base, it, around);

    for (const moment of ["locked", "completing", "executing", "executed"]) {
      story(
        `Fifty posts of the last step while one waits at "${moment}" execute once and redirect to the same page`,
        async (app) => {
          await fill(app, 1);
          let executed = 0;
          app.moments.inside = () => void executed++;
          holdFor(app, moment, CROWD);
          const answers = await times(CROWD, () => app.send(1, "/office/onboard/review"));
          assert.equal([...new Set(answers.map(whereTo))], ["303 /office/done"]);
          assert.is(executed, 1);
          assert.is((await app.rows("companies")).length, 1);
          assert.is(app.events.filter(({ kind }) => kind === "completed").length, 1);
        },
      );
    }

    story("Fifty launches of a keyed wizard create one row", async (app) => {
      const answers = await times(CROWD, () => app.as(1, "GET", "/office/onboard"));
      assert.equal([...new Set(answers.map(whereTo))], ["303 /office/onboard/company"]);
      assert.is((await app.rows(RUNS)).length, 1);
    });

    story("Fifty posts of a last step with fields execute once and redirect to the same page", async (app) => {
      await app.as(1, "GET", "/office/order");
      await app.send(1, "/office/order/what", { name: "Pen" });
      holdFor(app, "locked", CROWD);
      const answers = await times(CROWD, (index) => app.send(1, "/office/order/secret", { code: `code ${index}` }));
      assert.equal([...new Set(answers.map(whereTo))], ["303 /office/ordered"]);
      assert.is((await app.rows("companies")).length, 1);
    });

    story("Two steps sent at once from two tabs both keep their answers", async (app) => {
      await fill(app, 1);
      for (let round = 0; round < 10; round++) {
        const [one, two] = await Promise.all([
          app.send(1, "/office/onboard/company", { name: `Acme ${round}`, plan: "free" }),
          app.send(1, "/office/onboard/people", { count: String(round) }),
        ]);
        assert.is(one.status, 303);
        assert.is(two.status, 303);
        const [row] = await app.rows(RUNS);
        const data = JSON.parse(String(row!.data)) as { company: { name: string }; people: { count: number } };
        assert.equal([data.company.name, data.people.count], [`Acme ${round}`, round]);
      }
    });

    story("Autosaves in one tab lose no answer of a step sent in another", async (app) => {
      await fill(app, 1);
      for (let round = 1; round <= 10; round++) {
        const put = (name: string) => app.as(1, "PUT", "/office/onboard/company", { wizard: { name } });
        const [sent, ...saved] = await Promise.all([
          app.send(1, "/office/onboard/people", { count: String(round) }),
          ...Array.from({ length: 8 }, (_, index) => put(`Ac ${round} ${index}`)),
        ]);
        assert.is(sent.status, 303);
        assert.ok(saved.every(({ status }) => status === 204 || status === 409));
        const [row] = await app.rows(RUNS);
        assert.is((JSON.parse(String(row!.data)) as { people: { count: number } }).people.count, round);
      }
    });

    story(
      "A failed execute leaves the run open, and waiting requests get 422 or return to the last step",
      async (app) => {
        await app.as(1, "GET", "/office/onboard");
        await app.send(1, "/office/onboard/company", { name: "Failing", plan: "free" });
        await app.send(1, "/office/onboard/people", { count: "1" });
        holdFor(app, "completing", 10);
        const answers = await times(10, () => app.send(1, "/office/onboard/review"));
        assert.ok(answers.some(({ status }) => status === 422));
        assert.ok(answers.every((answer) => answer.status === 422 || whereTo(answer) === "303 /office/onboard/review"));
        assert.is((await app.rows("companies")).length, 0);
        assert.is((await app.rows(RUNS))[0]!.state, "in_progress");
      },
    );

    story(
      "A request that resumes after another one recovered and completed its run does not execute again",
      async (app) => {
        await fill(app, 1);
        const { knex } = app.application.kernel.service("database");
        let executed = 0;
        let other: Response | undefined;
        app.moments.inside = () => void executed++;
        app.moments.completing = async () => {
          if (other) return;
          other = new Response();
          await knex(RUNS).update({ completing_at: "2026-01-01 00:00:00.000" });
          other = await app.send(1, "/office/onboard/review");
        };
        const first = await app.send(1, "/office/onboard/review");
        assert.equal([whereTo(first), whereTo(other!)], ["303 /office/done", "303 /office/done"]);
        assert.is(executed, 1);
        assert.equal(
          (await app.rows(EVENTS))
            .filter(({ kind }) => /recovered|completed/.test(String(kind)))
            .map(({ kind }) => kind),
          ["recovered", "completed"],
        );
      },
    );

    story("A concurrent cancel and last step result in one of the two", async (app) => {
      for (let round = 0; round < 5; round++) {
        await app.as(1, "GET", "/office/order");
        await app.send(1, "/office/order/what", { name: `Pen ${round}` });
        const run = (await app.rows(RUNS)).find(({ state }) => state === "in_progress")!;
        const form = { _run: run.id }; // without it, a run of an earlier round would answer for a cancelled one
        const [sent, cancelled] = await Promise.all([
          app.send(1, "/office/order/secret", form),
          app.send(1, "/office/order/secret", form, "cancel"),
        ]);
        const made = (await app.rows("companies")).some(({ name }) => name === `Pen ${round}`);
        assert.is(made, whereTo(sent) === "303 /office/ordered", `${whereTo(sent)}, ${whereTo(cancelled)}`);
        assert.ok([303, 404].includes(sent.status) && cancelled.status === 303);
      }
    });
  });
}
