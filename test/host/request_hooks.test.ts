import { type HostHooks, htmlReply, jsonReply, Reply, type RequestContext } from "framewright/host";
import { definePlugin, type Plugin, type TapOnly } from "framewright/kernel";
import { sessions } from "framewright/plugins/sessions";
import { bootApp, type TestApp } from "../support/apps.ts";
import { edited } from "../support/fixtures.ts";
import { assert, describe, throwsCode } from "../support/index.ts";
import { attackedFiles } from "./attacked.ts";
import { sendRaw } from "./raw.ts";

type Hooks = TapOnly<Pick<HostHooks, "request" | "reply">>;
const tapping = (name: string, tap: (hooks: Hooks) => void): Plugin =>
  definePlugin({ name, requires: ["host"], apply: ({ hooks }) => tap(hooks.host) });
/** In development a problem document has the error's message; a request may take 1,000 ms. */
const values = { NODE_ENV: "development", LOG_LEVEL: "silent", REQUEST_DEADLINE: "1000" };
const boot = (...plugins: Plugin[]) => bootApp(attackedFiles, { plugins: [sessions(), ...plugins], values });

const json = { accept: "application/json" };
const mode = (request: RequestContext) => request.header("x-mode");
const detailOf = async (answer: Response) => ((await answer.json()) as { detail: string }).detail;

describe("The hook host.request", (it, { before, after }) => {
  let app: TestApp;
  const shared = jsonReply({ shared: true });
  const never = () => new Promise<undefined>(() => undefined);
  const answers: Record<string, () => unknown> = {
    text: () => "a text",
    null: () => null,
    object: () => ({ status: 200, body: "x", headers: {} }),
    response: () => new Response("x"),
    false: () => false,
    throw: () => {
      throw new Error("the tap failed");
    },
    hang: never,
    thenable: () => ({ [["th", "en"].join("")]: (resolve: (value: unknown) => void) => resolve({ status: 200 }) }),
    silent: () => ({ [["th", "en"].join("")]: () => undefined }),
    rude: () => new Reply(42, "x"),
  };
  before(async () => {
    app = await boot(
      tapping("gate", ({ request }) => {
        request.tap("gate", (asked) => (mode(asked) === "closed" ? htmlReply("<h1>Closed</h1>", 503) : undefined));
        request.tap("gate", (asked) => (mode(asked) === "soon" ? (Promise.resolve(shared) as never) : undefined));
        request.tap("gate", (asked) => (mode(asked) === "odd" ? ("odd" as never) : undefined));
      }),
      tapping("wild", ({ request }) =>
        request.tapPromise("wild", async (asked) => answers[mode(asked) ?? ""]?.() as undefined),
      ),
      tapping("guest book", ({ request }) =>
        request.tapPromise("guest book", async (asked) => {
          if (mode(asked) !== "shared") return undefined;
          const visitor = asked.header("x-visitor");
          if (visitor !== undefined) asked.setCookie("visitor", visitor, 60);
          return shared;
        }),
      ),
    );
  });
  after(() => app.close());
  const ask = (path: string, named?: string, init: RequestInit = {}) =>
    app.request(path, { ...init, headers: { ...json, ...(named ? { "x-mode": named } : {}), ...init.headers } });

  it("A tap answers a request before its route, also where there is none, for every verb", async () => {
    for (const path of ["/plain", "/nowhere", "/pages"])
      for (const method of ["GET", "POST", "DELETE"]) {
        const answer = await ask(path, "closed", { method });
        assert.is(answer.status, 503, `${method} ${path}`);
        assert.is(await answer.text(), "<h1>Closed</h1>");
        assert.match(answer.headers.get("content-security-policy") ?? "", "default-src 'self'");
      }
    assert.is(await (await ask("/plain", "closed", { method: "HEAD" })).text(), "");
    assert.equal(await (await ask("/count")).json(), { changes: 0 }, "no action ran");
  });
  it("A request that no tap answers gets its route", async () => {
    assert.equal(await (await ask("/plain")).json(), { plain: true });
    assert.is((await ask("/nowhere")).status, 404);
  });
  it("Health checks and malformed requests do not reach the taps", async () => {
    for (const path of ["/healthz", "/readyz"]) assert.is((await ask(path, "closed")).status, 200);
    const headers = "Host: localhost\r\nX-Mode: closed\r\n\r\n";
    assert.is((await sendRaw(app.url, `GET /%00 HTTP/1.1\r\n${headers}`)).status, 400);
    assert.is(
      (await sendRaw(app.url, `GET /plain HTTP/1.1\r\nHost: evil.example\r\nX-Mode: closed\r\n\r\n`)).status,
      400,
    );
  });
  it("An answer that is not a Reply is refused with 500 and the plugin's name", async () => {
    const expected = {
      text: "a string",
      null: "null",
      object: "an object (Object)",
      response: "an object (Response)",
      false: "a boolean",
      thenable: "an object (Object)",
    };
    for (const [name, got] of Object.entries(expected)) {
      const answer = await ask("/plain", name);
      assert.is(answer.status, 500, name);
      assert.match(
        await detailOf(answer),
        `the plugin "wild" answered the hook "host.request" with ${got}; expected a Reply`,
      );
    }
    assert.match(
      await detailOf(await ask("/plain", "odd")),
      `the plugin "gate" answered the hook "host.request" with a string`,
    );
  });
  it("A synchronous tap that answers with a promise is refused with 500 and the plugin's name", async () => {
    const answer = await ask("/plain", "soon");
    assert.is(answer.status, 500);
    assert.match(await detailOf(answer), `"gate" answered the hook "host.request" with a promise`);
  });
  it("A tap that throws gets 500 with its plugin's name, and the next request is served", async () => {
    const answer = await ask("/plain", "throw");
    assert.is(answer.status, 500);
    assert.match(await detailOf(answer), `the plugin "wild" failed in the hook "host.request": the tap failed`);
    assert.is((await ask("/plain")).status, 200);
  });
  it("A tap that never answers gets 503 with its plugin's name at the request's deadline, and others are served", async () => {
    for (const name of ["hang", "silent"]) {
      const hanging = ask("/plain", name);
      assert.is((await ask("/plain")).status, 200);
      const answer = await hanging;
      assert.is(answer.status, 503, name);
      assert.match(await detailOf(answer), `waiting for the plugin "wild" in the hook "host.request"`);
    }
  });
  it("A reply with a status that HTTP does not have is answered with 500", async () => {
    assert.is((await ask("/plain", "rude")).status, 500);
    assert.is((await ask("/plain")).status, 200);
  });
  it("A plugin may answer all requests with one Reply, and no visitor's cookie stays in it", async () => {
    const first = await ask("/plain", "shared", { headers: { "x-visitor": "ann" } });
    assert.match(first.headers.getSetCookie().join(), "visitor=ann");
    const second = await ask("/plain", "shared");
    assert.equal(await second.json(), { shared: true });
    assert.equal(second.headers.getSetCookie(), []);
    assert.equal(shared.headers, { "content-type": "application/json; charset=utf-8" });
  });
});

