import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { definePlugin, definePlugins, type PluginList } from "framewright/kernel";
import { assets } from "framewright/plugins/assets";
import { database } from "framewright/plugins/database";
import { i18n } from "framewright/plugins/i18n";
import { layout } from "framewright/plugins/layout";
import { portals } from "framewright/plugins/portals";
import { resources } from "framewright/plugins/resources";
import { sessions } from "framewright/plugins/sessions";
import { views } from "framewright/plugins/views";
import { openTestApplication, type TestApplication } from "framewright/testing";
import { audit } from "../src/index.ts";

/** An application of one model, and a migration for its table. */
const files = {
  "app/models/note.ts": `import { Model } from "framewright/plugins/database";
    export default class Note extends Model("notes") { static override encrypts = { ssn: {} }; }`,
  "db/migrate/20260102000000_create_notes.ts": `export async function up(db) {
      await db.createTable("notes", (t) => { t.id(); t.string("title"); t.string("ssn", 200); t.string("api_token"); t.timestamps(); });
    }
    export async function down(db) { await db.dropTable("notes"); }`,
};
/** What the plugin requires, and it. */
const open = (plugins: PluginList, env = {}) => {
  const required = [database(), i18n(), sessions(), views(), layout(), assets(), portals(), resources()];
  return openTestApplication({ files, plugins: definePlugins([...required, ...plugins]), env });
};

describe("fw-audit", () => {
  const heard: string[] = [];
  /** Another plugin, which taps the hook. */
  const listener = definePlugin({
    name: "listener",
    requires: ["audit"],
    apply({ hooks, tap }) {
      tap(hooks.audit.recorded, ({ kind, model, record, changes }) => {
        if ("title" in changes && JSON.stringify(changes.title).includes("forbidden")) throw new Error("not this one");
        heard.push(`${kind} ${model} ${record}`);
      });
    },
  });
  let app: TestApplication;
  before(async () => {
    app = await open([audit(), listener]);
  });
  after(() => app.close());
  const insert = (values: object) => {
    const service = app.application.kernel.service("database");
    return service.insert(service.model("Note").class, values);
  };

  it("records values, but of no secret, and emits what it recorded", async () => {
    await insert({ title: "one", ssn: "123-45", api_token: "t0p" });
    const [line] = await app.application.kernel.service("audit").lines();
    assert.deepEqual(line?.changes, {
      title: { from: null, to: "one" },
      ssn: { hidden: true },
      api_token: { hidden: true },
    });
    assert.deepEqual(heard, ["created Note 1"]);
  });
  it("writes its line with the change or not at all", async () => {
    await assert.rejects(insert({ title: "forbidden" }), /listener/);
    assert.equal((await app.application.kernel.service("audit").lines()).length, 1);
  });
});

// One application at a time is open in a process.
describe("fw-audit, configured", () => {
  it("refuses a model and an option that there are not", async () => {
    await assert.rejects(open([audit({ except: ["Nore"] })]), /AUDIT_MODEL_UNKNOWN.*Did you mean "Note"/);
    // @ts-expect-error: misspelt
    assert.throws(() => audit({ excpt: [] }), /Did you mean "except"/);
  });
  it("removes what is older than AUDIT_KEEP_DAYS", async () => {
    const other = await open([audit({ keepDays: 0 })], { AUDIT_KEEP_DAYS: "30" });
    const { kernel } = other.application;
    const { knex } = kernel.service("database");
    const line = { kind: "created", model: "Note", record: "1", changes: "{}" };
    await knex("audit_lines").insert([
      { ...line, at: "2020-01-01T00:00:00.000Z" },
      { ...line, at: new Date().toISOString() },
    ]);
    assert.equal(await kernel.service("audit").prune(), 1);
    await other.close();
  });
});
