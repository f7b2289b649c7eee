import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { type RunsApp, stories, whereTo } from "./runs_app.ts";

const RUNS = "framewright_wizard_runs";
const EVENTS = "framewright_wizard_events";

for (const base of await databases()) {
  describe(`Runs, on ${base.name}`, (it, around) => {
    const story = stories(base, it, around);

    story("A run goes from launch to end, executes once, and answers late posts like the last step", async (app) => {
      assert.is(whereTo(await app.as(1, "GET", "/office/onboard")), "303 /office/onboard/company");
      assert.is(
        whereTo(await app.send(1, "/office/onboard/company", { name: "Acme", plan: "free" })),
        "303 /office/onboard/people",
      );
      assert.is(whereTo(await app.send(1, "/office/onboard/people", { count: "3" })), "303 /office/onboard/review");
      assert.is(whereTo(await app.send(1, "/office/onboard/review")), "303 /office/done");
      assert.is(whereTo(await app.send(1, "/office/onboard/review")), "303 /office/done");
      assert.equal(
        (await app.rows("companies")).map(({ name, made_by }) => [name, made_by]),
        [["Acme", "3"]],
      );
      const [row] = await app.rows(RUNS);
      assert.is(row!.state, "completed");
      assert.is(row!.data, null);
      assert.is(row!.claim, row!.identity, "a one-time wizard keeps its claim");
      assert.equal(
        (await app.rows(EVENTS)).map(({ kind, step }) => `${kind} ${step ?? ""}`.trim()),
        ["launched", "submitted company", "submitted people", "submitted review", "completing review", "completed"],
      );
      assert.equal(
        app.events.map(({ kind }) => kind),
        ["launched", "submitted", "submitted", "submitted", "completed"],
      );
    });

    const paid = async (app: RunsApp, number: string) => {
      await app.as(1, "GET", "/office/onboard");
      await app.send(1, "/office/onboard/company", { name: "Acme", plan: "paid" });
      return app.send(1, "/office/onboard/billing", { number });
    };
    const run = async (app: RunsApp) => (await app.rows(RUNS))[0]!;
    const answers = async (app: RunsApp) => JSON.parse(String((await run(app)).data)) as Record<string, unknown>;
    const drafts = async (app: RunsApp) => JSON.parse(String((await run(app)).drafts)) as Record<string, unknown>;

    story("A relaunched keyed run resumes at its step, and a reload creates no second run", async (app) => {
      await app.as(1, "GET", "/office/onboard");
      await app.send(1, "/office/onboard/company", { name: "Acme", plan: "free" });
      assert.is(whereTo(await app.as(1, "GET", "/office/onboard")), "303 /office/onboard/people");
      assert.is((await app.as(1, "GET", "/office/onboard/people")).status, 200);
      assert.is((await app.as(1, "GET", "/office/onboard/company")).status, 200);
      assert.is((await app.rows(RUNS)).length, 1);
      await app.as(2, "GET", "/office/onboard");
      assert.is((await app.rows(RUNS)).length, 2, "another person has a run of their own");
    });

    story("A step that is ahead, hidden or unknown is refused before its onSubmit", async (app) => {
      await app.as(1, "GET", "/office/onboard");
      assert.is(whereTo(await app.send(1, "/office/onboard/review")), "303 /office/onboard/company");
      assert.is(whereTo(await app.send(1, "/office/onboard/billing", { number: "1" })), "303 /office/onboard/company");
      assert.is(whereTo(await app.as(1, "GET", "/office/onboard/people")), "303 /office/onboard/company");
      assert.is((await app.send(1, "/office/onboard/nothing")).status, 404);
      assert.is((await app.as(1, "GET", "/office/onboard/nothing")).status, 404);
      assert.is((await app.send(1, "/office/onboard/company", {}, "sideways")).status, 422);
      assert.is((await app.rows("invoices")).length, 0);
      assert.equal(await answers(app), {});
    });

    story("Invalid values are kept as a draft and not as an answer", async (app) => {
      await app.as(1, "GET", "/office/onboard");
      assert.is((await app.send(1, "/office/onboard/company", { name: "", plan: "free" })).status, 422);
      assert.equal(await answers(app), {});
      assert.equal(await drafts(app), { company: { name: "", plan: "free" } });
      await app.send(1, "/office/onboard/company", { name: "Acme", plan: "free" });
      assert.equal(await drafts(app), {});
    });

    story("Back keeps invalid values as a draft and loses no answer", async (app) => {
      await app.as(1, "GET", "/office/onboard");
      await app.send(1, "/office/onboard/company", { name: "Acme", plan: "free" });
      const back = await app.send(1, "/office/onboard/people", { count: "not a number" }, "back");
      assert.is(whereTo(back), "303 /office/onboard/company");
      assert.equal(await drafts(app), { people: { count: "not a number" } });
      assert.is((await app.rows(EVENTS)).at(-1)!.kind, "back");
      assert.equal(await answers(app), { company: { name: "Acme", plan: "free" } });
      assert.is(whereTo(await app.send(1, "/office/onboard/company", {}, "back")), "303 /office/onboard/company");
    });

    story("An autosave is kept as a draft of known fields and counts as no answer", async (app) => {
      await app.as(1, "GET", "/office/onboard");
      const put = (path: string, wizard: object) => app.as(1, "PUT", path, { wizard });
      assert.is((await put("/office/onboard/company", { name: "Ac", stray: "x" })).status, 204);
      assert.equal(await drafts(app), { company: { name: "Ac" } });
      assert.equal(await answers(app), {});
      assert.is((await put("/office/onboard/nothing", { name: "x" })).status, 404);
      assert.is((await put("/office/onboard/people", { count: "1" })).status, 409);
      assert.is((await put("/office/onboard/company", { name: "x".repeat(300_000) })).status, 413);
      assert.is(whereTo(await app.send(1, "/office/onboard/review")), "303 /office/onboard/company");
    });

    story("A password and encrypted answers are never readable in the rows of runs and events", async (app) => {
      await app.as(1, "GET", "/office/order");
      await app.send(1, "/office/order/what", { name: "Marked pen" });
      await app.as(1, "PUT", "/office/order/secret", { wizard: { code: "marked-secret" } });
      await app.send(1, "/office/order/secret", { code: "marked-secret" }, "back");
      const [row] = await app.rows(RUNS);
      assert.not.match(JSON.stringify(row), /marked/i);
      assert.not.match(JSON.stringify(await app.rows(EVENTS)), /marked/i);
    });

    story(
      "A persisted record is created once, changed when its step is sent again, and undone once when it is hidden",
      async (app) => {
        assert.is(whereTo(await paid(app, "A1")), "303 /office/onboard/people");
        await app.send(1, "/office/onboard/billing", { number: "A2" });
        assert.equal(
          (await app.rows("invoices")).map(({ number }) => number),
          ["A2"],
        );
        await app.send(1, "/office/onboard/company", { name: "Acme", plan: "free" });
        assert.equal(await app.rows("invoices"), []);
        await app.send(1, "/office/onboard/company", { name: "Acme", plan: "free" });
        const rollbacks = (await app.rows("companies")).filter(({ name }) => name === "rolled back");
        assert.is(rollbacks.length, 1);
        assert.is((await app.rows(EVENTS)).filter(({ kind }) => kind === "pruned").length, 1);
        assert.equal(Object.keys(await answers(app)), ["company"]);
        assert.is(whereTo(await app.as(1, "GET", "/office/onboard/billing")), "303 /office/onboard/people");
      },
    );

    story("A step that fails or throws undoes what it wrote and keeps what was typed", async (app) => {
      const refused = await paid(app, "refused");
      assert.is(refused.status, 422);
      assert.equal(((await refused.json()) as { errors: object }).errors, { number: ["is refused"] });
      assert.is((await app.send(1, "/office/onboard/billing", { number: "broken" })).status, 500);
      assert.equal(await app.rows("invoices"), []);
      assert.equal(await drafts(app), { billing: { number: "broken" } });
      assert.is(whereTo(await app.as(1, "GET", "/office/onboard")), "303 /office/onboard/billing");
    });

    story("A cancelled run is deleted with everything it persisted", async (app) => {
      await paid(app, "A1");
      const cancelled = await app.send(1, "/office/onboard/people", {}, "cancel");
      assert.equal([cancelled.status, cancelled.headers.getSetCookie()], [303, []], "programs get no session");
      assert.equal(await app.rows(RUNS), []);
      assert.equal(await app.rows("invoices"), []);
      assert.equal(
        (await app.rows("companies")).map(({ name }) => name),
        ["rolled back"],
      );
      assert.is((await app.rows(EVENTS)).at(-1)!.kind, "cancelled");
      assert.is(whereTo(await app.as(1, "GET", "/office/onboard")), "303 /office/onboard/company");
    });

    story("A run stays open with nothing written when execute fails or throws", async (app) => {
      for (const [name, status] of [
        ["Failing", 422],
        ["Throwing", 500],
      ] as const) {
        await app.as(1, "GET", "/office/onboard");
        await app.send(1, "/office/onboard/company", { name, plan: "free" });
        await app.send(1, "/office/onboard/people", { count: "1" });
        assert.is((await app.send(1, "/office/onboard/review")).status, status);
        assert.is((await run(app)).state, "in_progress");
        assert.equal(await app.rows("companies"), []);
      }
      await app.send(1, "/office/onboard/company", { name: "Acme", plan: "free" });
      assert.is(whereTo(await app.send(1, "/office/onboard/review")), "303 /office/done");
    });

    story("A record that execute or onSubmit can't save is 422 with its errors", async (app) => {
      await app.as(1, "GET", "/office/onboard");
      await app.send(1, "/office/onboard/company", { name: "x".repeat(40), plan: "free" });
      await app.send(1, "/office/onboard/people", { count: "1" });
      const refused = await app.send(1, "/office/onboard/review");
      assert.is(refused.status, 422);
      assert.match(JSON.stringify(await refused.json()), /"errors":\{"name":\["is too long/);
      await app.as(2, "GET", "/office/onboard");
      await app.send(2, "/office/onboard/company", { name: "Acme", plan: "paid" });
      await app.send(2, "/office/onboard/billing", { number: "A1" });
      await app.as(3, "GET", "/office/onboard");
      await app.send(3, "/office/onboard/company", { name: "Acme", plan: "paid" });
      const taken = await app.send(3, "/office/onboard/billing", { number: "A1" });
      assert.is(taken.status, 422);
      assert.match(JSON.stringify(await taken.json()), /"errors":\{"number":/);
    });

    const admitted = async (app: RunsApp) => {
      await app.as(1, "GET", "/office/admit");
      for (const [step, typed] of [
        ["owner", { name: "Ann" }],
        ["animal", { name: "Rex" }],
        ["visit", { reason: "cough" }],
      ] as const)
        await app.send(1, `/office/admit/${step}`, typed);
    };
    const numbers = async (app: RunsApp) => (await app.rows("invoices")).map(({ number }) => number);

    story(
      "A run whose onSubmit read an answer that changed can't be completed before its step is sent again",
      async (app) => {
        await admitted(app);
        assert.is((await app.as(1, "GET", "/office/admit/review")).status, 200);
        assert.is(whereTo(await app.send(1, "/office/admit/owner", { name: "Bob" })), "303 /office/admit/animal");
        const { data } = (await (await app.as(1, "GET", "/office/admit/animal")).json()) as {
          data: { steps: { key: string; reachable: boolean }[]; values: object };
        };
        assert.equal(
          data.steps.filter(({ reachable }) => reachable).map(({ key }) => key),
          ["owner", "animal"],
        );
        assert.equal(data.values, { name: "Rex" }, "its answers stay");
        for (const step of ["visit", "review"]) {
          assert.is(whereTo(await app.as(1, "GET", `/office/admit/${step}`)), "303 /office/admit/animal");
          assert.is(whereTo(await app.send(1, `/office/admit/${step}`, { reason: "x" })), "303 /office/admit/animal");
        }
        assert.is((await app.as(1, "PUT", "/office/admit/visit", { wizard: { reason: "x" } })).status, 409);
        assert.equal(await numbers(app), ["Ann: Rex"]);
        assert.is(whereTo(await app.send(1, "/office/admit/animal", { name: "Rex" })), "303 /office/admit/visit");
        assert.equal(await numbers(app), ["Bob: Rex"]);
        assert.is(whereTo(await app.send(1, "/office/admit/visit", { reason: "cough" })), "303 /office/admit/review");
        assert.is(whereTo(await app.send(1, "/office/admit/review")), "303 /office/admitted");
      },
    );

    story("A step that is edited from the review leads back to it where no onSubmit read its answers", async (app) => {
      await admitted(app);
      await app.send(1, "/office/admit/owner", { name: "Ann" });
      assert.is((await app.as(1, "GET", "/office/admit/review")).status, 200, "the same answers");
      await app.send(1, "/office/admit/animal", { name: "Max" });
      const { data } = (await (await app.as(1, "GET", "/office/admit/review")).json()) as {
        data: { steps: { reachable: boolean }[] };
      };
      assert.ok(data.steps.every(({ reachable }) => reachable));
      assert.is(whereTo(await app.send(1, "/office/admit/review")), "303 /office/admitted");
      assert.equal(await numbers(app), ["Ann: Max"]);
    });

    story("A run that was stored before reads were counts its onSubmit as having read every answer", async (app) => {
      await admitted(app);
      const { knex } = app.application.kernel.service("database");
      const { steps } = JSON.parse(String((await run(app)).visited)) as { steps: string[] };
      await knex(RUNS).update({ visited: JSON.stringify(steps) });
      assert.is((await app.as(1, "GET", "/office/admit/review")).status, 200);
      await app.send(1, "/office/admit/owner", { name: "Bob" });
      assert.is(whereTo(await app.send(1, "/office/admit/review")), "303 /office/admit/animal");
    });

    story("A last step redirects to the first incomplete step", async (app) => {
      await paid(app, "A1");
      await app.send(1, "/office/onboard/company", { name: "Acme", plan: "free" });
      await app.send(1, "/office/onboard/people", { count: "1" });
      await app.send(1, "/office/onboard/company", { name: "Acme", plan: "paid" });
      assert.is(whereTo(await app.send(1, "/office/onboard/review")), "303 /office/onboard/billing");
      assert.is((await run(app)).state, "in_progress");
    });

    story("A completed repeatable wizard can be launched again and executes again", async (app) => {
      for (const name of ["Pen", "Ink"]) {
        await app.as(1, "GET", "/office/order");
        await app.send(1, "/office/order/what", { name });
        assert.is(whereTo(await app.send(1, "/office/order/secret")), "303 /office/ordered");
      }
      assert.equal(
        (await app.rows("companies")).map(({ name }) => name),
        ["Pen", "Ink"],
      );
      assert.is(whereTo(await app.send(1, "/office/order/secret")), "303 /office/ordered");
      assert.is((await app.rows("companies")).length, 2);
    });

    story("A tokened run is 404 for another user, and its token is not stored in the row", async (app) => {
      const launch = await app.as(1, "GET", "/office/import");
      const path = launch.headers.get("location")!;
      assert.match(path, /^\/office\/import\/[\w-]{43}\/source$/);
      assert.is((await app.as(1, "GET", path)).status, 200);
      for (const [user, method] of [
        [2, "GET"],
        [2, "POST"],
        [2, "PUT"],
      ] as const)
        assert.is(
          (await app.as(user, method, path, method === "GET" ? undefined : { wizard: { url: "stolen" } })).status,
          404,
        );
      assert.is((await app.send(2, path, {}, "cancel")).status, 404);
      assert.equal(await answers(app), {});
      assert.not.ok(JSON.stringify(await run(app)).includes(path.split("/")[3]!), "the token is not in the row");
      assert.is(whereTo(await app.send(1, path, { url: "a.csv" })), `303 ${path.replace("source", "options")}`);
      assert.is(whereTo(await app.send(1, path.replace("source", "options"), {})), "303 /office/imported");
    });

    story("A user keeps at most 20 tokened runs that were not started, besides those that were", async (app) => {
      const paths: string[] = [];
      for (let index = 0; index < 60; index++)
        paths.push((await app.as(1, "GET", "/office/import")).headers.get("location")!);
      assert.is(new Set(paths).size, 60);
      assert.is((await app.rows(RUNS)).length, 20);
      await app.send(1, paths.at(-1)!, { url: "begun" });
      for (let index = 0; index < 30; index++) await app.as(1, "GET", "/office/import");
      const rows = await app.rows(RUNS);
      assert.is(rows.length, 21);
      assert.ok(
        rows.some(({ started_at }) => started_at !== null),
        "what was begun stays",
      );
      assert.is((await app.as(1, "GET", paths[0]!)).status, 404);
      assert.is((await app.rows(EVENTS)).length, 2, "what nobody began leaves no trail");
    });

    story("A guest's run belongs to the browser", async (app) => {
      const [one, two] = [app.client(), app.client()];
      assert.is(whereTo(await one.request("/signup")), "303 /signup/you");
      assert.is(whereTo(await two.request("/signup")), "303 /signup/you");
      assert.is((await app.rows(RUNS)).length, 2);
      assert.is(whereTo(await one.submit("/signup/you", { "wizard[name]": "One" })), "303 /signup/review");
      assert.is(whereTo(await two.request("/signup/review")), "303 /signup/you");
      assert.is(whereTo(await one.request("/signup")), "303 /signup/review");
      assert.is((await app.request("/signup/you")).status, 303, "a stranger is led to the launch");
      const end = await one.submit("/signup/review", {});
      assert.is(end.status, 303);
      assert.equal(
        (await app.rows("companies")).map(({ name }) => name),
        ["One"],
      );
    });

    story("HEAD and prefetch requests create no run", async (app) => {
      for (const headers of [{ "sec-purpose": "prefetch" }, {}] as Record<string, string>[])
        await app.request("/office/onboard", {
          method: headers["sec-purpose"] ? "GET" : "HEAD",
          headers: { ...headers, "x-user": "1" },
        });
      await app.request("/signup", { method: "HEAD" });
      assert.equal(await app.rows(RUNS), []);
    });

    story("The list of a wizard's runs contains only those of the user", async (app) => {
      await app.as(1, "GET", "/office/onboard");
      for (const user of [1, 2]) {
        await app.as(user, "GET", "/office/order");
        await app.send(user, "/office/order/what", { name: "Pen" });
      }
      const answer = await app.as(1, "GET", "/office/order/runs");
      const { data } = (await answer.json()) as { data: { wizard: string }[] };
      assert.equal(
        data.map(({ wizard }) => wizard),
        ["OrderWizard"],
      );
    });
  });
}