describe("The hook host.reply", (it, { before, after }) => {
  let app: TestApp;
  const spoils: Record<string, (reply: Reply) => void> = {
    throw: () => {
      throw new Error("the tap failed");
    },
    promise: () => Promise.reject(new Error("late")) as never,
    newline: ({ headers }) => {
      headers["x-odd"] = "a\r\nset-cookie: evil=1";
    },
    name: ({ headers }) => {
      headers["x odd"] = "a";
    },
    missing: ({ headers }) => {
      headers["x-odd"] = undefined as never;
    },
    number: ({ headers }) => {
      headers["x-odd"] = ["a", 7] as never;
    },
    length: ({ headers }) => {
      headers["Content-Length"] = "1";
    },
    chunked: ({ headers }) => {
      headers["transfer-encoding"] = "chunked";
    },
    status: (reply) => {
      reply.status = 100;
    },
    body: (reply) => {
      reply.body = { plain: "marked" } as never;
    },
  };
  before(async () => {
    app = await boot(
      tapping("stamp", ({ request, reply }) => {
        request.tap("stamp", (asked) => (mode(asked) === "early" ? jsonReply({ early: true }) : undefined));
        request.tapPromise("stamp", async (asked) =>
          mode(asked) === "hang" ? new Promise(() => undefined) : undefined,
        );
        reply.tap("stamp", ({ headers, status }, { path }) => {
          headers["x-stamp"] = `${status} ${path}`;
        });
      }),
      tapping("spoiler", ({ reply }) => reply.tap("spoiler", (sent, asked) => spoils[mode(asked) ?? ""]?.(sent))),
    );
  });
  after(() => app.close());
  const ask = (path: string, named?: string, init: RequestInit = {}) =>
    app.request(path, { ...init, headers: { ...json, ...(named ? { "x-mode": named } : {}) } });

  it("A tap adds a header to pages, early answers, refusals and requests that take too long", async () => {
    const stamps = async (path: string, named?: string, init?: RequestInit) =>
      (await ask(path, named, init)).headers.get("x-stamp");
    assert.is(await stamps("/plain"), "200 /plain");
    assert.is(await stamps("/plain", "early"), "200 /plain");
    assert.is(await stamps("/nowhere"), "404 /nowhere");
    assert.is(await stamps("/pages", undefined, { method: "PUT" }), "405 /pages");
    assert.is(await stamps("/plain", undefined, { method: "OPTIONS" }), "204 /plain");
    assert.is(await stamps("/plain", "hang"), "503 /plain");
    assert.is(await stamps("/healthz"), null);
  });
  it("A tap that throws or answers with a promise costs the reply: 500 with the plugin's name, and nothing of the page", async () => {
    for (const [name, message] of [
      ["throw", `the plugin "spoiler" failed in the hook "host.reply": the tap failed`],
      ["promise", `the plugin "spoiler" answered the hook "host.reply" with a promise`],
    ] as const) {
      const answer = await ask("/plain", name);
      assert.is(answer.status, 500, name);
      assert.match(await detailOf(answer), message);
      assert.is((await ask("/nowhere", name)).status, 500, "an error's reply");
    }
    assert.is((await ask("/plain")).status, 200);
  });
  it("A reply that a tap made impossible to send is answered with 500 that names the taps, and no header is smuggled in", async () => {
    for (const name of ["newline", "name", "missing", "number", "length", "chunked", "status", "body"]) {
      const answer = await ask("/plain", name);
      assert.is(answer.status, 500, name);
      assert.equal(answer.headers.getSetCookie(), [], name);
      assert.match(
        await detailOf(answer),
        `"host.reply", tapped by "stamp", "spoiler", left a reply that can't be sent`,
        name,
      );
    }
    assert.is((await ask("/plain")).status, 200);
  });
  it("Application.answer passes both hooks", async () => {
    const { application } = app;
    const raw = { url: "/plain", method: "GET", headers: { host: "localhost", "x-mode": "early" }, rawHeaders: [] };
    const { body, headers } = await application.answer(raw as never);
    assert.is(body, '{"early":true}');
    assert.is(headers["x-stamp"], "200 /plain");
  });
});

