import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import type { TestApp } from "../../support/apps.ts";
import { openBrowser, visit } from "../../support/browser.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, reasonToSkip } from "../../support/index.ts";
import { exitOf, freePort } from "../../support/processes.ts";
import { databaseOf } from "../../support/shop.ts";
import type { Client } from "../../testing/client.ts";
import { openPermits } from "../nested_records/permits_app.ts";
import { rowFiles } from "../nested_records/row_files.ts";
import { as as asUser } from "../wizards/mounts_support.ts";
import {
  ann,
  attachmentFiles,
  bob,
  bytesOf,
  dan,
  list,
  openAttachments,
  type Sent,
  sendForm,
  serviceOf,
} from "./attachments_app.ts";

// Browsers send files to the bucket by themselves, by a form that the application has signed.

const reason = await reasonToSkip("browser");
const server = join(import.meta.dirname, "../storage/fixtures/s3_server.js");
const secrets = { S3_ACCESS_KEY_ID: "S3RVER", S3_SECRET_ACCESS_KEY: "S3RVER" };
const config = "plugins.config.ts";
const definition = "app/definitions/shipment_definition.ts";
const files = {
  [definition]: edited(attachmentFiles, definition, [
    "super.configure();",
    'super.configure(); this.action("new", { open: "dialog" });',
  ]),
  [config]: edited(attachmentFiles, config, ["storage()", "storage({ directUploads: true })"]),
};
const pdf = Buffer.from("%PDF-1.4\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n", "latin1");

interface Signed {
  readonly url: string;
  readonly fields: Record<string, string>;
  readonly file: string;
}
type Headers = Record<string, string>;

interface SignedFor {
  readonly page?: string;
  readonly field?: string;
  readonly as?: Headers;
  /** The page whose token is sent. */
  readonly of?: string;
}
/** What the script of a page does: has a file signed. */
async function sign(
  client: Client,
  { page = `${list}/new`, field = "papers", as = ann, of = `${list}/new` }: SignedFor,
  file: { name?: string; size: number; type?: string },
): Promise<{ status: number; signed: Signed }> {
  const html = await (await client.request(of, { headers: as })).text();
  const [, token = ""] = /<meta name="csrf-token" content="([^"]*)"/.exec(html) ?? [];
  const answer = await client.request(`${page}/uploads/${field}`, {
    method: "POST",
    headers: { ...as, accept: "application/json", "x-csrf-token": token },
    body: new URLSearchParams({
      name: file.name ?? "a.txt",
      size: String(file.size),
      type: file.type ?? "text/plain",
    }),
  });
  const { data } = (await answer.json()) as { data: Signed };
  return { status: answer.status, signed: data };
}
async function send({ url, fields }: Signed, bytes: string | Buffer, changes: Record<string, string> = {}) {
  const body = new FormData();
  for (const [name, value] of Object.entries({ ...fields, ...changes })) body.append(name, value);
  body.append("file", new File([bytes as never], "anything.bin"));
  const answer = await fetch(url, { method: "POST", body });
  return answer.status;
}
/** Has a file signed and sends it. */
async function sendDirectly(client: Client, place: SignedFor, bytes: string | Buffer, name?: string) {
  const size = Buffer.byteLength(bytes);
  const { signed } = await sign(client, place, { size, ...(name === undefined ? {} : { name }) });
  assert.is(await send(signed, bytes), 204);
  return signed;
}

/** An S3 server with a bucket of its own. */
async function startBucket() {
  const folder = mkdtempSync(join(tmpdir(), "fw-direct-"));
  const port = await freePort();
  const s3 = fork(server, [folder, String(port), "any"], { execArgv: [] });
  await once(s3, "message");
  const origin = `http://127.0.0.1:${port}`;
  const stop = async () => {
    s3.kill("SIGKILL");
    await exitOf(s3);
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, origin, stop, values: { S3_BUCKET: "files", S3_ENDPOINT: origin, ...secrets } };
}

