import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { runCommand } from "../../generators/support.ts";
import { addFiles } from "../../support/apps.ts";
import { openBrowser, visit } from "../../support/browser.ts";
import { withPlugin } from "../../support/fixtures.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { exitOf, freePort, serveApp } from "../../support/processes.ts";
import { OwnRedis } from "../../support/redis.ts";
import { nginxPath } from "../../support/requirements.ts";
import { ann, cat, Events, liveFiles, openLive, streamOf, until } from "./live_app.ts";

const fw = join(import.meta.dirname, "../../../generators/bin/fw.js");
const list = streamOf("tasks");
const SECRET_KEY_BASE = "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19";

/** Writes as Cat; the title of the first task. */
async function retitle(url: string, title: string): Promise<void> {
  const headers = { ...cat, accept: "application/json", "content-type": "application/json", connection: "close" };
  const body = JSON.stringify({ task: { title } });
  const answer = await fetch(`${url}/customer/1/tasks/1`, { method: "PATCH", headers, body });
  assert.is(answer.status, 200, await answer.text());
}
/** What `fw build` reads, without a check of types. */
const toBuild = {
  "package.json": JSON.stringify({
    type: "module",
    imports: { "#app/*.ts": "./dist/app/*.js", "#packages/*.ts": "./dist/packages/*.js" },
  }),
  "tsconfig.build.json": JSON.stringify({
    compilerOptions: {
      ...{ target: "es2023", module: "nodenext", rewriteRelativeImportExtensions: true, noCheck: true },
      ...{ types: [], skipLibCheck: true, rootDir: ".", outDir: "dist" },
    },
    include: ["app", "config", "db", "packages", "plugins.config.ts"],
  }),
};
async function makeRoot(files = liveFiles()): Promise<string> {
  const app = await openLive(files);
  await app.close();
  return app.root;
}
const configuration = (
  folder: string,
  port: number,
  to: string,
) => `${process.getuid?.() === 0 ? "user root;\n" : ""}daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  gzip on; gzip_proxied any; gzip_types text/css;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${folder}/temp/${kind};`).join("\n  ")}
  server { listen 127.0.0.1:${port}; location / { proxy_pass ${to}; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $http_host; } }
}
`;

const browserReason = await reasonToSkip("browser");
describe("A server that is killed while pages follow changes", (it) => {
  it.unless(
    browserReason,
    "The page connects again once it is back, and shows what was changed meanwhile",
    async () => {
      const root = await makeRoot();
      const port = await freePort();
      const serve = () => serveApp(root, {}, "serve", [process.execPath, fw], [`--port=${port}`]);
      let served = await serve();
      const browser = await openBrowser();
      try {
        const { page } = await visit(browser, served.url, { headers: ann });
        const stream = page.waitForResponse((response) => response.url().includes("/_live"));
        await page.goto("/customer/1/tasks");
        await stream;
        served.child.kill("SIGKILL");
        await exitOf(served.child);
        await sleep(1000);
        served = await serve();
        await retitle(served.url, "While it was away");
        await page.getByRole("link", { name: "While it was away", exact: true }).waitFor({ timeout: 20_000 });
        await retitle(served.url, "And again");
        await page.getByRole("link", { name: "And again", exact: true }).waitFor();
      } finally {
        await browser.close();
        served.child.kill("SIGKILL");
      }
    },
  );
});

const nginxReason = await reasonToSkip("nginx");
describe("Streams behind nginx", (it) => {
  it.unless(nginxReason, "Events pass at once, though it buffers and compresses what it can", async () => {
    const { child, url: behind } = await serveApp(await makeRoot(), { TRUST_PROXY: "1", COMPRESS: "on" });
    const folder = mkdtempSync(join(tmpdir(), "fw-nginx-"));
    mkdirSync(join(folder, "temp"));
    const port = await freePort();
    writeFileSync(join(folder, "nginx.conf"), configuration(folder, port, behind));
    const nginx = spawn(nginxPath, ["-c", join(folder, "nginx.conf"), "-p", folder], { stdio: "ignore" });
    const url = `http://127.0.0.1:${port}`;
    try {
      await until(() => fetch(`${url}/healthz`).then(() => true, () => false), "nginx"); // biome-ignore format: one line
      const events = await Events.open({ url }, list, { ...ann, "accept-encoding": "gzip" });
      assert.equal([events.status, events.headers["content-encoding"]], [200, undefined]);
      for (let turn = 0; turn < 3; turn++) {
        const start = performance.now();
        await retitle(url, `Turn ${turn}`);
        await events.next("page", 4000);
        if (turn === 0) assert.ok(performance.now() - start < 1000);
      }
      events.close();
    } finally {
      nginx.kill("SIGTERM");
      await exitOf(nginx);
      child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

const redisReason = await reasonToSkip("redis");
describe("Streams of several processes", (it) => {
  it.unless(
    redisReason,
    "With Redis each hears of the others, and of all that it missed while Redis was away",
    async () => {
      const redis = await OwnRedis.start();
      const files = liveFiles();
      const config = withPlugin(files["plugins.config.ts"], "redis()", "redis");
      const children: ChildProcess[] = [];
      try {
        const root = await makeRootWithRedis({ ...files, "plugins.config.ts": config }, redis.url);
        const values = { REDIS_URL: redis.url, SECRET_KEY_BASE };
        const [one, other] = [await serveApp(root, values), await serveApp(root, values)];
        children.push(one.child, other.child);
        await sleep(500);
        const events = await Events.open(one, list);
        await retitle(other.url, "Of the other process");
        await events.next("page");
        const fromConsole = spawn(process.execPath, [fw, "console", "--env=test"], {
          cwd: root,
          env: { ...process.env, ...values },
          stdio: ["pipe", "ignore", "ignore"],
        });
        fromConsole.stdin.end("await query(Task).findById(1).patch({ title: 'Of the console' })\n");
        await events.next("page", 10_000);
        assert.is(await exitOf(fromConsole), 0);
        await redis.stop("SIGKILL");
        await sleep(300);
        await retitle(other.url, "While Redis is away");
        await sleep(300);
        assert.equal(events.names, []);
        await redis.start();
        await events.next("page", 10_000);
        await retitle(other.url, "With Redis again");
        await events.next("page", 10_000);
        events.close();
      } finally {
        for (const child of children) child.kill("SIGKILL");
        await redis.remove();
      }
    },
  );

  it("Without Redis the workers of one machine hear of each other", async () => {
    const root = await makeRoot();
    addFiles(root, toBuild);
    const production = {
      NODE_ENV: "production",
      SECRET_KEY_BASE,
      ALLOWED_HOSTS: "127.0.0.1",
      APP_URL: "http://127.0.0.1:3000",
      PWD: root,
      DATABASE_URL: `sqlite:${join(root, "storage/test.sqlite3")}`,
    };
    const typescript = "node_modules/typescript";
    symlinkSync(join(import.meta.dirname, "../../..", typescript), join(root, typescript));
    const ran = await runCommand(process.execPath, [fw, "build"], root, production);
    assert.is(ran.code, 0, ran.out + ran.err);
    const { child, url } = await serveApp(root, production, "start", [process.execPath, fw], ["--workers=2"]);
    try {
      const streams = await Promise.all(Array.from({ length: 6 }, () => Events.open({ url }, list)));
      assert.equal(
        streams.map(({ status }) => status),
        streams.map(() => 200),
      );
      await retitle(url, "Of one worker");
      await Promise.all(streams.map((events) => events.next("page")));
      for (const events of streams) events.close();
    } finally {
      child.kill("SIGTERM");
      await exitOf(child);
    }
  });
});

async function makeRootWithRedis(files: Record<string, string>, url: string): Promise<string> {
  const app = await openLive(files, { REDIS_URL: url });
  await app.close();
  return app.root;
}
