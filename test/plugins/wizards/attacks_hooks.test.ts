import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { openRunsApp, type RunsApp, runsFiles, whereTo } from "./runs_app.ts";

/** A tap of the public event that throws at one kind. */
const seams = edited(
  runsFiles,
  "app/seams.ts",
  ["export const arrived", "export const broken: { kind?: string } = {}; export const arrived"],
  [
    "async ({ kind, run, step }) => void",
    `async ({ kind, run, step }) => { if (kind === broken.kind) throw new Error("a broken listener"); }); hooks.wizards.wizard.tapPromise("seams", async ({ kind, run, step }) => void`,
  ],
);
const wizard = `import { steps, succeed, Wizard } from "framewright/plugins/wizards"; import Company from "#app/models/company.ts";
  const flow = steps().step("what", {}, (f) => f.string("name", { presence: true }).file("logo")).step("why", { condition: ({ currentUser }) => (currentUser as { name: string }).name !== "nobody" }, (f) => f.string("reason"));
  export default class OrderWizard extends Wizard(flow, { concurrencyKey: (run) => run.currentUser }) {
    async execute() { await this.query(Company).insert({ name: this.data.what.name } as never); return succeed().withRedirect("/office/ordered"); }
  }`;

for (const base of await databases({ mysqlInSoak: true })) {
  describe(`Failures after a commit, on ${base.name}`, (it, { before, after }) => {
    let app: RunsApp;
    let broken: { kind?: string | undefined };
    before(async () => {
      if (base.skip) return;
      app = await openRunsApp(await base.values(), { "app/seams.ts": seams, "app/wizards/order_wizard.ts": wizard });
      ({ broken } = await import(join(app.root, "app/seams.ts")));
      app.application.log.error = (() => undefined) as never;
    });
    after(async () => {
      await app?.close();
      await base.clean();
    });
    const story = (sentence: string, tell: () => Promise<void>) =>
      it.unless(base.skip, sentence, async () => {
        await app.application.kernel.service("database").knex("framewright_wizard_runs").delete();
        await app.application.kernel.service("database").knex("companies").delete();
        for (const moment of Object.keys(app.moments)) delete app.moments[moment];
        delete broken.kind;
        await tell();
      });
    const stored = () => {
      const folder = join(app.root, "storage/files");
      if (!existsSync(folder)) return [];
      return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.includes("/"));
    };
    const upload = async () => {
      const visitor = app.client();
      const headers = { "x-user": "1" };
      const html = await (await visitor.request("/office/order/what", { headers })).text();
      const body = new FormData();
      body.set(
        "authenticity_token",
        /name="authenticity_token" value="([^"]*)"/.exec(html.slice(html.indexOf('class="fw-form"')))![1]!,
      );
      body.set("wizard[name]", "Pen");
      body.set("wizard[logo]", new Blob(["bytes"], { type: "image/png" }), "logo.png");
      return visitor.request("/office/order/what", { method: "POST", headers, body });
    };
    const run = async () => (await app.rows("framewright_wizard_runs"))[0]!;

    story("A listener that throws after a step was stored leaves the step's file in storage", async () => {
      await app.as(1, "GET", "/office/order");
      broken.kind = "submitted";
      await upload();
      assert.is((await run()).cursor, "why");
      assert.is(stored().length, 1);
      delete broken.kind;
      await app.send(1, "/office/order/why", {}, "cancel");
      assert.is(stored().length, 0);
    });
    story("A listener that throws at the last step leaves no run in the state completing", async () => {
      await app.as(1, "GET", "/office/order");
      await app.send(1, "/office/order/what", { name: "Pen" });
      broken.kind = "submitted";
      await app.send(1, "/office/order/why", {});
      assert.is.not((await run()).state, "completing");
    });
    story("A tap of completing that throws reopens the run at once, and the next attempt completes it", async () => {
      await app.as(1, "GET", "/office/order");
      await app.send(1, "/office/order/what", { name: "Pen" });
      app.moments.completing = () => {
        throw new Error("a broken tap");
      };
      assert.is((await app.send(1, "/office/order/why", {})).status, 500);
      assert.is((await run()).state, "in_progress");
      delete app.moments.completing;
      assert.is(whereTo(await app.send(1, "/office/order/why", {})), "303 /office/ordered");
      assert.is((await app.rows("companies")).length, 1);
    });
    story("A cancel, an autosave and a sweep during the completion of a run leave it completed", async () => {
      await app.as(1, "GET", "/office/order");
      await app.send(1, "/office/order/what", { name: "Pen" });
      const { knex } = app.application.kernel.service("database");
      let cancelled: Promise<Response> | undefined;
      const statuses: number[] = [];
      app.moments.completing = async () => {
        await knex("framewright_wizard_runs").update({ expires_at: "2020-01-01 00:00:00.000" });
        cancelled = app.send(1, "/office/order/why", {}, "cancel");
        statuses.push((await app.as(1, "PUT", "/office/order/why", { wizard: { reason: "late" } })).status);
        await app.application.kernel.service("wizards").engine.sweep();
        await sleep(100); // the cancel is there by now
      };
      assert.is(whereTo(await app.send(1, "/office/order/why", {})), "303 /office/ordered");
      assert.is(whereTo(await cancelled!), "303 /office/ordered");
      assert.equal(statuses, [409]);
      assert.is((await app.rows("companies")).length, 1);
      assert.is((await run()).state, "completed");
      assert.is((await run()).drafts, null);
    });
    story("A cancel that meets the last step waits for it and redirects to where the run ended", async () => {
      await app.as(1, "GET", "/office/order");
      await app.send(1, "/office/order/what", { name: "Pen" });
      const wizards = app.application.kernel.service("wizards").engine as unknown as {
        core: { store: { locked: unknown } };
      };
      const { store } = wizards.core;
      const locked = store.locked as (...given: unknown[]) => Promise<unknown>;
      let last: Promise<Response> | undefined;
      app.moments.completing = () => sleep(200);
      store.locked = async function (this: unknown, ...given: unknown[]) {
        store.locked = locked; // the cancel has looked, and is held up before it takes the row
        last = app.send(1, "/office/order/why", {});
        await sleep(100);
        return locked.apply(store, given);
      };
      const cancelled = await app.send(1, "/office/order/why", {}, "cancel");
      assert.is(whereTo(await last!), "303 /office/ordered");
      assert.is(whereTo(cancelled), "303 /office/ordered");
      assert.is((await app.rows("companies")).length, 1);
    });
    story("A tap of completed that throws changes no answer and leaves no files behind", async () => {
      await app.as(1, "GET", "/office/order");
      await upload();
      assert.is(stored().length, 1);
      app.moments.completed = () => {
        throw new Error("a broken tap");
      };
      assert.is(whereTo(await app.send(1, "/office/order/why", {})), "303 /office/ordered");
      assert.equal(stored(), []);
      assert.is(whereTo(await app.send(1, "/office/order/why", {})), "303 /office/ordered");
      assert.is((await app.rows("companies")).length, 1);
    });
    story("The log of a failed query contains none of the answers it was to write", async () => {
      await app.as(1, "GET", "/office/order");
      const { knex } = app.application.kernel.service("database");
      const lines: string[] = [];
      const { error } = app.application.log;
      app.application.log.error = ((facts: { err: Error }) =>
        lines.push(JSON.stringify({ ...facts.err, text: facts.err.message, stack: facts.err.stack }))) as never;
      await knex.raw("alter table framewright_wizard_runs rename column updated_at to once");
      assert.is((await app.send(1, "/office/order/what", { name: "MARKED - it's" })).status, 500);
      await knex.raw("alter table framewright_wizard_runs rename column once to updated_at");
      app.application.log.error = error;
      assert.is(lines.length, 1);
      assert.match(lines[0]!, "updated_at");
      assert.not.match(lines[0]!, "MARKED");
    });
    story("An expired run is swept with its files although a step's condition throws without a user", async () => {
      await app.as(1, "GET", "/office/order");
      await upload();
      const { knex } = app.application.kernel.service("database");
      await knex("framewright_wizard_runs").update({ expires_at: "2020-01-01 00:00:00.000" });
      const { engine } = app.application.kernel.service("wizards");
      app.application.log.warn = (() => undefined) as never;
      assert.is((await engine.sweep()).expired, 1);
      assert.equal(stored(), []);
    });
    story("An expired run of a removed wizard is swept with its files", async () => {
      await app.as(1, "GET", "/office/order");
      await upload();
      const { knex } = app.application.kernel.service("database");
      await knex("framewright_wizard_runs").update({ expires_at: "2020-01-01 00:00:00.000", wizard: "GoneWizard" });
      assert.is((await app.application.kernel.service("wizards").engine.sweep()).expired, 1);
      assert.equal(stored(), []);
    });
  });
}
