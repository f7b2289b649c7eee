import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { moveColumn, restoreColumn } from "framewright/plugins/attachments";
import { Schema } from "framewright/plugins/database";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { ann, bytesOf, list, openAttachments, serviceOf } from "./attachments_app.ts";

const moved = { table: "shipments", owner: "Shipment" };
const json = { ...moved, column: "old_plan", field: "plan" };
const paths = { ...moved, column: "scan_path", field: "papers", directory: "public/uploads" };

for (const database of await databases({ withPostgres: true })) {
  describe(`Files of columns, on ${database.name}`, (it, { before, after }) => {
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
    const knex = () => databaseOf(app.application).knex;
    const schema = () => new Schema(knex() as never);
    const read = async (id: number, field: string) => {
      const answer = await app.request(`${list}/${id}/files/${field}`, {
        headers: { ...ann, accept: "application/json" },
      });
      return ((await answer.json()) as { data: { name: string; type: string; size: number; url: string | null }[] })
        .data;
    };
    const settle = async () => {
      await serviceOf(app).sweep();
      await serviceOf(app).drain();
    };

    can("Files of a JSON column keep their bytes, are served once they are read, and can be given back", async () => {
      const storage = app.application.kernel.service("storage");
      const stored = await storage.put({ filename: "a.png", type: "text/html", bytes: bytesOf("red.png") });
      await schema().addColumns("shipments", (t) => void t.json("old_plan"));
      await knex()("shipments")
        .where({ id: 1001 })
        .update({ old_plan: JSON.stringify(stored) });
      await moveColumn(schema(), json);
      await moveColumn(schema(), json); // as after a crash
      assert.is(await schema().hasColumn("shipments", "old_plan"), false);
      assert.equal(
        (await read(1001, "plan")).map(({ name, url }) => [name, url]),
        [["a.png", null]],
      );
      await settle();
      const [file] = await read(1001, "plan");
      assert.equal([file!.type, file!.size], ["image/png", bytesOf("red.png").length]);
      const answer = await app.request(file!.url!, { headers: ann });
      assert.ok(bytesOf("red.png").equals(Buffer.from(await answer.arrayBuffer())));
      await restoreColumn(schema(), json);
      const { old_plan } = await knex()("shipments").where({ id: 1001 }).first();
      const given = (typeof old_plan === "string" ? JSON.parse(old_plan) : old_plan) as object;
      assert.equal(given, { ...stored, type: "image/png" });
      assert.equal(await read(1001, "plan"), []);
    });
    can("Files of a column of paths are copied into the storage, and one that is not there is refused", async () => {
      mkdirSync(join(app.root, "public/uploads/2025"), { recursive: true });
      writeFileSync(join(app.root, "public/uploads/2025/a.jpg"), bytesOf("red.jpg"));
      await schema().addColumns("shipments", (t) => void t.text("scan_path"));
      const set = (id: number, scan_path: string | null) => knex()("shipments").where({ id }).update({ scan_path });
      await set(1001, "2025/a.jpg");
      await set(1002, "2025/gone.jpg");
      await set(1003, "");
      await set(1004, "../../config/routes.ts");
      await throwsCode("FW_ATTACHMENT_PATH", () => moveColumn(schema(), paths));
      await set(1004, null);
      await moveColumn(schema(), paths);
      await settle();
      const [file] = await read(1001, "papers");
      assert.equal([file!.name, file!.type, file!.size], ["a.jpg", "image/jpeg", bytesOf("red.jpg").length]);
      assert.is((await app.request(file!.url!, { headers: ann })).status, 200);
      assert.equal(
        (await read(1002, "papers")).map(({ name, url }) => [name, url]),
        [["gone.jpg", null]],
      );
      assert.equal([await read(1003, "papers"), await read(1004, "papers")], [[], []]);
    });
  });
}
