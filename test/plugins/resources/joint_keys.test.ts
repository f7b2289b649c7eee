import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { fillFleet, fleetFiles, openFleet } from "./fleet_app.ts";
import { Importer } from "./import_app.ts";

// Associations over foreign keys of several columns, as people and programs of one tenant have them.

type Row = Record<string, unknown>;
const north = "no!7erd"; // "no~rd" in a key of several columns

for (const database of await databases({ withPostgres: true }))
  describe(`Associations of several columns on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openFleet(await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) =>
      it.unless(database.skip, sentence, async () => {
        await fillFleet(app);
        await story();
      });
    const knex = () => databaseOf(app.application).knex;
    const ask = async (path: string, init: RequestInit = {}) => {
      const headers = { accept: "application/json", "content-type": "application/json", "x-user": "1" };
      const answer = await app.request(`/customer/1${path}`, {
        ...init,
        headers: { ...headers, ...(init.headers as object) },
      });
      const text = await answer.text();
      const isJson = /json/.test(answer.headers.get("content-type") ?? "");
      return { status: answer.status, text, headers: answer.headers, body: (isJson ? JSON.parse(text) : {}) as Row };
    };
    const page = (path: string) => ask(path, { headers: { accept: "text/html" } });
    const send = (method: string, path: string, body: unknown) => ask(path, { method, body: JSON.stringify(body) });
    const form = (method: string, path: string, body: unknown) =>
      ask(path, { method, body: JSON.stringify(body), headers: { accept: "text/html" } });
    const rows = (body: Row) => body.data as Row[];
    const titles = async (path: string) => rows((await ask(path)).body).map(({ title, name }) => title ?? name);
    const trip = async (id = 1): Promise<Row> => (await knex()("trips").where({ id }).first()) as Row;
    const keyOf = ({ region, code, number, home_code }: Row) => [region, code, number, home_code];
    const errorsOf = (body: Row) => Object.keys((body.errors ?? {}) as Row);

    can("A list shows what rows refer to by its label and a link, with one query for all rows", async () => {
      const statements: string[] = [];
      knex().on("query", ({ sql }: { sql: string }) => statements.push(sql));
      const { body } = await ask("/trips?sort=id");
      assert.equal(
        rows(body).map(({ vehicle }) => vehicle),
        [
          { id: `${north}~1~7`, label: "Truck" },
          { id: `${north}~2~7`, label: "Van" },
          null,
          { id: "south~1~9", label: "Unmarked" },
        ],
      );
      assert.equal(
        rows(body).map(({ home }) => home),
        [{ id: `${north}~2`, label: "Airport" }, null, null, null],
        "a hidden depot is none",
      );
      const read = statements.filter((sql) => /^select .vehicles.\.\*/.test(sql));
      assert.is(read.length, 1, read.join("\n"));
      const html = (await page("/trips?sort=id")).text;
      assert.match(html, new RegExp(`<a href="/customer/1/vehicles/${north}~1~7[^"]*">Truck</a>`));
      assert.not.match(html, "bunker");
      assert.match(html, "fw-none");
      const shown = (await page("/trips/1")).text;
      for (const text of ["Truck", "Airport"]) assert.match(shown, text);
      assert.not.match((await page("/trips/5")).text, "bunker");
    });

    can("The page of what is referred to has the list, its nested routes and a form with the columns set", async () => {
      const base = `/depots/${north}~1`;
      const html = (await page(base)).text;
      for (const text of ["Truck", `/customer/1/depots/${north}~1/nested_vehicles/new`, "Milk"])
        assert.match(html, text);
      assert.not.match(html, "Van<");
      assert.equal(await titles(`${base}/nested_vehicles`), ["Truck"]);
      assert.equal(await titles(`${base}/nested_trips`), ["Milk"]);
      assert.equal(await titles(`/vehicles/${north}~2~7/nested_trips`), ["Post"]);
      const fresh = (await page(`${base}/nested_vehicles/new`)).text;
      assert.not.match(fresh, 'name="vehicle[depot]"');
      assert.match(fresh, 'name="vehicle[number]"');
      const created = await send("POST", `${base}/nested_vehicles`, {
        vehicle: { number: 8, name: "Bus", depot: `${north}~2`, region: "south", code: 2 },
      });
      assert.is(created.status, 201, created.text);
      assert.equal(
        (await knex()("vehicles").where({ name: "Bus" })).map((row: Row) => [row.region, row.code, row.number]),
        [["no~rd", 1, 8]],
      );
      assert.is((await page(`${base}/nested_vehicles/${north}~1~8`)).status, 200);
      for (const wrong of [
        `${base}/nested_vehicles/${north}~2~7`,
        "/depots/south~2/nested_vehicles",
        "/depots/south~1/nested_vehicles",
      ])
        assert.is((await page(wrong)).status, 404, wrong);
    });

    can("A form has one input for it, which writes all columns", async () => {
      const html = (await page("/trips/1/edit")).text;
      const [, select = ""] = /<select[^>]*name="trip\[vehicle\]"[^>]*>(.*?)<\/select>/s.exec(html) ?? [];
      assert.match(select, new RegExp(`<option value="${north}~1~7" selected>Truck`));
      assert.not.match(html, "Baltic truck");
      for (const name of ["region", "code", "number"]) assert.not.match(html, `name="trip[${name}]"`);
      const found = await ask("/trips/typeahead/vehicle?q=Va");
      assert.equal(rows(found.body), [{ id: `${north}~2~7`, label: "Van" }]);
      const saved = await form("PATCH", "/trips/2", { trip: { title: "Post", vehicle: `${north}~1~7`, home: "" } });
      assert.is(saved.status, 303, saved.text);
      assert.equal(keyOf(await trip(2)), ["no~rd", 1, 7, null]);
      const made = await send("POST", "/trips", {
        trip: { title: "New", vehicle: { id: `${north}~2~7` }, home: `${north}~1` },
      });
      assert.is(made.status, 201, made.text);
      assert.equal((made.body.data as Row).vehicle, { id: `${north}~2~7`, label: "Van" });
    });

    can("It is emptied without what other associations and the record's key need", async () => {
      const emptied = await send("PATCH", "/trips/1", { trip: { vehicle: null } });
      assert.is(emptied.status, 200, emptied.text);
      assert.equal(keyOf(await trip()), ["no~rd", null, null, 2], "the region is the home's as well");
      assert.equal((emptied.body.data as Row).vehicle, null);
      const home = (emptied.body.data as Row).home;
      assert.equal(home, { id: `${north}~2`, label: "Airport" });
      const line = await send("PATCH", "/sale_lines/1", { sale_line: { sale: null } });
      assert.is(line.status, 200, line.text);
      const stored = (await knex()("sale_lines").where({ id: 1 }).first()) as Row;
      assert.equal([Number(stored.organization_id), stored.sale_no], [1, null]);
      const required = await send("PATCH", `/vehicles/${north}~1~7`, { vehicle: { depot: null } });
      assert.equal([required.status, errorsOf(required.body)], [422, ["depot"]], required.text);
    });

    can("What disagrees with columns that stay is refused at its input", async () => {
      await knex()("depots").insert({ region: "east", code: 5, name: "East", organization_id: 1, secret: false });
      await knex()("vehicles").insert({ region: "east", code: 5, number: 1, name: "Eastern" });
      const other = await send("PATCH", "/trips/1", { trip: { vehicle: "east~5~1" } });
      assert.equal([other.status, errorsOf(other.body)], [422, ["vehicle"]], "its home is in another region");
      const both = await send("PATCH", "/trips/1", { trip: { vehicle: "east~5~1", home: `${north}~1` } });
      assert.equal([both.status, errorsOf(both.body)], [422, ["home"]], both.text);
      const agreed = await send("PATCH", "/trips/1", { trip: { vehicle: "east~5~1", home: "east~5" } });
      assert.is(agreed.status, 200, agreed.text);
      assert.equal(keyOf(await trip()), ["east", 5, 1, 5]);
      const moved = await send("PATCH", `/vehicles/${north}~1~7`, { vehicle: { depot: `${north}~2` } });
      assert.equal([moved.status, errorsOf(moved.body)], [422, ["depot"]], "it is in the vehicle's key");
      const same = await send("PATCH", `/vehicles/${north}~1~7`, { vehicle: { depot: `${north}~1`, name: "Lorry" } });
      assert.is(same.status, 200, same.text);
    });

    can("Another tenant's record, a hidden one and none at all are refused in forms and JSON alike", async () => {
      for (const key of ["south~2~7", "south~1~8", `${north}~1`, `${north}~01~7`, "no~rd~1~7", "NO!7erd~1~7", "x", "1"])
        for (const sent of [send, form])
          for (const [method, path] of [
            ["POST", "/trips"],
            ["PATCH", "/trips/3"],
          ] as const) {
            const answer = await sent(method, path, { trip: { title: "Foreign", vehicle: key } });
            assert.is(answer.status, 422, `${method} ${key} ${answer.text}`);
            if (sent === send) assert.equal(errorsOf(answer.body), ["vehicle"]);
          }
      assert.is((await knex()("trips").where({ title: "Foreign" })).length, 0);
      for (const key of ["1~2", "2~3", "1~3"]) {
        const answer = await send("POST", "/sale_lines", { sale_line: { title: "Foreign", sale: key } });
        assert.equal([answer.status, errorsOf(answer.body)], [422, ["sale"]], key);
      }
      for (const path of ["/vehicles/south~2~7", "/depots/south~1", "/sales/2~3", "/sales/1~2/nested_lines"])
        assert.is((await page(path)).status, 404, path);
    });

    can("A hidden one stays when a form that could not show it is saved", async () => {
      const html = (await page("/trips/5/edit")).text;
      assert.not.match(html, "bunker");
      assert.not.match(html, '"south~1"');
      assert.match(html, 'value="fw:unchanged" selected');
      const saved = await form("PATCH", "/trips/5", { trip: { title: "Later", home: "fw:unchanged" } });
      assert.is(saved.status, 303, saved.text);
      const read = await send("PATCH", "/trips/5", { trip: { title: "Later still", home: null } });
      assert.is(read.status, 200, read.text);
      assert.equal([(await trip(5)).title, (await trip(5)).home_code], ["Later still", 1]);
    });

    can("A list is filtered by it, and sorted by its columns", async () => {
      const by = (value: string) => titles(`/trips?sort=id&${value}`);
      assert.equal(await by(`filter[vehicle]=${north}~1~7`), ["Milk"]);
      assert.equal(await by(`filter[vehicle][any][]=${north}~1~7&filter[vehicle][any][]=${north}~2~7`), [
        "Milk",
        "Post",
      ]);
      assert.equal(await by(`filter[vehicle][not]=${north}~1~7`), ["Post", "Nowhere", "Night"]);
      assert.equal(await by("filter[vehicle][empty]=1"), ["Nowhere"]);
      assert.equal(await by("filter[vehicle][empty]=0"), ["Milk", "Post", "Night"]);
      assert.equal(await by(`filter[vehicle][any][]=${north}~1~7&filter[vehicle][empty]=1`), ["Milk", "Nowhere"]);
      assert.equal(await by("filter[vehicle]=south~2~7"), [], "what another tenant has");
      for (const wrong of ["filter[vehicle]=1", "filter[vehicle][any][]=x~y", "filter[vehicle][not]=1~2"])
        assert.is((await ask(`/trips?${wrong}`)).status, 422, wrong);
      assert.equal(await titles("/trips?sort=vehicle&filter[vehicle][empty]=0"), ["Milk", "Night", "Post"]);
      assert.equal(await titles("/vehicles?sort=depot"), (await titles("/vehicles?sort=-depot")).toReversed());
      assert.equal(await titles("/vehicles?filter[depot]=south~1"), [], "a hidden one is not found by its key");
      assert.equal(await titles("/sale_lines?filter[sale]=1~2"), []);
      assert.equal(await titles("/sale_lines?filter[sale]=1~1"), ["Apples"]);
      const html = (await page(`/trips?filter[vehicle]=${north}~1~7`)).text;
      assert.match(html, "Truck");
      assert.not.match(html, "Baltic");
    });

    can("It is exported by its label, and imported by its label or its key", async () => {
      const csv = (await ask("/trips/export.csv?sort=id")).text;
      assert.match(csv, /Milk,Truck,Airport/);
      assert.not.match(csv, /bunker|Baltic/);
      const lines = [
        "title,vehicle",
        "By label,Van",
        `By key,${north}~1~7`,
        "None,",
        "Foreign,south~2~7",
        "Foreign too,Baltic truck",
      ];
      const body = new FormData();
      body.set("file", new File([lines.join("\n")], "trips.csv", { type: "text/csv" }));
      const headers = { "x-user": "1", authorization: "Bearer program", accept: "application/json" };
      const answer = await app.request("/customer/1/trips/import.json", { method: "POST", body, headers });
      assert.is(answer.status, 202, await answer.text());
      await app.application.kernel.service("jobs").drain();
      const stored = (await knex()("trips").where("id", ">", 5).orderBy("id")) as Row[];
      assert.equal(
        stored.map((row) => [row.title, ...keyOf(row).slice(0, 3)]),
        [
          ["By label", "no~rd", 2, 7],
          ["By key", "no~rd", 1, 7],
          ["None", null, null, null],
        ],
      );
    });

    can("A copy begins with it, and its cell is edited", async () => {
      const html = (await page("/trips/1/duplicate")).text;
      assert.match(html, new RegExp(`<option value="${north}~1~7" selected>Truck`));
      const list = (await page("/trips")).text;
      const frame = /<turbo-frame id="([^"]*)"[^>]*>(?:(?!<\/turbo-frame>).)*?trips\/2\/cells\/vehicle/s.exec(
        list,
      )?.[1];
      assert.ok(frame, list);
      const headers = { accept: "text/html", "turbo-frame": frame! };
      const input = (await ask("/trips/2/cells/vehicle", { headers })).text;
      const version = /name="lock_version" value="([^"]*)"/.exec(input)?.[1] ?? "";
      const change = JSON.stringify({ trip: { vehicle: `${north}~1~7` }, lock_version: version });
      const answer = await ask("/trips/2/cells/vehicle", { method: "PATCH", body: change, headers });
      assert.is(answer.status, 201, answer.text);
      assert.equal(keyOf(await trip(2)), ["no~rd", 1, 7, null]);
    });

    can("A deletion names what goes with the record, and is undone with all of it", async () => {
      const html = (await page(`/depots/${north}~1/actions/destroy`)).text;
      assert.match(html, /1 vehicle/i);
      const blocked = (await page("/sales/1~1/actions/destroy")).text;
      assert.match(blocked, /1 (sale )?line/i);
      const person = new Importer(app, 1);
      const base = `/customer/1/depots/${north}~1`;
      const deleted = await person.send(`${base}/actions/destroy`, base, {});
      assert.is(deleted.status, 303, await deleted.text());
      assert.is((await knex()("vehicles").where({ region: "no~rd", code: 1 })).length, 0);
      assert.equal(keyOf(await trip()).slice(0, 3), [null, null, null]);
      const after = await person.page(deleted.headers.get("location")!);
      const [, undo = ""] = /action="([^"]*\/deletions\/[0-9a-f-]{36}\/undo)"/.exec(after) ?? [];
      const undone = await person.sendForm(after, undo, {});
      assert.is(undone.status, 303, await undone.text());
      assert.equal(await titles(`/depots/${north}~1/nested_vehicles`), ["Truck"]);
      assert.equal(keyOf(await trip()), ["no~rd", 1, 7, 2]);
    });

    can("A tenant has what is set for it, and no other", async () => {
      const made = await send("POST", "/sale_lines", { sale_line: { title: "Own", sale: "1~1", organization_id: 2 } });
      assert.is(made.status, 201, made.text);
      const stored = (await knex()("sale_lines").where({ title: "Own" }).first()) as Row;
      assert.equal([Number(stored.organization_id), stored.sale_no], [1, 1]);
      assert.equal(await titles("/sales/1~1/nested_lines?sort=id"), ["Apples", "Own"]);
      assert.equal(await titles("/vehicles?sort=name"), ["Truck", "Unmarked", "Van"]);
      const html = (await page("/vehicles?sort=name")).text;
      assert.not.match(html, "Baltic");
    });
  });

