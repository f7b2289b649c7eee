import { setTimeout as sleep } from "node:timers/promises";
import { BaseController, currentTrace } from "framewright";
import type { ObservedEvent } from "framewright/host";
import { definePlugin } from "framewright/kernel";
import { database } from "framewright/plugins/database";
import { i18n } from "framewright/plugins/i18n";
import { jobs } from "framewright/plugins/jobs";
import { views } from "framewright/plugins/views";
import { jobTables } from "framewright/testing";
import { bootApp, type TestApp } from "../support/apps.ts";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { sendRaw } from "./raw.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
const files = {
  ...jobTables(),
  "app/views/home/index.liquid": "<p>{{ count }}</p>",
  "app/views/layouts/plain.liquid": "<main>{{ content }}</main>",
};

/** What a page does: a statement with a value, a template in a layout, and a job. */
class HomeController extends BaseController {
  static override guests = "admit" as const;
  async index() {
    const { knex } = this.request.kernel.service("database");
    const rows = await knex("framewright_jobs").where({ kind: "a-secret-value" });
    return this.render("home/index", { layout: "plain", locals: { count: rows.length } });
  }
  async broken() {
    await this.request.kernel.service("database").knex("no_such_table").where({ id: 1 });
  }
  async later() {
    await this.request.kernel.service("jobs").enqueue("greet", { fails: this.params.string("fails") === "yes" });
    return this.json({ headers: this.request.trace.headers });
  }
  /** A statement of some 50 ms, of a bound value and one that is part of its text. */
  async counts() {
    const counted =
      "with recursive c(x) as (select 1 union all select x + 1 from c where x < 300000) select count(*) as n from c";
    const { knex } = this.request.kernel.service("database");
    const sql = `select n from (${counted}) where ? <> 'a-written-value'`;
    return this.json({ rows: await knex.raw(sql, ["a-secret-value"]) });
  }
  async slow() {
    await sleep(1500);
    return this.json({});
  }
}

type Listener = (event: ObservedEvent) => void;
const outgoing: (string | undefined)[] = [];
const greeting = definePlugin({
  name: "greeting",
  requires: ["jobs", "host"],
  apply({ services, hooks }) {
    services.jobs.define<{ fails: boolean }>("greet", async ({ fails }) => {
      outgoing.push(currentTrace()?.traceparent);
      services.host.log.info("greeting");
      if (fails) throw new Error("nobody is there");
    });
    hooks.kernel.drawRoutes.tap("greeting", (routes) => {
      for (const action of ["index", "broken", "slow", "counts"] as const)
        routes.get(`pages/:id/${action}`, { controller: HomeController, action });
      routes.get("later", { controller: HomeController, action: "later" });
    });
  },
});
const listening = (...listeners: Listener[]) =>
  definePlugin({
    name: "watcher",
    requires: ["host"],
    apply: ({ tap, hooks }) => {
      for (const listen of listeners) tap(hooks.host.observe, listen);
    },
  });

