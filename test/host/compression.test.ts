import { type IncomingHttpHeaders, request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { bootApp, type TestApp } from "../support/apps.ts";
import { assert, describe, throwsCode } from "../support/index.ts";

const files = {
  "plugins.config.ts": `import { definePlugins } from "framewright"; export default definePlugins([]);`,
  "config/routes.ts": `import { drawRoutes } from "framewright"; export default drawRoutes((routes) => {
    for (const name of ["page", "text", "small", "image", "encoded", "fixed", "rows", "events", "broken"]) routes.get(name, { to: "answers#" + name });
    routes.get("varies", { to: "answers#varies" });
    routes.get("empty", { to: "answers#empty" });
  });`,
  "app/controllers/answers_controller.ts": `import { BaseController } from "framewright";
    import { Reply, streamReply } from "framewright/host";
    const words = "Zürich, tea and cake. ".repeat(500);
    async function* rows() { for (let at = 0; at < 3; at++) { yield "row " + at + "\\n"; await new Promise((go) => setTimeout(go, 200)); } }
    async function* broken() { yield "one\\n"; throw new Error("the disk is gone"); }
    async function* none() {}
    export default class AnswersController extends BaseController { static override guests = "admit" as const;
      page() { return new Reply(200, "<p>" + words, { "content-type": "text/html; charset=utf-8" }); }
      text() { return this.json({ words }); }
      small() { return this.json({ words: "few" }); }
      image() { return new Reply(200, Buffer.alloc(9000), { "content-type": "image/png" }); }
      encoded() { return new Reply(200, words, { "content-type": "text/plain", "content-encoding": "x-own" }); }
      fixed() { return new Reply(200, words, { "content-type": "text/plain", "cache-control": "no-transform" }); }
      varies() { return new Reply(200, words, { "content-type": "text/plain", vary: ["cookie", "accept"], etag: '"7"' }); }
      rows() { return streamReply({ filename: "rows.csv", type: "text/csv", chunks: rows() }); }
      events() { return streamReply({ filename: "rows.csv", type: "text/event-stream", chunks: rows() }); }
      broken() { return streamReply({ filename: "rows.csv", type: "text/csv", chunks: broken() }); }
      empty() { return streamReply({ filename: "rows.csv", type: "text/csv", chunks: none() }); } }`,
};
const words = "Zürich, tea and cake. ".repeat(500);

interface Answer {
  headers: IncomingHttpHeaders;
  /** As it came over the wire. */
  body: Buffer;
  /** Milliseconds from the first bytes to the end. */
  lasted: number;
  isWhole: boolean;
}
const ask = (app: TestApp, path: string, accepted?: string, method = "GET"): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const headers = accepted === undefined ? {} : { "accept-encoding": accepted };
    const asked = request(`${app.url}/${path}`, { headers, method }, (response) => {
      const chunks: Buffer[] = [];
      let first = 0;
      response.on("data", (chunk: Buffer) => {
        first ||= performance.now();
        chunks.push(chunk);
      });
      response
        .on("error", () => undefined)
        .on("close", () => {
          const lasted = performance.now() - first;
          resolve({ headers: response.headers, body: Buffer.concat(chunks), lasted, isWhole: response.complete });
        });
    });
    asked.on("error", reject).end();
  });
async function withApp(values: Record<string, string>, work: (app: TestApp) => Promise<void>): Promise<void> {
  const app = await bootApp(files, { values });
  try {
    await work(app);
  } finally {
    await app.close();
  }
}
const encodingOf = async (app: TestApp, path: string, accepted?: string) =>
  (await ask(app, path, accepted)).headers["content-encoding"];
const on = { COMPRESS: "on" };
const production = { NODE_ENV: "production", ALLOWED_HOSTS: "127.0.0.1", LOG_LEVEL: "error" };

