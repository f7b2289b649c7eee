import { createServer } from "node:net";
import { metrics } from "framewright/plugins/metrics";
import { jobTables } from "framewright/testing";
import { sendRaw } from "../../host/raw.ts";
import { bootApp, type TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { freePort } from "../../support/processes.ts";
import { measuredPlugins, sampleOf, token } from "./metrics_app.ts";

const scrape = (app: TestApp, authorization = `Bearer ${token}`) =>
  app.request("/metrics", { headers: { authorization } });
const textOf = async (app: TestApp) => (await scrape(app)).text();

for (const server of await databases()) {
  describe(`Metrics on ${server.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (server.skip === undefined) {
      before(async () => {
        const values = { ...(await server.values()), METRICS_TOKEN: token };
        app = await bootApp(jobTables(), { plugins: measuredPlugins(), values });
        await app.application.kernel.service("database").migrations.up();
      });
      after(async () => {
        await app.close();
        await server.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(server.skip, sentence, story);

    can("Requests are counted by the pattern of their route, and what is no route by one name for all", async () => {
      for (const id of [1, 2, 3]) await app.request(`/posts/${id}`);
      for (const path of ["/x/1", "/x/2", "/posts/1/y"]) await app.request(path);
      await sendRaw(app.url, "GET /a%zz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
      await sendRaw(app.url, "PROPFIND /x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
      const text = await textOf(app);
      const requests = (method: string, route: string, status: number) =>
        sampleOf(text, `fw_http_requests_total{method="${method}",route="${route}",status="${status}"}`);
      assert.is(requests("GET", "/posts/:id", 200), 3);
      assert.is(requests("GET", "(none)", 404), 3);
      assert.is(requests("GET", "(malformed)", 400), 1);
      assert.is(requests("other", "(none)", 404), 1);
      assert.is(sampleOf(text, 'fw_http_request_duration_seconds_count{method="GET",route="/posts/:id"}'), 3);
      assert.not.match(text, "/x/");
      assert.not.match(text, "a-secret-value");
    });
    can("Statements, connections, jobs, hashes, the event loop and the heap are measured", async () => {
      const { kernel } = app.application;
      const jobs = kernel.service("jobs");
      await jobs.enqueue("greet", {});
      await jobs.enqueue("greet", { fails: true }, { maxAttempts: 1 });
      await jobs.drain();
      await jobs.enqueue("greet", {}, { runAt: new Date(Date.now() + 3_600_000) });
      const hashes = [1, 2, 3].map((n) => kernel.service("passwordHasher").hash(`a password ${n}`));
      const text = await textOf(app);
      await Promise.all(hashes);
      assert.is(sampleOf(text, 'fw_job_attempts_total{kind="greet",outcome="done"}'), 1);
      assert.is(sampleOf(text, 'fw_job_attempts_total{kind="greet",outcome="failed"}'), 1);
      assert.is(sampleOf(text, 'fw_jobs{kind="greet",state="failed"}'), 1);
      assert.is(sampleOf(text, 'fw_jobs{kind="greet",state="waiting"}'), 1);
      assert.ok(sampleOf(text, 'fw_database_statements_total{operation="select",failed="false",server="primary"}') > 0);
      assert.ok(sampleOf(text, 'fw_database_statement_duration_seconds_count{operation="select"}') > 0);
      assert.ok(sampleOf(text, 'fw_database_connections{state="free"}') >= 0);
      const [running, waiting] = ["running", "waiting"].map((state) =>
        sampleOf(text, `fw_password_hashes{state="${state}"}`),
      );
      assert.is(running! + waiting!, 3);
      assert.ok(sampleOf(text, "nodejs_heap_size_used_bytes") > 1_000_000);
      assert.ok(sampleOf(text, "nodejs_eventloop_lag_p99_seconds") >= 0);
      assert.ok(sampleOf(text, "fw_http_requests_in_flight") >= 1);
    });
    can("Without the token, with a wrong one or with two there is nothing", async () => {
      for (const authorization of ["", "Bearer ", `Bearer ${token}x`, `Bearer ${token.slice(1)}`, `Basic ${token}`]) {
        const answer = await scrape(app, authorization);
        assert.is(answer.status, 401, authorization);
        assert.is(answer.headers.get("www-authenticate"), "Bearer");
        assert.not.match(await answer.text(), "fw_");
      }
      const twice = `GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
      assert.is((await sendRaw(app.url, twice)).status, 400);
      assert.is(
        (await app.request("/metrics", { method: "POST", headers: { authorization: `Bearer ${token}` } })).status,
        405,
      );
      const { status, headers } = await scrape(app);
      assert.is(status, 200);
      assert.match(headers.get("content-type") ?? "", "text/plain; version=0.0.4");
      assert.is(headers.get("cache-control"), "no-store");
    });
    can("A metric of the application's own is in the scrape", async () => {
      const { Counter } = await import("prom-client");
      const { registry } = app.application.kernel.service("metrics");
      new Counter({ name: "shop_orders_total", help: "Orders", registers: [registry] }).inc(7);
      assert.is(sampleOf(await textOf(app), "shop_orders_total"), 7);
    });
  });
}

describe("The plugin metrics", (it) => {
  it("It does not boot where everybody could read them, nor with a token that can be guessed", async () => {
    const boot = (values: Record<string, string>) => bootApp({}, { plugins: [metrics()], values });
    await throwsCode("FW_METRICS_OPEN", () => boot({}));
    await throwsCode("FW_METRICS_TOKEN", () => boot({ METRICS_TOKEN: "short" }));
    await throwsCode("FW_METRICS_PATH", () =>
      bootApp({}, { plugins: [metrics({ path: "metrics" })], values: { METRICS_TOKEN: token } }),
    );
    await throwsCode("FW_OPTION_UNKNOWN", () => metrics({ port: 1 } as never));
  });
  it("On a port of its own it is answered there alone, on this machine alone, and with the token where one is set", async () => {
    const port = await freePort();
    for (const METRICS_TOKEN of [undefined, token]) {
      const values = { METRICS_PORT: String(port), ...(METRICS_TOKEN ? { METRICS_TOKEN } : {}) };
      const app = await bootApp({}, { plugins: [metrics()], values });
      try {
        assert.is((await scrape(app)).status, 404);
        const at = `http://127.0.0.1:${port}/metrics`;
        const { status } = await fetch(at);
        assert.is(status, METRICS_TOKEN ? 401 : 200);
        assert.is((await fetch(at, { headers: { authorization: `Bearer ${token}` } })).status, 200);
        assert.is((await fetch(`http://127.0.0.1:${port}/`)).status, 404);
        assert.is(app.application.kernel.service("metrics").port, port);
      } finally {
        await app.close();
      }
      const free = createServer().listen(port, "127.0.0.1"); // the port was given back
      await new Promise((resolve) => free.once("listening", resolve));
      await new Promise((resolve) => free.close(resolve));
    }
  });
});
