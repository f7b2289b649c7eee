import { openApp, type TestApp, writeApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { copyFixture, edited } from "../../support/fixtures.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { databaseOf, openMigrated } from "../../support/shop.ts";

// Tables of a database that was there before: keys of several columns, text keys that are words of routes, no time stamps.

type Row = Record<string, unknown>;
const json = { accept: "application/json", "content-type": "application/json" };
const shop = copyFixture("shop");

const model = (table: string, name: string, body: string) =>
  `import { belongsTo, hasMany, Model } from "framewright/plugins/database";
   export default class ${name} extends Model("${table}") { ${body} }
   export { belongsTo, hasMany };`;
const policy = (name: string, names: readonly string[]) =>
  `import { Policy } from "framewright/plugins/resources";
   export default class ${name}Policy extends Policy {
     override canCreate() { return true; }
     override canRead() { return true; }
     override canExport() { return true; }
     override permittedAttributesForCreate() { return ${JSON.stringify(names)} as never[]; }
     override permittedAttributesForRead() { return ${JSON.stringify(names)} as never[]; }
   }`;

const schema = `

  await db.knex.schema.createTable("Orders", (t) => { t.integer("OrderNo").primary(); t.string("Customer", 40); });
  await db.knex.schema.createTable("Products", (t) => { t.string("Code", 20).primary(); t.string("Name", 40); });
  await db.knex.schema.createTable("OrderLines", (t) => {
    t.integer("OrderNo").notNullable().references("OrderNo").inTable("Orders");
    t.string("Code", 20).notNullable().references("Code").inTable("Products");
    t.integer("Quantity").notNullable();
    t.primary(["OrderNo", "Code"]);
  });
  await db.knex.schema.createTable("Visits", (t) => { t.string("Page", 20); t.integer("Seconds"); t.integer("OrderNo"); });
  await db.knex.schema.createView("Totals", (view) => {
    view.columns(["OrderNo", "LineCount"]);
    view.as(db.knex("OrderLines").select("OrderNo").count("*").groupBy("OrderNo"));
  });
  await db.knex.schema.createTable("Things", (t) => { t.integer("No").primary(); t.integer("id"); });
  await db.knex.schema.createTable("Albums", (t) => { t.integer("id").primary(); t.string("name", 20); });
  await db.knex.schema.createTable("Covers", (t) => {
    t.integer("Series").notNullable(); t.integer("No").notNullable(); t.integer("AlbumId"); t.string("name", 20); t.boolean("Secret");
    t.primary(["Series", "No"]);
  });
  await db.knex.schema.createTable("Prices", (t) => {
    t.string("Place", 20).notNullable();
    t.date("Day").notNullable();
    t.integer("Amount");
    t.primary(["Place", "Day"]);
  });`;
const files: Record<string, string> = {
  ...shop,
  "db/migrate/20260201000000_create_legacy_tables.ts": `export async function up(db: { knex: any }) { ${schema} }`,
  "app/models/order.ts": model(
    "Orders",
    "Order",
    `static override idColumn = "OrderNo";
     static override associations = {
       lines: hasMany({ class: "OrderLine", foreignKey: "OrderNo" }),
       visits: hasMany({ class: "Visit", foreignKey: "OrderNo" }),
       products: hasMany({ through: "lines", source: "product" }),
     };
     override toLabel() { return (this as unknown as { Customer: string }).Customer; }`,
  ),
  "app/models/product.ts": model(
    "Products",
    "Product",
    'static override idColumn = "Code"; override toLabel() { return (this as unknown as { Name: string }).Name; }',
  ),
  "app/models/order_line.ts": model(
    "OrderLines",
    "OrderLine",
    `static override idColumn = ["OrderNo", "Code"];
     static override associations = {
       order: belongsTo({ foreignKey: "OrderNo" }),
       product: belongsTo({ foreignKey: "Code" }),
     };`,
  ),
  "app/models/visit.ts": model("Visits", "Visit", "static override idColumn: string[] = [];"),
  "app/models/total.ts": model("Totals", "Total", "static override idColumn: string[] = [];"),
  "app/policies/visit_policy.ts": policy("Visit", ["Page", "Seconds"]),
  "app/policies/total_policy.ts": policy("Total", ["OrderNo", "LineCount"]),
  "app/models/thing.ts": model("Things", "Thing", 'static override idColumn = "No";'),
  "app/models/album.ts": model(
    "Albums",
    "Album",
    'static override associations = { cover: hasOne({ class: "Cover", foreignKey: "AlbumId" }) };',
  ).replace("hasMany, Model", "hasMany, hasOne, Model"),
  "app/policies/album_policy.ts": policy("Album", ["name"]).replace(
    'ForRead() { return ["name"',
    'ForRead() { return ["name", "cover"',
  ),
  "app/models/cover.ts": model("Covers", "Cover", 'static override idColumn = ["Series", "No"];'),
  "app/policies/cover_policy.ts": policy("Cover", ["name"]).replace(
    "override canCreate",
    'override relationScope(query: any) { return query.where("Covers.Secret", false); } override canCreate',
  ),
  "app/policies/thing_policy.ts": policy("Thing", ["No", "id"]),
  "app/models/price.ts": model("Prices", "Price", 'static override idColumn = ["Place", "Day"];'),
  "app/policies/order_policy.ts": policy("Order", ["OrderNo", "Customer", "products"]).replace(
    "override canCreate",
    'override permittedAssociations() { return ["lines", "visits"] as never[]; } override canCreate',
  ),
  "app/policies/product_policy.ts": policy("Product", ["Code", "Name"]),
  "app/policies/order_line_policy.ts": policy("OrderLine", ["order", "product", "Quantity"]),
  "app/policies/price_policy.ts": policy("Price", ["Place", "Day", "Amount"]),
  "app/definitions/price_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
    export default class PriceDefinition extends ResourceDefinition { override configure() { super.configure(); this.action("destroy", { bulk: true }); } }`,
  "app/interactions/check_line.ts": `import { Interaction, succeed } from "framewright/plugins/resources";
    export default class CheckLine extends Interaction { async execute() { return succeed(this.record); } }`,
  "app/definitions/order_line_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
    import CheckLine from "../interactions/check_line.ts";
    export default class OrderLineDefinition extends ResourceDefinition {
      override configure() {
        super.configure();
        this.column("Quantity", { edit: true });
        this.action("check", { interaction: CheckLine, policy: "update" });
      }
    }`,
  "packages/admin_portal/config/routes.ts": edited(shop, "packages/admin_portal/config/routes.ts", [
    /registerResource\(Author.*\);/,
    (found: string) => `${found}
    routes.registerResource(Order);
    routes.registerResource(Product);
    routes.registerResource(OrderLine);
    routes.registerResource(Price);
    routes.registerResource(Visit);
    routes.registerResource(Total);
    routes.registerResource(Thing);
    routes.registerResource(Album);
    routes.registerResource(Cover);`,
  ] as never).replace(
    /^/,
    ["Order", "Product", "OrderLine", "Price", "Visit", "Total", "Thing", "Album", "Cover"]
      .map((name) => `import ${name} from "#app/models/${name.replace(/(?<=[a-z])[A-Z]/g, "_$&").toLowerCase()}.ts";\n`)
      .join(""),
  ),
};

for (const database of await databases({ withPostgres: true }))
  describe(`Keys of several columns on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    let values: Record<string, string>;
    if (database.skip === undefined) {
      before(async () => {
        values = await database.values();
        app = await openMigrated(writeApp(files), values);
        const { knex } = databaseOf(app.application);
        await knex("Orders").insert([
          { OrderNo: 1, Customer: "Ada" },
          { OrderNo: 2, Customer: "Bob" },
        ]);
        for (const [Code, Name] of [
          ["new", "Novelty"],
          ["a~b!c/ü", "Odd"],
          ["x.json", "File"],
          ["!x!", "Marks"],
        ])
          await knex("Products").insert({ Code, Name });
        await knex("OrderLines").insert([
          { OrderNo: 1, Code: "new", Quantity: 3 },
          { OrderNo: 1, Code: "a~b!c/ü", Quantity: 4 },
          { OrderNo: 2, Code: "new", Quantity: 5 },
        ]);
        await knex("Prices").insert({ Place: "Rome", Day: "2026-01-31", Amount: 7 });
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    const can = (sentence: string, story: () => Promise<void>) => it.unless(database.skip, sentence, story);
    const ask = async (path: string, init: RequestInit = {}) => {
      const answer = await app.request(path, { ...init, headers: { ...json, ...(init.headers as object) } });
      const text = await answer.text();
      return {
        status: answer.status,
        text,
        headers: answer.headers,
        body: (/json/.test(answer.headers.get("content-type") ?? "") ? JSON.parse(text) : {}) as Row,
      };
    };
    const page = (path: string) => ask(path, { headers: { accept: "text/html" } });
    const send = (method: string, path: string, body: unknown) => ask(path, { method, body: JSON.stringify(body) });
    const rows = (body: Row) => body.data as Row[];

    can(
      "Of the one record that a record has, what the policy hides is not shown, whatever has a part of its key",
      async () => {
        const { knex } = databaseOf(app.application);
        await knex("Albums").insert([
          { id: 1, name: "One" },
          { id: 2, name: "Two" },
        ]);
        await knex("Covers").insert([
          { Series: 1, No: 1, AlbumId: 1, name: "Hidden", Secret: true },
          { Series: 1, No: 2, AlbumId: 2, name: "Shown", Secret: false },
        ]);
        const { body } = await ask("/admin/albums?sort=id");
        const labels = rows(body).map((row) => (row.cover as { label?: string } | null)?.label ?? row.cover);
        assert.equal(labels, [null, "Shown"]);
        for (const path of ["/admin/albums", "/admin/albums/1"]) assert.not.match((await page(path)).text, "Hidden");
        for (const path of ["/admin/albums", "/admin/albums/2"]) assert.match((await page(path)).text, "Shown");
      },
    );

    can("A list names each record by all columns of its key, in their order", async () => {
      const { body } = await ask("/admin/order_lines?sort=id");
      assert.equal(
        rows(body).map(({ id }) => id),
        ["1~a!7eb!21c!2f!c3!bc", "1~new", "2~new"].map((id) => id.replace("!c3!bc", "ü")),
      );
      assert.equal(rows(body)[1]!.order, { id: 1, label: "Ada" });
      const html = (await page("/admin/order_lines")).text;
      assert.ok(html.includes('href="/admin/order_lines/1~new'), html);
    });

    can("Its address leads to the record's page and form, and no other spelling does", async () => {
      for (const { id } of rows((await ask("/admin/order_lines")).body)) {
        const url = `/admin/order_lines/${encodeURIComponent(String(id))}`;
        assert.is((await page(url)).status, 200, url);
        assert.is((await page(`${url}/edit`)).status, 200, url);
        assert.is(((await ask(url)).body.data as Row).id, id);
      }
      for (const wrong of ["1", "1~", "~new", "01~new", "1~new~", "1~NEW", "1~n!65w", "3~new", "1~gone", "x~new"])
        assert.is((await page(`/admin/order_lines/${encodeURIComponent(wrong)}`)).status, 404, wrong);
      assert.is((await page("/admin/prices/Rome~2026-01-31")).status, 200);
      assert.is((await page("/admin/prices/Rome~2026-01-32")).status, 404);
    });

    can("Records are created, changed and deleted by it", async () => {
      const created = await send("POST", "/admin/order_lines", {
        order_line: { order: 2, product: "x.json", Quantity: 1 },
      });
      assert.is(created.status, 201, created.text);
      const url = created.headers.get("location")!;
      assert.is(url, "/admin/order_lines/2~x!2ejson");
      const changed = await send("PATCH", url, { order_line: { Quantity: 9 } });
      assert.equal([changed.status, (changed.body.data as Row).Quantity], [200, 9], changed.text);
      const { knex } = databaseOf(app.application);
      assert.equal(
        (await knex("OrderLines").orderBy(["OrderNo", "Code"])).map((row: Row) => row.Quantity),
        [4, 3, 5, 9],
        "no other row was changed",
      );
      const twice = await send("POST", "/admin/order_lines", {
        order_line: { order: 2, product: "x.json", Quantity: 1 },
      });
      assert.is(twice.status, 422, twice.text);
      assert.is((await send("DELETE", url, {})).status, 204);
      assert.is((await ask(url)).status, 404);
      assert.is((await knex("OrderLines")).length, 3);
    });

    const exportMany = async () => {
      const { knex } = databaseOf(app.application);
      const days = Array.from({ length: 600 }, (_, at) =>
        new Date(Date.UTC(2020, 0, 1 + at)).toISOString().slice(0, 10),
      );
      const prices = ["Bern", "Cork"].flatMap((Place) => days.map((Day) => ({ Place, Day, Amount: 1 })));
      await knex.batchInsert("Prices", prices, 100);
      const csv = await (await app.request("/admin/prices/export.csv?sort=Amount")).text();
      const lines = csv.trim().split("\n").slice(1);
      assert.equal([lines.length, new Set(lines).size], [1201, 1201]);
      await knex("Prices").whereIn("Place", ["Bern", "Cork"]).delete();
    };
    can("An export goes on after a record of a key of several columns", exportMany);

    can("Selected records are deleted by their keys", async () => {
      const { knex } = databaseOf(app.application);
      await knex("Prices").insert({ Place: "Oslo", Day: "2026-02-01", Amount: 1 });
      const answer = await send("POST", "/admin/prices/bulk/destroy", { ids: ["Oslo~2026-02-01", "Rome"] });
      assert.is(answer.status, 200, answer.text);
      assert.equal(
        (await knex("Prices")).map((row: Row) => row.Place),
        ["Rome"],
      );
    });

    can("0, numbers below it and empty texts are keys as others", async () => {
      const { knex } = databaseOf(app.application);
      await knex("Orders").insert([0, -3].map((OrderNo) => ({ OrderNo, Customer: "Early" })));
      await knex("OrderLines").insert({ OrderNo: -3, Code: "new", Quantity: 1 });
      await knex("Prices").insert({ Place: "", Day: "2026-02-01", Amount: 1 });
      for (const path of ["orders/0", "orders/-3", "order_lines/-3~new", "prices/!~2026-02-01"])
        assert.is((await page(`/admin/${path}`)).status, 200, path);
      for (const path of ["orders/-0", "orders/-03", "orders/00", "prices/~2026-02-01"])
        assert.is((await page(`/admin/${path}`)).status, 404, path);
      const moved = await send("PATCH", "/admin/order_lines/-3~new", { order_line: { order: 0 } });
      assert.equal([moved.status, (moved.body.data as Row).id], [200, "0~new"], moved.text);
      await knex("OrderLines").where({ OrderNo: 0 }).delete();
      await knex("Orders").where("OrderNo", "<=", 0).delete();
      await knex("Prices").where({ Place: "" }).delete();
    });

    can("A text that the database takes for a key's is none, in forms and selections either", async () => {
      const line = { order: 2, product: "X.JSON", Quantity: 1 };
      const created = await send("POST", "/admin/order_lines", { order_line: line });
      assert.equal([created.status, Object.keys(created.body.errors as Row)], [422, ["product"]], created.text);
      const { body } = await send("POST", "/admin/prices/bulk/destroy", { ids: ["ROME~2026-01-31"] });
      assert.equal(body.data, { done: [], refused: [{ id: "ROME~2026-01-31", reason: "gone" }], failed: [] });
    });

    can("Below a parent, in a cell and by an action it is found by its whole key", async () => {
      const sent = (method: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
        ask(path, { method, headers: { accept: "text/html", ...headers }, body: JSON.stringify(body) });
      const nested = "/admin/orders/1/nested_lines/1~new";
      assert.is((await page(nested.replace("orders/1", "orders/2"))).status, 404);
      const saved = await sent("PATCH", nested, { order_line: { Quantity: 3 } });
      assert.equal([saved.status, saved.headers.get("location")], [303, nested], saved.text);
      const acted = await sent("POST", "/admin/order_lines/1~new/actions/check", {});
      assert.equal([acted.status, acted.headers.get("location")], [303, "/admin/order_lines/1~new"], acted.text);
      const list = (await page("/admin/order_lines")).text;
      const frame = /<turbo-frame id="([^"]*)"[^>]*>(?:(?!<\/turbo-frame>).)*?1~new\/cells/.exec(list)?.[1];
      assert.ok(frame, list);
      const cell = "/admin/order_lines/1~new/cells/Quantity";
      const input = (await ask(cell, { headers: { accept: "text/html", "turbo-frame": frame! } })).text;
      const version = /name="lock_version" value="([^"]*)"/.exec(input)?.[1] ?? "";
      const changed = { order_line: { Quantity: 3 }, lock_version: version };
      const answer = await sent("PATCH", cell, changed, { "turbo-frame": frame! });
      assert.is(answer.status, 201, answer.text);
    });

    can("Text keys that routes or formats would take have one address each", async () => {
      const listed = rows((await ask("/admin/products?sort=Name")).body);
      assert.equal(
        listed.map(({ id }) => id),
        ["x.json", "!x!", "new", "a~b!c/ü"],
      );
      const html = (await page("/admin/products")).text;
      const urls = [
        ...new Set([...html.matchAll(/href="(\/admin\/products\/[^"?/]+)\?_list"/g)].map(([, url]) => url!)),
      ];
      assert.is(urls.length, 4, html);
      for (const url of urls) assert.is((await page(url)).status, 200, url);
      assert.ok(urls.includes("/admin/products/!new!"));
      assert.match((await page("/admin/products/new")).text, /<form/);
      for (const wrong of ["!a!", "NEW", "!NEW!", "x", "!x"])
        assert.is((await page(`/admin/products/${wrong}`)).status, 404, wrong);
    });

    can("Links over a table whose key are both of its columns are read and written", async () => {
      const order = (await ask("/admin/orders/1")).body.data as Row;
      assert.is((order.products as Row[]).length, 2);
      const changed = await send("PATCH", "/admin/orders/2", { order: { products: ["new", "!x!"] } });
      assert.is(changed.status, 422, changed.text); // a row in between has a quantity, which nobody gave
      assert.is((await send("PATCH", "/admin/orders/2", { order: { Customer: "Bo" } })).status, 200);
    });

    can("Tables and views without a key are listed and exported, and nothing else", async () => {
      const { knex } = databaseOf(app.application);
      await knex("Visits").insert(Array.from({ length: 30 }, (_, at) => ({ Page: `p${at % 3}`, Seconds: at })));
      const { body } = await ask("/admin/totals?sort=OrderNo");
      assert.equal(
        rows(body).map(({ OrderNo, LineCount }) => [OrderNo, Number(LineCount)]), // a count is a big number of MariaDB
        [
          [1, 2],
          [2, 1],
        ],
      );
      const seen = new Set<unknown>();
      for (const number of [1, 2])
        for (const row of rows((await ask(`/admin/visits?page=${number}`)).body)) seen.add(row.Seconds);
      assert.is(seen.size, 30);
      const html = (await page("/admin/visits")).text;
      assert.is(/href="\/admin\/visits\/(?!export|list\/options)[^"]*"/.exec(html)?.[0], undefined, html);
      const csv = await app.request("/admin/visits/export.csv");
      assert.is((await csv.text()).trim().split("\n").length, 31);
      for (const path of ["/admin/visits/1", "/admin/visits/undefined", "/admin/visits/1/edit"])
        assert.is((await page(path)).status, 404, path);
      assert.is((await page("/admin/visits/new")).status, 403);
      assert.is((await send("POST", "/admin/visits", { visit: { Page: "x", Seconds: 1 } })).status, 403);
      assert.is((await send("DELETE", "/admin/visits/1", {})).status, 404);
      assert.is((await page("/admin")).status, 200);
      await knex("Visits").where({ Seconds: 7 }).update({ OrderNo: 1 });
      for (const path of ["/admin/orders/1", "/admin/orders/1/nested_visits", "/admin/_search?q=p1"])
        assert.is((await page(path)).status, 200, path);
    });

    can("In JSON `id` is the key, also where another column is called so", async () => {
      await databaseOf(app.application).knex("Things").insert({ No: 7, id: 1 });
      const [thing] = rows((await ask("/admin/things")).body);
      assert.equal(thing, { id: 7, No: 7 });
      assert.equal((await ask("/admin/things/7")).body.data, { id: 7, No: 7 });
      assert.is((await ask("/admin/things/1")).status, 404);
    });

    can("Pages are the same without the fast paths", async () => {
      const paths = ["/admin/order_lines", "/admin/order_lines/1~new", "/admin/prices", "/admin/products"];
      const all = async () => {
        const answers = await Promise.all(paths.flatMap((path) => [page(path), ask(path)]));
        return answers.map(({ text }) => text.replace(/(csrf-token" content|_token" value)="[^"]*"/g, ""));
      };
      const fast = await all();
      await app.close();
      app = await openApp(app.root, { values: { ...values, FW_DATABASE_FAST: "off" } });
      for (const [at, text] of (await all()).entries())
        assert.equal(text.split(/(?=<tr|<form)/), fast[at]!.split(/(?=<tr|<form)/), paths[at >> 1]);
      await exportMany();
    });
  });

describe("Keys of several columns at boot", (it) => {
  it("An association that would find or delete rows without a key is refused by name", async () => {
    for (const association of [
      'seen: hasMany({ class: "Visit", foreignKey: "OrderNo", dependent: "destroy" }),',
      'visit: belongsTo({ class: "Visit", foreignKey: "Customer" }),',
    ]) {
      const root = writeApp({
        ...files,
        "app/models/order.ts": edited(files, "app/models/order.ts", [
          "static override associations = {",
          `static override associations = { ${association}`,
        ]),
      });
      const { message } = await throwsCode("FW_ASSOCIATION_KEYLESS", () => openMigrated(root));
      assert.match(message, /of "Order".*"Visit"/);
    }
  });
  it("An action on several rows without a key is refused by name", async () => {
    const root = writeApp({
      ...files,
      "app/definitions/visit_definition.ts": `import { ResourceDefinition } from "framewright/plugins/resources";
        import CheckLine from "../interactions/check_line.ts";
        export default class VisitDefinition extends ResourceDefinition {
          override configure() { super.configure(); this.action("check", { interaction: CheckLine, bulk: true, policy: "index" }); }
        }`,
    });
    const { message } = await throwsCode("FW_ACTION_KEYLESS", () => openMigrated(root));
    assert.match(message, /VisitDefinition.*"check".*"Visits"/);
  });
  it("An association that would need several columns is refused by name", async () => {
    const root = writeApp({
      ...files,
      "app/models/order_line.ts": edited(files, "app/models/order_line.ts", [
        "static override associations = {",
        'static override associations = { prices: hasMany({ class: "Price", foreignKey: "Amount" }),',
      ]),
    });
    const { message } = await throwsCode("FW_ASSOCIATION_COMPOSITE", () => openMigrated(root));
    assert.match(message, /"prices" of "OrderLine".*OrderNo, Code together/);
  });
});

describe("Tables without a key in development", (it) => {
  it("Their rows are listed while the inspector records what policies are asked", async () => {
    const root = writeApp({
      ...files,
      "plugins.config.ts": edited(
        shop,
        "plugins.config.ts",
        ["import { layout }", 'import { inspector } from "framewright/plugins/inspector";\nimport { layout }'],
        ["resources(),\n]", "resources(), inspector()]"],
      ),
    });
    const app = await openMigrated(root, { NODE_ENV: "development", LOG_LEVEL: "warn" });
    try {
      await databaseOf(app.application).knex("Visits").insert({ Page: "/home", Seconds: 3 });
      const answer = await app.request("/admin/visits");
      assert.is(answer.status, 200);
      assert.match(await answer.text(), "/home");
    } finally {
      await app.close();
    }
  });
});
