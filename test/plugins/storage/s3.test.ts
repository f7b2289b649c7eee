import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { database } from "framewright/plugins/database";
import { type Storage, type StoredFile, storage } from "framewright/plugins/storage";
import { stdSerializers } from "pino";
import { storageConformance } from "../../conformance/storage.ts";
import { bootApp, type TestApp } from "../../support/apps.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { exitOf, freePort } from "../../support/processes.ts";

const secret = "S3RVER";
const note = (text = "a") => ({ filename: "a.txt", type: "text/plain", bytes: Buffer.from(text) });

describe("Files on S3", (it, { before, after }) => {
  const folder = mkdtempSync(join(tmpdir(), "fw-s3-"));
  let port: number;
  let server: ChildProcess;
  let app: TestApp;
  let store: Storage;
  const startServer = async (signatures: "right" | "any" = "right") => {
    const words = [folder, String(port), signatures];
    server = fork(join(import.meta.dirname, "fixtures/s3_server.js"), words, { execArgv: [] });
    await once(server, "message");
  };
  const stopServer = async () => {
    server.kill("SIGKILL");
    await exitOf(server);
  };
  const values = (more: Record<string, string> = {}) => ({
    S3_BUCKET: "files",
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_ACCESS_KEY_ID: "S3RVER",
    S3_SECRET_ACCESS_KEY: secret,
    ...more,
  });
  const open = (more: Record<string, string> = {}, timeout = 10_000) =>
    bootApp({}, { plugins: [database(), storage({ directUploads: true, s3: { timeout } })], values: values(more) });
  const reopen = async (more?: Record<string, string>, timeout?: number) => {
    await app.close();
    app = await open(more, timeout);
    store = app.application.kernel.service("storage");
  };
  before(async () => {
    port = await freePort();
    await startServer();
    app = await open();
    store = app.application.kernel.service("storage");
  });
  after(async () => {
    await app.close();
    await stopServer();
    rmSync(folder, { recursive: true, force: true });
  });
  for (const { sentence, check } of storageConformance) it(sentence, () => check(store));

  it("A link downloads the file as an attachment until it expires, and for that file alone", async () => {
    const kept = await store.put({ filename: "page.html", type: "text/html", bytes: Buffer.from("<script>") });
    const link = await store.link(kept, { expiresIn: 3 });
    const answer = await fetch(link);
    assert.is(answer.status, 200);
    assert.is(await answer.text(), "<script>");
    assert.is(answer.headers.get("content-disposition"), 'attachment; filename="page.html"');
    assert.is(answer.headers.get("content-type"), "application/octet-stream");
    const other = await store.put(note());
    assert.is((await fetch(link.replace(kept.key, other.key))).status, 403);
    await sleep(3100);
    assert.is((await fetch(link)).status, 403);
    const named = new URL(await store.link({ ...kept, filename: "Grüße.pdf" })).searchParams;
    assert.is(
      named.get("response-content-disposition"),
      "attachment; filename=\"Gr__e.pdf\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.pdf",
    );
    assert.is(named.get("X-Amz-Expires"), "300");
  });
  it("A sweep deletes temporary files after some hours, and no other files", async () => {
    await stopServer();
    await startServer("any");
    await reopen(); // one that has not swept in this hour
    const hour = Math.floor(Date.now() / 3_600_000);
    const client = new S3Client({
      ...{ endpoint: `http://127.0.0.1:${port}`, region: "us-east-1", forcePathStyle: true },
      credentials: { accessKeyId: "S3RVER", secretAccessKey: secret },
    });
    const old = Array.from({ length: 3 }, (_, n) => `staged/${hour - 8 - n}/${String(n).repeat(40)}`);
    for (const Key of old) await client.send(new PutObjectCommand({ Bucket: "files", Key, Body: "old" }));
    client.destroy();
    const [lasting, late] = [await store.put(note()), await store.put(note(), { temporary: true })];
    for (let turn = 0; turn < 100 && (await store.exists(old[0]!)); turn++) await sleep(50); // that put sweeps
    const left = await Promise.all([lasting.key, late.key, ...old].map((key) => store.exists(key)));
    assert.equal(left, [true, true, false, false, false]);
    await stopServer();
    await startServer();
  });
  it("A wrong key is refused, and neither it nor the right one is in the error or in what the log has of it", async () => {
    await reopen({ S3_ACCESS_KEY_ID: "AKIDWRONGWRONG", S3_SECRET_ACCESS_KEY: "wrong-secret-wrong-secret" });
    try {
      for (const work of [() => store.put(note()), () => store.exists(`aa/${"a".repeat(40)}`)]) {
        const error = await throwsCode("FW_STORAGE_REFUSED", work);
        const logged = JSON.stringify(stdSerializers.err(error));
        assert.not.match(logged, /AKIDWRONG|wrong-secret|Signature=|StringToSign/);
      }
    } finally {
      await reopen();
    }
  });
  it("While the server is gone or hangs it is 503 with Retry-After, soon; afterwards it works again", async () => {
    await reopen({}, 300);
    const kept = await store.put(note("there"));
    const away = async () => {
      const start = performance.now();
      const works: (() => Promise<unknown>)[] = [
        () => store.put(note()),
        () => store.put({ filename: "a", type: "b", stream: Readable.from([Buffer.from("12345")]), size: 5 }),
        () => store.bytes(kept.key),
        () => store.delete(kept.key),
      ];
      for (const work of works) {
        const error = (await throwsCode("FW_STORAGE_AWAY", work)) as Error & { status?: number; retryAfter?: number };
        assert.is(error.status, 503);
        assert.ok((error.retryAfter ?? 0) > 0);
      }
      assert.ok(performance.now() - start < 15_000);
    };
    server.kill("SIGSTOP");
    await away();
    server.kill("SIGCONT");
    await stopServer();
    await away();
    await startServer();
    assert.is(String(await store.bytes(kept.key)), "there");
  });
  it("What is missing of the settings is named at boot", async () => {
    await app.close();
    const boot = (more: Record<string, string>) =>
      bootApp({}, { plugins: [database(), storage()], values: values(more) });
    await throwsCode("FW_STORAGE_S3_SETTING", () => boot({ S3_ENDPOINT: "" }));
    await throwsCode("FW_STORAGE_S3_SETTING", () => boot({ S3_SECRET_ACCESS_KEY: "" }));
    await throwsCode("FW_STORAGE_S3_SETTING", () => boot({ S3_ENDPOINT: "https://key:secret@s3.example" }));
    await throwsCode("FW_OPTION_UNKNOWN", () => storage({ s3: { buket: "x" } } as never));
    app = await open();
  });
});

