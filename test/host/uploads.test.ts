import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { bootApp, type TestApp } from "../support/apps.ts";
import { assert, describe } from "../support/index.ts";

const MB = 1_048_576;
const files = {
  "plugins.config.ts": `import { definePlugins } from "framewright/kernel"; import { i18n } from "framewright/plugins/i18n";
    import { sessions } from "framewright/plugins/sessions"; export default definePlugins([i18n(), sessions()]);`,
  "config/routes.ts": `import { drawRoutes } from "framewright"; export default drawRoutes((routes) => routes.post("films", { to: "films#create" }));`,
  "app/controllers/films_controller.ts": `import { createHash } from "node:crypto";
    import { BaseController } from "framewright";
    import { uploadContent, uploadSize } from "framewright/host";
    export default class FilmsController extends BaseController {
      static override guests = "admit" as const;
      async create() {
        const film = this.params.get("film") as never as import("framewright").UploadedFile;
        const content = uploadContent(film);
        if (film.stream) for await (const _ of film.stream()) break; // its first bytes
        const digest = createHash("sha256");
        for await (const chunk of content.stream ?? [content.bytes]) digest.update(chunk);
        const same = this.params.get("whole") === "1" ? createHash("sha256").update(film.bytes).digest("hex") : "";
        return this.json({ size: uploadSize(film), digest: digest.digest("hex"), same, first: this.params.get("first"), last: this.params.get("last") });
      }
    }`,
};
const head = (name: string, more = "") => `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
const spooled = () => readdirSync(tmpdir()).filter((name) => name.startsWith("fw-upload-"));

describe("Files that are uploaded", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await bootApp(files, { values: { UPLOAD_LIMIT: String(300 * MB) } });
  });
  after(() => app.close());

  /** Sends a file of so many MB as a browser does; `cut` hangs up after so many. */
  const upload = async (megabytes: number, { cut = Number.POSITIVE_INFINITY, whole = "0" } = {}) => {
    const headers = { "content-type": "multipart/form-data; boundary=b", authorization: "Bearer none" };
    const sending = request(`${app.url}/films`, {
      method: "POST",
      headers: { ...headers, accept: "application/json" },
    });
    const answered = once(sending, "response").catch(() => undefined);
    sending.on("error", () => undefined);
    sending.write(`${head("first")}one\r\n${head("whole")}${whole}\r\n${head("film", '; filename="a/film.mp4"')}`);
    const digest = createHash("sha256");
    for (let at = 0; at < megabytes; at++) {
      const chunk = Buffer.alloc(MB, at + 1);
      digest.update(chunk);
      if (at >= cut) {
        await sleep(50);
        return void sending.destroy();
      }
      if (!sending.write(chunk)) await once(sending, "drain");
    }
    sending.end(`\r\n${head("last")}two\r\n--b--\r\n`);
    const [response] = (await answered) as [import("node:http").IncomingMessage];
    const body = JSON.parse(Buffer.concat(await response.toArray()).toString()) as Record<string, unknown>;
    return { status: response.statusCode, body, digest: digest.digest("hex") };
  };

  it("A file of 200 MB is read at constant memory, and its fields stay in their order", async () => {
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers)), 5);
    const before = process.memoryUsage().arrayBuffers;
    const sent = await upload(200);
    clearInterval(watch);
    assert.equal(
      [sent?.status, sent?.body],
      [200, { size: 200 * MB, digest: sent?.digest, same: "", first: "one", last: "two" }],
    );
    assert.ok(most - before < 100 * MB, `${Math.round((most - before) / MB)} MB`);
    assert.equal(spooled(), []);
  });
  it("The bytes of a file are there as one buffer, too", async () => {
    const sent = await upload(3, { whole: "1" });
    assert.is(sent?.body.same, sent?.digest);
  });
  it("An upload that is cut off half-way leaves nothing behind, and the server keeps serving", async () => {
    await upload(20, { cut: 10 });
    await sleep(100);
    assert.equal(spooled(), []);
    assert.is((await upload(1))?.status, 200);
  });
  it("Where the temporary folder can't be written, the answer is 503, and small files are read all the same", async () => {
    const { TMPDIR } = process.env;
    process.env.TMPDIR = join(app.root, "absent");
    try {
      const form = (bytes: number) => {
        const body = new FormData();
        body.set("film", new Blob(["x".repeat(bytes)]), "a.bin");
        return body;
      };
      const send = (bytes: number) =>
        app.request("/films", {
          method: "POST",
          body: form(bytes),
          headers: { accept: "application/json", authorization: "Bearer none" },
        });
      const refused = await send(100_000);
      assert.equal([refused.status, refused.headers.get("retry-after")], [503, "5"]);
      assert.is((await send(1000)).status, 200);
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
    }
  });
});
