import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { TestApp } from "../../support/apps.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { tenantFiles } from "../scoping/tenants.ts";
import {
  ann,
  attachmentFiles,
  bytesOf,
  configWith,
  list,
  openAttachments,
  type Sent,
  sendForm,
  serviceOf,
  upload,
} from "./attachments_app.ts";

const category = "app/models/category.ts";
const categoryPolicy = "app/policies/category_policy.ts";
const changes = {
  [category]: edited(tenantFiles, category, ["posts: hasMany()", "posts: hasMany(), shipments: hasMany()"]),
  [categoryPolicy]: edited(tenantFiles, categoryPolicy, [
    "Associations<Category> {\n    return [",
    'Associations<Category> {\n    return ["shipments" as never, ',
  ]),
  "app/models/shipment.ts": attachmentFiles["app/models/shipment.ts"]!.replace(
    "static override enums",
    "static override validations = { reference: { uniqueness: true } };\n  static override enums",
  ),
};

describe("Files of records where something is in the way", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openAttachments(changes);
  });
  after(() => app.close());
  const knex = () => databaseOf(app.application).knex;
  const rows = () => knex()("framewright_attachments").orderBy("id");
  /** The keys of all bytes that are to last. */
  const stored = () =>
    readdirSync(join(app.root, "storage/files"), { recursive: true })
      .map((path) => String(path).replaceAll("\\", "/"))
      .filter((path) => /^[0-9a-f]{2}\/[0-9a-f]{40}$/.test(path))
      .sort();
  /** The bytes of files that have a row, and no others, are there. */
  const assertWhole = async () => {
    await serviceOf(app).drain();
    const keys = (await rows()).flatMap((row) => [row.storage_key, row.large_key, row.small_key].filter(Boolean));
    assert.equal(stored(), keys.sort());
  };
  let number = 0;
  const create = async (fields: Sent): Promise<string> => {
    const named = [["shipment[reference]", `E${++number}`], ...fields] as Sent;
    const answer = await sendForm(app.client(), { page: `${list}/new`, headers: ann }, named);
    return answer.headers.get("location")!;
  };
  const namesOf = async (path: string) => {
    const answer = await app.request(`${path}/files/photos`, { headers: { ...ann, accept: "application/json" } });
    return ((await answer.json()) as { data: { name: string }[] }).data.map(({ name }) => name);
  };
  const photo = (name: string) => ["shipment[photos][new][]", upload(bytesOf("red.png"), name)] as const;

  it("A record that can't be written leaves neither bytes nor rows", async () => {
    await create([]);
    const taken = [["shipment[reference]", `E${number}`], photo("a.png")] as Sent;
    const before = (await rows()).length;
    assert.is((await sendForm(app.client(), { page: `${list}/new`, headers: ann }, taken)).status, 422);
    assert.is((await rows()).length, before);
    for (const [fails, status] of [
      ["raise(abort, 'closed')", 422],
      ["unknown_function()", 500],
    ] as const) {
      await knex().raw(`create trigger refused before insert on shipments begin select ${fails}; end`);
      const broken = [["shipment[reference]", `E-broken-${status}`], photo("a.png")] as Sent;
      const answer = await sendForm(app.client(), { page: `${list}/new`, headers: ann }, broken);
      await knex().raw("drop trigger refused");
      assert.is(answer.status, status);
    }
    await assertWhole();
  });
  it("A record of whose files one can't be stored is not written, and the others are deleted", async () => {
    const storage = app.application.kernel.service("storage");
    const { put } = storage;
    let calls = 0;
    storage.put = (file, options) => {
      if (++calls === 2) throw Object.assign(new Error("the disk is full"), { status: 503 });
      return put(file, options);
    };
    const fields = [["shipment[reference]", "E-full"], photo("a.png"), photo("b.png")] as Sent;
    const answer = await sendForm(app.client(), { page: `${list}/new`, headers: ann }, fields);
    storage.put = put;
    assert.is(answer.status, 503);
    assert.is((await knex()("shipments").where({ reference: "E-full" })).length, 0);
    await assertWhole();
  });
  it("A change of files alone is a change of the record: who edited it meanwhile is told, and keeps the files", async () => {
    const path = await create([photo("a.png")]);
    const [mine, theirs] = [app.client(), app.client()];
    const html = await (await mine.request(`${path}/edit`, { headers: ann })).text();
    assert.is((await sendForm(theirs, { page: `${path}/edit`, headers: ann }, [photo("theirs.png")])).status, 303);
    const stale = await sendForm(mine, { page: `${path}/edit`, html, headers: ann }, [photo("mine.png")]);
    assert.is(stale.status, 409);
    assert.equal(await namesOf(path), ["a.png", "theirs.png"]);
    const again = await sendForm(mine, { page: `${path}/edit`, html: await stale.text(), headers: ann }, []);
    assert.is(again.status, 303);
    assert.equal(await namesOf(path), ["a.png", "theirs.png", "mine.png"]);
    await assertWhole();
  });
  it("A file is read below a parent as well, and not below another", async () => {
    const path = await create([photo("a.png"), ["shipment[category]", "1"]]);
    const id = path.split("/").at(-1)!;
    await knex()("shipments").where({ id }).update({ category_id: 1 });
    const nested = `/customer/1/categories/1/nested_shipments/${id}`;
    const answer = await app.request(nested, { headers: { ...ann, accept: "application/json" } });
    const { data } = (await answer.json()) as { data: { photos: { url: string }[] } };
    assert.match(data.photos[0]!.url, new RegExp(`^${nested}/files/photos/`));
    assert.is((await app.request(data.photos[0]!.url, { headers: ann })).status, 200);
    await knex()("shipments").where({ id }).update({ category_id: null });
    assert.is((await app.request(data.photos[0]!.url, { headers: ann })).status, 404);
  });
  it("Guests and people without the form's token write no files", async () => {
    await serviceOf(app).drain();
    const before = stored();
    const body = new FormData();
    body.set("shipment[reference]", "E-guest");
    body.append("shipment[photos][new][]", upload(bytesOf("red.png"), "a.png"));
    for (const headers of [{}, ann]) {
      const answer = await app.request(list, { method: "POST", body, headers });
      assert.ok(answer.status >= 300 && answer.status < 500 && answer.status !== 303, String(answer.status));
    }
    assert.equal(stored(), before);
  });
  it("Bytes whose record was never written are deleted by the sweep, and those of stored records stay", async () => {
    const path = await create([photo("a.png")]);
    const storage = app.application.kernel.service("storage");
    const { key } = await storage.put({ filename: "x", type: "text/plain", bytes: Buffer.from("x") });
    const [{ id: _, ...row }] = (await rows()) as [Record<string, unknown>];
    const lost = { ...row, owner_id: "", storage_key: key, large_key: null, small_key: null };
    await knex()("framewright_attachments").insert({ ...lost, detached_at: "2026-01-01 00:00:00.000" });
    await serviceOf(app).sweep();
    assert.is(await storage.exists(key), false);
    assert.equal(await namesOf(path), ["a.png"]);
    await assertWhole();
  });
});

