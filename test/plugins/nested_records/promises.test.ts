import type { TestApp } from "../../support/apps.ts";
import { openApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { fieldsOf } from "../../support/form_fields.ts";
import { assert, describe } from "../../support/index.ts";
import { exitOf, serveApp } from "../../support/processes.ts";
import { databaseOf } from "../../support/shop.ts";
import { as } from "../wizards/mounts_support.ts";
import { asAnn, openPermits, permitFiles } from "./permits_app.ts";

const spy = `import { definePlugin } from "framewright/kernel";
  export const heard = (globalThis as never as { heard: string[] }).heard ??= [];
  export const spy = definePlugin({ name: "spy", requires: ["resources", "database"], apply({ hooks }) {
    hooks.resources.record.tapPromise("spy", async ({ kind, registration, record }) => { heard.push(kind + " " + registration.key + " " + String(record.area ?? record.title)); });
    hooks.database.changing.tapPromise("spy", async ({ kind, model }) => { heard.push("changing " + kind + " " + model.table); });
    hooks.resources.destroying.tapPromise("spy", async ({ record }) => { heard.push("destroying " + record.area); if (record.area === "kept") throw new Error("kept"); });
  } });`;
const dying = edited(permitFiles, "app/models/parcel.ts", [
  "static override associations",
  'override async $beforeInsert(context: never) { await super.$beforeInsert(context); if ((this as never as { area: string }).area === "kill") process.kill(process.pid, "SIGKILL"); }\n static override associations',
]);
const files = {
  "lib/spy.ts": spy,
  "app/models/parcel.ts": dying,
  "plugins.config.ts": edited(
    permitFiles,
    "plugins.config.ts",
    ["export default", 'import { spy } from "./lib/spy.ts";\nexport default'],
    ["nestedRecords(),", "nestedRecords(), spy,"],
  ),
  "app/definitions/permit_definition.ts": edited(permitFiles, "app/definitions/permit_definition.ts", [
    "maximum: 5",
    "maximum: 200",
  ]),
};

for (const database of await databases({ withPostgres: true })) {
  describe(`What rows promise, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let values: Record<string, string> = {};
    before(async () => {
      if (database.skip !== undefined) return;
      values = await database.values();
      app = await openPermits(values, files);
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const knex = () => databaseOf(app.application).knex;
    const heard = () => (globalThis as never as { heard: string[] }).heard;
    const patch = (permit: object, id: unknown = 1) => asAnn(app).json(`/permits/${id}.json`, { permit }, "PATCH");

    can("Each row is heard of as a record of its own, and nothing of what was undone", async () => {
      heard().length = 0;
      await patch({ parcels: [{ id: 1, purpose: "road" }, { area: "new" }, { id: 2, _destroy: true }] });
      const events = heard().filter((one) => /^(?:created|updated|destroyed) parcel/.test(one));
      assert.equal(events.sort(), ["created parcel new", "destroyed parcel south", "updated parcel north"]);
      const changes = heard().filter((one) => / parcels$/.test(one));
      assert.is(changes.length, 3, changes.join());
      assert.ok(heard().includes("destroying south"));
      heard().length = 0;
      const refused = await patch({ parcels: [{ area: "fine" }, { area: "" }] });
      assert.is(refused.status, 422);
      assert.equal(
        heard().filter((one) => one.startsWith("created") || one.startsWith("changing")),
        [],
      );
    });

    can("A plugin that keeps a row keeps all of it", async () => {
      await knex()("parcels").insert({ id: 50, area: "kept", permit_id: 1, position: 9 });
      const answer = await patch({ title: "Lost", parcels: [{ id: 50, _destroy: true }, { area: "lost" }] });
      assert.is(answer.status, 500);
      assert.equal(await knex()("parcels").where({ area: "lost" }), []);
      assert.is((await knex()("permits").where({ id: 1 }).first()).title, "Bridge");
    });

    can("A record has 200 rows, in JSON and in its form, and not one more", async () => {
      const rows = Array.from({ length: 200 }, (_, index) => ({ area: `area ${index + 1}` }));
      const made = await asAnn(app).json("/permits.json", { permit: { title: "Large", parcels: rows } });
      assert.equal([made.status, made.body.data.parcels.length], [201, 200]);
      const id = made.body.data.id;
      const more = await patch({ parcels: [{ area: "one more" }] }, id);
      assert.equal([more.status, Object.keys(more.errors)], [422, ["parcels"]]);
      const client = as(app.client(), 1);
      const html = await client.page(`/admin/permits/${id}/edit`);
      assert.match(html, /name="_add" value="parcels" formnovalidate disabled/);
      assert.match(html, "There can be 200 at most.");
      const fields = { ...fieldsOf(html), "permit[place][city]": "Ulm", "permit[parcels][199][purpose]": "last" };
      const saved = await client.request(`/admin/permits/${id}`, { method: "POST", body: new URLSearchParams(fields) });
      assert.is(saved.status, 303);
      assert.is((await knex()("parcels").where({ permit_id: id, area: "area 200" }).first()).purpose, "last");
      assert.is((await knex()("parcels").where({ permit_id: id, lock_version: 0 })).length, 199);
    });

    can(
      "Twenty people who add a row at once all do, in a record that nobody else changed meanwhile by hand",
      async () => {
        const made = await asAnn(app).json("/permits.json", { permit: { title: "Busy" } });
        const id = made.body.data.id;
        const answers = await Promise.all(
          Array.from({ length: 20 }, (_, index) => patch({ parcels: [{ area: `by ${index}` }] }, id)),
        );
        assert.equal([...new Set(answers.map(({ status }) => status))], [200]);
        const stored = await knex()("parcels").where({ permit_id: id });
        assert.is(stored.length, 20);
        assert.is(new Set(stored.map(({ position }) => position)).size, 20);
      },
    );

    can("People who add rows at once never make more than there may be", async () => {
      const rows = Array.from({ length: 195 }, (_, index) => ({ area: `area ${index}` }));
      const made = await asAnn(app).json("/permits.json", { permit: { title: "Full", parcels: rows } });
      const id = made.body.data.id;
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) => patch({ parcels: [{ area: `late ${index}` }] }, id)),
      );
      assert.equal(answers.map(({ status }) => status).sort(), [...Array(5).fill(200), ...Array(7).fill(422)]);
      assert.is((await knex()("parcels").where({ permit_id: id })).length, 200);
    });

    if (database.name !== "pglite")
      can("A process that is killed between two rows has written all of it, or nothing", async () => {
        await app.close();
        const { child, url } = await serveApp(app.root, values);
        const headers = { "x-user": "1", accept: "application/json", "content-type": "application/json" };
        const permit = { title: "Half", parcels: [{ area: "first" }, { area: "kill" }, { area: "third" }] };
        const sent = fetch(`${url.replace(/\/$/, "")}/admin/permits.json`, {
          method: "POST",
          headers,
          body: JSON.stringify({ permit }),
        });
        assert.is(
          await sent.then(
            ({ status }) => status,
            () => "gone",
          ),
          "gone",
        );
        await exitOf(child);
        app = await openApp(app.root, { values });
        const left = knex();
        assert.equal(
          [await left("permits").where({ title: "Half" }), await left("parcels").where({ area: "first" })],
          [[], []],
        );
      });
  });
}
