import type { TestApp } from "../../support/apps.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openWizards, portalRoutes } from "./mounts_support.ts";
import { whereTo } from "./runs_app.ts";

const files = {
  "db/migrate/20260101000005_create_lines.ts": `export async function up({ knex }) {
    await knex.schema.createTable("lines", (t) => { t.integer("OrderNo").notNullable(); t.string("Code", 20).notNullable(); t.string("title", 40); t.primary(["OrderNo", "Code"]); });
    await knex("lines").insert([{ OrderNo: 1, Code: "new", title: "One" }, { OrderNo: 1, Code: "b,~", title: "Two" }]);
  }`,
  "app/models/line.ts": `import { Model } from "framewright/plugins/database";
export default class Line extends Model("lines") { static override idColumn = ["OrderNo", "Code"]; static override validations = { title: { uniqueness: true } }; }`,
  "app/policies/line_policy.ts": `import { Policy } from "framewright/plugins/resources";
export default class LinePolicy extends Policy { override canRead() { return true; } override canCreate() { return true; }
  canRename() { return true; } override permittedAttributesForRead() { return ["title"]; } }`,
  "app/definitions/line_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources"; import RenameWizard from "../wizards/rename_wizard.ts";
export default class LineDefinition extends ResourceDefinition { override configure() { super.configure(); this.wizard("rename", RenameWizard); } }`,
  "app/wizards/rename_wizard.ts": `import { anchored, steps, succeed, Wizard } from "framewright/plugins/wizards"; import Line from "../models/line.ts";
const flow = steps().step("first", { using: Line, fields: ["title"] }).step("second", {}, (f) => f.string("note"));
export default class RenameWizard extends Wizard(flow, { anchored: anchored({ with: Line }), oneTime: true }) {
  override async execute() { await this.anchor.$query(this.transaction).patch({ title: this.data.first.title }); return succeed(); } }`,
  "packages/admin_portal/config/routes.ts": portalRoutes(
    "routes.registerResource(Line);",
    'import Line from "#app/models/line.ts";',
  ),
};

describe("A wizard on a record whose key has several columns", (it) => {
  it("It is launched, resumed and completed for that record, and for no other", async () => {
    const app: TestApp = await openWizards(files);
    const headers = { "x-user": "1", accept: "application/json", "content-type": "application/json" };
    const ask = async (path: string, wizard?: object) =>
      whereTo(
        await app.request(path, {
          headers,
          ...(wizard ? { method: "POST", body: JSON.stringify({ wizard, _direction: "next" }) } : {}),
        }),
      );
    try {
      const { knex } = databaseOf(app.application);
      const launch = (key: string) => ask(`/admin/lines/${key}/wizards/rename`);
      const url = "/admin/lines/1~b%2C!7e/wizards/rename";
      assert.is(await launch("1~b,!7e"), `303 ${url}/first`);
      const [run] = await knex("framewright_wizard_runs");
      assert.equal([run.anchor_type, run.anchor_id], ["Line", "1~b,!7e"]);
      assert.is(await launch("1~new"), "303 /admin/lines/1~new/wizards/rename/first");
      assert.is((await knex("framewright_wizard_runs")).length, 2);
      assert.match(await ask(`${url}/first`, { title: "One" }), "422");
      assert.is(await ask(`${url}/first`, { title: "Changed" }), `303 ${url}/second`);
      assert.is(await launch("1~b,!7e"), `303 ${url}/second`);
      assert.match(await ask(`${url}/second`, {}), /^303 \/admin\/lines\/1~b(,|%2C)!7e$/);
      assert.equal(await knex("lines").orderBy("title").pluck("title"), ["Changed", "One"]);
    } finally {
      await app.close();
    }
  });
});
