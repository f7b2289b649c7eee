import { readFileSync } from "node:fs";
import { join } from "node:path";
import { databases } from "../../support/databases.ts";
import { edited, withPlugin } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { as } from "../wizards/mounts_support.ts";
import { fieldsOf } from "./form_fields.ts";
import { asAnn, openPermits, permitFiles } from "./permits_app.ts";

const schema = readFileSync(join(import.meta.dirname, "../../../plugins/attachments/schema.liquid"), "utf8");
const definitionOf = (name: string) => `app/definitions/${name}_definition.ts`;
const files = {
  "plugins.config.ts": withPlugin(permitFiles["plugins.config.ts"]!, "attachments()", "attachments"),
  "app/policies/parcel_policy.ts": edited(permitFiles, "app/policies/parcel_policy.ts", [
    /"purpose",\s*"owners"/g,
    '"purpose","owners","plan"',
  ]),
  [definitionOf("parcel")]: edited(
    permitFiles,
    definitionOf("parcel"),
    ["import type {} from", 'import type {} from "framewright/plugins/attachments"; import type {} from'],
    ['this.repeated("owners"', 'this.file("plan"); this.repeated("owners"'],
  ),
  [definitionOf("permit")]: edited(permitFiles, definitionOf("permit"), [
    '"purpose", "owners"]',
    '"purpose", "plan", "owners"]',
  ]),
  "db/migrate/20260101000003_create_framewright_attachments.ts": `export async function up(db) { ${schema} }\nexport async function down() {}`,
};

for (const database of await databases({ withPostgres: true })) {
  describe(`Rows with files, on ${database.name}`, (it) => {
    it.unless(
      database.skip,
      "A file is stored once, and a row of which only its file's input was sent is left alone",
      async () => {
        const app = await openPermits(await database.values(), files);
        try {
          const ann = as(app.client(), 1);
          const form = async () => fieldsOf(await ann.page("/admin/permits/1/edit"));
          const send = (fields: Record<string, string>, more: Record<string, File | string> = {}) => {
            const body = new FormData();
            for (const [name, value] of Object.entries({ ...fields, ...more })) body.append(name, value);
            return ann.request("/admin/permits/1", { method: "POST", body });
          };
          const plan = new File(["A plan"], "plan.txt", { type: "text/plain" });
          assert.is((await send(await form(), { "permit[parcels][1][plan][new][]": plan })).status, 303);
          const { knex } = databaseOf(app.application);
          const stored = await knex("framewright_attachments").select("owner_id", "name");
          assert.equal(
            stored.map(({ owner_id, name }) => [owner_id, name]),
            [["2", "plan.txt"]],
          );

          const mine = await form();
          const patched = { permit: { parcels: [1, 2].map((id) => ({ id, purpose: `theirs ${id}` })) } };
          assert.is((await asAnn(app).json("/permits/1.json", patched, "PATCH")).status, 200);
          const saved = await send({ ...mine, lock_version: (await form()).lock_version! });
          assert.is(saved.status, 303);
          const rows = await knex("parcels").where({ permit_id: 1 }).orderBy("id");
          assert.equal(
            rows.map(({ purpose }) => purpose),
            ["theirs 1", "theirs 2"],
          );
          const removed = await send(await form(), { "permit[parcels][1][plan][stored][f1][remove]": "1" });
          assert.is(removed.status, 303);
        } finally {
          await app.close();
          await database.clean();
        }
      },
    );
  });
}
