import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openKernel } from "framewright/kernel";
import { redis } from "framewright/plugins/redis";
import { assert, describe, reasonToSkip, throwsCode } from "../../support/index.ts";
import { exitOf, serveApp } from "../../support/processes.ts";
import { OwnRedis } from "../../support/redis.ts";
import { redisPath } from "../../support/requirements.ts";
import { addPeople, openAccounts } from "../authlib/accounts.ts";
import { asJson, quick } from "../authlib/promises/support.ts";

const skip = (await reasonToSkip("redis")) ?? (existsSync(redisPath) ? undefined : "needs redis-server");
const PASSWORD = "marked:pass/word";

describe("A restart of Redis", (it) => {
  it.unless(
    skip,
    "What is asked meanwhile is sent when it is back, what lost its answer is sent again where it may be, and a longer outage ends at once",
    async () => {
      const server = await OwnRedis.start();
      const settings = {
        secrets: ["a secret of at least thirty-two bytes"],
        cookies: { path: "/", prefix: "" },
      } as never;
      const kernel = await openKernel([redis({ url: server.url, limits: false })].flat() as never, { settings });
      const service = kernel.service("redis");
      const count = (isRepeatable = false) => service.run((client) => client.incr("count"), { isRepeatable });
      try {
        assert.is(await count(), 1);
        await server.stop();
        const asked = [count(), count(), count(true)];
        await sleep(300);
        const late = count();
        await server.start();
        assert.equal(new Set(await Promise.all([...asked, late])).size, 4);
        server.freeze();
        const lost = count(true);
        await sleep(100);
        server.thaw();
        assert.is(await lost, 6);
        await server.stop();
        await sleep(100);
        assert.is((await throwsCode("FW_REDIS_AWAY", count)).name, "FramewrightError");
        await sleep(2000);
        const start = performance.now();
        await throwsCode("FW_REDIS_AWAY", () => count(true));
        assert.ok(performance.now() - start < 1500, `${performance.now() - start} ms`);
      } finally {
        await kernel.close();
        await server.remove();
      }
    },
  );
});

describe("An application whose Redis goes away", (it) => {
  it.unless(
    skip,
    "Requests that need it get 503 in time, others are served, and all is well when it is back",
    async () => {
      const server = await OwnRedis.start(PASSWORD);
      const values = { DATABASE_URL: "sqlite:storage/shared.sqlite3", REDIS_URL: server.url, LOG_LEVEL: "info" };
      const plugins = {
        imports: `${quick.imports} import { redis } from "framewright/plugins/redis";`,
        list: `...redis({ sessions: true }), ${quick.list}`,
      };
      const app = await openAccounts({ user: { features: "login(), logout()" } }, { values, plugins });
      await addPeople(app, "user", "ann@example.test");
      await app.close();
      const served = await serveApp(app.root, values);
      const texts: string[] = [];
      /** The status of a reply, and that it came in time. */
      const ask = async (path: string, init: RequestInit = {}) => {
        const start = performance.now();
        const reply = await fetch(new URL(path, served.url), { redirect: "manual", ...init });
        texts.push(await reply.text());
        assert.ok(performance.now() - start < 4000, `${path} took ${performance.now() - start} ms`);
        return reply;
      };
      const guess = async (login = "ann@example.test") =>
        ask("/users/login", {
          method: "POST",
          headers: asJson,
          body: JSON.stringify({ login, password: "not it, not at all" }),
        });
      const cookie = `fw_sid=${"A".repeat(43)}`;
      const withSession = () => ask("/users/login", { headers: { cookie } });
      try {
        assert.is((await guess()).status, 401);
        assert.is((await ask("/readyz")).status, 200);
        for (const [gone, back] of [
          [() => server.stop(), () => server.start()],
          [async () => server.freeze(), async () => server.thaw()],
        ] as const) {
          await gone();
          const refused = await guess();
          assert.is(refused.status, 503);
          assert.match(refused.headers.get("retry-after")!, /^[1-9]\d*$/);
          assert.is((await withSession()).status, 503);
          assert.is((await ask("/healthz")).status, 200);
          const ready = await ask("/readyz");
          assert.is(ready.status, 503);
          assert.match(texts.at(-1)!, "redis");
          await back();
          for (let tries = 0; (await guess("bob@example.test")).status !== 401 && tries < 50; tries++) await sleep(100);
          assert.is((await guess("eve@example.test")).status, 401);
          assert.is((await withSession()).status, 200);
          assert.is((await ask("/readyz")).status, 200);
        }
        assert.match(served.output(), "Redis answers again");
        for (const text of [...texts, served.output()]) {
          assert.not.match(text, PASSWORD);
          assert.not.match(text, encodeURIComponent(PASSWORD));
        }
      } finally {
        served.child.kill("SIGTERM");
        assert.is(await exitOf(served.child), 0);
        await server.remove();
      }
    },
  );
});
