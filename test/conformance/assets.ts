// What every filler of the slot "assets" must do. Uses node:assert alone, so that it runs under any test runner:
// for (const { sentence, check } of assetsConformance) test(sentence, () => check({ plugins: [myAssets()] })).
import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { definePlugin } from "framewright/kernel";
import type { TestApplication } from "framewright/testing";
import { type Answer, type Asked, ask, refusal, type Subject, within, writeFolder } from "./support/application.ts";

export interface AssetsCheck {
  sentence: string;
  /** With the plugins of an application that has the filler. */
  check(subject: Subject): Promise<void>;
}

const STYLES = `/* Grüße */ ${".conformance { color: red } ".repeat(200)}`;
/** Beside a file that is added, and in the application's folder: nothing may serve it. */
const SECRET = "marked-as-secret";

/** A plugin that adds files under names. */
const adding = (name: string, files: Readonly<Record<string, string>>, directory?: string) =>
  definePlugin({
    name,
    ...(directory === undefined ? {} : { directory }),
    requires: ["assets"],
    apply({ services: { assets } }) {
      for (const [asset, file] of Object.entries(files)) assets.add(asset, file);
    },
  });

type Get = (more?: Asked) => Promise<Answer>;
/** Runs the work with an application that has an asset, its URL, and a request to it. */
function withAsset(
  subject: Subject,
  text: string,
  work: (app: TestApplication, url: string, get: Get) => Promise<void>,
): Promise<void> {
  const folder = writeFolder({ "conformance.css": text, "secret.css": SECRET });
  const files = { "conformance.css": join(folder, "conformance.css") };
  return within(subject, [adding("conformance", files)], (app) => {
    const url = app.application.kernel.service("assets").url("conformance.css");
    return work(app, url, (more) => ask(app, url, more));
  });
}

function decoded({ headers, bytes }: Answer): string {
  const encoding = headers["content-encoding"];
  const plain = encoding === "br" ? brotliDecompressSync(bytes) : encoding === "gzip" ? gunzipSync(bytes) : bytes;
  return plain.toString();
}

/** Paths by which a careless server leaves its folders. The client sends them as they are. */
const OUTSIDE = [
  "/assets/../package.json",
  "/assets/%2e%2e/package.json",
  "/assets/..%2fpackage.json",
  "/assets/..%5cpackage.json",
  "/assets/%252e%252e/package.json",
  "/assets/../../../../../../../../etc/hosts",
  "/assets//etc/hosts",
  "/assets/secret.css",
  "/assets/conformance.css/../secret.css",
  "/../package.json",
  "/%2e%2e/package.json",
  "/..%2fpackage.json",
  "/x/..%2f..%2fpackage.json",
  "/package.json%00.css",
  "/.hidden",
  "/.git/config",
  "/link.txt",
];

