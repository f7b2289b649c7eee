import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { exitOf, freePort } from "../../support/processes.ts";
import { databaseOf } from "../../support/shop.ts";
import { ann, bytesOf, list, openAttachments, type Sent, sendForm, serviceOf, upload } from "./attachments_app.ts";

const server = join(import.meta.dirname, "../storage/fixtures/s3_server.js");

describe("Files of records on S3", (it, { before, after }) => {
  const folder = mkdtempSync(join(tmpdir(), "fw-attachments-s3-"));
  let app: TestApp;
  let s3: ChildProcess;
  before(async () => {
    const port = await freePort();
    s3 = fork(server, [folder, String(port), "right"], { execArgv: [] });
    await once(s3, "message");
    const secrets = { S3_ACCESS_KEY_ID: "S3RVER", S3_SECRET_ACCESS_KEY: "S3RVER" };
    app = await openAttachments({}, { S3_BUCKET: "files", S3_ENDPOINT: `http://127.0.0.1:${port}`, ...secrets });
  });
  after(async () => {
    await app.close();
    s3.kill("SIGKILL");
    await exitOf(s3);
    rmSync(folder, { recursive: true, force: true });
  });
  const create = (fields: Sent) =>
    sendForm(app.client(), { page: `${list}/new`, headers: ann }, [["shipment[reference]", "S3"], ...fields]);

  it("They are stored, drawn and read in parts as in a directory, and nothing is written while the server is away", async () => {
    const text = "0123456789".repeat(20_000); // more than stays in memory
    const photo = ["shipment[photos][new][]", upload(bytesOf("red.png"), "a.png")] as const;
    const answer = await create([photo, ["shipment[papers][new][]", upload(text, "a.txt")]]);
    const path = answer.headers.get("location")!;
    await serviceOf(app).drain();
    const shown = await app.request(path, { headers: { ...ann, accept: "application/json" } });
    type Shown = { url: string; size: number; thumbnails: { large: string } | null };
    const { data } = (await shown.json()) as { data: { photos: [Shown]; papers: [Shown] } };
    const { url, size } = data.papers[0];
    assert.is(size, text.length);
    assert.is(await (await app.request(url, { headers: ann })).text(), text);
    const part = await app.request(url, { headers: { ...ann, range: "bytes=99995-100004" } });
    assert.equal([part.status, await part.text()], [206, "5678901234"]);
    const drawn = await app.request(data.photos[0].thumbnails!.large, { headers: ann });
    assert.is(drawn.headers.get("content-type"), "image/webp");
    const before = (await databaseOf(app.application).knex("shipments")).length;
    s3.kill("SIGKILL");
    await exitOf(s3);
    assert.equal([(await create([photo])).status, (await app.request(url, { headers: ann })).status], [503, 503]);
    assert.is((await databaseOf(app.application).knex("shipments")).length, before);
  });
});