for (const server of await databases()) {
  describe(`What an application does is observed, on ${server.name}`, (it, { before, after }) => {
    let app: TestApp;
    let events: ObservedEvent[] = [];
    const lines: Record<string, unknown>[] = [];
    const failing: Listener = ({ kind }) => {
      if (kind === "template") throw new Error("the collector is full");
    };
    if (server.skip === undefined) {
      before(async () => {
        const plugins = [
          ...[database(), i18n(), views(), jobs({ poll: 100_000 }), greeting],
          listening(failing, (event) => void events.push(event)),
        ];
        const values = { ...(await server.values()), NODE_ENV: "development", REQUEST_DEADLINE: "800" };
        app = await bootApp(files, { plugins, values });
        await app.application.kernel.service("database").migrations.up();
        app.application.logListeners.push((line) => lines.push(JSON.parse(line)));
      });
      after(async () => {
        await app.close();
        await server.clean();
      });
    }
    const observed = async (work: () => Promise<unknown>): Promise<ObservedEvent[]> => {
      events = [];
      lines.length = 0;
      await work();
      await sleep(20);
      return events;
    };
    const ask = (path: string) => app.request(path, { headers: { traceparent, accept: "application/json" } });
    const can = (sentence: string, story: () => Promise<void>) => it.unless(server.skip, sentence, story);

    can(
      "A request: its start, its statements, its templates and its end, under the trace that it came with",
      async () => {
        const [start, statement, page, layout, end, ...rest] = await observed(() => ask("/pages/5/index"));
        assert.equal(rest, []);
        if (start?.kind !== "request.started" || end?.kind !== "request.ended") return assert.unreachable();
        assert.is(start.trace.traceId, traceId);
        for (const event of [statement, page, layout, end]) assert.is(event?.trace, start.trace);
        assert.is(end.route, "/pages/:id/index");
        assert.is(end.status, 200);
        assert.ok(end.milliseconds > 0);
        if (statement?.kind !== "statement" || page?.kind !== "template") return assert.unreachable();
        assert.is(statement.operation, "select");
        assert.is(statement.table, "framewright_jobs");
        assert.not(statement.failed);
        assert.ok(statement.startedAt >= start.startedAt);
        const { trace: _, ...told } = statement;
        assert.not.match(JSON.stringify(told), "a-secret-value");
        assert.match(page.file, "home/index.liquid");
      },
    );
    can("A tap that fails is logged by its plugin's name, and neither the page nor the other tap notices", async () => {
      const seen = await observed(async () => assert.is((await ask("/pages/5/index")).status, 200));
      assert.is(seen.filter(({ kind }) => kind === "template").length, 2);
      assert.ok(
        lines.some(({ msg }) => /plugin "watcher" failed at host\.observe: .*collector is full/.test(String(msg))),
      );
    });
    can("A statement that fails is reported as such, and the log lines of its request carry the trace", async () => {
      const seen = await observed(async () => assert.is((await ask("/pages/5/broken")).status, 500));
      const [statement] = seen.filter(({ kind }) => kind === "statement");
      assert.ok(statement?.kind === "statement" && statement.failed);
      assert.is(seen.at(-1)?.kind, "request.ended");
      const traced = lines.filter(({ trace }) => trace === traceId);
      assert.ok(traced.some(({ level }) => level === 50));
      assert.ok(traced.some(({ msg, status }) => msg === "request" && status === 500));
    });
    can("A request that its deadline ended is reported once, with 503", async () => {
      const seen = await observed(async () => {
        assert.is((await ask("/pages/5/slow")).status, 503);
        await sleep(1500);
      });
      const ends = seen.filter((event) => event.kind === "request.ended");
      assert.equal(
        ends.map((event) => event.kind === "request.ended" && event.status),
        [503],
      );
    });
    can("What is no route has none, and a malformed request is reported as refused", async () => {
      const [, end] = await observed(() => ask("/no/such/page"));
      assert.ok(end?.kind === "request.ended" && end.route === undefined && end.status === 404);
      const [refused] = await observed(() => sendRaw(app.url, "GET /a%zz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"));
      assert.ok(refused?.kind === "request.refused" && refused.status === 400);
    });
    can(
      "A job has a trace of its own, which its log lines and outgoing requests carry; a failed attempt says so",
      async () => {
        outgoing.length = 0;
        const run = async (path: string) => {
          await observed(async () => {
            await ask(path);
            await app.application.kernel.service("jobs").drain();
          });
          return events.filter(({ kind }) => kind.startsWith("job."));
        };
        const [start, end] = await run("/later");
        if (start?.kind !== "job.started" || end?.kind !== "job.ended") return assert.unreachable();
        assert.is(start.job, "greet");
        assert.is(start.attempt, 1);
        assert.not(end.failed);
        assert.is(outgoing[0], start.trace.traceparent);
        assert.ok(lines.some(({ msg, trace }) => msg === "greeting" && trace === start.trace.traceId));
        const [, failed] = await run("/later?fails=yes");
        assert.ok(failed?.kind === "job.ended" && failed.failed);
      },
    );
    can("Requests at the same time are told apart", async () => {
      const ids = Array.from({ length: 20 }, (_, index) => index.toString(16).padStart(32, "a"));
      const seen = await observed(() =>
        Promise.all(
          ids.map((id) => app.request("/pages/1/index", { headers: { traceparent: `00-${id}-00f067aa0ba902b7-00` } })),
        ),
      );
      for (const id of ids) {
        const own = seen.filter(({ trace }) => trace?.traceId === id).map(({ kind }) => kind);
        assert.equal(own.sort(), ["request.ended", "request.started", "statement", "template", "template"], id);
      }
    });
  });
}

describe("An application that nobody observes", (it) => {
  it("Knows no origins, reports nothing, and passes the trace on all the same", async () => {
    const app = await bootApp(files, { plugins: [database(), i18n(), views(), jobs(), greeting] });
    try {
      await app.application.kernel.service("database").migrations.up();
      assert.not(app.application.observation.isOn);
      const { headers } = (await (await app.request("/later", { headers: { traceparent } })).json()) as {
        headers: { traceparent: string };
      };
      assert.match(headers.traceparent, new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
      const { knex } = app.application.kernel.service("database");
      assert.is(knex.listenerCount("query"), 0);
    } finally {
      await app.close();
    }
  });
  it("Logs a slow statement where a setting says so, under the trace of its request and without values", async () => {
    const plugins = [database(), i18n(), views(), jobs({ poll: 100_000 }), greeting];
    const app = await bootApp(files, { plugins, values: { NODE_ENV: "development", DATABASE_LOG_SLOW: "15" } });
    const lines: string[] = [];
    app.application.logListeners.push((line) => lines.push(line));
    try {
      await app.application.kernel.service("database").migrations.up();
      lines.length = 0;
      for (const path of ["/pages/1/index", "/pages/1/counts"]) await app.request(path, { headers: { traceparent } });
      const slow = lines.filter((line) => line.includes("a statement took"));
      assert.is(slow.length, 1, lines.join(""));
      const { statement, milliseconds, trace, level } = JSON.parse(slow[0]!);
      assert.match(statement, /^select n from \(with recursive .* where \? <> \?$/);
      assert.ok(milliseconds >= 15);
      assert.equal([trace, level], [traceId, 40]);
      assert.not.match(slow[0]!, /a-secret-value|a-written-value/);
    } finally {
      await app.close();
    }
  });
});
