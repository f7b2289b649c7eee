import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { as, openWizards, wizardFiles } from "../wizards/mounts_support.ts";

/** A plugin that serves "remarks" of posts, which are rows of a table of its own. */
const remarks = `
  import { definePlugin } from "framewright/kernel";
  import { html } from "framewright/host";
  import { defineFieldType } from "framewright/plugins/fields";
  import { AttributeInvalid } from "framewright/plugins/resources/toolkit";
  declare module "framewright/plugins/fields" { interface FieldTypes { remarks: string[] } }
  const type = defineFieldType<string[]>({
    frame: "group",
    input: null,
    read: () => ({ value: null }),
    display: (value) => html\`<em>\${value.join("; ")}</em>\`,
    json: (value) => value,
    filter: false,
    scaffold: false,
  });
  export const calls: string[] = [];
  const table = "remarks";
  export const handler = {
    plugin: "fw-remarks",
    isNew: true,
    async load(entries, controller) {
      const rows = await controller.resources.database.knex(table).whereIn("post_id", entries.map(({ id }) => id)).orderBy("id");
      calls.push("load " + entries.length);
      return entries.map(({ id }) => rows.filter((row) => row.post_id === id).map((row) => row.text));
    },
    isRedrawn: ({ controller }) => controller.params.has("_add_remark"),
    async read({ sent }) {
      const given = sent.get("remarks");
      if (given === undefined) return undefined;
      const list = [given].flat();
      const wrong = list.findIndex((text) => typeof text !== "string" || text.length > 9);
      if (wrong >= 0) return { errors: { ["remarks." + wrong]: ["is too long"] } };
      return {
        async write(record, transaction) {
          await transaction(table).where({ post_id: record.id }).delete();
          for (const text of list) await transaction(table).insert({ post_id: record.id, text });
          if (list.includes("title")) await transaction(table).where({ text: "title" }).update({ text: record.title });
          if (list.includes("late")) throw new AttributeInvalid({ "remarks.0": ["came too late"] });
          return true;
        },
        async committed(record) { calls.push("committed " + record.id); },
        async undone() { calls.push("undone"); },
      };
    },
    async draw({ record, typed, errors, id, inputName, pattern }) {
      const parts = Object.entries(errors).filter(([name]) => name.startsWith("remarks.")).map(([name, texts]) => ({ id: id + "_0", label: "Remark " + name.slice(8), errors: texts }));
      const shown = typed?.get("remarks") ?? (record ?? pattern ? ["of " + (record ?? pattern).id] : []);
      return { content: html\`<div id="\${id}_0">\${[shown].flat().map((text) => html\`<input name="\${inputName}[]" value="\${text}">\`)}</div>\`, parts };
    },
  };
  export default () => definePlugin({
    name: "fw-remarks",
    requires: ["resources"],
    apply({ services, hooks }) {
      services.resources.fieldTypes.add("remarks", type);
      hooks.resources.define.tap("fw-remarks", (definition, { model }) => {
        if (model.constant !== "Post") return;
        definition.handle("remarks", handler);
        definition.input("remarks", { as: "remarks", label: "Remarks" });
      });
    },
  });
`;

const policy = edited(
  wizardFiles,
  "app/policies/post_policy.ts",
  [/return \["title"\];/g, 'return ["title", "remarks"] as never;'],
  ["canConfigure()", "canExport() { return true; }\n  canConfigure()"],
);
const config = edited(
  wizardFiles,
  "plugins.config.ts",
  ["export default", 'import remarks from "./lib/remarks.ts";\nexport default'],
  ["resources(),", "resources(), remarks(),"],
);
const table = `import type { Schema } from "framewright/plugins/database";
  export async function up(db: Schema) { await db.createTable("remarks", (t) => { t.id(); t.integer("post_id"); t.string("text"); }); }
  export async function down(db: Schema): Promise<void> { await db.dropTable("remarks"); }`;
const files = {
  "lib/remarks.ts": remarks,
  "plugins.config.ts": config,
  "app/policies/post_policy.ts": policy,
  "db/migrate/20260101000002_add_remarks.ts": table,
};

