import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Tracer } from "@opentelemetry/api";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { BaseController, currentTrace } from "framewright";
import { definePlugin, type Plugin } from "framewright/kernel";
import { database } from "framewright/plugins/database";
import { i18n } from "framewright/plugins/i18n";
import { jobs } from "framewright/plugins/jobs";
import { views } from "framewright/plugins/views";
import { jobTables } from "framewright/testing";
import { openApp, type TestApp, writeApp } from "../support/apps.ts";
import { assert, describe } from "../support/index.ts";
import { CAST, install, ofClone, type Published, publish, sourceOf } from "./publish.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const caller = "00f067aa0ba902b7";

class PostsController extends BaseController {
  static override guests = "admit" as const;
  async show() {
    const { knex } = this.request.kernel.service("database");
    await knex("framewright_jobs").where({ kind: "a-secret-value" });
    await this.request.kernel.service("jobs").enqueue("greet", {});
    return this.render("posts/show", { layout: "none", locals: { header: this.request.trace.traceparent } });
  }
  fail(): never {
    throw new Error("on purpose");
  }
}
const seen: (string | undefined)[] = [];
const posts = definePlugin({
  name: "posts",
  requires: ["jobs"],
  apply({ services, hooks }) {
    services.jobs.define("greet", async () => void seen.push(currentTrace()?.traceId));
    hooks.kernel.drawRoutes.tap("posts", (routes) => {
      routes.get("posts/:id", { controller: PostsController, action: "show" });
      routes.get("fail", { controller: PostsController, action: "fail" });
    });
  },
});

describe("The package fw-opentelemetry, compiled and packed by its author", (it, { before, after }) => {
  let published: Published;
  let app: TestApp;
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  before(async () => {
    published = await publish("fw-opentelemetry", ofClone("@opentelemetry/api"));
    const root = writeApp({ ...jobTables(), "app/views/posts/show.liquid": "{{ header }}" });
    install(root, { "fw-opentelemetry": published.unpacked, ...ofClone("@opentelemetry/api") });
    const file = pathToFileURL(join(root, "node_modules/fw-opentelemetry/dist/index.js")).href;
    const { opentelemetry } = (await import(file)) as { opentelemetry(options: { tracer: Tracer }): Plugin };
    const plugins = [database(), i18n(), views(), jobs(), posts, opentelemetry({ tracer: provider.getTracer("test") })];
    app = await openApp(root, { plugins });
    await app.application.kernel.service("database").migrations.up();
  });
  after(async () => {
    await app.close();
    await provider.shutdown();
  });
  const spansOf = async (work: () => Promise<unknown>) => {
    exporter.reset();
    await work();
    await provider.forceFlush();
    return exporter.getFinishedSpans();
  };

  it("Its source has no cast, and its archive nothing but what is built", () => {
    assert.not.match(sourceOf("fw-opentelemetry"), CAST);
    assert.equal(readdirSync(published.unpacked).sort(), ["README.md", "dist", "package.json"]);
  });
  it("A request continues the trace of its caller, with statements and templates below it, and passes it on", async () => {
    let page = "";
    const spans = await spansOf(async () => {
      const headers = { traceparent: `00-${traceId}-${caller}-01` };
      page = await (await app.request("/posts/5", { headers })).text();
    });
    const request = spans.find(({ name }) => name === "GET /posts/:id");
    assert.is(request?.spanContext().traceId, traceId);
    assert.is(request?.parentSpanContext?.spanId, caller);
    assert.is(request?.attributes["http.response.status_code"], 200);
    assert.is(page, `00-${traceId}-${request?.spanContext().spanId}-01`);
    const below = spans.filter((one) => one.parentSpanContext?.spanId === request?.spanContext().spanId);
    assert.equal(below.map(({ name }) => name).sort(), [
      "insert framewright_jobs",
      "render show.liquid",
      "select framewright_jobs",
    ]);
    assert.not.match(JSON.stringify(spans.map(({ attributes }) => attributes)), "a-secret-value");
  });
  it("Without a caller it begins a trace, which the log and jobs' own traces do not mix with", async () => {
    seen.length = 0;
    const spans = await spansOf(async () => {
      await app.request("/posts/6");
      await app.application.kernel.service("jobs").drain();
    });
    const request = spans.find(({ name }) => name === "GET /posts/:id");
    const job = spans.find(({ name }) => name === "job greet");
    assert.is(request?.parentSpanContext, undefined);
    assert.ok(seen.includes(job?.spanContext().traceId));
    assert.is.not(job?.spanContext().traceId, request?.spanContext().traceId);
  });
  it("A request that fails is an error, and one of no route has its method as name", async () => {
    const [failed] = await spansOf(() => app.request("/fail"));
    assert.is(failed?.status.code, 2);
    const [missing] = await spansOf(() => app.request("/no/such/page"));
    assert.is(missing?.name, "GET");
    assert.is(missing?.attributes["http.response.status_code"], 404);
  });
});
