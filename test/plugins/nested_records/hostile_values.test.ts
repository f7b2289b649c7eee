import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { asAnn, openPermits, permitFiles } from "./permits_app.ts";

const definition = "app/definitions/permit_definition.ts";
/** Permits that have a row of each kind at least. */
const withMinimum = {
  [definition]: edited(
    permitFiles,
    definition,
    ['order: "position", maximum: 5', 'order: "position", maximum: 5, minimum: 1'],
    ['"lines", { maximum: 3', '"lines", { maximum: 3, minimum: 1'],
  ),
};
const withRequiredNote = {
  [definition]: edited(permitFiles, definition, [
    "length: { maximum: 20 }, async",
    "length: { maximum: 20 }, presence: true, async",
  ]),
};

for (const database of await databases({ withPostgres: true })) {
  describe(`Rows as programs send them wrong, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    before(async () => {
      if (database.skip === undefined) app = await openPermits(await database.values());
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);
    const patch = (permit: object, id = 1) => asAnn(app).json(`/permits/${id}.json`, { permit }, "PATCH");
    const stored = async () => (await asAnn(app).json("/permits/1.json")).body.data;

    const refused: [string, object, string[]][] = [
      ["an object in the place of rows", { lines: { text: "dig" } }, ["lines"]],
      ["an object of names in the place of rows", { lines: { first: { text: "dig" } } }, ["lines"]],
      ["a row that has none of the fields", { lines: [{ txet: "dig" }] }, ["lines.0.text"]],
      ["an empty row before another", { lines: [{}, { text: "dig" }] }, ["lines.0.text"]],
      ["an object in the place of a text", { settings: { colour: { red: 1 } } }, ["settings.0.value"]],
      ["a list in the place of a text", { settings: { colour: ["red"] } }, ["settings.0.value"]],
    ];
    for (const [what, permit, paths] of refused)
      can(`${what} is refused, and what is stored stays`, async () => {
        const before = await stored();
        const { status, errors } = await patch(permit);
        assert.equal([status, Object.keys(errors ?? {})], [422, paths]);
        assert.equal(await stored(), before);
      });

    can("Rows by their number are rows, and null in the place of a text is an empty one", async () => {
      const { status, body } = await patch({
        lines: { "0": { text: "dig", kind: "work", hours: 3, amount: "10.00" } },
        settings: { colour: null, size: 5 },
      });
      assert.is(status, 200, JSON.stringify(body));
      assert.equal([body.data.lines[0].text, body.data.settings], ["dig", { colour: "", size: "5" }]);
    });

    can("A row is removed by the number 1 as well, and not in another version than the one that was read", async () => {
      const rows = () => databaseOf(app.application).knex("parcels").where({ id: 2 });
      const stale = await patch({ parcels: [{ id: 2, _destroy: true, lock_version: 7 }] });
      assert.equal([stale.status, Object.keys(stale.errors ?? {})], [422, ["parcels.0.base"]]);
      assert.is((await rows()).length, 1);
      const version = (await rows())[0].lock_version;
      assert.is((await patch({ parcels: [{ id: 2, _destroy: 1, lock_version: Number(version) }] })).status, 200);
      assert.equal(await rows(), []);
    });

    can("Two requests at once that both create the record of a has-one leave one", async () => {
      const answers = await Promise.all(["A", "B", "C"].map((street) => patch({ site: { street } }, 2)));
      const sites = await databaseOf(app.application).knex("sites").where({ permit_id: 2 });
      assert.is(sites.length, 1, JSON.stringify(answers.map(({ status }) => status)));
    });
  });

  describe(`The fewest rows, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    before(async () => {
      if (database.skip === undefined) app = await openPermits(await database.values(), withMinimum);
    });
    after(async () => {
      await app?.close();
      await database.clean();
    });
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);

    can("A program that names no rows creates no record without them", async () => {
      const { json } = asAnn(app);
      const { status, errors } = await json("/permits.json", { permit: { title: "New" } });
      assert.equal([status, Object.keys(errors ?? {}).sort()], [422, ["lines", "parcels"]]);
      const rows = { lines: [{ text: "dig" }], parcels: [{ area: "north" }] };
      const made = await json("/permits.json", { permit: { title: "New", ...rows } });
      assert.is(made.status, 201);
      const renamed = await json(`/permits/${made.body.data.id}.json`, { permit: { title: "Renamed" } }, "PATCH");
      assert.is(renamed.status, 200);
    });

    can("Requests at once that remove rows leave the fewest", async () => {
      const { json } = asAnn(app);
      const remove = (id: number) =>
        json("/permits/1.json", { permit: { parcels: [{ id, _destroy: true }] } }, "PATCH");
      const answers = await Promise.all([remove(1), remove(2)]);
      assert.equal(answers.map(({ status }) => status).sort(), [200, 422]);
      assert.is((await databaseOf(app.application).knex("parcels").where({ permit_id: 1 })).length, 1);
    });
  });

  describe(`An input without a column that is required, on ${database.name}`, (it) => {
    it.unless(database.skip, "A program that changes something else need not send it again", async () => {
      const app = await openPermits(await database.values(), withRequiredNote);
      try {
        const { json } = asAnn(app);
        const notes = async () => (await databaseOf(app.application).knex("notes")).map(({ text }) => text);
        assert.equal(Object.keys((await json("/permits.json", { permit: { title: "New" } })).errors), ["note"]);
        assert.is((await json("/permits/1.json", { permit: { title: "Renamed" } }, "PATCH")).status, 200);
        assert.equal(await notes(), []);
        const blank = await json("/permits/1.json", { permit: { note: "" } }, "PATCH");
        assert.equal(Object.keys(blank.errors), ["note"]);
        assert.is((await json("/permits/1.json", { permit: { note: "Seen" } }, "PATCH")).status, 200);
        assert.equal(await notes(), ["Seen"]);
      } finally {
        await app.close();
        await database.clean();
      }
    });
  });
}