export const assetsConformance: readonly AssetsCheck[] = [
  {
    sentence: "An asset has a URL of this application that serves its bytes, with its type, to be cached for good",
    check: (subject) =>
      withAsset(subject, STYLES, async (app, url, get) => {
        assert.match(url, /^\/assets\/[\w./-]+\.css$/);
        const { status, headers, text } = await get();
        assert.equal(status, 200);
        assert.ok(text === STYLES, "its bytes differ");
        assert.match(headers["content-type"] ?? "", /^text\/css; ?charset=utf-8$/i);
        assert.match(headers["cache-control"] ?? "", /max-age=\d{7,}.*immutable/);
        assert.equal(headers["x-content-type-options"], "nosniff");
        const assets = app.application.kernel.service("assets");
        assert.deepEqual([assets.has("conformance.css"), assets.has("conformance.js")], [true, false]);
        assert.equal(assets.url("conformance.css"), url);
      }),
  },
  {
    sentence:
      "The URL of an asset changes with its content, and a URL of another content has the current one, which no cache may keep",
    async check(subject) {
      const urls: string[] = [];
      for (const text of [STYLES, `${STYLES} `, STYLES])
        await withAsset(subject, text, async (app, url) => {
          for (const former of urls.filter((one) => one !== url)) {
            const { status, headers, text: got } = await ask(app, former); // a page of another release asks for it
            assert.deepEqual([status, got === text, headers["cache-control"]], [200, true, "no-store"], former);
          }
          const unknown = await ask(app, url.replace("conformance", "conformanse"));
          assert.equal(unknown.status, 404);
          urls.push(url);
        });
      assert.notEqual(urls[0], urls[1]);
      assert.equal(urls[0], urls[2], "the same content has the same URL in every process");
    },
  },
  {
    sentence: "A browser that has an asset gets 304 for its ETag, and HEAD gets the headers alone",
    check: (subject) =>
      withAsset(subject, STYLES, async (_app, _url, get) => {
        const { headers } = await get();
        assert.ok(headers.etag);
        const known = await get({ headers: { "if-none-match": headers.etag } });
        assert.deepEqual([known.status, known.text], [304, ""]);
        const head = await get({ method: "HEAD" });
        assert.deepEqual([head.status, head.text, head.headers.etag], [200, "", headers.etag]);
        assert.equal((await get({ headers: { "if-none-match": '"another"' } })).status, 200);
      }),
  },
  {
    sentence: "A compressed asset is sent to those who accept its encoding, and decodes to the same bytes",
    check: (subject) =>
      withAsset(subject, STYLES, async (_app, _url, get) => {
        for (let turn = 0; turn < 5; turn++) {
          for (const accepted of ["br, gzip", "gzip", "br;q=0, gzip;q=0", "identity", ""]) {
            const answer = await get({ headers: { "accept-encoding": accepted } });
            const { "content-encoding": encoding = "identity", vary = "", "content-length": length } = answer.headers;
            if (encoding !== "identity")
              assert.ok(accepted.includes(encoding) && !accepted.includes("q=0"), `${encoding} for "${accepted}"`);
            assert.match(vary, /accept-encoding/i);
            assert.ok(decoded(answer) === STYLES, `its bytes differ for "${accepted}", as ${encoding}`);
            if (length !== undefined) assert.equal(Number(length), answer.bytes.length);
          }
          await new Promise((done) => setTimeout(done, 10)); // it may be compressed in the background
        }
      }),
  },
  {
    sentence: "A range of bytes is answered by these bytes, or by the whole file",
    check: (subject) =>
      withAsset(subject, STYLES, async (_app, _url, get) => {
        const { length } = Buffer.from(STYLES);
        const range = await get({ headers: { range: "bytes=3-12" } });
        if (range.status === 200) assert.ok(range.text === STYLES, "its bytes differ");
        else {
          assert.deepEqual([range.status, range.headers["content-range"]], [206, `bytes 3-12/${length}`]);
          assert.ok(range.bytes.equals(Buffer.from(STYLES).subarray(3, 13)));
        }
        assert.ok([200, 416].includes((await get({ headers: { range: `bytes=${length}-` } })).status));
      }),
  },
  {
    sentence:
      "Nothing is served but what was added and what is in public/, whatever the path, and only by GET and HEAD",
    check: (subject) => {
      const files = {
        ...subject.files,
        "package.json": JSON.stringify({ name: "conformance", type: "module", description: SECRET }),
        ".hidden": SECRET,
        "elsewhere.txt": SECRET,
        "public/robots.txt": "User-agent: *",
        "public/.hidden": SECRET,
        "public/.git/config": SECRET,
      };
      const folder = writeFolder({ "conformance.css": STYLES, "secret.css": SECRET });
      const linking = definePlugin({
        name: "conformance",
        requires: ["assets"],
        apply({ services: { assets }, settings }) {
          assets.add("conformance.css", join(folder, "conformance.css"));
          if (settings.root) symlinkSync(join(settings.root, "elsewhere.txt"), join(settings.root, "public/link.txt"));
        },
      });
      return within({ ...subject, files }, [linking], async (app) => {
        const url = app.application.kernel.service("assets").url("conformance.css");
        for (const path of [...OUTSIDE, `${url}/../secret.css`, url.replace("conformance", "secret")]) {
          const { status, text } = await ask(app, path);
          assert.ok(status >= 400 && status < 500, `${path} is answered ${status}`);
          assert.ok(!text.includes(SECRET) && !text.includes("localhost\n"), `${path} shows a file`);
        }
        for (const method of ["POST", "PUT", "DELETE"])
          assert.notEqual((await ask(app, url, { method })).status, 200, method);
        const own = await ask(app, "/robots.txt");
        assert.deepEqual([own.status, own.text], [200, "User-agent: *"]);
        assert.doesNotMatch(
          own.headers["cache-control"] ?? "",
          /immutable/,
          "its URL does not change with its content",
        );
      });
    },
  },
  {
    sentence: "An unknown name is FW_ASSET_UNKNOWN, and one that two plugins add is refused with the names of both",
    async check(subject) {
      await withAsset(subject, STYLES, async ({ application }) => {
        const { url } = application.kernel.service("assets");
        assert.throws(() => url("conformanse.css"), { code: "FW_ASSET_UNKNOWN", message: /conformanse\.css/ });
      });
      const file = join(writeFolder({ "same.css": STYLES }), "same.css");
      const error = await refusal(
        subject,
        ["conformance-one", "conformance-two"].map((name) => adding(name, { "same.css": file })),
      );
      assert.ok(error, "the application started");
      for (const part of ["FW_ASSET_TAKEN", "same.css", "conformance-one", "conformance-two"])
        assert.ok(error.message.includes(part), `"${part}" is not in: ${error.message}`);
    },
  },
  {
    sentence: "The files of a plugin's folder assets/ are added under their names",
    check: (subject) => {
      const directory = writeFolder({ "assets/conformance_folder.js": "export const here = 1;" });
      return within(subject, [adding("conformance", {}, directory)], async (app) => {
        const answer = await ask(app, app.application.kernel.service("assets").url("conformance_folder.js"));
        assert.deepEqual([answer.status, answer.text], [200, "export const here = 1;"]);
        assert.match(answer.headers["content-type"] ?? "", /^text\/javascript/);
      });
    },
  },
];