describe("Files of records on pages for paper", (it) => {
  it("A page that prints a record's fields has its files", async () => {
    const path = "app/definitions/shipment_definition.ts";
    const app = await openAttachments({
      "plugins.config.ts": configWith("printing()", "printing"),
      [path]: edited(
        attachmentFiles,
        path,
        ["import type {}", 'import type {} from "framewright/plugins/printing";\nimport type {}'],
        ["super.configure();", 'super.configure();\n  this.printPage("sheet");'],
      ),
    });
    try {
      const answer = await sendForm(app.client(), { page: `${list}/new`, headers: ann }, [
        ["shipment[reference]", "P1"],
        ["shipment[photos][new][]", upload(bytesOf("red.png"), "harbour.png")],
      ]);
      const printed = await app.request(`${answer.headers.get("location")}/print/sheet`, { headers: ann });
      assert.match(await printed.text(), "harbour.png");
    } finally {
      await app.close();
    }
  });
});

describe("Files of records that are declared wrongly", (it) => {
  const cases: [line: string, message: RegExp][] = [
    ['this.files("photos", { acept: ["image/*"] } as never);', /"photos" have the option acept, which does not exist/],
    ['this.files("photos", { accept: "image" } as never);', /accept, which is not a list/],
    ['this.file("plan", { most: 2 } as never);', /most, which does not exist/],
    ['this.file("plan", { maximum: -1 });', /maximum, which is not a number of bytes/],
  ];
  for (const [line, message] of cases)
    it(`${line} is refused at boot`, async () => {
      const path = "app/definitions/shipment_definition.ts";
      const text = edited(attachmentFiles, path, ["super.configure();", `super.configure();\n  ${line}`]);
      const failure = await openAttachments({ [path]: text }).then(
        (app) => app.close(),
        (error: Error) => error,
      );
      assert.match((failure as Error).message, message);
    });
});
