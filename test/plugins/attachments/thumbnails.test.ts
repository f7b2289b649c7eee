import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import type { TestApp } from "../../support/apps.ts";
import { withPlugin } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { within } from "../../support/pace.ts";
import { databaseOf } from "../../support/shop.ts";
import {
  ann,
  attachmentFiles,
  bytesOf,
  list,
  openAttachments,
  schemaMigration,
  sendForm,
  serviceOf,
  upload,
} from "./attachments_app.ts";

interface Shown {
  readonly id: number;
  readonly url: string | null;
  readonly state: string;
  readonly thumbnails: { readonly large: string; readonly small: string } | null;
}

/** A scanner that refuses files whose bytes have a word, and fails while it is told to. */
const scanner = `import { definePlugin } from "framewright/kernel";
  import type {} from "framewright/plugins/attachments";
  export const scanner = () => definePlugin({ name: "scanner", requires: ["attachments"], apply({ hooks }) {
    hooks.attachments.scan.tapPromise("scanner", async ({ open }) => {
      const scanned = globalThis as { scannerIsAway?: boolean };
      if (scanned.scannerIsAway) throw new Error("the scanner is away");
      const bytes = Buffer.concat(await (await open()).toArray());
      return bytes.includes("EICAR") ? "refused" : undefined;
    });
  } });`;

const create = async (app: TestApp, field: string, bytes: Buffer | string, name: string): Promise<string> => {
  const fields = [
    ["shipment[reference]", "R"],
    [`shipment[${field}][new][]`, upload(bytes, name)],
  ] as const;
  const answer = await sendForm(app.client(), { page: `${list}/new`, headers: ann }, fields);
  return answer.headers.get("location")!;
};
const filesOf = async (app: TestApp, path: string, field: string): Promise<Shown[]> => {
  const answer = await app.request(`${path}/files/${field}`, { headers: { ...ann, accept: "application/json" } });
  return ((await answer.json()) as { data: Shown[] }).data;
};
const states = (app: TestApp) => databaseOf(app.application).knex("framewright_attachments").orderBy("id");

describe("Thumbnails of pictures", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openAttachments();
  });
  after(() => app.close());
  const pageOf = async (path: string) => (await app.request(path, { headers: ann })).text();

  it("They are drawn in the background and kept: large on the record's page, small in lists, an icon until then", async () => {
    const path = await create(app, "cover", bytesOf("red.png"), "one.png");
    await serviceOf(app).drain();
    const [file] = await filesOf(app, path, "cover");
    assert.match(await pageOf(path), `<img class="fw-file-large" src="${file!.thumbnails!.large}" alt=""`);
    assert.match(
      await pageOf(`${list}?columns=reference,cover`),
      `<img class="fw-file-small" src="${file!.thumbnails!.small}"`,
    );
    const sizes = [file!.thumbnails!.large, file!.thumbnails!.small].map(async (url) => {
      const answer = await app.request(url, { headers: ann });
      assert.is(answer.headers.get("content-type"), "image/webp");
      const known = await app.request(url, { headers: { ...ann, "if-none-match": answer.headers.get("etag")! } });
      assert.is(known.status, 304);
      const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
      return [width, height];
    });
    assert.equal(await Promise.all(sizes), [
      [240, 160],
      [64, 64],
    ]);
    await databaseOf(app.application).knex("framewright_attachments").update({ thumbnails: "waiting" });
    assert.not.match(await pageOf(path), 'class="fw-file-large" src');
    assert.match(await pageOf(path), "fw-file-icon");
  });
  it("A file that can't be drawn keeps the icon of its type, and one that is no picture has none to draw", async () => {
    const half = await create(app, "photos", bytesOf("red.jpg").subarray(0, 700), "half.jpg");
    const text = await create(app, "plan", "text", "a.txt");
    await serviceOf(app).drain();
    assert.equal(
      (await states(app)).slice(-2).map(({ thumbnails }) => thumbnails),
      ["failed", "none"],
    );
    for (const path of [half, text]) assert.match(await pageOf(path), /fw-file-icon fw-file-large"><(svg|i) /);
  });
  it("What a crash has left is done by a later sweep", async () => {
    const path = await create(app, "cover", bytesOf("red.jpg"), "one.jpg");
    await serviceOf(app).drain();
    const [{ id }] = (await filesOf(app, path, "cover")) as [Shown];
    const { knex } = databaseOf(app.application);
    await knex("framewright_attachments")
      .where({ id })
      .update({ thumbnails: "waiting", created_at: "2026-01-01 00:00:00.000" });
    await serviceOf(app).sweep();
    await serviceOf(app).drain();
    assert.is((await knex("framewright_attachments").where({ id }).first()).thumbnails, "ready");
  });
  it("While many are drawn, pages are answered within 100 ms", async () => {
    const noise = sharp({
      create: {
        width: 1600,
        height: 1200,
        channels: 3,
        noise: { type: "gaussian", mean: 120, sigma: 40 },
        background: "red",
      },
    });
    const bytes = await noise.jpeg().toBuffer();
    const path = await create(app, "papers", "x", "x.txt");
    const record = { owner_id: path.split("/").at(-1) };
    const service = serviceOf(app);
    const Shipment = databaseOf(app.application)
      .models()
      .find(({ constant }) => constant === "Shipment")!.class;
    const owner = (await databaseOf(app.application).query(Shipment).findById(Number(record.owner_id))) as never;
    for (let at = 0; at < 40; at++) await service.attach(owner, "papers", { filename: `${at}.jpg`, bytes });
    await pageOf(list);
    const times: number[] = [];
    for (let at = 0; at < 25; at++) {
      const begin = performance.now();
      await pageOf(list);
      times.push(performance.now() - begin);
      await sleep(5);
    }
    const waiting = (await states(app)).filter(({ thumbnails }) => thumbnails === "waiting").length;
    assert.ok(waiting > 0, "they were drawn before the pages were read");
    times.sort((a, b) => a - b);
    assert.ok(times[Math.floor(times.length * 0.9)]! < within(100), times.map(Math.round).join(" "));
    await service.drain();
  });
});

