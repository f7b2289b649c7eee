import type { ChildProcess } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { assert, describe } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { cleanEnv, runIn } from "./production.ts";
import { newApp } from "./support.ts";

// What the first visitor of an application gets that was just built and started.

interface Got {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}
const get = (url: string, path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Got> =>
  new Promise((resolve, reject) => {
    const sent = request(url + path, { method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () =>
        resolve({ status: answer.statusCode!, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on("error", reject).end();
  });
const assetsOf = ({ body }: Got) => [...new Set(body.toString().match(/\/assets\/[\w.-]+/g))];
const isText = (path: string) => /\.(?:css|js|svg)$/.test(path);

/** The code of a plugin that needs a variable, and adds an asset. */
const needy = `import { definePlugin, env } from "framewright/kernel";
export const needy = definePlugin({
  name: "needy",
  requires: ["assets"],
  env: { NEEDY_KEY: env.string() },
  apply({ services }) { services.assets.add("needy.js", import.meta.dirname + "/needy.js"); },
});
`;

describe("The first visit of a built application", (it, { before, after }) => {
  let app: string;
  let served: ChildProcess | undefined;
  let url: string;
  const production = { NODE_ENV: "production", LOG_LEVEL: "error", ALLOWED_HOSTS: "127.0.0.1,localhost" };
  const start = async (more: Record<string, string> = {}) => {
    await stop();
    const started = await serveApp(app, { ...production, ...more }, "start");
    ({ child: served, url } = started);
  };
  const stop = async () => {
    served?.kill("SIGTERM");
    if (served) assert.is(await exitOf(served), 0);
    served = undefined;
  };
  /** As on a machine that builds: it has no secret. */
  const build = async () => {
    const env = cleanEnv({ SECRET_KEY_BASE: "", DATABASE_URL: "mysql://nobody@127.0.0.1:1/none" });
    return runIn(app, env, ["build"]);
  };
  const compressed = () => readdirSync(join(app, "dist/compressed")).sort();
  before(async () => {
    app = await newApp();
    rmSync(join(app, ".env.production"));
    const { out } = await build();
    assert.match(out, /compressed \d+ assets/);
    await runIn(
      app,
      cleanEnv({ ...production, SECRET_KEY_BASE: "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19" }),
      ["db:migrate"],
    );
  });
  after(stop);

  it("Every style sheet and script of the first page comes by brotli or gzip at once, as the build wrote it", async () => {
    for (const [accepted, encoding, ending, decode] of [
      ["gzip, deflate, br, zstd", "br", "br", brotliDecompressSync],
      ["gzip, deflate", "gzip", "gz", gunzipSync],
    ] as const) {
      await start();
      const page = await get(url, "/", { "accept-encoding": accepted });
      assert.is(page.headers["content-encoding"], encoding);
      const paths = assetsOf({ ...page, body: decode(page.body) });
      assert.ok(paths.filter(isText).length >= 4, paths.join());
      for (const path of paths) {
        const got = await get(url, path, { "accept-encoding": accepted });
        assert.equal([got.status, got.headers["cache-control"]], [200, "public, max-age=31536000, immutable"]);
        assert.equal([got.headers.vary, got.headers["content-length"]], ["accept-encoding", String(got.body.length)]);
        assert.is(got.headers["content-encoding"], isText(path) ? encoding : undefined, path);
        if (!isText(path)) continue;
        const file = readFileSync(join(app, "dist/compressed", `${path.slice("/assets/".length)}.${ending}`));
        assert.ok(got.body.equals(file), `${path} is what the build wrote`);
        assert.ok(decode(got.body).equals((await get(url, path)).body), `${path} is what it was`);
        const tag = String(got.headers.etag);
        const known = await get(url, path, { "accept-encoding": accepted, "if-none-match": tag });
        assert.equal([known.status, known.headers.etag, known.headers.vary], [304, tag, "accept-encoding"]);
        const head = await get(url, path, { "accept-encoding": accepted }, "HEAD");
        assert.equal([head.body.length, head.headers["content-length"]], [0, String(file.length)]);
      }
    }
  });

  it("A first page without a form sets no cookie", async () => {
    const { status, headers } = await get(url, "/");
    assert.equal([status, headers["set-cookie"]], [200, undefined]);
  });

  it("COMPRESS=off sends everything as it is, and behind a proxy what was built is sent all the same", async () => {
    await start({ COMPRESS: "off" });
    const [path] = assetsOf(await get(url, "/")).filter(isText);
    assert.is((await get(url, path!, { "accept-encoding": "br, gzip" })).headers["content-encoding"], undefined);
    await start({ TRUST_PROXY: "1" });
    assert.is((await get(url, path!, { "accept-encoding": "br, gzip" })).headers["content-encoding"], "br");
  });

  it("What no build compressed is compressed once the server listens", async () => {
    rmSync(join(app, "dist/compressed"), { recursive: true });
    await start();
    const paths = assetsOf(await get(url, "/")).filter(isText);
    for (let turn = 0; turn < 200; turn++) {
      const encodings = await Promise.all(
        paths.map(
          async (path) => (await get(url, path, { "accept-encoding": "br" }, "HEAD")).headers["content-encoding"],
        ),
      );
      if (encodings.every((encoding) => encoding === "br")) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.unreachable("not all were compressed within 10 s");
  });

  it("Another build keeps what is current and removes the rest; a plugin that lacks its variable ends no build", async () => {
    await build();
    const first = compressed();
    const [one] = first;
    writeFileSync(join(app, "dist/compressed", one!), "kept");
    writeFileSync(join(app, "dist/compressed/old-000000000000.js.br"), "old");
    await build();
    assert.equal(compressed(), first);
    assert.is(readFileSync(join(app, "dist/compressed", one!), "utf8"), "kept");

    writeFileSync(join(app, "needy.ts"), needy);
    const config = join(app, "plugins.config.ts");
    const text = readFileSync(config, "utf8");
    writeFileSync(
      config,
      `import { needy } from "./needy.ts";\n${text.replace("definePlugins([", "definePlugins([\n  needy,")}`,
    );
    const { out, err } = await build();
    assert.match(out, "built dist/");
    assert.match(err, /assets are compressed by fw start instead, after it listens: .*NEEDY_KEY/);
  });
});
