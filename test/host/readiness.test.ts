import { setTimeout as sleep } from "node:timers/promises";
import type { HealthCheck } from "framewright/host";
import { definePlugin, type Plugin } from "framewright/kernel";
import { bootApp, type TestApp } from "../support/apps.ts";
import { assert, describe, throwsCode } from "../support/index.ts";
import { attackedFiles } from "./attacked.ts";

type Answer = string | undefined | Promise<string | undefined>;
const checking = (name: string, check: string, answer: HealthCheck, options?: { timeoutMs?: number }): Plugin =>
  definePlugin({
    name,
    requires: ["host"],
    apply: ({ services }) => services.host.health.add(check, answer, options),
  });
const never = () => new Promise<undefined>(() => undefined);
const secret = "mysql://root:marked-secret@db";

async function ready(app: TestApp): Promise<[status: number, text: string]> {
  const answer = await app.request("/readyz");
  assert.is(answer.headers.get("cache-control"), "no-store");
  return [answer.status, await answer.text()];
}
async function withApp(plugins: Plugin[], work: (app: TestApp) => Promise<void>, values = {}): Promise<void> {
  const app = await bootApp(attackedFiles, { plugins, values });
  try {
    await work(app);
  } finally {
    await app.close();
  }
}

describe("Readiness checks of plugins", (it) => {
  it("/readyz answers 503 with the names of the checks that fail, and 200 once all succeed", async () => {
    let queue: Answer = secret;
    let disk: Answer = Promise.resolve("full");
    const plugins = [checking("jobs", "queue", () => queue), checking("files", "disk", () => disk)];
    await withApp(plugins, async (app) => {
      assert.equal(await ready(app), [503, 'the check "queue" failed\nthe check "disk" failed']);
      queue = undefined;
      assert.equal(await ready(app), [503, 'the check "disk" failed']);
      disk = Promise.resolve(undefined);
      assert.equal(await ready(app), [200, "ready"]);
      assert.is((await app.request("/plain")).status, 200);
    });
  });
  it("The reason is shown in development alone: it may hold what is secret", async () => {
    const plugins = [checking("jobs", "queue", () => secret)];
    for (const [env, shown] of [
      ["development", true],
      ["test", false],
      ["production", false],
    ] as const) {
      const values = {
        NODE_ENV: env,
        LOG_LEVEL: "silent",
        SECRET_KEY_BASE: "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19",
      };
      await withApp(
        plugins,
        async (app) => {
          const [status, text] = await ready(app);
          assert.is(status, 503);
          assert.match(text, 'the check "queue" failed');
          assert.is(text.includes("marked-secret"), shown, env);
        },
        values,
      );
    }
  });
  it("A check that throws, hangs or answers with anything but a reason has failed, and the others still count", async () => {
    const wrong: Record<string, () => unknown> = {
      throws: () => {
        throw new Error(secret);
      },
      rejects: () => Promise.reject(secret),
      hangs: never,
      true: () => true,
      false: async () => false,
      null: () => null,
      empty: () => "",
      thenable: () => ({ [["th", "en"].join("")]: (resolve: (value: unknown) => void) => resolve({}) }),
      silent: () => ({ [["th", "en"].join("")]: () => undefined }),
    };
    const plugins = Object.entries(wrong).map(([name, check]) =>
      checking(name, name, check as HealthCheck, { timeoutMs: 100 }),
    );
    await withApp([...plugins, checking("fine", "fine", () => undefined)], async (app) => {
      const start = performance.now();
      const [status, text] = await ready(app);
      assert.ok(performance.now() - start < 1500, "all at once");
      assert.is(status, 503);
      assert.equal(
        text.split("\n"),
        Object.keys(wrong).map((name) => `the check "${name}" failed`),
      );
    });
  });
  it("A slow check runs once for all who ask meanwhile, and again for who asks later", async () => {
    let runs = 0;
    const slow = async () => {
      runs++;
      await sleep(300);
      return undefined;
    };
    await withApp([checking("jobs", "queue", slow)], async (app) => {
      const all = await Promise.all(Array.from({ length: 30 }, () => ready(app)));
      for (const [status] of all) assert.is(status, 200);
      assert.ok(runs < 10, `${runs} runs for 30 requests`);
      const before = runs;
      assert.is((await ready(app))[0], 200);
      assert.is(runs, before + 1);
    });
  });
  it("A check that hangs once is asked again after its deadline", async () => {
    let runs = 0;
    await withApp(
      [checking("jobs", "queue", () => (runs++ === 0 ? never() : undefined), { timeoutMs: 50 })],
      async (app) => {
        assert.is((await ready(app))[0], 503);
        assert.is((await ready(app))[0], 200);
      },
    );
  });
  it("A check without a name or a function, of a name that is taken, and one that is added late are refused", async () => {
    const refusal = async (code: string, ...plugins: Plugin[]) =>
      (await throwsCode(code, () => withApp(plugins, async () => undefined))).message;
    for (const name of ["", "a\nb", "<b>", "x".repeat(41), undefined, 7])
      assert.match(
        await refusal(
          "FW_HEALTH_CHECK",
          checking("jobs", name as string, () => undefined),
        ),
        `the plugin "jobs"`,
      );
    assert.match(await refusal("FW_HEALTH_CHECK", checking("jobs", "queue", "up" as never)), "its check is a string");
    for (const timeoutMs of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 30_001])
      assert.match(
        await refusal(
          "FW_HEALTH_CHECK",
          checking("jobs", "queue", () => undefined, { timeoutMs }),
        ),
        "timeoutMs",
      );
    const twice = [checking("jobs", "queue", () => undefined), checking("mails", "queue", () => undefined)];
    assert.match(await refusal("FW_HEALTH_TAKEN", ...twice), `"jobs" and "mails" both add a readiness check "queue"`);
    await withApp([], async ({ application }) => {
      await throwsCode("FW_REGISTERED_LATE", async () => application.health.add("queue", () => undefined));
    });
  });
});

describe("The hook host.ready", (it) => {
  const tapping = (name: string, tap: () => unknown): Plugin =>
    definePlugin({
      name,
      requires: ["host"],
      apply: ({ hooks }) => hooks.host.ready.tapPromise(name, async () => tap() as undefined),
    });
  const readyWith = async (...plugins: Plugin[]) => {
    let result: [number, string] | undefined;
    await withApp(plugins, async (app) => {
      result = await ready(app);
    });
    return result!;
  };

  it("A tap's reason is the answer of /readyz, and the first one wins", async () => {
    assert.equal(
      await readyWith(
        tapping("a", () => undefined),
        tapping("b", () => "warming up"),
      ),
      [503, "warming up"],
    );
    assert.equal(await readyWith(tapping("a", () => undefined)), [200, "ready"]);
  });
  it("A tap that throws, hangs or answers with anything but a text is 503 with its plugin's name and no message", async () => {
    const thrown = () => {
      throw new Error(secret);
    };
    for (const tap of [thrown, never, () => false, () => ({ secret }), () => null])
      assert.equal(await readyWith(tapping("odd", tap)), [503, 'the check of the plugin "odd" failed']);
  });
  it("A synchronous tap is a check as well", async () => {
    const sync = (tap: () => unknown) =>
      definePlugin({
        name: "sync",
        requires: ["host"],
        apply: ({ hooks }) => hooks.host.ready.tap("sync", tap as () => undefined),
      });
    assert.equal(await readyWith(sync(() => "warming up")), [503, "warming up"]);
    assert.equal(await readyWith(sync(() => Promise.reject(new Error(secret)))), [
      503,
      'the check of the plugin "sync" failed',
    ]);
  });
});
