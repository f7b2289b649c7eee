import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
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

const opened = async (root: string, more: Partial<Settings> = {}): Promise<Assets> =>
  (await openKernel([assets()], { settings: { root, env: "production", ...more } as Settings })).service("assets");

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

  it("An asset is others, one after the other, with the addresses of what they name", async () => {
    const own = mkdtempSync(join(tmpdir(), "fw-assets-"));
    writeFileSync(join(own, "sign.svg"), "<svg/>");
    writeFileSync(join(own, "a.css"), '.a{background:url("asset:sign.svg")}');
    writeFileSync(join(own, "b.css"), ".b{mask:url(asset:sign.svg)}");
    writeFileSync(join(own, "a.js"), "var a = 1");
    for (const name of ["a.css", "b.css", "a.js"]) service.add(`own-${name}`, join(own, name));
    service.add("sign.svg", join(own, "sign.svg"));
    service.join("both.css", ["own-a.css", "own-b.css"]);
    service.join("twice.js", ["own-a.js", "own-a.js"]);
    const sign = service.url("sign.svg").slice("/assets/".length);
    const styles = await fetchRaw(service.url("both.css"));
    assert.is(styles.body.toString(), `.a{background:url("${sign}")}\n.b{mask:url("${sign}")}`);
    assert.is((await fetchRaw(service.url("twice.js"))).body.toString(), "var a = 1\n;\nvar a = 1");
    service.join("lost.css", ["own-c.css"]);
    await throwsCode("FW_ASSET_UNKNOWN", () => service.url("lost.css"));
    await throwsCode("FW_ASSET_TAKEN", () => service.join("own-a.css", []));
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

  it("What a client accepts is read as it says: qualities, stars, and identity", async () => {
    const url = service.url("tabler.css");
    const cases = [
      ["br;q=0.1, gzip", "gzip"],
      ["gzip;q=0, *", "br"],
      ["*;q=0", undefined],
      ["identity, gzip;q=0.5, br;q=0.5", undefined],
      ["identity;q=0, x-gzip", "gzip"],
      ["br;q=0, gzip;q=0", undefined],
      ["deflate, zstd", undefined],
      ["gzip;q=lots", undefined],
      ["", undefined],
    ] as const;
    for (const [accepted, encoding] of cases) {
      const { headers } = await fetchRaw(url, { "accept-encoding": accepted });
      assert.equal([headers["content-encoding"], headers.vary], [encoding, "accept-encoding"], accepted);
    }
  });

  it("Each encoding has a tag of its own, by which it is revalidated, also where a proxy made the tag weak", async () => {
    const url = service.url("tabler.css");
    const tags = new Set<string>();
    for (const accepted of ["br", "gzip", "identity"]) {
      const whole = await fetchRaw(url, { "accept-encoding": accepted });
      const tag = String(whole.headers.etag);
      tags.add(tag);
      const head = await fetchRaw(url, { "accept-encoding": accepted }, "HEAD");
      for (const name of ["etag", "content-length", "content-encoding"])
        assert.is(head.headers[name], whole.headers[name], `${name} of ${accepted}`);
      const bare = tag.replace(/^W\//, "");
      for (const known of [tag, `W/${bare}`, `"x", ${tag}`, "*"]) {
        const again = await fetchRaw(url, { "accept-encoding": accepted, "if-none-match": known });
        assert.equal([again.status, again.headers.etag, again.body.length], [304, tag, 0], known);
        assert.is(again.headers.vary, "accept-encoding");
      }
    }
    assert.is(tags.size, 3);
    const [br] = tags;
    const other = await fetchRaw(url, { "accept-encoding": "gzip", "if-none-match": br! });
    assert.equal([other.status, other.headers["content-encoding"]], [200, "gzip"]);
  });

  it("A range is of the file's own bytes whatever is accepted, and of none where the client began with other bytes", async () => {
    const url = service.url("tabler.css");
    const whole = await fetchRaw(url);
    const compressed = await fetchRaw(url, { "accept-encoding": "br" });
    const asked = { range: "bytes=100-199", "accept-encoding": "br" };
    const part = await fetchRaw(url, asked);
    assert.equal(
      [part.status, part.headers["content-encoding"], part.headers.etag],
      [206, undefined, whole.headers.etag],
    );
    assert.ok(part.body.equals(whole.body.subarray(100, 200)));
    assert.is((await fetchRaw(url, { ...asked, "if-range": String(whole.headers.etag) })).status, 206);
    for (const other of [String(compressed.headers.etag), '"another"', "Wed, 01 Jul 2026 00:00:00 GMT"]) {
      const all = await fetchRaw(url, { ...asked, "if-range": other });
      assert.equal([all.status, all.headers["content-encoding"]], [200, "br"], other);
    }
    assert.is((await fetchRaw(url, { range: "bytes=9-3" })).status, 200);
    assert.is((await fetchRaw(url, { range: "bytes=0-1,4-5" })).status, 200);
    const head = await fetchRaw(url, asked, "HEAD");
    assert.equal([head.status, head.headers["content-encoding"]], [200, "br"]);
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

  it("A build has the assets compressed, which the first request gets; what is not of their content is not used", async () => {
    const root = mkdtempSync(join(tmpdir(), "fw-assets-"));
    const plain = await opened(root);
    const build = join(root, "dist");
    const count = await plain.precompress!(build);
    assert.ok(count > 8, String(count));
    const files = readdirSync(join(build, "compressed"));
    assert.ok(
      files.every((file) => /^[\w-]+-[\w-]{12}\.(?:css|js|svg)\.(?:br|gz)$/.test(file)),
      files.join(),
    );
    const ask = (one: Assets, accepted: string) => one.respond(one.url("tabler.css"), { "accept-encoding": accepted })!;
    const built = await opened(root);
    const best = ask(built, "br");
    assert.equal([best.headers["content-encoding"], best.headers["content-length"]], ["br", String(best.body.length)]);
    assert.ok(brotliDecompressSync(best.body).equals(ask(built, "").body));
    assert.is(ask(built, "gzip").headers["content-encoding"], "gzip");
    const off = await opened(root, { compress: "off" });
    assert.is(ask(off, "br, gzip").headers["content-encoding"], undefined);

    const stale = join(build, "compressed", `tabler-000000000000.css.br`);
    writeFileSync(stale, "of another release");
    const kept = files.find((file) => file.startsWith("theme-"))!;
    writeFileSync(join(build, "compressed", kept), "kept");
    await plain.precompress!(build);
    assert.not.ok(existsSync(stale));
    assert.is(readFileSync(join(build, "compressed", kept), "utf8"), "kept", "what is there already is not made again");
  });
});
