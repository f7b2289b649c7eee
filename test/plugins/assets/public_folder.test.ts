import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { request as ask, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { writeApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { exitOf, serveApp } from "../../support/processes.ts";

interface Answer {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  body: string;
}
/** As it stands, without a client's own normalization. */
function get(url: string, path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    const options = { port, host: "127.0.0.1", path, method, headers, timeout: 5000, agent: false }; // none that is closing
    const sent = ask(options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const bytes = Buffer.concat(chunks);
        resolve({ status: response.statusCode, headers: response.headers, bytes, body: bytes.toString() });
      });
      response.on("error", reject);
    });
    sent.on("timeout", () => sent.destroy(new Error(`${path} was never answered`)));
    sent.on("error", reject).end();
  });
}

const style = "p { color: black }\n".repeat(300);

function application(): string {
  const root = writeApp({
    "config/routes.ts": `import { drawRoutes } from "framewright"; export default drawRoutes(() => undefined);`,
    "plugins.config.ts": `import { definePlugins } from "framewright"; import { assets } from "framewright/plugins/assets"; export default definePlugins([assets()]);`,
    "secret.txt": "secret of the machine",
    "public/a.txt": "0123456789",
    "public/gone.txt": "soon gone",
    "public/site.css": style,
    "public/font.woff2": style,
    "public/docs/index.html": "<p>docs",
    "public/about.html": "<p>about",
    "public/.env": "HIDDEN=1",
    "public/.well-known/security.txt": "Contact: us",
    "public/größe 1.txt": "named in German",
  });
  symlinkSync("../secret.txt", join(root, "public/out.txt"));
  symlinkSync("..", join(root, "public/up"));
  symlinkSync("/etc", join(root, "public/etc"));
  symlinkSync(".", join(root, "public/loop"));
  symlinkSync("circle-b", join(root, "public/circle-a"));
  symlinkSync("circle-a", join(root, "public/circle-b"));
  symlinkSync("a.txt", join(root, "public/inside.txt"));
  symlinkSync(".env", join(root, "public/unhidden.txt"));
  return root;
}

