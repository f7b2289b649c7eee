import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { assert, describe, reasonToSkip } from "../support/index.ts";
import { exitOf, freePort } from "../support/processes.ts";
import { nginxPath } from "../support/requirements.ts";
import { cleanEnv, runIn, startAt } from "./production.ts";
import { fwOk, newApp, runCommand, temporaryFolder } from "./support.ts";

const reason = await reasonToSkip("nginx");

const echo = `import { BaseController } from "framewright";
let asked = 0;
export default class EchoController extends BaseController {
  static override guests = "admit" as const;
  show() {
    const { origin, address, method, trace } = this.request;
    return this.json({ origin, address, method, parent: trace.parentId ?? null, asked: ++asked });
  }
  async stall(): Promise<never> {
    asked++;
    this.request.raw.socket.destroy();
    throw new Error("the connection is gone");
  }
}
`;
interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

describe("An application behind nginx as fw:deploy configures it", (it, { before, after }) => {
  let app: string;
  let nginx: ChildProcess | undefined;
  let served: ChildProcess | undefined;
  let tls: number;
  let plain: number;
  let folder: string;
  if (reason === undefined) {
    before(async () => {
      app = await newApp();
      writeFileSync(join(app, "app/controllers/echo_controller.ts"), echo);
      const routes = join(app, "config/routes.ts");
      const drawn = ["get", "put", "delete"].map(
        (verb) => `  routes.${verb}("echo", { to: "echo#show", csrf: "none", csrfReason: "a test" });\n`,
      );
      const stalls = ["get", "delete"].map(
        (verb) => `  routes.${verb}("stall", { to: "echo#stall", csrf: "none", csrfReason: "a test" });\n`,
      );
      writeFileSync(
        routes,
        readFileSync(routes, "utf8").replace(/(drawRoutes\(\(routes\) => \{\n)/, `$1${[...drawn, ...stalls].join("")}`),
      );
      await fwOk(app, "g", "fw:deploy", "--domain=shop.test", "--upload-limit=20000");
      const env = cleanEnv({
        NODE_ENV: "production",
        APP_URL: "https://shop.test",
        TRUST_PROXY: "1",
        UPLOAD_LIMIT: "20000",
      });
      await runIn(app, env, ["build"]);
      await runIn(app, env, ["db:migrate"]);
      const port = await freePort();
      served = (await startAt(app, port, env)).child;
      [tls, plain] = [await freePort(), await freePort()];
      folder = temporaryFolder();
      await certificate(folder);
      writeConfiguration(port, await freePort());
      nginx = spawn(nginxPath, ["-c", join(folder, "nginx.conf"), "-p", folder], { stdio: "ignore" });
      for (let turn = 0; turn < 100 && !(await isUp()); turn++) await sleep(50);
    });
    after(async () => {
      nginx?.kill("SIGTERM");
      served?.kill("SIGTERM");
      if (nginx) await exitOf(nginx);
      if (served) await exitOf(served);
    });
  }
  const isUp = () =>
    ask("GET", "/healthz").then(
      () => true,
      () => false,
    );
  const can = (sentence: string, story: () => Promise<void>) => it.unless(reason, sentence, story);

  /** The written file with the ports, certificates and folders of this test; the first server of the upstream is dead. */
  function writeConfiguration(port: number, dead: number): void {
    const written = readFileSync(join(app, "deploy/nginx/shop.conf"), "utf8");
    const own = written
      .replace(/^ *listen \[::\].*\n/gm, "")
      .replace("listen 80;", `listen 127.0.0.1:${plain};`)
      .replace("listen 443 ssl http2;", `listen 127.0.0.1:${tls} ssl http2;`)
      .replaceAll("/etc/letsencrypt/live/shop.test", folder)
      .replace("/var/cache/nginx", folder)
      .replace(/( *)server 127\.0\.0\.1:3000 (.*);/, `$1server 127.0.0.1:${dead} $2;\n$1server 127.0.0.1:${port} $2;`);
    mkdirSync(join(folder, "temp"));
    writeFileSync(join(folder, "shop.conf"), own);
    const user = process.getuid?.() === 0 ? "user root;\n" : "";
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (kind) => `  ${kind}_temp_path ${folder}/temp/${kind};\n`,
    );
    writeFileSync(
      join(folder, "nginx.conf"),
      `${user}daemon off;\npid ${folder}/nginx.pid;\nerror_log ${folder}/error.log;\nevents {}\nhttp {\n  access_log off;\n${temporary.join("")}  include ${folder}/shop.conf;\n}\n`,
    );
  }
  const ask = (method: string, path: string, headers: Record<string, string> = {}, body = ""): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = {
        host: "shop.test",
        ...headers,
        ...(body ? { "content-length": String(Buffer.byteLength(body)) } : {}),
      };
      const options = {
        host: "127.0.0.1",
        port: tls,
        method,
        path,
        headers: sent,
        rejectUnauthorized: false,
        servername: "shop.test",
      };
      const asking = request(options, async (answer) => {
        const chunks = (await answer.toArray()) as Buffer[];
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: String(Buffer.concat(chunks)) });
      });
      asking
        .setTimeout(10_000, () => asking.destroy(new Error("no answer")))
        .on("error", reject)
        .end(body);
    });
  const echoed = async (method: string, headers: Record<string, string> = {}, body = "") =>
    JSON.parse((await ask(method, "/echo", { accept: "application/json", ...headers }, body)).body) as Record<
      string,
      unknown
    >;

  can("nginx accepts the configuration", async () => {
    const { code, err } = await runCommand(nginxPath, ["-t", "-c", join(folder, "nginx.conf"), "-p", folder], folder);
    assert.match(err, "test is successful");
    assert.not.match(err, "[warn]");
    assert.is(code, 0);
  });
  can("A page comes by TLS, and plain HTTP is sent there", async () => {
    const page = await ask("GET", "/");
    assert.is(page.status, 200);
    const bare = await fetch(`http://127.0.0.1:${plain}/posts?page=2`, {
      redirect: "manual",
      headers: { host: "shop.test" },
    });
    assert.is(bare.status, 301);
    assert.match(bare.headers.get("location") ?? "", /^https:\/\/[^/]+\/posts\?page=2$/);
  });
  can("A page comes compressed to who accepts it, by nginx alone", async () => {
    const page = await ask("GET", "/", { "accept-encoding": "gzip, br" });
    assert.is(page.headers["content-encoding"], "gzip");
    assert.match(page.headers.vary ?? "", "Accept-Encoding");
    assert.is((await ask("GET", "/")).headers["content-encoding"], undefined);
  });
  can(
    "The application knows the visitor and the scheme, whatever the visitor says of them, and no trace of a visitor",
    async () => {
      const headers = {
        "x-forwarded-for": "203.0.113.9",
        "x-forwarded-proto": "http",
        traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
      };
      const seen = await echoed("GET", headers);
      assert.is(seen.origin, "https://shop.test");
      assert.is(seen.address, "127.0.0.1");
      assert.is(seen.parent, null);
    },
  );
  can("A style sheet is kept by nginx under its own name for ever, with the application gone too", async () => {
    const path = /\/assets\/[\w.-]+\.css/.exec((await ask("GET", "/")).body)?.[0] ?? "/assets/none.css";
    const first = await ask("GET", path);
    assert.is(first.status, 200);
    assert.match(first.headers["cache-control"] ?? "", "immutable");
    const foreign = path.replace(/-[\w-]{12}(?=\.css$)/, "-000000000000");
    const other = await ask("GET", foreign);
    assert.equal([other.status, other.headers["cache-control"], other.body === first.body], [200, "no-store", true]);
    served?.kill("SIGSTOP");
    try {
      assert.not.equal((await ask("GET", foreign).catch(() => ({ status: 0 }))).status, 200, "nginx kept it");
      const again = await ask("GET", path);
      assert.is(again.status, 200);
      assert.is(again.body, first.body);
    } finally {
      served?.kill("SIGCONT");
    }
  });
  can(
    "Another server is asked where one is dead, and what may not be repeated reaches one alone, with its body",
    async () => {
      for (let turn = 0; turn < 4; turn++) assert.is((await ask("GET", "/echo")).status, 200);
      for (const method of ["PUT", "DELETE"]) {
        const body = JSON.stringify({ note: "x".repeat(1000) });
        const answer = await ask(
          method,
          "/echo",
          { accept: "application/json", "content-type": "application/json" },
          body,
        );
        if (answer.status !== 502) assert.is(JSON.parse(answer.body).method, method);
      }
      const { asked: before } = await echoed("GET");
      assert.is((await ask("DELETE", "/stall")).status, 502);
      const { asked } = await echoed("GET");
      assert.is(Number(asked) - Number(before), 2, "the stalled one, and this one");
    },
  );
  can("A body above the limit is refused, and one at the limit reaches the application", async () => {
    const json = { "content-type": "application/json", accept: "application/json" };
    assert.is((await ask("PUT", "/echo", json, "x".repeat(20_001))).status, 413);
    assert.is((await ask("PUT", "/echo", json, JSON.stringify("x".repeat(19_000)))).status, 400);
  });
});

async function certificate(folder: string): Promise<void> {
  const args = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const files = ["-keyout", join(folder, "privkey.pem"), "-out", join(folder, "fullchain.pem")];
  const { code, err } = await runCommand("openssl", [...args, ...files, "-subj", "/CN=shop.test"], folder);
  if (code !== 0) throw new Error(err);
}