describe("Taps of the host's hooks", (it) => {
  it("Boot refuses an asynchronous tap of host.reply and a callback tap of host.request, by the plugin's name", async () => {
    type Untyped = { tapPromise(name: string, tap: () => Promise<void>): void }; // as JavaScript sees it
    const late = tapping("late", ({ reply }) =>
      (reply as unknown as Untyped).tapPromise("late", async () => undefined),
    );
    assert.match((await throwsCode("FW_APPLY_FAILED", () => boot(late))).message, `the plugin "late"`);
    const callback = tapping("callback", ({ request }) => request.tapAsync("callback", (_asked, done) => done()));
    assert.match((await throwsCode("FW_TAP_CALLBACK", () => boot(callback))).message, `"callback" taps "host.request"`);
  });
  it("A Reply that a plugin keeps for all errors is not changed by what is added to one of them", async () => {
    const kept = new Reply(410, "gone");
    const gone = definePlugin({
      name: "gone",
      apply: ({ hooks }) => hooks.kernel.error.tapPromise("gone", async () => kept),
    });
    const mark = tapping("mark", ({ reply }) =>
      reply.tap("mark", ({ headers }, asked) => {
        if (mode(asked) !== undefined) headers["set-cookie"] = "visitor=ann";
      }),
    );
    const own = await boot(gone, mark);
    try {
      const first = await own.request("/nowhere", { headers: { "x-mode": "marked" } });
      assert.equal([first.status, ...first.headers.getSetCookie()], [410, "visitor=ann"]);
      assert.equal((await own.request("/nowhere")).headers.getSetCookie(), []);
      assert.equal(kept.headers, {});
    } finally {
      await own.close();
    }
  });
});

describe("A reply that a controller keeps for everybody", (it) => {
  it("It collects no visitor's cookies", async () => {
    const controller = "app/controllers/pages_controller.ts";
    const kept = edited(attackedFiles, controller, [
      /export default class (\w+) extends (\w+) \{/,
      `const kept = new Reply(200, "for all", { "content-type": "text/plain" });
export default class $1 extends $2 {
  plain_for_all() {
    this.request.setCookie("visitor", this.request.header("x-visitor") ?? "nobody", 60);
    return kept;
  }`,
    ]);
    const routes = edited(attackedFiles, "config/routes.ts", [
      'routes.get("plain",',
      'routes.get("for-all", { to: "pages#plain_for_all" });\n  routes.get("plain",',
    ]);
    const files = {
      ...attackedFiles,
      [controller]: `import { Reply } from "framewright";\n${kept}`,
      "config/routes.ts": routes,
    };
    const app = await bootApp(files, { plugins: [sessions()], values });
    for (const visitor of ["ann", "bob"]) {
      const answer = await app.request("/for-all", { headers: { "x-visitor": visitor } });
      assert.equal(
        answer.headers.getSetCookie().map((line) => line.split(";")[0]),
        [`visitor=${visitor}`],
      );
    }
    await app.close();
  });
});
