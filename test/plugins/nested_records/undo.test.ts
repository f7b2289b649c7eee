import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { withPlugin } from "../../support/fixtures.ts";
import { fieldsOf } from "../../support/form_fields.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import type { Client } from "../../testing/client.ts";
import { schemaMigration } from "../attachments/attachments_app.ts";
import { as } from "../wizards/mounts_support.ts";
import { openPermits, permitFiles } from "./permits_app.ts";

const files = {
  "db/migrate/20260401000000_create_framewright_deletions.ts": schemaMigration("undo"),
  "plugins.config.ts": withPlugin(permitFiles["plugins.config.ts"]!, "undo()", "undo"),
};

for (const database of await databases({ withPostgres: true })) {
  describe(`Rows that a form removed or two people saved, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let ann: Client;
    before(async () => {
      if (database.skip !== undefined) return;
      app = await openPermits(await database.values(), files);
      ann = as(app.client(), 1);
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const areas = async () => {
      const rows = await databaseOf(app.application).knex("parcels").where({ permit_id: 1 }).orderBy("id");
      return rows.map(({ area, purpose }) => `${area}/${purpose}`);
    };
    const form = async () => fieldsOf(await ann.page("/admin/permits/1/edit"));
    const send = (fields: Record<string, string>) =>
      ann.request("/admin/permits/1", { method: "POST", body: new URLSearchParams(fields) });

    can("One button brings back all rows that a form removed, with what went with them", async () => {
      const fields = await form();
      const saved = await send({ ...fields, "permit[parcels][0][_destroy]": "1", "permit[parcels][1][_destroy]": "1" });
      assert.is(saved.status, 303);
      assert.equal(await areas(), []);
      const html = await ann.page("/admin/permits/1");
      assert.match(html, "2 rows were removed. You can undo this for 10 minutes.");
      const [, url, inner] = /action="([^"]*\/deletions\/[^"]*\/undo)"[^>]*>(.*?)<\/form>/s.exec(html)!;
      const hidden = [...inner!.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(
        ([, name, value]) => [name!, value!] as [string, string],
      );
      const undone = await ann.request(url!, { method: "POST", body: new URLSearchParams(hidden) });
      assert.is(undone.status, 303);
      assert.equal(await areas(), ["north/field", "south/wood"]);
      assert.is((await databaseOf(app.application).knex("owners").where({ parcel_id: 1 })).length, 1);
    });

    can(
      "Two forms of one record that changed different rows are both kept, once the second has seen the first",
      async () => {
        const [mine, theirs] = [await form(), await form()];
        assert.is((await send({ ...theirs, "permit[parcels][0][purpose]": "theirs" })).status, 303);
        const told = await send({ ...mine, "permit[parcels][1][purpose]": "mine" });
        assert.is(told.status, 409);
        const html = await told.text();
        assert.is((await send(fieldsOf(html))).status, 303);
        assert.equal(await areas(), ["north/theirs", "south/mine"]);
      },
    );
  });
}