describe("Files that are scanned", (it, { before, after }) => {
  let app: TestApp;
  const scanned = globalThis as { scannerIsAway?: boolean };
  before(async () => {
    const config = attachmentFiles["plugins.config.ts"]!;
    app = await openAttachments({
      "lib/scanner.ts": scanner,
      "plugins.config.ts": `import { scanner } from "./lib/scanner.ts";\n${config.replace("resources(),", "resources(),\n  scanner(),")}`,
    });
  });
  after(() => app.close());

  it("Nobody downloads a file before it is scanned, and nobody one that is refused", async () => {
    scanned.scannerIsAway = true;
    const [good, bad] = [await create(app, "plan", "good", "a.txt"), await create(app, "plan", "EICAR", "b.txt")];
    await serviceOf(app).drain();
    for (const path of [good, bad]) {
      assert.equal(
        (await filesOf(app, path, "plan")).map(({ state, url }) => [state, url]),
        [["held", null]],
      );
      assert.is((await app.request(`${path}/files/plan`, { headers: ann })).status, 404);
    }
    scanned.scannerIsAway = false;
    await databaseOf(app.application).knex("framewright_attachments").update({ created_at: "2026-01-01 00:00:00.000" });
    await serviceOf(app).sweep();
    await serviceOf(app).drain();
    assert.is((await app.request(`${good}/files/plan`, { headers: ann })).status, 200);
    assert.is((await app.request(`${bad}/files/plan`, { headers: ann })).status, 404);
    assert.equal(
      (await states(app)).map(({ state }) => state),
      ["ready", "refused"],
    );
  });
});

describe("Files that the queue of jobs scans and draws", (it) => {
  it("The job draws the thumbnails", async () => {
    const app = await openAttachments({
      "plugins.config.ts": withPlugin(attachmentFiles["plugins.config.ts"]!, "jobs({ run: false })", "jobs"),
      "db/migrate/20260401000002_create_framewright_jobs.ts": schemaMigration("jobs"),
    });
    try {
      const path = await create(app, "cover", bytesOf("red.png"), "one.png");
      assert.is((await filesOf(app, path, "cover"))[0]!.thumbnails, null);
      assert.is(await app.application.kernel.service("jobs").drain(), 1);
      assert.is(typeof (await filesOf(app, path, "cover"))[0]!.thumbnails?.large, "string");
    } finally {
      await app.close();
    }
  });
  it("Pictures that several jobs draw at once have each their own thumbnail", async () => {
    const app = await openAttachments({
      "plugins.config.ts": withPlugin(attachmentFiles["plugins.config.ts"]!, "jobs({ concurrency: 5 })", "jobs"),
      "db/migrate/20260401000002_create_framewright_jobs.ts": schemaMigration("jobs"),
    });
    try {
      const colours = ["#ff0000", "#00ff00", "#0000ff", "#ffffff", "#000000"];
      const pictures = await Promise.all(
        colours.map((background) =>
          sharp({ create: { width: 1500, height: 1500, channels: 3, background } })
            .png()
            .toBuffer(),
        ),
      );
      const fields = [["shipment[reference]", "R"]] as [string, string | File][];
      for (const [index, bytes] of pictures.entries())
        fields.push(["shipment[photos][new][]", upload(bytes, `${colours[index]}.png`)]);
      const answer = await sendForm(app.client(), { page: `${list}/new`, headers: ann }, fields);
      const path = answer.headers.get("location")!;
      let shown = await filesOf(app, path, "photos");
      for (const end = Date.now() + 15_000; Date.now() < end && shown.some(({ thumbnails }) => !thumbnails); ) {
        await sleep(50);
        shown = await filesOf(app, path, "photos");
      }
      const drawn: string[] = [];
      for (const { thumbnails } of shown) {
        const thumbnail = await app.request(thumbnails!.large, { headers: ann });
        const { channels } = await sharp(Buffer.from(await thumbnail.arrayBuffer())).stats();
        drawn.push(`#${channels.map(({ mean }) => (mean > 128 ? "ff" : "00")).join("")}`);
      }
      assert.equal(drawn, colours);
    } finally {
      await app.close();
    }
  });
});