for (const env of ["production", "development"]) {
  describe(`The folder public/ in ${env}`, (it, { before, after }) => {
    let root: string;
    let server: Awaited<ReturnType<typeof serveApp>>;
    before(async () => {
      root = application();
      server = await serveApp(root, { NODE_ENV: env, ALLOWED_HOSTS: "127.0.0.1" });
    });
    after(async () => {
      server.child.kill("SIGTERM");
      assert.is(await exitOf(server.child), 0, server.output());
    });
    const answer = (path: string, headers?: Record<string, string>, method?: string) =>
      get(server.url, path, headers, method);

    it("Files, index pages and names in any language are served from the public folder", async () => {
      assert.is((await answer("/a.txt")).body, "0123456789");
      assert.is((await answer("/docs/")).body, "<p>docs");
      assert.is((await answer("/about")).body, "<p>about");
      assert.is((await answer(`/${encodeURIComponent("größe 1.txt")}`)).body, "named in German");
      assert.is((await answer("/.well-known/security.txt")).body, "Contact: us");
      const head = await answer("/a.txt", {}, "HEAD");
      assert.equal([head.status, head.headers["content-length"], head.body], [200, "10", ""]);
      const { etag } = (await answer("/a.txt")).headers;
      assert.is((await answer("/a.txt", { "if-none-match": String(etag) })).status, 304);
    });
    it("Symbolic links are followed within the public folder only, and hidden files are not served", async () => {
      assert.is((await answer("/inside.txt")).body, "0123456789");
      for (const path of [
        "/out.txt",
        "/up/secret.txt",
        "/etc/passwd",
        "/circle-a",
        "/.env",
        "/%2eenv",
        "/unhidden.txt",
      ])
        assert.is((await answer(path)).status, 404, path);
      for (const path of ["/loop/out.txt", "/../secret.txt", "/..%2fsecret.txt", "/docs/..%2f..%2fsecret.txt"])
        assert.not.match((await answer(path)).body, "secret of", path);
      if (env === "production") assert.match(server.output(), "public/out.txt is a link that leads out");
    });
    it("A range request is answered with its part, and with 416 or the whole file where there is no such range", async () => {
      const ranges: [string, number, string | undefined][] = [
        ["bytes=2-4", 206, "234"],
        ["bytes=-3", 206, "789"],
        ["bytes=4-99999999999999999999", 206, "456789"],
        ["bytes=5-2", 416, undefined],
        ["bytes=99999999999999999999-", 416, undefined],
        ["bytes=10-", 416, undefined],
        ["bytes=a-b", 416, undefined],
        ["lines=1-2", 200, undefined],
        ["bytes=0-0,2-2", 200, undefined],
      ];
      for (const [range, status, body] of ranges) {
        const got = await answer("/a.txt", { range });
        assert.is(got.status, status, range);
        if (body !== undefined) assert.is(got.body, body, range);
      }
    });
    it("Texts are compressed while they are sent in production, whole ones of some size", async () => {
      const accepts = { "accept-encoding": "br, gzip" };
      const got = await answer("/site.css", accepts);
      const isPacked = env === "production";
      assert.equal(
        [got.status, got.headers["content-encoding"], got.headers.vary, got.headers["content-length"]],
        isPacked ? [200, "gzip", "accept-encoding", undefined] : [200, undefined, undefined, String(style.length)],
      );
      assert.is(isPacked ? gunzipSync(got.bytes).toString() : got.body, style);
      const head = await answer("/site.css", accepts, "HEAD");
      assert.equal([head.headers["content-encoding"], head.body], [got.headers["content-encoding"], ""]);
      const again = await answer("/site.css", { ...accepts, "if-none-match": String(got.headers.etag) });
      assert.equal([again.status, again.body], [304, ""]);
      const part = await answer("/site.css", { ...accepts, range: "bytes=0-3" });
      assert.equal([part.status, part.body, part.headers["content-encoding"]], [206, style.slice(0, 4), undefined]);
      for (const path of ["/a.txt", "/font.woff2"])
        assert.is((await answer(path, accepts)).headers["content-encoding"], undefined, path);
      assert.is((await answer("/site.css")).body, style);
    });
    it("A public file that has vanished gets 404, and the server keeps serving", async () => {
      unlinkSync(join(root, "public/gone.txt"));
      assert.is((await answer("/gone.txt")).status, 404);
      renameSync(join(root, "public/docs"), join(root, "docs"));
      assert.is((await answer("/docs/")).status, 404);
      renameSync(join(root, "docs"), join(root, "public/docs"));
      assert.is((await answer("/healthz")).status, 200);
    });
    it("A public file that was replaced by a directory gets 404, and is served again once it is back", async () => {
      rmSync(join(root, "public/a.txt"));
      mkdirSync(join(root, "public/a.txt"));
      assert.is((await answer("/a.txt")).status, 404);
      rmSync(join(root, "public/a.txt"), { recursive: true });
      writeFileSync(join(root, "public/a.txt"), "0123456789");
      assert.is((await answer("/a.txt")).status, 200);
    });
  });
}

describe("A server with few file descriptors", (it) => {
  it("A server with few file descriptors stays alive through a flood of requests for public files", async () => {
    const root = application();
    writeFileSync(join(root, "public/large.bin"), Buffer.alloc(4_000_000, 1));
    const folder = mkdtempSync(join(tmpdir(), "fw-public-"));
    const wrapper = join(folder, "limited.sh");
    writeFileSync(wrapper, `#!/bin/sh\nulimit -n 250\nexec "${process.execPath}" "$@"\n`);
    chmodSync(wrapper, 0o755);
    const fw = join(import.meta.dirname, "../../../generators/bin/fw.js");
    const env = { NODE_ENV: "production", ALLOWED_HOSTS: "127.0.0.1" };
    const { child, url, output } = await serveApp(root, env, "serve", [wrapper, fw]);
    try {
      const statuses = await Promise.all(
        Array.from({ length: 180 }, () =>
          get(url, "/large.bin").then(
            ({ status }) => status,
            () => undefined,
          ),
        ),
      );
      assert.ok(statuses.includes(200), "some were served");
      assert.is(child.exitCode, null, output());
      const { status } = await get(url, "/healthz");
      assert.is(status, 200);
    } finally {
      child.kill("SIGTERM");
      assert.is(await exitOf(child), 0, output());
    }
  });
});
