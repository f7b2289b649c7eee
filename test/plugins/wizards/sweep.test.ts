import { leasedSweep } from "../../../plugins/wizards/runs/upkeep/leased_sweep.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { type RunsApp, stories, whereTo } from "./runs_app.ts";

const RUNS = "framewright_wizard_runs";
const EVENTS = "framewright_wizard_events";
const DAY = 86_400_000;
const nothing = { unstarted: 0, expired: 0, recovered: 0, completed: 0, events: 0 };

for (const base of await databases()) {
  describe(`The sweep, on ${base.name}`, (it, around) => {
    const story = stories(base, it, around);
    const sweep = (app: RunsApp) => app.application.kernel.service("wizards").engine.sweep();
    const knexOf = (app: RunsApp) => app.application.kernel.service("database").knex;
    /** Makes all rows look as if they were so much older. */
    const age = async (app: RunsApp, days: number) => {
      const earlier = (text: unknown) =>
        text === null
          ? null
          : new Date(Date.parse(`${text}Z`) - days * DAY).toISOString().replace("T", " ").slice(0, 23);
      for (const [table, columns] of [
        [RUNS, ["created_at", "updated_at", "expires_at", "started_at", "completed_at", "completing_at"]],
        [EVENTS, ["at"]],
      ] as const)
        for (const row of await app.rows(table))
          await knexOf(app)(table)
            .where({ id: row.id })
            .update(Object.fromEntries(columns.map((name) => [name, earlier(row[name])])));
    };
    const order = async (app: RunsApp, user: number) => {
      await app.as(user, "GET", "/office/order");
      await app.send(user, "/office/order/what", { name: "Pen" });
    };

    story("The sweep leaves new runs alone", async (app) => {
      await app.as(1, "GET", "/office/onboard");
      await order(app, 1);
      assert.equal(await sweep(app), nothing);
      assert.is((await app.rows(RUNS)).length, 2);
    });

    story(
      "The sweep removes unstarted runs after 8 days and open ones after 15, with everything they persisted",
      async (app) => {
        await app.as(2, "GET", "/office/onboard");
        await app.as(1, "GET", "/office/onboard");
        await app.send(1, "/office/onboard/company", { name: "Acme", plan: "paid" });
        await app.send(1, "/office/onboard/billing", { number: "A1" });
        await age(app, 8);
        assert.equal(await sweep(app), { ...nothing, unstarted: 1 });
        await age(app, 7);
        assert.equal(await sweep(app), { ...nothing, expired: 1 });
        assert.equal(await app.rows(RUNS), []);
        assert.equal(await app.rows("invoices"), []);
        assert.equal(
          (await app.rows("companies")).map(({ name }) => name),
          ["rolled back"],
        );
        assert.is((await app.rows(EVENTS)).at(-1)!.kind, "expired");
        assert.ok(app.events.some(({ kind }) => kind === "expired"));
      },
    );

    story(
      "The sweep removes completed runs after 15 days, except for one-time ones, and all events after 95",
      async (app) => {
        await order(app, 1);
        await app.send(1, "/office/order/secret", {});
        await app.as(1, "GET", "/office/onboard");
        await app.send(1, "/office/onboard/company", { name: "Acme", plan: "free" });
        await app.send(1, "/office/onboard/people", { count: "3" });
        await app.send(1, "/office/onboard/review");
        await age(app, 15);
        assert.equal(await sweep(app), { ...nothing, completed: 1 });
        assert.equal(
          (await app.rows(RUNS)).map(({ wizard }) => wizard),
          ["OnboardWizard"],
        );
        assert.is((await app.send(1, "/office/order/secret", {})).status, 404);
        assert.is(whereTo(await app.send(1, "/office/onboard/review")), "303 /office/done");
        await age(app, 80);
        assert.ok((await sweep(app)).events > 0);
        assert.equal(await app.rows(EVENTS), []);
      },
    );

    story("The sweep reopens a run that was left in completion", async (app) => {
      await order(app, 1);
      await knexOf(app)(RUNS).update({
        state: "completing",
        attempt: "dead",
        completing_at: "2026-01-01 00:00:00.000",
      });
      assert.equal(await sweep(app), { ...nothing, recovered: 1 });
      assert.is((await app.rows(EVENTS)).at(-1)!.kind, "recovered");
      assert.is(whereTo(await app.send(1, "/office/order/secret", {})), "303 /office/ordered");
    });

    story(
      "The sweep continues past a run whose rollback fails, leaves it whole and does not retry it at once",
      async (app) => {
        await app.as(1, "GET", "/office/onboard");
        await app.send(1, "/office/onboard/company", { name: "Acme", plan: "paid" });
        await app.send(1, "/office/onboard/billing", { number: "A1" });
        await order(app, 2);
        await age(app, 15);
        await knexOf(app).schema.renameTable("companies", "elsewhere"); // what onRollback writes into
        assert.equal(await sweep(app), { ...nothing, expired: 1 });
        assert.equal(
          (await app.rows(RUNS)).map(({ wizard }) => wizard),
          ["OnboardWizard"],
        );
        assert.is((await app.rows("invoices")).length, 1, "undone as a whole, or not");
        assert.equal(await sweep(app), nothing, "not at once");
        await knexOf(app).schema.renameTable("elsewhere", "companies");
      },
    );

    story("The sweep removes expired runs of a removed wizard", async (app) => {
      await order(app, 1);
      await knexOf(app)(RUNS).update({ wizard: "GoneWizard" });
      await age(app, 15);
      assert.equal(await sweep(app), { ...nothing, expired: 1 });
    });

    story("One of three nodes sweeps in an interval", async (app) => {
      const store = app.application.kernel.service("wizardStore");
      let swept = 0;
      const engine = {
        sweep: async () => {
          swept++;
          return nothing;
        },
      };
      const nodes = [1, 2, 3].map(() => leasedSweep({ engine, store, everyMs: 300 }));
      await Promise.all(nodes.map((sweep) => sweep()));
      assert.is(swept, 1);
      await new Promise((resolve) => setTimeout(resolve, 300));
      await Promise.all(nodes.map((sweep) => sweep()));
      assert.is(swept, 2, "and one in the next");
    });
  });
}
