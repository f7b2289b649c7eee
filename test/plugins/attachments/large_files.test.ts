import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { ann, attachmentFiles, list, openAttachments } from "./attachments_app.ts";

const MB = 1_048_576;
const SIZE = 200;

describe("Large files of records", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    const config = attachmentFiles["plugins.config.ts"]!.replace("perRecord: 2_000_000", `perRecord: ${300 * MB}`);
    app = await openAttachments({ "plugins.config.ts": config }, { UPLOAD_LIMIT: String(300 * MB) });
  });
  after(() => app.close());
  /** The most bytes of buffers while something is done. */
  const peak = async <T>(work: () => Promise<T>): Promise<readonly [result: T, megabytes: number]> => {
    const begin = process.memoryUsage().arrayBuffers;
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers)), 5);
    const result = await work();
    clearInterval(watch);
    return [result, (most - begin) / MB];
  };
  const part = (name: string, more = "") => `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;

  /** A form that is about to be sent, and what comes before its file. */
  const begin = async () => {
    const client = app.client();
    const html = await (await client.request(`${list}/new`, { headers: ann })).text();
    const [, inner = ""] = /<form[^>]*class="fw-form"[^>]*>(.*?)<\/form>/s.exec(html)!;
    const token = /name="authenticity_token" value="([^"]*)"/.exec(inner)![1]!;
    const headers = {
      ...ann,
      "content-type": "multipart/form-data; boundary=b",
      cookie: `fw_session=${client.cookie("fw_session")}`,
    };
    const sending = request(app.url + list, { method: "POST", headers });
    sending.write(`${part("authenticity_token")}${token}\r\n${part("shipment[reference]")}LARGE\r\n`);
    sending.write(part("shipment[papers][new][]", '; filename="film.bin"'));
    return sending;
  };

  it("One that is cut off half-way leaves no record, no row and no bytes, and the next is stored", async () => {
    const { knex } = databaseOf(app.application);
    const bytes = async () =>
      (await readdir(join(app.application.settings.root, "storage"), { recursive: true }).catch(() => [])).length;
    const before = [await bytes(), (await knex("shipments")).length];
    const sending = await begin();
    sending.on("error", () => undefined);
    for (let at = 0; at < SIZE / 10; at++) if (!sending.write(Buffer.alloc(MB, 1))) await once(sending, "drain");
    sending.destroy();
    const now = async () => [await bytes(), (await knex("shipments")).length];
    for (let turn = 0; turn < 100 && String(await now()) !== String(before); turn++) await sleep(50);
    assert.equal(await now(), before);
    assert.equal(await knex("framewright_attachments"), []);
  });
  it("One of 200 MB is stored from a form and downloaded, whole and in parts, at constant memory", async () => {
    const digest = createHash("sha256");
    const [path, stored] = await peak(async () => {
      const sending = await begin();
      const answered = once(sending, "response");
      for (let at = 0; at < SIZE; at++) {
        const chunk = Buffer.alloc(MB, at + 1);
        digest.update(chunk);
        if (!sending.write(chunk)) await once(sending, "drain");
      }
      sending.end("\r\n--b--\r\n");
      const [answer] = (await answered) as [IncomingMessage];
      answer.resume();
      return answer.headers.location!;
    });
    const wanted = digest.digest("hex");
    const [file] = await databaseOf(app.application).knex("framewright_attachments");
    assert.equal([Number(file.size), file.digest], [SIZE * MB, wanted]);
    assert.ok(stored < 100, `${Math.round(stored)} MB for the upload`);
    const url = `${app.url}${path}/files/papers/${file.id}`;
    const [read, downloaded] = await peak(async () => {
      const got = createHash("sha256");
      const receiving = request(url, { headers: ann }).end();
      const [answer] = (await once(receiving, "response")) as [IncomingMessage];
      for await (const chunk of answer) got.update(chunk as Buffer);
      return got.digest("hex");
    });
    assert.is(read, wanted);
    assert.ok(downloaded < 100, `${Math.round(downloaded)} MB for the download`);
    const range = `bytes=${MB * 50 - 1}-${MB * 50}`;
    const bytes = Buffer.from(await (await fetch(url, { headers: { ...ann, range } })).arrayBuffer());
    assert.equal([...bytes], [50, 51]);
  });
});