describe("Links to files in a directory", (it) => {
  const open = (options: { links?: boolean }, values: Record<string, string> = {}) =>
    bootApp({}, { plugins: [database(), storage(options)], values });
  const put = (app: TestApp): Promise<StoredFile> => app.application.kernel.service("storage").put(note("hello"));

  it("Without the option there are none, and the error says what to do", async () => {
    const app = await open({});
    try {
      const kept = await put(app);
      const error = await throwsCode("FW_STORAGE_LINKS", () => app.application.kernel.service("storage").link(kept));
      assert.match(error.message, "storage({ links: true })");
      assert.is((await app.request("/_files/x")).status, 404);
    } finally {
      await app.close();
    }
  });
  it("With it the application serves them until they expire; one that was changed is not found", async () => {
    const app = await open({ links: true });
    const real = Date.now;
    try {
      const service = app.application.kernel.service("storage");
      for (const { sentence, check } of storageConformance)
        await check(service).catch((error: Error) => assert.unreachable(`${sentence}: ${error.message}`));
      const kept = await put(app);
      const link = await service.link(kept, { expiresIn: 60 });
      assert.match(link, /^\/_files\/[\w-]+$/);
      const answer = await app.request(link);
      assert.is(await answer.text(), "hello");
      assert.match(answer.headers.get("content-disposition") ?? "", "attachment");
      assert.is((await app.request(`${link.slice(0, -2)}AA`)).status, 404);
      assert.is((await app.request(`/_files/${kept.key.replace("/", "%2f")}`)).status, 404);
      Date.now = () => real() + 61_000;
      assert.is((await app.request(link)).status, 404);
    } finally {
      Date.now = real;
      await app.close();
    }
    const named = await open({ links: true }, { APP_URL: "https://shop.example" });
    assert.match(
      await named.application.kernel.service("storage").link(await put(named)),
      /^https:\/\/shop\.example\/_files\//,
    );
    await named.close();
  });
});
