import { setTimeout as sleep } from "node:timers/promises";
import { type TestApp, writeApp } from "../support/apps.ts";
import { databases } from "../support/databases.ts";
import { edited } from "../support/fixtures.ts";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { openShop, shopFiles } from "../support/shop.ts";

const accept = { accept: "application/json" };
/** A plugin whose taps do what the request asks of them. */
const stubborn = `import { definePlugins, definePlugin } from "framewright/kernel"; import { sessions } from "framewright/plugins/sessions";
  const never = () => new Promise<never>(() => undefined);
  const stubborn = definePlugin({ name: "stubborn", requires: ["host"], apply({ hooks }) {
    hooks.kernel.authenticate.tapPromise("stubborn", async (request) => {
      const mode = request.header("x-tap");
      if (mode === "throw") throw new Error("tap failed");
      if (mode === "reject") return Promise.reject("a text");
      if (mode === "odd") return "nobody" as never;
      return mode === "hang" ? never() : undefined;
    });
    hooks.kernel.error.tapPromise("stubborn", async (_error, request) => request.header("x-error") === "hang" ? never() : request.header("x-error") === "throw" ? Promise.reject(new Error("error tap failed")) : undefined);
  } });
  export default definePlugins([sessions(), stubborn]);`;
const files = {
  "plugins.config.ts": stubborn,
  "config/routes.ts": `import { drawRoutes } from "framewright";
    export default drawRoutes((routes) => { for (const name of ["fine", "hang", "late", "floating", "throws", "header"]) routes.get(name, { to: "odd#" + name }); });`,
  "app/controllers/odd_controller.ts": `import { BaseController, Reply } from "framewright"; import { setTimeout as sleep } from "node:timers/promises";
    const thrown: Record<string, unknown> = { undefined, null: null, text: "a text", number: 7, bare: Object.create(null), low: Object.assign(new Error("x"), { status: 42 }), high: Object.assign(new Error("x"), { status: 1000 }), word: Object.assign(new Error("x"), { status: "odd" }), frozen: Object.freeze(new Error("x")) };
    export default class OddController extends BaseController { static override guests = "admit" as const;
      fine() { return this.json({ fine: true }); }
      hang() { return new Promise(() => undefined); }
      async late() { await sleep(1500); this.session.set("late", true); return this.json({ late: true }); }
      floating() { void Promise.reject(new Error("nobody awaits me")); void (async () => { await sleep(1); throw new Error("nor me"); })(); return this.json({ floating: true }); }
      throws() { throw thrown[this.params.string("what")!]; }
      header() { return this.answer(new Reply(200, "x", { "x-odd": "a\\r\\nset-cookie: evil=1" })); }
    }`,
};

