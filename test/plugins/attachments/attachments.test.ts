import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import {
  ann,
  as,
  bob,
  bytesOf,
  cat,
  dan,
  list,
  openAttachments,
  type Sent,
  sendForm,
  serviceOf,
  upload,
} from "./attachments_app.ts";

interface Row {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly url: string;
  readonly alternative: string | null;
}

for (const database of await databases({ withPostgres: true })) {
  describe(`Files of records, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openAttachments({}, await database.values());
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const rows = (where: object = {}) =>
      databaseOf(app.application).knex("framewright_attachments").where(where).orderBy("id");
    const read = async (path: string, headers: Record<string, string> = ann) => {
      const answer = await app.request(path, { headers: { ...headers, accept: "application/json" } });
      return ((await answer.json()) as { data: Record<string, unknown> }).data;
    };
    const create = async (fields: Sent, headers = ann) => {
      const named = [["shipment[reference]", "NEW"], ...fields] as Sent;
      const answer = await sendForm(app.client(), { page: `${list}/new`, headers }, named);
      return { status: answer.status, path: answer.headers.get("location") ?? "", html: await answer.text() };
    };
    const edit = async (path: string, fields: Sent, headers = ann) => {
      const answer = await sendForm(app.client(), { page: `${path}/edit`, headers }, fields);
      return { status: answer.status, html: await answer.text() };
    };
    const photosOf = async (path: string) => (await read(path)).photos as Row[];

    can("Files of a form are stored with the record, read in JSON, and downloaded under the record", async () => {
      const { status, path } = await create([
        ["shipment[plan][new][]", upload("the plan", "plan a.txt", "text/html")],
        ["shipment[photos][new][]", upload(bytesOf("red.png"), "one.png")],
        ["shipment[photos][new][]", upload(bytesOf("red.jpg"), "two.jpg")],
      ]);
      assert.is(status, 303);
      const record = await read(path);
      const { id, url, ...plan } = record.plan as Row;
      assert.equal(plan, {
        name: "plan a.txt",
        type: "text/plain",
        size: 8,
        alternative: null,
        state: "ready",
        thumbnails: null,
      });
      assert.equal(
        (record.photos as Row[]).map(({ name, type }) => [name, type]),
        [
          ["one.png", "image/png"],
          ["two.jpg", "image/jpeg"],
        ],
      );
      assert.is(record.cover, null);
      assert.is(url, `${path}/files/plan/${id}`);
      const answer = await app.request(url, { headers: ann });
      assert.is(await answer.text(), "the plan");
      assert.is(answer.headers.get("content-type"), "text/plain");
      assert.match(answer.headers.get("content-disposition")!, /^attachment; filename="plan a.txt"/);
      assert.is(answer.headers.get("x-content-type-options"), "nosniff");
      const shown = await app.request((record.photos as Row[])[0]!.url, { headers: ann });
      assert.match(shown.headers.get("content-disposition")!, /^inline/);
      assert.ok(bytesOf("red.png").equals(Buffer.from(await shown.arrayBuffer())));
      assert.equal(
        (await rows({ owner_id: path.split("/").at(-1) })).map(({ tenant }) => tenant),
        Array(3).fill("organizations/1"),
      );
      const html = await (await app.request(path, { headers: ann })).text();
      assert.match(html, "plan a.txt");
      assert.match(html, url);
    });
  });
}