describe("Compression of answers", (it) => {
  it("Pages and JSON are compressed as the client accepts them, and say what they depend on", () =>
    withApp(on, async (app) => {
      const page = await ask(app, "page", "gzip, deflate, br");
      assert.is(page.headers["content-encoding"], "br");
      assert.is(page.headers.vary, "accept-encoding");
      assert.is(page.headers["content-length"], String(page.body.length));
      assert.ok(page.body.length < 500, String(page.body.length));
      assert.is(brotliDecompressSync(page.body).toString(), `<p>${words}`);
      const text = await ask(app, "text", "gzip");
      assert.is(text.headers["content-encoding"], "gzip");
      assert.equal(JSON.parse(gunzipSync(text.body).toString()), { words });
      const whole = await ask(app, "page");
      assert.is(whole.headers["content-encoding"], undefined);
      assert.is(whole.headers.vary, "accept-encoding");
      assert.is(whole.body.toString(), `<p>${words}`);
    }));

  it("A header with qualities and stars is read as it says", () =>
    withApp(on, async (app) => {
      const cases = [
        ["br;q=0, gzip;q=0.5", "gzip"],
        ["BR;q=0,*", "gzip"],
        ["*", "br"],
        ["*;q=0", undefined],
        ["identity", undefined],
        ["gzip;q=0, br;q=0", undefined],
        ["", undefined],
        ["gzip;q=lots", undefined],
        ["gzip;q=2", undefined],
        ["br;q=0.1, gzip", "gzip"],
        ["br ; q=0.9 , gzip;q=0.8", "br"],
        ["gzip;q=0.5, *;q=0.9", "br"],
        ["identity, gzip;q=0.5", undefined],
        ["identity;q=0.2, gzip;q=0.5", "gzip"],
        ["identity;q=0, gzip", "gzip"],
        ["x-gzip", "gzip"],
      ] as const;
      for (const [accepted, encoding] of cases) assert.is(await encodingOf(app, "page", accepted), encoding, accepted);
    }));

  it("Small answers, images, and what is encoded already or must not be changed are sent as they are", () =>
    withApp(on, async (app) => {
      for (const path of ["small", "image", "fixed"])
        assert.is(await encodingOf(app, path, "gzip, br"), undefined, path);
      assert.is(await encodingOf(app, "encoded", "gzip, br"), "x-own");
      assert.is((await ask(app, "small", "gzip")).headers.vary, undefined);
    }));

  it("An answer keeps its ETag and what it varied by", () =>
    withApp(on, async (app) => {
      const { headers } = await ask(app, "varies", "gzip");
      assert.is(headers.etag, '"7"');
      assert.is(headers.vary, "cookie, accept, accept-encoding");
    }));

  it("HEAD has the headers of GET", () =>
    withApp(on, async (app) => {
      for (const path of ["page", "rows"]) {
        const [get, head] = [await ask(app, path, "gzip"), await ask(app, path, "gzip", "HEAD")];
        assert.is(head.body.length, 0);
        for (const name of ["content-encoding", "content-length", "vary"])
          assert.is(head.headers[name], get.headers[name], `${name} of ${path}`);
      }
    }));

  it("A download is compressed while it is made, each chunk sent at once", () =>
    withApp(on, async (app) => {
      for (const [accepted, encoding, read] of [
        ["gzip, br", "gzip", gunzipSync],
        ["br", "br", brotliDecompressSync],
      ] as const) {
        const rows = await ask(app, "rows", accepted);
        assert.is(rows.headers["content-encoding"], encoding);
        assert.is(read(rows.body).toString(), "row 0\nrow 1\nrow 2\n");
        assert.ok(rows.lasted > 300, `the first row came ${rows.lasted} ms before the last`);
      }
      assert.is(gunzipSync((await ask(app, "empty", "gzip")).body).length, 0);
      const events = await ask(app, "events", "gzip");
      assert.is(events.headers["content-encoding"], undefined);
    }));

  it("A download that fails is broken off, and the next one is whole", () =>
    withApp(on, async (app) => {
      const broken = await ask(app, "broken", "gzip").catch(() => undefined);
      assert.not.ok(broken?.isWhole);
      assert.is(gunzipSync((await ask(app, "rows", "gzip")).body).toString(), "row 0\nrow 1\nrow 2\n");
    }));

  it("By itself it is on in production where no proxy is named, and COMPRESS decides otherwise", async () => {
    const cases: [Record<string, string>, string | undefined][] = [
      [{}, undefined],
      [production, "gzip"],
      [{ ...production, TRUST_PROXY: "1" }, undefined],
      [{ ...production, TRUSTED_PROXIES: "10.0.0.0/8" }, undefined],
      [{ ...production, TRUST_PROXY: "1", COMPRESS: "on" }, "gzip"],
      [{ ...production, COMPRESS: "off" }, undefined],
    ];
    for (const [values, encoding] of cases)
      await withApp(values, async (app) =>
        assert.is(await encodingOf(app, "page", "gzip"), encoding, JSON.stringify(values)),
      );
  });

  it("Another value of COMPRESS is refused", async () => {
    const error = await throwsCode("FW_SETTING_INVALID", () => bootApp(files, { values: { COMPRESS: "yes" } }));
    assert.match(error.message, "auto, on or off");
  });
});