describe("Files that browsers send to a bucket by themselves", (it, { before, after }) => {
  let app: TestApp;
  let bucket: Awaited<ReturnType<typeof startBucket>>;
  let browser: Browser | undefined;
  let origin = "";
  let id = 0;
  const knex = () => databaseOf(app.application).knex;
  before(async () => {
    bucket = await startBucket();
    ({ origin } = bucket);
    app = await openAttachments(files, bucket.values);
    await knex()("memberships").insert({ user_id: 4, organization_id: 1 });
    ({ id } = await knex()("shipments").where({ organization_id: 1 }).first());
    if (reason === undefined) browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await app.close();
    await bucket.stop();
  });
  const pending = () =>
    readdirSync(join(bucket.folder, "files"), { recursive: true }).filter((one) =>
      /^staged.*_object$/.test(String(one)),
    );

  const keep = (field: string, ...tokens: string[]): Sent =>
    tokens.map((token, index) => [`shipment[${field}][kept][d${index}][file]`, token] as const);
  const create = (client: Client, fields: Sent, headers: Headers = ann) =>
    sendForm(client, { page: `${list}/new`, headers }, [["shipment[reference]", "S3"], ...fields]);
  const filesOf = async (answer: Response, field = "papers") => {
    const path = answer.headers.get("location")!;
    const shown = await app.request(path, { headers: { ...ann, accept: "application/json" } });
    const { data } = (await shown.json()) as {
      data: Record<string, { url: string; type: string; size: number; name: string }[]>;
    };
    return data[field]!;
  };

  it("The form of a page names where its files are signed, and its policy lets scripts send to the bucket", async () => {
    const answer = await app.request(`${list}/new`, { headers: ann });
    assert.match(answer.headers.get("content-security-policy")!, new RegExp(`connect-src 'self' ${origin}`));
    assert.match(await answer.text(), `data-direct="${list}/new/uploads/papers"`);
    const edit = await (await app.request(`${list}/${id}/edit`, { headers: ann })).text();
    assert.match(edit, `data-direct="${list}/${id}/edit/uploads/plan"`);
  });
  it("A file that was sent to the bucket is attached with its record, and its bytes are read afterwards", async () => {
    const client = app.client();
    const text = "0123456789".repeat(1000);
    const { file } = await sendDirectly(client, {}, text, "../räum.txt");
    const answer = await create(client, keep("papers", file));
    assert.is(answer.status, 303, await answer.text());
    await serviceOf(app).drain();
    const [paper] = await filesOf(answer);
    assert.equal([paper!.name, paper!.type, paper!.size], ["räum.txt", "text/plain", text.length]);
    assert.is(await (await app.request(paper!.url, { headers: ann })).text(), text);
    const [row] = await knex()("framewright_attachments").orderBy("id", "desc").limit(1);
    assert.match(row.digest, /^[0-9a-f]{64}$/);
    assert.equal([row.state, row.thumbnails, row.detached_at], ["ready", "none", null]);
    assert.equal(pending(), [], "nothing is left where it was sent");
  });
  it("Pictures have thumbnails and are shown in place, once their bytes were read", async () => {
    const client = app.client();
    const { file } = await sendDirectly(client, { field: "photos" }, bytesOf("red.png"), "a.png").catch(() => ({
      file: "",
    }));
    assert.is(file, "", "its browser says that it is a text");
    const png = bytesOf("red.png");
    const { signed } = await sign(client, { field: "photos" }, { name: "a.png", type: "image/png", size: png.length });
    assert.is(await send(signed, png), 204);
    const answer = await create(client, keep("photos", signed.file));
    await serviceOf(app).drain();
    const [photo] = (await filesOf(answer, "photos")) as unknown as [{ url: string; thumbnails: { small: string } }];
    const drawn = await app.request(photo.thumbnails.small, { headers: ann });
    assert.is(drawn.headers.get("content-type"), "image/webp");
    const whole = await app.request(photo.url, { headers: ann });
    assert.match(whole.headers.get("content-disposition")!, /^inline/);
  });
  it("What was sent is kept for the next try of a form that is refused", async () => {
    const client = app.client();
    const { file } = await sendDirectly(client, {}, "kept");
    const refused = await create(client, [["shipment[reference]", ""], ...keep("papers", file)]);
    const html = await refused.text();
    assert.is(refused.status, 422);
    assert.match(html, "a.txt");
    const fields = [["shipment[reference]", "S3"]] as const;
    const answer = await sendForm(client, { page: list, html, headers: ann }, fields);
    assert.is(answer.status, 303, await answer.text());
    assert.is((await filesOf(answer)).length, 1);
  });
  it("The bucket takes no other number of bytes, key or type, no form that was changed, and none that has expired", async () => {
    const client = app.client();
    const { signed } = await sign(client, {}, { size: 4 });
    assert.match(signed.fields.key!, /^staged\/\d+\/[0-9a-f]{40}$/);
    assert.is(await send(signed, "12345"), 400, "larger");
    assert.is(await send(signed, "123"), 400, "smaller");
    assert.is(await send(signed, "1234", { key: `4f/${"4f".repeat(20)}` }), 403, "another key");
    assert.is(await send(signed, "1234", { "Content-Type": "text/html" }), 403, "another type");
    assert.is(await send(signed, "1234", { acl: "public-read" }), 403, "more than was signed");
    const policy = Buffer.from(
      Buffer.from(signed.fields.Policy!, "base64")
        .toString()
        .replace('"content-length-range",4,4', '"content-length-range",4,9'),
    ).toString("base64");
    assert.is(await send(signed, "12345", { Policy: policy }), 403, "a policy of its own");
    const storage = app.application.kernel.service("storage");
    const late = await storage.direct!.form({ size: 4, expiresIn: 1 });
    await new Promise((resolve) => setTimeout(resolve, 1100));
    assert.is(await send({ ...late, file: "" }, "1234"), 403, "expired");
    assert.is(await send(signed, "1234"), 204);
  });
  it("Nothing is signed for who may not write the field, for guests, and for what the field refuses", async () => {
    const status = async (place: SignedFor, file: Parameters<typeof sign>[2]) =>
      (await sign(app.client(), place, file).catch(() => ({ status: -1 }))).status;
    assert.is(await status({ field: "photos", as: dan }, { size: 9, name: "a.png", type: "image/png" }), 404);
    assert.is(await status({ field: "nothing" }, { size: 9 }), 404);
    assert.is(await status({ page: `${list}/999/edit` }, { size: 9 }), 404);
    assert.is(await status({ page: "/customer/2/shipments/new" }, { size: 9 }), 404, "another tenant");
    assert.is(await status({ field: "plan" }, { size: 500_001, name: "a.pdf" }), 422, "larger than the field takes");
    assert.is(await status({}, { size: 2_000_001 }), 422, "larger than a record may have");
    assert.is(await status({ field: "plan" }, { size: 9, name: "a.exe" }), 422);
    for (const size of [0, -1, 1.5, Number.NaN]) assert.is(await status({}, { size }), 422, String(size));
    const client = app.client();
    await client.request(`${list}/new`, { headers: ann });
    const forged = await client.request(`${list}/new/uploads/papers`, {
      method: "POST",
      headers: { ...ann, accept: "application/json" },
      body: new URLSearchParams({ name: "a.txt", size: "4", type: "text/plain" }),
    });
    assert.is(forged.status, 403, "without the token of the page");
  });
  it("A file is what its bytes are, whatever it was said to be, and what is refused is not kept in the bucket", async () => {
    const client = app.client();
    const before = (await knex()("framewright_attachments")).length;
    const exe = Buffer.concat([Buffer.from("MZ"), Buffer.alloc(200)]);
    const { file } = await sendDirectly(client, { field: "plan" }, exe, "plan.pdf");
    const refused = await create(client, keep("plan", file));
    assert.is(refused.status, 422);
    assert.match(await refused.text(), "is not accepted");
    assert.is((await knex()("framewright_attachments")).length, before);
    const { file: good } = await sendDirectly(client, { field: "plan" }, pdf, "plan.pdf");
    assert.is((await create(client, keep("plan", good))).status, 303);
  });
  it("A browser that replaces the bytes after they were sent changes nothing of what was attached", async () => {
    const client = app.client();
    const signed = await sendDirectly(client, {}, "good");
    const answer = await create(client, keep("papers", signed.file));
    assert.is(answer.status, 303);
    assert.is(await send(signed, "evil"), 204);
    await serviceOf(app).drain();
    const [paper] = await filesOf(answer);
    assert.is(await (await app.request(paper!.url, { headers: ann })).text(), "good");
  });
  it("What stands for a file is good once, in its session, tenant, record and field, while it is there and new", async () => {
    const client = app.client();
    const refused = async (answer: Response, why: string) => {
      const html = await answer.text();
      assert.is(answer.status, 422, why);
      assert.match(html, "must be chosen again", why);
    };
    const { file } = await sendDirectly(client, {}, "once");
    assert.is((await create(client, keep("papers", file, file))).status, 303);
    const [row] = await knex()("shipments").where({ reference: "S3" }).orderBy("id", "desc").limit(1);
    assert.is(
      (await filesOf(new Response(null, { headers: { location: `${list}/${row.id}` } }))).length,
      1,
      "twice in one form",
    );
    await refused(await create(client, keep("papers", file)), "used already");

    const { file: mine } = await sendDirectly(client, {}, "mine");
    await refused(await create(app.client(), keep("papers", mine)), "another session");
    await refused(await create(client, keep("plan", mine)), "another field");
    const edit = { page: `${list}/${row.id}/edit`, headers: ann };
    await refused(await sendForm(client, edit, keep("papers", mine)), "another record");
    const foreign = { page: "/customer/2/shipments/new", headers: bob };
    const other = await sendForm(client, foreign, [["shipment[reference]", "T"], ...keep("papers", mine)]);
    await refused(other, "another tenant");
    const { signed: unsent } = await sign(client, {}, { size: 4 });
    await refused(await create(client, keep("papers", unsent.file)), "never sent");
    await refused(await create(client, keep("papers", `${mine.slice(0, -4)}AAAA`)), "forged");
    const now = Date.now;
    Date.now = () => now() + 5 * 3_600_000 + 60_000;
    try {
      await refused(await create(client, keep("papers", mine)), "expired");
    } finally {
      Date.now = now;
    }
    assert.is((await create(client, keep("papers", mine))).status, 303);
  });
  it.unless(
    reason,
    "In Chromium a form sends its files to the bucket, and without scripts to the application",
    async () => {
      const before = pending().length;
      for (const script of [true, false]) {
        const { context, page, problems } = await visit(browser!, app.url, { headers: ann, script });
        const sent: string[] = [];
        page.on("request", (request) => {
          if (request.method() === "POST")
            sent.push(`${new URL(request.url()).origin === origin ? "bucket" : "application"}`);
        });
        await page.goto(`${list}/new`);
        await page.getByLabel("Reference").fill("Chromium");
        const texts = ["one.txt", "two.txt"].map((name) => ({
          name,
          mimeType: "text/plain",
          buffer: Buffer.from(name),
        }));
        await page.locator('input[name="shipment[papers][new][]"]').setInputFiles(texts);
        await page.getByRole("button", { name: "Create" }).click();
        await page.locator(".fw-file-name", { hasText: "two.txt" }).waitFor();
        assert.equal(await page.locator(".fw-file-name").allTextContents(), ["one.txt", "two.txt"]);
        const direct = ["application", "bucket", "application", "bucket", "application"];
        assert.equal(sent, script ? direct : ["application"]);
        assert.equal(problems, []);
        await context.close();
      }
      assert.is(pending().length, before);
    },
  );
  it.unless(
    reason,
    "A form that opens over the page sends its files to the bucket, and the page has the new record",
    async () => {
      const { context, page, problems } = await visit(browser!, app.url, { headers: ann });
      const sent: string[] = [];
      page.on("request", (request) => {
        if (request.method() === "POST") sent.push(new URL(request.url()).origin === origin ? "bucket" : "application");
      });
      await page.goto(list);
      await page.locator(`a[data-open][href$="${list}/new"]`).first().click();
      const dialog = page.locator("dialog[data-modal]");
      const file = { name: "over.txt", mimeType: "text/plain", buffer: Buffer.from("over") };
      await dialog.getByLabel("Reference").fill("Over the page");
      await dialog.locator('input[name="shipment[papers][new][]"]').setInputFiles(file);
      await dialog.getByRole("button", { name: "Create", exact: true }).click();
      await page.locator("td", { hasText: "Over the page" }).waitFor();
      assert.equal(sent, ["application", "bucket", "application"]);
      const [row] = await knex()("framewright_attachments").orderBy("id", "desc").limit(1);
      assert.equal([row.name, row.detached_at], ["over.txt", null]);
      assert.equal(problems, []);
      await context.close();
    },
  );
  it.unless(reason, "Where the bucket refuses, the form sends its files itself", async () => {
    const { context, page } = await visit(browser!, app.url, { headers: ann });
    await page.route(`${origin}/**`, (route) => route.abort());
    await page.goto(`${list}/${id}/edit`);
    const file = { name: "away.txt", mimeType: "text/plain", buffer: Buffer.from("away") };
    await page.locator('input[name="shipment[papers][new][]"]').setInputFiles(file);
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".fw-file-name", { hasText: "away.txt" }).waitFor();
    await context.close();
  });
  it.unless(reason, "What is not signed is said beside the field, before the form is sent", async () => {
    const { context, page } = await visit(browser!, app.url, { headers: ann });
    await page.goto(`${list}/${id}/edit`);
    const file = { name: "plan.pdf", mimeType: "application/pdf", buffer: Buffer.alloc(500_001) };
    await page.locator('input[name="shipment[plan][new][]"]').setInputFiles(file);
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".fw-upload-chosen li", { hasText: "is too large (at most 500 KB)" }).waitFor();
    assert.is(new URL(page.url()).pathname, `${list}/${id}/edit`);
    await context.close();
  });
  it("What was sent and never saved is swept", async () => {
    await sendDirectly(app.client(), {}, "left");
    assert.ok(pending().length > 0);
    const storage = app.application.kernel.service("storage") as unknown as { sweep(): Promise<void> };
    const now = Date.now;
    Date.now = () => now() + 8 * 3_600_000;
    try {
      await storage.sweep();
    } finally {
      Date.now = now;
    }
    assert.equal(pending(), []);
  });
});

