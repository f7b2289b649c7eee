import type { TestApp } from "../../support/apps.ts";
import { withPlugin } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { boardFiles } from "../boards/boards_app.ts";
import { deletionFiles } from "../resources/deletions_app.ts";
import { Importer, list } from "../resources/import_app.ts";
import { undoFiles } from "../resources/import_undo_app.ts";
import { task } from "../resources/tasks_app.ts";
import { wideFiles } from "../resources/wide_app.ts";
import { openTenants } from "../scoping/tenants.ts";
import { openStates, stateFiles } from "../states/states_app.ts";
import { historyFiles, Person } from "./history_app.ts";

// What other plugins write of shipments: imports, cells, the order, several at once, undone deletions.

const deletions = "db/migrate/20260401000000_create_framewright_deletions.ts";
const tasks = "/customer/1/tasks";
const table = "db/migrate/20260401000000_create_framewright_history.ts";
const files: Record<string, string> = {
  ...undoFiles,
  "app/models/shipment.ts": wideFiles["app/models/shipment.ts"]!, // one with a hook of its own is not restored
  [deletions]: deletionFiles[deletions]!,
  [table.replace("0401", "0402")]: historyFiles[table]!.replace(
    / {4}await db\.addColumns.*\n/,
    '    await db.addColumns("shipments", (t) => { t.integer("place").notNull().default(0); });\n',
  ),
  "plugins.config.ts": withPlugin(
    withPlugin(undoFiles["plugins.config.ts"]!, "undo()", "undo"),
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
  "app/interactions/pack_all.ts": `import { Interaction, succeed } from "framewright/plugins/resources";
export default class PackAll extends Interaction {
  static override inBackground = true;
  async execute() {
    await this.record.$query(this.transaction).patch({ note: "all" });
    return succeed(this.record);
  }
}`,
  "app/definitions/shipment_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
import Pack from "../interactions/pack.ts";
import PackAll from "../interactions/pack_all.ts";
export default class ShipmentDefinition extends ResourceDefinition {
  override configure() {
    super.configure();
    this.column("note", { edit: true });
    this.reorder("place");
    this.action("pack", { interaction: Pack, bulk: true });
    this.action("open", { interaction: PackAll, resourceAction: true });
  }
}`,
  "app/policies/shipment_policy.ts": undoFiles["app/policies/shipment_policy.ts"]!.replace(
    "  override canImport",
    "  canPack() { return true; }\n  canOpen() { return true; }\n  override canImport",
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

  it("An action in the background, an import that is undone, a program's key and the console", async () => {
    const ann = new Importer(app, 1);
    const url = await ann.upload("reference,note\nB-1,one\n");
    await ann.map(url, ["reference", "note"]);
    await ann.start(url);
    await ann.ended(url);
    assert.equal(await meansOf(), ["created import"]);
    const jobs = app.application.kernel.service("jobs");
    const begun = await new Person(app.url, 1).send(`${list}/actions/open`, "POST", { interaction: {} });
    assert.is(begun.status, 202, await begun.text());
    await jobs.drain();
    const rows = (await knex()("shipments").where({ organization_id: 1 })).length;
    assert.equal(await meansOf(), Array(rows).fill("updated bulk"));
    await ann.send(`${url}/undo`, `${url}/undo`, {});
    await jobs.drain();
    assert.equal(await meansOf(), []); // it was changed since: the undoing leaves it
    const [{ id }] = await knex()("shipments").where({ organization_id: 1 }).orderBy("id").limit(1);
    const headers = { authorization: "Bearer key", "content-type": "application/json", accept: "application/json" };
    const body = JSON.stringify({ shipment: { note: "by key" } });
    const answer = await new Person(app.url, 1).request(`${list}/${id}`, { method: "PATCH", headers, body });
    assert.is(answer.status, 200, await answer.text());
    assert.equal(await meansOf(), ["updated key"]);
    app.application.means = "console";
    await databaseOf(app.application)
      .model("Shipment")
      .class.query()
      .findById(id)
      .patch({ note: "typed" } as never);
    app.application.means = undefined;
    const typed = await taken();
    assert.equal(
      typed.map(({ means, person_id, portal, tenant }) => [means, person_id, portal, tenant]),
      [["console", null, null, "organizations/1"]],
    );
  });

  it("An import that is undone", async () => {
    const ann = new Importer(app, 1);
    const url = await ann.upload("reference,note\nC-1,one\nC-2,two\n");
    await ann.map(url, ["reference", "note"]);
    await ann.start(url);
    await ann.ended(url);
    assert.equal(await meansOf(), ["created import", "created import"]);
    await ann.send(`${url}/undo`, `${url}/undo`, {});
    await app.application.kernel.service("jobs").drain();
    assert.equal(await meansOf(), ["deleted undo", "deleted undo"]);
  });
});

describe("The history of what is moved and copied", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    const files = boardFiles('this.board({ by: "status" }); this.action("duplicate");');
    const config = withPlugin(files["plugins.config.ts"]!, "history()", "history");
    const migration = historyFiles[table]!.replace(/ {4}await db\.addColumns.*\n/, "");
    app = await openTenants({ ...files, "plugins.config.ts": config, [table.replace("0401", "0402")]: migration });
    await databaseOf(app.application)
      .knex("tasks")
      .insert([task(1), task(2)]);
  });
  after(async () => {
    await app?.close();
  });
  const rows = async () => {
    const { knex } = databaseOf(app.application);
    const found = await knex("framewright_history").orderBy("id");
    await knex("framewright_history").delete();
    return found.map(({ kind, means, record, person_id, portal, tenant }) =>
      [kind, means, record, person_id, portal, tenant].join(" "),
    );
  };
  const by = "1 CustomerPortal organizations/1";

  it("A card that is moved, and a copy", async () => {
    const ann = new Person(app.url, 1);
    const moved = await ann.send(`${tasks}/1/board`, "POST", { task: { status: "busy" } });
    assert.is(moved.status < 400, true, await moved.text());
    assert.equal(await rows(), [`updated move 1 ${by}`]);
    const copied = await ann.submit(
      `${tasks}/1/duplicate`,
      { "task[title]": "A copy" },
      new RegExp(`action="${tasks}"`),
    );
    assert.is(copied.status, 303);
    const [{ id }] = await databaseOf(app.application).knex("tasks").where({ title: "A copy" });
    assert.match(await ann.page(`${tasks}/${id}/history`), "as a copy");
    assert.equal(await rows(), [`created duplicate ${id} ${by}`]);
  });
});

describe("The history of states", (it, { before, after }) => {
  let app: TestApp;
  before(async () => {
    const config = withPlugin(stateFiles["plugins.config.ts"]!, "history()", "history");
    const migration = historyFiles[table]!.replace(/ {4}await db\.addColumns.*\n/, "");
    app = await openStates({}, { "plugins.config.ts": config, [table.replace("0401", "0402")]: migration });
  });
  after(async () => {
    await app?.close();
  });

  it("A transition is one entry, and none where it is refused", async () => {
    const { knex } = databaseOf(app.application);
    const ann = new Person(app.url, 1);
    assert.is((await ann.send("/admin/posts/1/transitions/submit", "POST")).status, 200);
    assert.is((await ann.send("/admin/posts/1/transitions/submit", "POST")).status, 422);
    const rows = await knex("framewright_history").where({ model: "Post" });
    assert.equal(
      rows.map(({ kind, means, record, person_id, changes }) => [
        kind,
        means,
        record,
        person_id,
        JSON.parse(changes).status,
      ]),
      [["updated", "transition", "1", "1", { from: "draft", to: "submitted" }]],
    );
  });
});
