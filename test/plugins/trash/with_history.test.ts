import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestApp } from "../../support/apps.ts";
import { withPlugin } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { trashFiles } from "./trash_app.ts";

const schema = readFileSync(join(import.meta.dirname, "../../../plugins/history/schema.liquid"), "utf8");

describe("A trash whose records have a history", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    (globalThis as { heard?: string[] }).heard = [];
    const files = trashFiles();
    app = await openTenants({
      ...files,
      "plugins.config.ts": withPlugin(files["plugins.config.ts"]!, "history()", "history"),
      "db/migrate/20260501000000_create_framewright_history.ts": `export async function up(db) {\n${schema}
        await db.createTable("marks", (t) => { t.id(); t.belongsTo("comment", { onDelete: "set null" }); });
      }\nexport async function down() {}\n`,
      "app/models/mark.ts": `import { belongsTo, Model } from "framewright/plugins/database"; export default class Mark extends Model("marks") { static override associations = { comment: belongsTo() }; }`,
    });
  });
  after(() => app.close());
  const knex = () => databaseOf(app.application).knex;
  const entries = async () => {
    const rows = await knex()("framewright_history").orderBy("id").select("kind", "model", "record");
    await knex()("framewright_history").delete();
    return rows.map((row) => Object.values(row).join(" ")).sort();
  };

  it("Has each record that goes there, comes back or is emptied in its history once", async () => {
    const { kernel } = app.application;
    const [database, trash] = [databaseOf(app.application), kernel.service("trash")];
    await knex()("notes").delete();
    await knex()("attachments").delete();
    await knex()("marks").insert({ id: 1, comment_id: 1 });
    const model = database.models().find(({ table }) => table === "posts")!;
    const post = (await database.readByKey(model, 1))!;
    await post.$query().delete();
    assert.equal(await entries(), ["deleted Comment 1", "deleted Post 1", "updated Mark 1"]);
    assert.equal(await knex()("marks").select("comment_id"), [{ comment_id: null }]);
    const restored = await trash.restore(post);
    assert.equal(await entries(), ["restored Comment 1", "restored Post 1"]);
    await restored[0]!.$query().delete();
    await entries();
    await trash.purge(post);
    assert.equal(await entries(), []);
    assert.is((await knex()("posts").where({ id: 1 })).length, 0);
  });
});