describe("Files of a form where browsers send none to a bucket", (it) => {
  const isSigned = async (changes: Record<string, string>, values: Record<string, string>) => {
    const app = await openAttachments(changes, values);
    const html = await (await app.request(`${list}/new`, { headers: ann })).text();
    const answer = await app.request(`${list}/new/uploads/papers`, { method: "POST", headers: ann });
    await app.close();
    return [html.includes("data-direct"), answer.status];
  };
  it("Without a bucket, or unless the storage signs forms, they are sent with the form", async () => {
    assert.equal(await isSigned({}, { S3_BUCKET: "files", S3_ENDPOINT: "http://127.0.0.1:1", ...secrets }), [
      false,
      404,
    ]);
    assert.equal(await isSigned(files, {}), [false, 404]);
  });
});

const scanner = `import { definePlugin } from "framewright/kernel";
  import type {} from "framewright/plugins/attachments";
  export const scanner = () => definePlugin({ name: "scanner", requires: ["attachments"], apply({ hooks }) {
    hooks.attachments.scan.tapPromise("scanner", async ({ attachment, open }) => {
      const bytes = Buffer.concat(await (await open()).toArray());
      return bytes.length !== attachment.size || bytes.includes("EICAR") ? "refused" : undefined;
    });
  } });`;