for (const database of await databases({ withPostgres: true })) {
  describe(`Attributes that a plugin serves, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openWizards(files, await database.values());
        await databaseOf(app.application).knex("remarks").insert({ post_id: 1, text: "first" });
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const request = (path: string, init: RequestInit = {}) =>
      app.request(`/admin${path}`, { ...init, headers: { ...init.headers, "x-user": "1" } });
    const page = async (path: string) => (await request(path)).text();
    const json = async (path: string, body?: object, method = body ? "POST" : "GET") => {
      const headers = { accept: "application/json", "content-type": "application/json" };
      const answer = await request(path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
      return {
        status: answer.status,
        body: (await answer.json()) as { data: Record<string, unknown>; errors: unknown },
      };
    };
    const texts = async (post: unknown) => {
      const rows = await databaseOf(app.application).knex("remarks").where({ post_id: post }).orderBy("id");
      return rows.map(({ text }: { text: string }) => text);
    };

    can("Lists, pages, JSON and exports have its values, which are read once for a page", async () => {
      assert.match(await page("/posts"), "<em>first</em>");
      assert.match(await page("/posts/1"), "<em>first</em>");
      assert.equal((await json("/posts/1.json")).body.data.remarks, ["first"]);
      const list = (await json("/posts.json")).body.data as unknown as { id: number; remarks: string[] }[];
      assert.equal(list.find(({ id }) => id === 1)?.remarks, ["first"]);
      assert.equal(list.find(({ id }) => id === 2)?.remarks, []);
      assert.match(await page("/posts/export.csv"), '"[""first""]"');
    });
    can("Its input is drawn by the plugin, in its place of the form", async () => {
      const html = await page("/posts/1/edit");
      assert.match(html, '<legend class="form-label">Remarks</legend>');
      assert.match(html, '<input name="post[remarks][]" value="of 1">');
    });
    can("It is written with its record, and in the answer", async () => {
      const made = await json("/posts.json", { post: { title: "New", remarks: ["a", "b"] } });
      assert.equal([made.status, made.body.data.remarks], [201, ["a", "b"]]);
      assert.equal(await texts(made.body.data.id), ["a", "b"]);
      const changed = await json(`/posts/${made.body.data.id}.json`, { post: { remarks: ["c"] } }, "PATCH");
      assert.equal([changed.status, changed.body.data.remarks], [200, ["c"]]);
      const both = { post: { title: "Renamed", remarks: ["title"] } };
      await json(`/posts/${made.body.data.id}.json`, both, "PATCH");
      assert.equal(await texts(made.body.data.id), ["Renamed"]); // its own columns are written first
    });
    can("What can't be read of it is refused with the other fields, and nothing is written", async () => {
      const { status, body } = await json("/posts.json", { post: { title: "", remarks: ["a", "much too long"] } });
      assert.equal(status, 422);
      assert.equal(JSON.stringify(body).includes('"remarks.1":["is too long"]'), true, JSON.stringify(body));
      assert.equal(JSON.stringify(body).includes('"title"'), true, JSON.stringify(body));
      assert.equal(await databaseOf(app.application).knex("remarks").where({ text: "a" }), []);
    });
    can("What it refuses while it writes undoes the record", async () => {
      const { status, body } = await json("/posts/1.json", { post: { title: "Other", remarks: ["late"] } }, "PATCH");
      assert.equal([status, JSON.stringify(body).includes('"remarks.0":["came too late"]')], [422, true]);
      assert.equal(await texts(1), ["first"]);
      assert.equal((await json("/posts/1.json")).body.data.title, "Hello");
    });
    can("A form that can't be saved has what is wrong with a part of it at the top, with a link", async () => {
      const client = as(app.client(), 1);
      const send = (more: Record<string, string>) =>
        client.submit("/admin/posts/1/edit", { "post[title]": "Hello", ...more });
      const refused = await send({ "post[remarks][]": "much too long" });
      assert.equal(refused.status, 422);
      const html = await refused.text();
      assert.match(html, '<li><a href="#post_remarks_0">Remark 0 is too long</a></li>');
      assert.match(html, 'value="much too long"');
      const again = await send({ "post[remarks][]": "fresh", _add_remark: "1" });
      assert.equal(again.status, 422);
      assert.not.match(await again.text(), "fw-error-summary");
      assert.equal(await texts(1), ["first"]);
    });
  });
}

describe("Attributes that a plugin serves, at boot", (it) => {
  it("Two plugins that serve one attribute are refused by both names", async () => {
    const second = remarks
      .replaceAll("fw-remarks", "fw-other")
      .replace('fieldTypes.add("remarks"', 'fieldTypes.add("others"');
    const changes = {
      "lib/other.ts": second,
      "plugins.config.ts": edited(
        files,
        "plugins.config.ts",
        ["export default", 'import other from "./lib/other.ts";\nexport default'],
        ["remarks(),", "remarks(), other(),"],
      ),
    };
    const problem = await openWizards({ ...files, ...changes }).then(
      () => undefined,
      (error: Error) => error.message,
    );
    assert.match(problem ?? "", '"fw-remarks" and "fw-other" serve "remarks"');
  });
});
