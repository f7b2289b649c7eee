import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { request as ask, createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { openKernel, type Settings } from "framewright/kernel";
import { type Assets, assets } from "framewright/plugins/assets";
import { assert, describe, throwsCode } from "../../support/index.ts";

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}
let server: Server;
let service: Assets;

function fetchRaw(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const sent = ask({ port, path, method, headers, host: "127.0.0.1" }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on("error", reject).end();
  });
}

describe("Assets", (it, { before, after }) => {
  before(async () => {
    const root = mkdtempSync(join(tmpdir(), "fw-assets-"));
    mkdirSync(join(root, "public"));
    writeFileSync(join(root, "public/robots.txt"), "User-agent: *\n");
    writeFileSync(join(root, "secret.txt"), "secret");
    const kernel = await openKernel([assets()], { settings: { root, env: "production" } as Settings });
    service = kernel.service("assets");
    server = createServer((request, response) => {
      if (!service.handle(request, response)) response.writeHead(404).end("no");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  after(() => void server.close());

  it("Every standard asset is served under an address with a content hash, as immutable and with nosniff", async () => {
    for (const name of [
      "tabler.css",
      "turbo.js",
      "tom-select.css",
      "tom-select.js",
      "framewright.css",
      "framewright.js",
      "theme.js",
    ]) {
      const url = service.url(name);
      assert.match(url, /^\/assets\/[\w-]+-[\w-]{12}\.(css|js)$/);
      const { status, headers, body } = await fetchRaw(url);
      assert.equal([status, headers["cache-control"]], [200, "public, max-age=31536000, immutable"]);
      assert.is(Number(headers["content-length"]), body.length);
      assert.is(headers["x-content-type-options"], "nosniff");
    }
  });

  it("An asset is compressed in the background, and is then served in an encoding that the client accepts", async () => {
    const url = service.url("tabler.css");
    const plain = await fetchRaw(url);
    let answer = plain;
    for (let tries = 0; tries < 200 && answer.headers["content-encoding"] !== "br"; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      answer = await fetchRaw(url, { "accept-encoding": "gzip, deflate, br" });
    }
    assert.ok(answer.body.length < plain.body.length / 4);
    assert.ok(brotliDecompressSync(answer.body).equals(plain.body));
    const zipped = await fetchRaw(url, { "accept-encoding": "br;q=0, gzip" });
    assert.is(zipped.headers["content-encoding"], "gzip");
    assert.ok(gunzipSync(zipped.body).equals(plain.body));
    assert.is((await fetchRaw(url)).headers["content-encoding"], undefined);
  });

  it("Assets answer HEAD requests, revalidation and ranges", async () => {
    const url = service.url("theme.js");
    const whole = await fetchRaw(url);
    const head = await fetchRaw(url, {}, "HEAD");
    assert.equal(
      [head.status, head.body.length, head.headers["content-length"]],
      [200, 0, whole.headers["content-length"]],
    );
    assert.is((await fetchRaw(url, { "if-none-match": String(whole.headers.etag) })).status, 304);
    const part = await fetchRaw(url, { range: "bytes=3-9" });
    assert.equal([part.status, part.body.toString()], [206, whole.body.subarray(3, 10).toString()]);
    assert.is((await fetchRaw(url, { range: "bytes=-5" })).body.toString(), whole.body.subarray(-5).toString());
    assert.is((await fetchRaw(url, { range: "bytes=999999-" })).status, 416);
    assert.is((await fetchRaw(url, { range: "lines=1-2" })).status, 200);
  });

  it("Addresses without a hash, files outside of the assets and other methods get 404", async () => {
    const url = service.url("theme.js");
    const not = [
      "/assets/theme.js",
      url.replace(/-[\w-]{12}/, "-00000000000"),
      "/assets/../theme-000000000000.js",
      "/assets/../../theme-000000000000.js",
      "/assets/client/theme-000000000000.js",
      "/assets/../secret.txt",
      "/../secret.txt",
      "/..%2fsecret.txt",
      "/assets/x-000000000000.js",
    ];
    for (const path of not) assert.is((await fetchRaw(path)).status, 404, path);
    assert.is((await fetchRaw(url, {}, "POST")).status, 404);
    assert.is((await fetchRaw("/%")).status, 404);
  });

  it("The address of an asset with the hash of another release has the current content, which nothing keeps", async () => {
    const url = service.url("theme.js");
    const current = await fetchRaw(url);
    const foreign = await fetchRaw(url.replace(/-[\w-]{12}/, "-000000000000"));
    assert.is(foreign.status, 200);
    assert.ok(foreign.body.equals(current.body));
    assert.is(foreign.headers["cache-control"], "no-store");
    const headers = { "if-none-match": String(current.headers.etag) };
    const known = await fetchRaw(url.replace(/-[\w-]{12}/, "-000000000000"), headers);
    assert.equal([known.status, known.headers["cache-control"]], [304, "no-store"]);
  });

  it("A public file is served unchanged, with nosniff and max-age=0", async () => {
    const { status, headers, body } = await fetchRaw("/robots.txt?x=1");
    assert.equal([status, body.toString(), headers["x-content-type-options"]], [200, "User-agent: *\n", "nosniff"]);
    assert.match(String(headers["cache-control"]), "max-age=0");
  });

  it("An unknown asset fails with FW_ASSET_UNKNOWN and a suggestion, and a taken name with FW_ASSET_TAKEN", async () => {
    const error = await throwsCode("FW_ASSET_UNKNOWN", () => service.url("tabler.cs"));
    assert.match(error.message, 'Did you mean "tabler.css"?');
    await throwsCode("FW_ASSET_TAKEN", () => service.add("tabler.css", "x"));
  });
});
