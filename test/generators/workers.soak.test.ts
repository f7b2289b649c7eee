import { once } from "node:events";
import { renameSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { addFiles, writeApp } from "../support/apps.ts";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { fw, runCommand } from "./support.ts";

const autocannon = createRequire(import.meta.url)("autocannon") as (load: object) => Promise<{
  errors: number;
  non2xx: number;
  "2xx": number;
}>;

/** A built application whose pages name the process and the version of the code that answer. */
const built = (version: number) => `import { BaseController } from "framewright";
import { setTimeout as sleep } from "node:timers/promises";
export default class PagesController extends BaseController {
  static guests = "admit";
  who() { return this.json({ pid: process.pid, version: ${version}, worker: this.request.settings.worker, ticks: globalThis.ticks ?? 0 }); }
  async slow() { await sleep(600); return this.who(); }
  die() { process.kill(process.pid, "SIGKILL"); }
}
`;
const PAGES = "dist/app/controllers/pages_controller.js";
const config = "import { definePlugin, definePlugins } from 'framewright';\n";
const ticking = `definePlugin({ name: "ticks", requires: ["host"], apply({ services }) {
  services.host.periodic.add(50, () => { globalThis.ticks = (globalThis.ticks ?? 0) + 1; throw new Error("still runs"); });
} })`;
const writeBuilt = (version = 1) =>
  writeApp({
    "plugins.config.ts": `${config}export default definePlugins([]);`,
    "config/routes.ts": "",
    "dist/plugins.config.js": `${config}import { metrics } from "framewright/plugins/metrics";
export default definePlugins([metrics(), ${ticking}]);`,
    "dist/config/routes.js": `import { drawRoutes } from "framewright";
export default drawRoutes((routes) => { for (const page of ["who", "slow", "die"]) routes.get(page, { to: \`pages#\${page}\` }); });`,
    [PAGES]: built(version),
  });

interface Who {
  pid: number;
  version: number;
  worker: { index: number; count: number };
  ticks: number;
}
const METRICS_TOKEN = "a token for scrapes";
const production = {
  NODE_ENV: "production",
  SECRET_KEY_BASE: "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19",
  LOG_LEVEL: "warn",
  METRICS_TOKEN,
};
/** Serves an application by two workers for the time of a story, after which nothing may be left of it. */
async function withWorkers(root: string, story: (served: Awaited<ReturnType<typeof serveApp>>) => Promise<void>) {
  const values = { ...production, PWD: root };
  const served = await serveApp(root, values, "start", [process.execPath, fw], ["--workers=2"]);
  try {
    await story(served);
    served.child.kill("SIGTERM");
    if (served.child.signalCode === null) assert.is(await exitOf(served.child), 0);
  } finally {
    served.child.kill("SIGKILL");
  }
}

/** Who answers, over connections of their own, until as many processes did. */
async function everybody(url: string, count: number, deadline = 15_000): Promise<Map<number, Who>> {
  const found = new Map<number, Who>();
  for (const end = Date.now() + deadline; found.size < count && Date.now() < end; ) {
    const answer = await fetch(`${url}/who`, { headers: { connection: "close" } }).catch(() => undefined);
    if (!answer?.ok) continue;
    const who = (await answer.json()) as Who;
    found.set(who.pid, who);
  }
  return found;
}
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
async function gone(pids: Iterable<number>): Promise<void> {
  for (const pid of pids) {
    for (let turn = 0; turn < 200 && isAlive(pid); turn++) await sleep(50);
    assert.not(isAlive(pid), `process ${pid} is left`);
  }
}
const load = (url: string, seconds: number) =>
  autocannon({ url: `${url}/who`, connections: 8, duration: seconds, timeout: 20 });

describe("fw start --workers", (it) => {
  it("Several processes serve one address, and only the first does periodic work, under its plugin's name", async () => {
    await withWorkers(writeBuilt(), async ({ child, url, output }) => {
      assert.match(output(), /^http:\/\/127\.0\.0\.1:\d+ \(production\), 2 workers\n/m);
      const found = [...(await everybody(url, 2)).values()].sort((a, b) => a.worker.index - b.worker.index);
      assert.equal(
        found.map(({ worker }) => worker),
        [1, 2].map((index) => ({ index, count: 2 })),
      );
      assert.not.ok(found.some(({ pid }) => pid === child.pid));
      await sleep(300);
      const later = [...(await everybody(url, 2)).values()];
      for (const { worker, ticks } of later) assert.is(ticks > 1, worker.index === 1);
      assert.match(output(), /periodic work of the plugin \\"ticks\\" failed: still runs/);
    });
  });

  it("A scrape of metrics has the requests of all workers, whichever answers it", async () => {
    await withWorkers(writeBuilt(), async ({ url }) => {
      await everybody(url, 2);
      const count = async () => {
        const headers = { authorization: `Bearer ${METRICS_TOKEN}`, connection: "close" };
        const answer = await fetch(`${url}/metrics`, { headers });
        assert.is(answer.status, 200);
        const line = /^fw_http_requests_total\{[^}]*route="\/who"[^}]*\} (\d+)$/m.exec(await answer.text());
        return Number(line?.[1]);
      };
      const before = await count();
      assert.ok(before >= 2);
      for (let turn = 0; turn < 20; turn++)
        await (await fetch(`${url}/who`, { headers: { connection: "close" } })).text();
      for (let turn = 0; turn < 4; turn++) assert.is(await count(), before + 20);
    });
  });

  it("A worker that is killed under load costs the requests that it was answering, and is replaced", async () => {
    await withWorkers(writeBuilt(), async ({ url, output }) => {
      const before = await everybody(url, 2);
      const running = load(url, 4);
      await sleep(1000);
      const [victim] = before.keys();
      process.kill(victim!, "SIGKILL");
      const { errors, non2xx, "2xx": good } = await running;
      assert.is(non2xx, 0);
      assert.ok(errors <= 8, `${errors} connections were lost, of 8`);
      assert.ok(good > 200);
      const after = await everybody(url, 2);
      assert.is(after.size, 2);
      assert.not(after.has(victim!));
      assert.match(output(), /worker [12] ended with SIGKILL, and is started again/);
      await gone([victim!]);
    });
  }, 60_000);

  it("SIGHUP under load replaces all workers by what the folder links to by then, and no request fails", async () => {
    const current = join(writeApp({}), "current");
    symlinkSync(writeBuilt(), current);
    await withWorkers(current, async ({ child, url }) => {
      const before = await everybody(url, 2);
      const slow = Array.from({ length: 10 }, () => fetch(`${url}/slow`).then((answer) => answer.status));
      const running = load(url, 17);
      await sleep(1000);
      const successor = `${current}.next`;
      symlinkSync(writeBuilt(2), successor);
      renameSync(successor, current);
      child.kill("SIGHUP");
      const { errors, non2xx, "2xx": good } = await running;
      assert.equal([errors, non2xx], [0, 0]);
      assert.ok(good > 200);
      assert.equal(new Set(await Promise.all(slow)), new Set([200]));
      await gone(before.keys());
      const after = await everybody(url, 2);
      assert.equal(
        [...after.values()].map(({ version }) => version),
        [2, 2],
      );
    });
  }, 90_000);

  it("SIGHUP with code that can't boot leaves the workers serving, and the log says why", async () => {
    const root = writeBuilt();
    await withWorkers(root, async ({ child, url, output }) => {
      const before = await everybody(url, 2);
      addFiles(root, { [PAGES]: "export default class {" });
      child.kill("SIGHUP");
      for (let turn = 0; turn < 200 && !output().includes("reload ended"); turn++) await sleep(100);
      assert.match(output(), /reload ended: what was started can't serve/);
      assert.match(output(), /SyntaxError/);
      assert.equal(new Set((await everybody(url, 2)).keys()), new Set(before.keys()));
    });
  }, 60_000);

  it("SIGTERM lets requests in flight finish, and ends all processes with exit code 0", async () => {
    await withWorkers(writeBuilt(), async ({ child, url }) => {
      const pids = [...(await everybody(url, 2)).keys()];
      const slow = Array.from({ length: 10 }, () => fetch(`${url}/slow`).then((answer) => answer.status));
      await sleep(200);
      child.kill("SIGTERM");
      assert.equal(new Set(await Promise.all(slow)), new Set([200]));
      assert.is(await exitOf(child), 0);
      await gone(pids);
    });
  });

  it("Workers of a supervisor that was killed end by themselves", async () => {
    await withWorkers(writeBuilt(), async ({ child, url }) => {
      const pids = [...(await everybody(url, 2)).keys()];
      child.kill("SIGKILL");
      await once(child, "exit");
      await gone(pids);
    });
  });

  it("When the application can't boot at the start, the exit code is 1 and nothing is left", async () => {
    const root = writeBuilt();
    addFiles(root, { [PAGES]: "export default class {" });
    const ran = await runCommand(process.execPath, [fw, "start", "--port=0", "--workers=2"], root, production);
    assert.is(ran.code, 1);
    assert.match(ran.out + ran.err, /SyntaxError/);
    assert.match(ran.err, /worker [12] ended before it served: exit code 1\. .*fw start --workers=1/);
  });

  it("--workers takes auto or a number from 1 to 512", async () => {
    const root = writeBuilt();
    for (const wrong of ["0", "many", "1.5", "513", "-1"]) {
      const ran = await runCommand(process.execPath, [fw, "start", `--workers=${wrong}`], root, production);
      assert.is(ran.code, 2, wrong);
      assert.match(ran.err, /"--workers" needs a value: auto, or a number from 1 to 512/);
    }
    const { child, output } = await serveApp(root, production, "start", [process.execPath, fw], ["--workers=1"]);
    assert.match(output(), /\(production\)\n/);
    child.kill("SIGTERM");
    assert.is(await exitOf(child), 0);
  });
});
