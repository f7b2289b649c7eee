import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { definePlugin, definePlugins } from "framewright/kernel";
import { bullmq } from "framewright/plugins/bullmq";
import { database } from "framewright/plugins/database";
import type { JobInfo } from "framewright/plugins/jobs";
import { jobs } from "framewright/plugins/jobs";
import { redis } from "framewright/plugins/redis";
import { addFiles, openApp, writeApp } from "../../support/apps.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { OwnRedis } from "../../support/redis.ts";
import { redisPath } from "../../support/requirements.ts";
import { jobsMigration } from "../jobs/support.ts";

const skip = (await reasonToSkip("redis")) ?? (existsSync(redisPath) ? undefined : "needs redis-server");
const files = {
  "config/routes.ts": `import { drawRoutes } from "framewright"; export default drawRoutes(() => undefined);`,
  "db/migrate/20260101000000_create_framewright_jobs.ts": jobsMigration,
};

async function until(condition: () => boolean, milliseconds: number): Promise<number> {
  const start = performance.now();
  while (!condition() && performance.now() - start < milliseconds) await sleep(10);
  return performance.now() - start;
}

describe("A serving application with jobs in Redis", (it) => {
  it.unless(
    skip,
    "Jobs run at once, wait for a Redis that is away, and end before the application closes",
    async () => {
      const server = await OwnRedis.start();
      const noted: string[] = [];
      const failed: JobInfo[] = [];
      const work = definePlugin({
        name: "work",
        requires: ["jobs"],
        apply({ services, hooks }) {
          services.jobs.define<{ what: string; takes?: number }>("note", async ({ what, takes = 0 }) => {
            await sleep(takes);
            noted.push(what);
          });
          services.jobs.define("fail", async () => {
            throw new Error("out of luck");
          });
          hooks.jobs.failed.tap("work", (info) => void failed.push(info));
        },
      });
      const root = writeApp({});
      addFiles(root, files);
      const plugins = definePlugins([database(), jobs(), redis({ url: server.url }), bullmq({ poll: 200 }), work]);
      const app = await openApp(root, { plugins });
      try {
        const service = app.application.kernel.service("jobs");
        const db = app.application.kernel.service("database");
        await db.migrations.up();
        await service.enqueue("note", { what: "first" });
        const waited = await until(() => noted.length === 1, 5000);
        assert.ok(waited < 2000, `${waited} ms`);
        await db.transaction(async (transaction) => {
          await service.enqueue("note", { what: "committed" }, { transaction });
          await sleep(300);
          assert.equal(noted, ["first"], "not before the commit");
        });
        await until(() => noted.length === 2, 2000);
        await service.enqueue("note", { what: "later" }, { runAt: new Date(Date.now() + 500) });
        assert.is(noted.length, 2);
        await until(() => noted.length === 3, 3000);
        await service.enqueue("fail", {}, { maxAttempts: 1 });
        await until(() => failed.length === 1, 3000);
        assert.equal([failed[0]?.state, failed[0]?.lastError], ["failed", "out of luck"]);
        await server.stop();
        await service.enqueue("note", { what: "meanwhile" });
        await sleep(500);
        assert.is((await app.request("/readyz")).status, 503);
        await server.start();
        await until(() => noted.length === 4, 15_000);
        assert.equal(noted, ["first", "committed", "later", "meanwhile"]);
        await service.enqueue("note", { what: "slow", takes: 1000 });
        await sleep(400);
      } finally {
        await app.close();
        await server.remove();
      }
      assert.equal(noted.slice(4), ["slow"]);
    },
  );
});
