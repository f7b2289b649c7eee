import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { openApp, writeApp } from "../support/apps.ts";
import { assert, describe } from "../support/index.ts";
import { exitOf, freePort, OwnMariadb, reasonForNoMariadb, serveApp } from "../support/processes.ts";
import { openMigrated, shopFiles } from "../support/shop.ts";

const files = {
  ...shopFiles,
  "config/routes.ts": `import { drawRoutes } from "framewright"; import { AdminPortal } from "#packages/admin_portal/lib/engine.ts";
    export default drawRoutes((routes) => { routes.get("slow", { to: "slow#wait" }); routes.mount(AdminPortal, { at: "/admin" }); });`,
  "app/controllers/slow_controller.ts": `import { BaseController } from "framewright"; import { setTimeout as sleep } from "node:timers/promises";
    export default class SlowController extends BaseController { static override guests = "admit" as const;
      async wait() {
        await sleep(700);
        const { knex } = this.request.kernel.service("database");
        return this.json(await knex("authors").count({ total: "*" }).first());
      }
    }`,
};

describe("Graceful shutdown", (it) => {
  it("SIGTERM lets requests in flight finish, refuses new ones and ends with exit code 0", async () => {
    const root = writeApp(files);
    await (await openMigrated(root)).close();
    const { child, url } = await serveApp(root);
    const slow = Array.from({ length: 20 }, () => fetch(`${url}/slow`));
    const quick = async () => {
      const statuses: number[] = [];
      for (;;) {
        const answer = await fetch(`${url}/admin/authors`).catch(() => undefined);
        if (!answer) return statuses;
        statuses.push(answer.status);
        await answer.text();
      }
    };
    const load = Promise.all([quick(), quick()]);
    await sleep(300);
    const start = performance.now();
    child.kill("SIGTERM");
    const answers = await Promise.all(slow);
    for (const answer of answers) {
      assert.is(answer.status, 200);
      assert.equal(await answer.json(), { total: 0 });
    }
    assert.is(await exitOf(child), 0);
    assert.ok(performance.now() - start < 15_000);
    assert.ok((await load).flat().every((status) => status === 200 || status === 503));
    assert.is(
      await fetch(`${url}/slow`).then(
        () => "answered",
        () => "refused",
      ),
      "refused",
    );
  });
});

describe("Requests that were sent before SIGTERM", (it) => {
  it("All are answered: on connections that wait to be accepted, and on idle ones", async () => {
    const root = writeApp(files);
    await (await openMigrated(root)).close();
    const { child, url } = await serveApp(root);
    const agent = new Agent({ keepAlive: true, maxSockets: 40 });
    await Promise.all(Array.from({ length: 40 }, () => statusOf(`${url}/admin/authors`, agent)));
    child.kill("SIGSTOP"); // what is sent now waits in the system, as at a process that is busy
    const onIdle = Array.from({ length: 40 }, () => statusOf(`${url}/admin/authors`, agent));
    const fresh = Array.from({ length: 80 }, () => statusOf(`${url}/slow`));
    await sleep(200);
    child.kill("SIGTERM");
    child.kill("SIGCONT");
    const answers = await Promise.all([...onIdle, ...fresh]);
    assert.equal(
      answers.filter((answer) => !answer.startsWith("200 ")),
      [],
    );
    assert.is(await exitOf(child), 0);
  });
});

/** Status and connection header, or the code of the error. */
const statusOf = (url: string, agent: Agent | false = false): Promise<string> =>
  new Promise((resolve) => {
    const sent = get(url, { agent }, (answer) => {
      answer.resume().once("end", () => resolve(`${answer.statusCode} ${answer.headers.connection}`));
    });
    sent.once("error", (error: NodeJS.ErrnoException) => resolve(String(error.code)));
  });

describe("Repeated SIGTERM, as npm and service managers send it", (it) => {
  it("A second SIGTERM does not interrupt requests in flight", async () => {
    const root = writeApp(files);
    await (await openMigrated(root)).close();
    const { child, url } = await serveApp(root);
    const slow = fetch(`${url}/slow`);
    await sleep(200);
    child.kill("SIGTERM");
    await sleep(50);
    child.kill("SIGTERM");
    assert.equal(await (await slow).json(), { total: 0 });
    assert.is(await exitOf(child), 0);
  });
  it("A third SIGTERM ends the process at once with exit code 143", async () => {
    const root = writeApp(files);
    await (await openMigrated(root)).close();
    const { child, url } = await serveApp(root);
    const slow = fetch(`${url}/slow`).then(
      () => "answered",
      () => "cut",
    );
    await sleep(200);
    for (let signals = 0; signals < 3; signals++) {
      child.kill("SIGTERM");
      await sleep(50);
    }
    assert.is(await slow, "cut");
    assert.is(await exitOf(child), 143);
  });
});

const reason = reasonForNoMariadb();
describe("A database that restarts", (it) => {
  it.unless(
    reason,
    "Requests get 503 with Retry-After while MariaDB restarts, and succeed afterwards without a restart of the application",
    async () => {
      const mariadb = new OwnMariadb(await freePort());
      await mariadb.install();
      await mariadb.start();
      const root = writeApp(shopFiles);
      const values = { DATABASE_URL: mariadb.url };
      await (await openMigrated(root, values)).close();
      const app = await openApp(root, { values });
      try {
        const list = () => app.request("/admin/authors", { headers: { accept: "application/json" } });
        assert.is((await list()).status, 200);
        await mariadb.stop();
        const away = await list();
        assert.is(away.status, 503);
        assert.match(away.headers.get("retry-after") ?? "", /^\d+$/);
        assert.is((await app.request("/healthz")).status, 200);
        assert.is((await app.request("/readyz")).status, 503);
        await mariadb.start();
        let status = 0;
        for (let attempt = 0; attempt < 40 && status !== 200; attempt++) {
          status = (await list()).status;
          if (status !== 200) await sleep(100);
        }
        assert.is(status, 200);
        assert.is((await app.request("/readyz")).status, 200);
      } finally {
        await app.close();
        await mariadb.remove();
      }
    },
  );
});