const changed = (path: string, ...edits: [string, string][]) => ({ [path]: edited(fleetFiles, path, ...edits) });
const refused: [sentence: string, code: string, message: RegExp, changes: Record<string, string>][] = [
  [
    "fewer columns than the key has",
    "FW_ASSOCIATION_COMPOSITE",
    /"depot" of "Vehicle".*region, code together/,
    changed("app/models/vehicle.ts", [
      'belongsTo({ foreignKey: ["region", "code"] })',
      'belongsTo({ foreignKey: "region" })',
    ]),
  ],
  [
    "a column that is not there",
    "FW_ASSOCIATION_KEY",
    /"depot" of "Vehicle".*"area"/,
    changed("app/models/vehicle.ts", [
      'belongsTo({ foreignKey: ["region", "code"] })',
      'belongsTo({ foreignKey: ["area", "code"] })',
    ]),
  ],
  [
    "columns in another order",
    "FW_ASSOCIATION_KEY_TYPE",
    /"depot" of "Vehicle"/,
    changed("app/models/vehicle.ts", [
      'belongsTo({ foreignKey: ["region", "code"] })',
      'belongsTo({ foreignKey: ["code", "region"] })',
    ]),
  ],
  [
    "several models",
    "FW_ASSOCIATION_COMPOSITE",
    /"depot" of "Vehicle"/,
    changed("app/models/vehicle.ts", [
      'belongsTo({ foreignKey: ["region", "code"] })',
      'belongsTo({ polymorphic: ["Depot"], foreignKey: "number_id" })',
    ]),
  ],
  [
    "a total of it",
    "FW_COLUMN_TOTAL",
    /"vehicle"/,
    changed("app/definitions/trip_definition.ts", [
      'this.column("vehicle", { edit: true });',
      'this.column("vehicle", { total: "count" });',
    ]),
  ],
  [
    "links over it in a form",
    "FW_ATTRIBUTE_READONLY",
    /"trips"/,
    changed("app/policies/depot_policy.ts", [
      'ForCreate() { return ["region","code","name"]',
      'ForCreate() { return ["region","code","name","trips"]',
    ]),
  ],
  [
    "a tenant of several columns",
    "FW_SCOPE_KEY",
    /Depot is identified by region, code together/,
    {
      "packages/customer_portal/lib/engine.ts": `import { definePortal } from "framewright/plugins/portals";
import type {} from "framewright/plugins/scoping";
import Depot from "#app/models/depot.ts";
export const CustomerPortal = definePortal("CustomerPortal", (engine) => { engine.config.afterInitialize(() => engine.scopeToEntity(Depot as never)); });`,
    },
  ],
];
describe("Associations of several columns at boot", (it) => {
  for (const [sentence, code, message, changes] of refused)
    it(`${sentence} is refused by name`, async () => {
      const error = await throwsCode(code, async () => {
        const app = await openFleet({}, changes);
        await app.close();
      });
      assert.match(error.message, message);
    });
});
