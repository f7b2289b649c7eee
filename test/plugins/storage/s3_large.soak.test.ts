import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { database } from "framewright/plugins/database";
import { storage } from "framewright/plugins/storage";
import { bootApp, type TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { exitOf, freePort } from "../../support/processes.ts";

const SIZE = 200 * 1024 * 1024;

describe("A large file on S3", (it, { before, after }) => {
  const folder = mkdtempSync(join(tmpdir(), "fw-s3-"));
  let server: ChildProcess;
  let app: TestApp;
  before(async () => {
    const port = await freePort();
    server = fork(join(import.meta.dirname, "fixtures/s3_server.js"), [folder, String(port), "right"], {
      execArgv: [],
    });
    await once(server, "message");
    const endpoint = `http://127.0.0.1:${port}`;
    const values = { S3_ACCESS_KEY_ID: "S3RVER", S3_SECRET_ACCESS_KEY: "S3RVER" };
    app = await bootApp({}, { plugins: [database(), storage({ s3: { bucket: "files", endpoint } })], values });
  });
  after(async () => {
    await app.close();
    server.kill("SIGKILL");
    await exitOf(server);
    rmSync(folder, { recursive: true, force: true });
  });

  it("200 MB go there and back with little of them in memory", async () => {
    const store = app.application.kernel.service("storage");
    const chunk = Buffer.alloc(65_536, 7);
    function* chunks() {
      for (let sent = 0; sent < SIZE; sent += chunk.length) yield chunk;
    }
    let most = 0;
    const first = process.memoryUsage().rss;
    const look = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss - first);
    }, 10);
    try {
      const facts = { filename: "film.mp4", type: "video/mp4" };
      const kept = await store.put({ ...facts, stream: Readable.from(chunks()), size: SIZE });
      let read = 0;
      for await (const part of await store.stream(kept.key)) read += (part as Buffer).length;
      assert.is(read, SIZE);
    } finally {
      clearInterval(look);
    }
    assert.ok(most < SIZE / 2, `${Math.round(most / 1024 / 1024)} MB at most`);
  });
});
