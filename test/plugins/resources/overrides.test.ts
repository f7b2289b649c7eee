import { ResourceController } from "framewright/plugins/resources";
import { addFiles, type TestApp, writeApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { filledRows } from "../../support/filled_rows.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf, openMigrated } from "../../support/shop.ts";
import { mountOf, overrides, overridesFiles } from "./overrides_app.ts";

/** Members of ResourceController that are asked alike whether rows are read or instances. */
const askedOfRows = [
  ...["constructor", "record", "resources", "about", "registration", "overrides", "query", "unscopedQuery"],
  ...["enterResource", "enterCustom", "withoutRecord", "policyKnows", "singularOf", "listUrl", "returnTo", "backLink"],
  ...[
    "index",
    "show",
    "new",
    "newDuplicate",
    "create",
    "edit",
    "update",
    "destroy",
    "typeahead",
    "reload",
    "locationAfter",
  ],
  ...[
    "exportCsv",
    "exportXlsx",
    "exportJsonLines",
    "exportFile",
    "listOptions",
    "createView",
    "deleteView",
    "setDefaultView",
    "undoDeletion",
  ],
  ...["recordAction", "runRecordAction", "collectionAction", "runCollectionAction"],
  ...["bulkAction", "runBulkAction"],
  ...["backgroundRuns", "backgroundRun", "cancelBackgroundRun"],
  ...["newImport", "createImport", "showImport", "mapImport", "checkImport", "startImport", "cancelImport"],
  ...["askUndoImport", "undoImport", "importFailures"],
  ...["answerCreated", "answerUpdated", "answerSaved", "answerDestroyed"],
];

describe("The methods of ResourceController", (it) => {
  it("Every method of ResourceController is overridden in these tests, unless lists of rows call it as well", () => {
    const members = Object.getOwnPropertyNames(ResourceController.prototype);
    assert.equal(
      members.filter((name) => !askedOfRows.includes(name)).sort(),
      overrides.filter((name) => name !== "nothing" && name !== "t").sort(),
    );
  });
});

type Data = Record<string, unknown>;
interface Answer {
  status: number;
  text: string;
  data: Data | Data[] | undefined;
  headers: Headers;
}

for (const database of await databases()) {
  describe(`Overridden methods of ResourceController, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        const root = writeApp({});
        addFiles(root, overridesFiles);
        app = await openMigrated(root, { ...(await database.values()), FW_DATABASE_FAST: "on" });
        const { knex } = databaseOf(app.application);
        for (const name of ["Ada", "Grace"]) await knex("people").insert({ name });
        for (const title of ["First", "Second"])
          await knex("items").insert({ title, body: `${title} text`, open: true, owner_id: 1, maker_id: 2 });
        await knex("settings").insert({ title: "Stored" });
      });
      after(async () => {
        await app.close();
        await database.clean();
      });
    }
    const can = (sentence: string, body: () => Promise<void>) => it.unless(database.skip, sentence, body);

    async function ask(key: string, path: string, accept: string, init: RequestInit = {}): Promise<Answer> {
      const headers = { accept, ...(init.headers as Record<string, string>) };
      const answer = await app.request(mountOf(key) + path, { ...init, headers });
      const text = await answer.text();
      const data = accept.includes("json") && text !== "" ? JSON.parse(text).data : undefined;
      return { status: answer.status, text, data, headers: answer.headers };
    }
    const page = (key: string, path: string, headers = {}) => ask(key, path, "text/html", { headers });
    const json = (key: string, path: string, headers = {}) => ask(key, path, "application/json", { headers });
    const send = (key: string, path: string, method: string, body: object) =>
      ask(key, path, "application/json", {
        method,
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
      });
    const readsOf = (key: string) =>
      app.application.routes().find(({ path, verb }) => verb === "GET" && path === `${mountOf(key)}/items`)!;

    can(
      "A list reads instances where its controller overrides a method, and rows where it overrides none or only t",
      async () => {
        assert.is(readsOf("nothing").reads, "rows");
        assert.is(readsOf("t").reads, "rows");
        for (const key of overrides.filter((name) => !["nothing", "t"].includes(name))) {
          assert.is(readsOf(key).reads, "instances", key);
          assert.is(readsOf(key).because, `ResourceController has ${key} of its own`);
        }
      },
    );
    can("An overridden policyFor decides on each row and on the record", async () => {
      const list = filledRows((await page("policyFor", "/items")).text);
      assert.match(list, 'href="/policyfor/items/1/edit"');
      assert.not.match(list, "/items/2/edit");
      assert.match((await page("policyFor", "/items/1")).text, "/items/1/edit");
      assert.not.match((await page("policyFor", "/items/2")).text, "/items/2/edit");
      assert.is((await page("policyFor", "/items/2/edit")).status, 403);
    });
    can("An overridden authorizeAction decides with the record", async () => {
      for (const get of [page, json]) {
        assert.is((await get("authorizeAction", "/items/1")).status, 200);
        assert.is((await get("authorizeAction", "/items/2")).status, 404);
      }
    });
    can("An overridden listOf decides on the attributes of lists and records, in pages and JSON", async () => {
      for (const path of ["/items", "/items/1"]) {
        assert.match((await page("nothing", path)).text, "First text");
        assert.not.match((await page("listOf", path)).text, "First text");
        assert.not.match((await json("listOf", path)).text, '"body"');
      }
    });
    can("An overridden visibleRecords narrows lists and records", async () => {
      for (const get of [page, json]) {
        assert.not.match((await get("visibleRecords", "/items")).text, "Second");
        assert.is((await get("visibleRecords", "/items/2")).status, 404);
      }
    });
    for (const key of ["findRecord", "found", "labelled"])
      can(`An overridden ${key} changes the record of pages and JSON`, async () => {
        for (const get of [page, json]) assert.match((await get(key, "/items/1")).text, "Overridden");
      });
    for (const key of ["singularRecord", "onlyOne"])
      can(`An overridden ${key} changes the record of a singular resource`, async () => {
        for (const get of [page, json]) assert.match((await get(key, "/setting")).text, "Overridden");
      });
    can("An overridden loadedFor decides at each request what is loaded", async () => {
      for (const path of ["/items", "/items/1"]) {
        for (const get of [page, json]) {
          assert.match((await get("loadedFor", path)).text, "not loaded");
          assert.match((await get("loadedFor", path, { "x-load": "owner" })).text, "Ada");
          assert.match((await get("loadedFor", path)).text, "not loaded");
        }
      }
    });
    can("An overridden graphOf decides what is loaded with a saved record", async () => {
      const save = (key: string) => send(key, "/items/1", "PATCH", { item: { body: "First text" } });
      assert.is(((await save("nothing")).data as Data).owner_name, "not loaded");
      assert.is(((await save("graphOf")).data as Data).owner_name, "Ada");
    });

    for (const key of ["urlFor", "resourceUrlFor"]) {
      const mount = mountOf(key);
      can(`An overridden ${key} makes the links of lists, of records and of forms`, async () => {
        const list = filledRows((await page(key, "/items")).text);
        assert.match(list, `href="${mount}/items/1-own?_list"`);
        assert.match(list, `href="${mount}/items/1-own/edit"`);
        assert.not.match(list, `"${mount}/items/1"`);
        assert.match((await page(key, "/items/1")).text, `${mount}/items/1-own/edit`);
        assert.match(
          (await page(key, "/people/1/nested_items")).text,
          `href="${mount}/people/1/nested_items/1-own?_list"`,
        );
        assert.match((await page(key, "/items/1/edit")).text, `action="${mount}/items/1-own"`);
      });
      can(`An overridden ${key} makes the Location after a record was saved, for forms and JSON`, async () => {
        const saved = await app.client().submit(`${mount}/people/new`, { "person[name]": "Typed" });
        assert.is(saved.status, 303);
        assert.match(saved.headers.get("location")!, /\/people\/\d+-own$/);
        const made = await send(key, "/people", "POST", { person: { name: "Made" } });
        assert.is(made.status, 201, made.text);
        assert.match(made.headers.get("location")!, /\/people\/\d+-own$/);
      });
    }
    can("An overridden resourceUrlFor makes the links of related records and of rows in panels", async () => {
      const mount = mountOf("resourceUrlFor");
      for (const path of ["/items", "/items/1"])
        assert.match((await page("resourceUrlFor", path)).text, `href="${mount}/people/2-own"`);
      assert.match((await page("resourceUrlFor", "/people/1")).text, `href="${mount}/people/1/nested_items/1-own"`);
    });
    can("An overridden recordJson makes the JSON of lists and records", async () => {
      for (const one of (await json("recordJson", "/items")).data as Data[]) assert.is(one.own, true);
      assert.is(((await json("recordJson", "/items/1")).data as Data).own, true);
    });
    can("An overridden answerRecord makes the answer with a record", async () => {
      assert.is((await json("answerRecord", "/items/1")).headers.get("x-own"), "yes");
      assert.is((await json("nothing", "/items/1")).headers.get("x-own"), null);
    });
    can("An overridden t translates pages for each request, whatever the earlier ones were", async () => {
      for (const path of ["/items", "/items/1", "/people/1"]) {
        assert.match((await page("t", path)).text, /Yes/, path);
        for (const language of ["fr", "de"]) {
          const { text } = await page("t", path, { "x-language": language });
          assert.match(text, `${language}:resource.`, path);
          assert.match(text, `${language}:framework.yes`, path);
          assert.match(text, `${language}:resource.actions.edit`, path);
        }
        assert.not.match((await page("t", path)).text, /fr:|de:/, path);
      }
    });
  });
}