describe("Failing plugins and actions", (it, { before, after }) => {
  let app: Awaited<ReturnType<typeof serveApp>>;
  before(async () => {
    app = await serveApp(writeApp(files), { REQUEST_DEADLINE: "800", LOG_LEVEL: "error", SHUTDOWN_TIMEOUT: "5000" });
  });
  after(async () => {
    app.child.kill("SIGTERM");
    assert.is(await exitOf(app.child), 0);
  });
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(app.url + path, { headers: { ...accept, ...headers } });
  const lives = async () => {
    assert.is((await ask("/fine")).status, 200);
    assert.is(app.child.exitCode, null);
  };
  const logged = async (words: RegExp) => {
    for (let attempt = 0; attempt < 50 && !words.test(app.output()); attempt++) await sleep(20);
    assert.match(app.output(), words);
  };

  it("A tap that throws, rejects or returns a wrong type gets 500, and the log names its plugin and hook", async () => {
    for (const mode of ["throw", "reject", "odd"]) assert.is((await ask("/fine", { "x-tap": mode })).status, 500, mode);
    await logged(/"stubborn" failed in the hook "kernel.authenticate": tap failed/);
    await logged(/"stubborn" failed in the hook "kernel.authenticate": a text/);
    await logged(/"stubborn" answered the hook "kernel.authenticate" with a string/);
    await lives();
  });
  it("A tap that never ends gets 503, the log names its route, plugin and hook, and other requests are served", async () => {
    const start = performance.now();
    const hanging = ask("/fine", { "x-tap": "hang" });
    await lives();
    const answer = await hanging;
    assert.is(answer.status, 503);
    assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/);
    assert.match(answer.headers.get("content-type") ?? "", /^application\/problem\+json/);
    const took = performance.now() - start;
    assert.ok(took > 700 && took < 3000, `after ${took} ms`);
    await logged(
      /GET \/fine \(odd#fine\) was not answered within 800 ms, waiting for the plugin "stubborn" in the hook "kernel.authenticate"/,
    );
  });
  it("An action or an error tap that never ends gets 503, and the log names its route", async () => {
    const page = await fetch(`${app.url}/hang`);
    assert.is(page.status, 503);
    assert.match(page.headers.get("content-type") ?? "", /^text\/html/);
    await logged(/GET \/hang \(odd#hang\) was not answered within 800 ms\. Await/);
    assert.is((await ask("/nowhere", { "x-error": "hang" })).status, 503);
    await logged(
      /GET \/nowhere was not answered within 800 ms, waiting for the plugin "stubborn" in the hook "kernel.error"/,
    );
    assert.is((await ask("/nowhere", { "x-error": "throw" })).status, 404);
    await logged(/"stubborn" failed in the hook "kernel.error": error tap failed/);
  });
  it("A request that exceeds its deadline is answered once, with 503 and without a cookie", async () => {
    const answer = await ask("/late");
    assert.is(answer.status, 503);
    assert.equal(answer.headers.getSetCookie(), []);
    await sleep(1000);
    await lives();
  });
  it("An unawaited promise that rejects is logged, and the server keeps serving", async () => {
    assert.is((await ask("/floating")).status, 200);
    await logged(/unawaited promise was rejected: nobody awaits me/);
    await logged(/unawaited promise was rejected: nor me/);
    await lives();
  });
  it("Any thrown value and an invalid header are answered with 500", async () => {
    for (const what of ["undefined", "null", "text", "number", "bare", "low", "high", "word", "frozen"]) {
      assert.is((await ask(`/throws?what=${what}`)).status, 500, what);
    }
    const answer = await ask("/header");
    assert.is(answer.status, 500);
    assert.equal(answer.headers.getSetCookie(), []);
    await lives();
  });
});

const posts = "/admin/blogging/posts";
const plugins = {
  "plugins.config.ts": edited(shopFiles, "plugins.config.ts", ["database()", "database({ pool: 2 })"]),
};

for (const database of await databases()) {
  describe(`A pool of two connections on ${database.name}`, (it) => {
    it.unless(
      database.skip,
      "A pool of two connections serves 200 concurrent reads and writes without a deadlock",
      async () => {
        const app = await openShop(plugins, await database.values());
        try {
          await manyAtOnce(app);
        } finally {
          await app.close();
          await database.clean();
        }
      },
    );
  });
}

async function manyAtOnce(app: TestApp): Promise<void> {
  const headers = { ...accept, "content-type": "application/json" };
  const send = (method: string, path: string, body?: unknown) =>
    app.request(path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const made = (await (await send("POST", posts, { blogging_post: { title: "Shared" } })).json()) as {
    data: { id: number };
  };
  const shared = `${posts}/${made.data.id}`;
  const works = [
    () => send("GET", posts),
    () => send("GET", shared),
    () => app.request(posts),
    () => app.request(`${shared}/edit`),
    () => send("POST", posts, { blogging_post: { title: "One of many" } }),
    () => send("PATCH", shared, { blogging_post: { body: "Written by many" } }),
    () => send("POST", `${shared}/actions/publish`, { note: "bad" }),
    () => send("POST", posts, { blogging_post: { title: "" } }),
  ];
  const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => works[index % works.length]!()));
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  for (const answer of answers) await answer.text();
  assert.equal(counts, { 200: 125, 201: 25, 422: 50 });
  assert.is((await send("GET", posts)).status, 200);
}