describe("Files that went to a bucket, and a scanner", (it) => {
  it("They are held back until they were scanned, and those that are refused are for nobody", async () => {
    const bucket = await startBucket();
    const listed = `import { scanner } from "./lib/scanner.ts";
${files[config].replace("resources(),", "resources(), scanner(),")}`;
    const app = await openAttachments({ [config]: listed, "lib/scanner.ts": scanner }, bucket.values);
    const client = app.client();
    const { file: good } = await sendDirectly(client, {}, "good");
    const { file: evil } = await sendDirectly(client, {}, "EICAR");
    const kept = [good, evil].map((one, index) => [`shipment[papers][kept][d${index}][file]`, one] as const);
    const fields = [["shipment[reference]", "S3"], ...kept] as const;
    const answer = await sendForm(client, { page: `${list}/new`, headers: ann }, fields);
    assert.is(answer.status, 303);
    await serviceOf(app).drain();
    const path = answer.headers.get("location")!;
    const shown = await app.request(path, { headers: { ...ann, accept: "application/json" } });
    const { data } = (await shown.json()) as { data: { papers: { state: string; url: string | null }[] } };
    assert.equal(
      data.papers.map(({ state, url }) => [state, url === null]),
      [
        ["ready", false],
        ["refused", true],
      ],
    );
    await app.close();
    await bucket.stop();
  });
});

