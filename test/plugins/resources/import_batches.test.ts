import type { ResourceController } from "framewright/plugins/resources";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { countsOf, Importer, problemsOf, room, sharedFiles } from "./import_app.ts";

for (const database of await databases()) {
  describe(`Rows of an import that share transactions, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const knex = () => databaseOf(app.application).knex;
    const references = async (): Promise<string[]> =>
      (await knex()("shipments").where({ organization_id: 1 }).orderBy("id")).map(({ reference }) => reference);
    const file = (rows: readonly string[]) => `Reference\n${rows.join("\n")}\n`;
    const numbered = (count: number) => Array.from({ length: count }, (_, at) => `N-${at}`);
    /** Imports rows; the controller asks about each of them once the check is over. */
    const begin = async (rows: readonly string[], asked: NonNullable<typeof room.asked>) => {
      const person = new Importer(app, 1);
      const url = await person.upload(file(rows));
      await person.map(url, ["reference"]);
      const form = await person.page(`${url}/check`);
      room.asked = asked;
      await person.sendForm(form, `${url}/start`, {});
      return { person, url };
    };
    const referenceOf = (controller: ResourceController) => controller.params.nested("shipment").string("reference");
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        for (const table of ["shipments", "arrivals", "framewright_imports", "framewright_import_failures"])
          await knex()(table).delete();
        await knex()("framewright_import_writes").delete();
        await knex()("users").update({ closed: false, may_import: true });
        Object.assign(room, { events: [], asked: undefined });
        await story();
      });
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(sharedFiles, { ...(await database.values()), LOG_LEVEL: "silent" });
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }

    can("Many are committed together, each with its event and what is kept to undo it", async () => {
      const texts = numbered(100);
      const person = new Importer(app, 1);
      const url = await person.upload(file(texts));
      await person.map(url, ["reference"]);
      let commits = 0;
      const count = ({ sql }: { sql: string }) => {
        if (/^commit/i.test(sql)) commits++;
      };
      knex().on("query", count);
      await person.start(url);
      const done = await person.ended(url, 60_000);
      knex().removeListener("query", count);
      assert.equal(countsOf(done), [100, 0, 0, 0]);
      assert.equal(await references(), texts);
      assert.equal(
        room.events,
        texts.map((text) => `created ${text}`),
      );
      const ids = (await knex()("shipments").orderBy("id")).map(({ id }) => String(id));
      const kept = (await knex()("framewright_import_writes").orderBy("id")).map(({ record_id }) => String(record_id));
      assert.equal(kept, ids);
      assert.ok(commits < 60, `${commits} commits`);
    });

    can("A row that fails is undone alone, and those around it are written", async () => {
      const texts = ["A-1", "A-2", "", "A-1", "A-3", "BROKEN", "A-4", "A-2", "BROKEN", "A-5"];
      const done = await new Importer(app, 1).import(
        `Reference,Weight\n${texts.map((text, at) => `${text},${at === 4 ? "many" : at}`).join("\n")}\n`,
        ["reference", "weight"],
      );
      assert.equal(countsOf(done), [4, 0, 0, 6]);
      assert.equal(await references(), ["A-1", "A-2", "A-4", "A-5"]);
      assert.is((await knex()("arrivals")).length, 4, "what a hook wrote for a row that failed is undone with it");
      assert.equal(room.events, ["created A-1", "created A-2", "created A-4", "created A-5"]);
      assert.equal(problemsOf(done), [
        "Row 3, Reference: can't be blank",
        "Row 4, Reference “A-1”: has already been taken",
        "Row 5, Weight “many”: must be a whole number",
        "Row 6: An error occurred.",
        "Row 8, Reference “A-2”: has already been taken",
        "Row 9: An error occurred.",
      ]);
    });

    can("What is read about a row beside its transaction shows the rows before it", async () => {
      const { person, url } = await begin(
        numbered(12),
        async (controller) => (await controller.visibleRecords().resultSize()) < 5,
      );
      assert.equal(countsOf(await person.ended(url)), [5, 0, 0, 7]);
      assert.equal(await references(), numbered(5));
    });

    can("A row that first writes beside its transaction does not wait for that of the rows before it", async () => {
      const { person, url } = await begin(numbered(8), async (controller) => {
        if (referenceOf(controller) === "N-3") await knex()("users").where({ id: 2 }).update({ may_import: true });
        return true;
      });
      assert.equal(countsOf(await person.ended(url)), [8, 0, 0, 0]);
      assert.equal(await references(), numbered(8));
    });

    can("A right that a row takes away ends the import at the next one, and the rows before it stay", async () => {
      const { person, url } = await begin(numbered(10), async (controller) => {
        if (referenceOf(controller) === "N-4") await knex()("users").where({ id: 1 }).update({ may_import: false });
        return true;
      });
      await app.application.kernel.service("jobs").drain();
      await knex()("users").update({ may_import: true });
      const page = await person.ended(url);
      const written = await references();
      assert.ok([4, 5].includes(written.length), `${written.length} rows`);
      assert.equal(written, numbered(written.length));
      assert.match(page, `Not allowed for the record: ${10 - written.length}`);
    });

    can("Of rows that were tried while the import was ended elsewhere, none is written", async () => {
      const runs = () => knex()("framewright_background_runs");
      const [{ last = 0 } = {}] = await runs().max("id as last");
      await begin(numbered(10), async (controller) => {
        if (referenceOf(controller) !== "N-3") return true;
        await runs().where("id", ">", last).update({ state: "cancelled", version: 999 });
        return true;
      });
      await app.application.kernel.service("jobs").drain();
      const [{ done }] = await runs().orderBy("id", "desc").limit(1);
      assert.equal(await references(), numbered(Number(done)));
      assert.ok(Number(done) <= 3, `${done} rows`);
    });
  });
}
