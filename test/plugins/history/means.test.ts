import type { TestApp } from "../../support/apps.ts";
import { withPlugin } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { deletionFiles } from "../resources/deletions_app.ts";
import { Importer, importFiles, list } from "../resources/import_app.ts";
import { wideFiles } from "../resources/wide_app.ts";
import { openTenants } from "../scoping/tenants.ts";
import { historyFiles, Person } from "./history_app.ts";

// What other plugins write of shipments: imports, cells, the order, several at once, undone deletions.

const deletions = "db/migrate/20260401000000_create_framewright_deletions.ts";
const table = "db/migrate/20260401000000_create_framewright_history.ts";
const files: Record<string, string> = {
  ...importFiles,
  "app/models/shipment.ts": wideFiles["app/models/shipment.ts"]!, // one with a hook of its own is not restored
  [deletions]: deletionFiles[deletions]!,
  [table.replace("0401", "0402")]: historyFiles[table]!.replace(
    / {4}await db\.addColumns.*\n/,
    '    await db.addColumns("shipments", (t) => { t.integer("place").notNull().default(0); });\n',
  ),
  "plugins.config.ts": withPlugin(
    withPlugin(importFiles["plugins.config.ts"]!, "undo()", "undo"),
    "history()",
    "history",
  ),
  "app/interactions/pack.ts": `import { Interaction, succeed } from "framewright/plugins/resources";
export default class Pack extends Interaction {
  async execute() {
    await this.record.$query(this.transaction).patch({ status: "packed" });
    return succeed(this.record);
  }
}`,
  "app/definitions/shipment_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
import Pack from "../interactions/pack.ts";
export default class ShipmentDefinition extends ResourceDefinition {
  override configure() {
    super.configure();
    this.column("note", { edit: true });
    this.reorder("place");
    this.action("pack", { interaction: Pack, bulk: true });
  }
}`,
  "app/policies/shipment_policy.ts": importFiles["app/policies/shipment_policy.ts"]!.replace(
    "  override canImport",
    "  canPack() { return true; }\n  override canImport",
  ).replaceAll('"reference", "note",', '"reference", "note", "place",'),
};

interface Row {
  kind: string;
  model: string;
  record: string;
  means: string | null;
  person_id: string | null;
  portal: string | null;
  tenant: string | null;
}

describe("The history of what plugins write", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    app = await openTenants(files);
  });
  after(async () => {
    await app?.close();
  });
  const knex = () => databaseOf(app.application).knex;
  const taken = async (): Promise<Row[]> => {
    const rows = await knex()("framewright_history").orderBy("id");
    await knex()("framewright_history").delete();
    return rows as Row[];
  };
  const meansOf = async () => {
    const rows = await taken();
    const byAnn = { person_id: "1", portal: "CustomerPortal", tenant: "organizations/1", model: "Shipment" };
    for (const row of rows) assert.equal({ ...row, ...byAnn }, row);
    return rows.map(({ kind, means }) => `${kind} ${means}`);
  };

  it("An import, an edited cell, the order, several at once and an undone deletion", async () => {
    const importer = new Importer(app, 1);
    const done = await importer.import("reference,note\nA-1,one\nA-2,two\n", ["reference", "note"]);
    assert.equal(await meansOf(), ["created import", "created import"]);
    const [first, second] = (await knex()("shipments").orderBy("id").pluck("id")) as number[];
    const ann = new Person(app.url, 1);
    const cell = await ann.page(`${list}/${first}/cells/note`);
    assert.match(cell, "<form");
    assert.is(
      (await ann.submit(`${list}/${first}/cells/note`, { "shipment[note]": "three" }, /\/cells\/note/)).status < 400,
      true,
    );
    assert.equal(await meansOf(), ["updated cell"]);
    const order = await new Person(app.url, 1).send(`${list}/${second}/order`, "POST", { before: first });
    assert.is(order.status, 200, await order.text());
    assert.equal(new Set(await meansOf()), new Set(["updated order"]));
    const bulk = await new Person(app.url, 1).send(`${list}/bulk/pack`, "POST", {
      ids: [String(first), String(second)],
    });
    assert.is(bulk.status < 300, true, await bulk.text());
    assert.equal(await meansOf(), ["updated bulk", "updated bulk"]);
    const deleted = await ann.submit(`${list}/${second}/actions/destroy`, {}, new RegExp(`action="${list}/${second}"`));
    assert.is(deleted.status, 303);
    assert.equal(await meansOf(), ["deleted form"]);
    assert.is((await ann.submit(list, {}, /\/deletions\/[^"]*\/undo/)).status, 303);
    assert.equal(await meansOf(), ["restored undo"]);
    assert.match(done, "Imported");
  });
});