describe("Files of rows that went to a bucket", (it) => {
  it("A row is sent with what stands for its file, of the form of its record, and of a row that is there already", async () => {
    const bucket = await startBucket();
    const listed = rowFiles[config].replace("storage()", "storage({ directUploads: true })");
    const app = await openPermits(bucket.values, { ...rowFiles, [config]: listed });
    const client = asUser(app.client(), 1);
    const page = "/admin/permits/1/edit";
    const html = await client.page(page);
    const urls = [...html.matchAll(/data-direct="([^"]*)"/g)].map(([, url]) => url);
    const rows = "/admin/permits/1/nested_parcels";
    assert.equal(
      urls,
      ["1/edit", "2/edit", "new"].map((of) => `${rows}/${of}/uploads/plan`),
    );
    const place = (of: string) => ({ page: `${rows}/${of}`, field: "plan", of: page, as: {} });
    const { file: second } = await sendDirectly(client, place("2/edit"), "second");
    const { file: added } = await sendDirectly(client, place("new"), "added");
    const save = (fields: Record<string, string>) => client.submit(page, fields);
    const wrong = await save({ "permit[parcels][0][plan][kept][d0][file]": second });
    assert.match(await wrong.text(), "must be chosen again", "of another row");
    const saved = await save({
      "permit[parcels][1][plan][kept][d0][file]": second,
      "permit[parcels][2][area]": "east",
      "permit[parcels][2][plan][kept][d0][file]": added,
    });
    assert.is(saved.status, 303, await saved.text());
    const { knex } = databaseOf(app.application);
    const stored = await knex("framewright_attachments").whereNull("detached_at").orderBy("id");
    assert.equal(
      stored.map(({ owner_type, size }) => `${owner_type} ${size}`),
      ["Parcel 6", "Parcel 5"],
    );
    await app.close();
    await bucket.stop();
  });
});
