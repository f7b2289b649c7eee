import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import mysql from "mysql2/promise";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { mysqlSchema, runSqlite, sqliteSchema } from "./published_databases.ts";
import { mysqlRows, mysqlTables, postgresTables, sqliteRows, sqliteTables } from "./pull_tables.ts";
import { failuresOf, type Walked, walk } from "./pull_walk.ts";
import { connectAll, type PulledApp, pullApp } from "./pulled_app.ts";
import { postgresSchema, runPostgres } from "./pulled_postgres.ts";
import { fwOk, runFw, snapshot, typeCheck } from "./support.ts";

const readerOf =
  (app: () => PulledApp) =>
  (path: string): string =>
    readFileSync(join(app().root, path), "utf8");

describe("Models of tables that were there before, on SQLite", (it, { before }) => {
  let app: PulledApp;
  let schema: Record<string, string>;
  let connected: string;
  let walked: Walked;
  const read = readerOf(() => app);
  const file = () => join(app.root, "storage/old.sqlite3");
  before(async () => {
    const prepare = (root: string) => {
      runSqlite(join(root, "storage/old.sqlite3"), [...sqliteTables, ...sqliteRows].join(";\n"));
      schema = sqliteSchema(join(root, "storage/old.sqlite3"));
    };
    app = await pullApp("sqlite:storage/old.sqlite3", { prepare });
    connected = await connectAll(app);
  });

  it("Each table and view is a model under a name that a class can have", () => {
    assert.equal(
      [...app.constants].sort(),
      [
        ...[
          "City",
          "Country",
          "Device",
          "Friendship",
          "Gadget",
          "GadgetName",
          "GadgetTag",
          "Legacy",
          "Log",
          "Maker",
          "ObjectRecord",
        ],
        ...[
          "Order",
          "Order2",
          "OrderDetail",
          "OrderPolicyRecord",
          "Person",
          "Profile",
          "Rate",
          "Shipment",
          "Strassen",
          "Table",
        ],
        ...["Table2faCode", "Tag"],
      ].sort(),
    );
    for (const line of [
      "The model of objects is called ObjectRecord: a class can't be called Object.",
      "The model of order is called Order2: another class is called Order.",
      "The model of order_policies is called OrderPolicyRecord: other classes are called so.",
      "scans is left out: its key id is binary, and no address can name a record by it.",
      'odd is left out: it needs the column "toString", whose name no attribute can have.',
      'Straßen is read without "a.b", "constructor": no attribute can have these names.',
      "log is listed only: it has no key, so that nothing identifies a record.",
      "gadget_names is listed only: it is a view, so that nothing identifies a record.",
      "rates is listed only: its key rate is of the type float, and no address can name a record by it.",
      "cities.serial has no association: it refers to serial, which is not the key of Device.",
    ])
      assert.ok(app.out.includes(line), `${line}\n${app.out}`);
    assert.equal(
      Object.keys(snapshot(app.root)).filter((path) => /migrate\/\d+_(?!create_(framewright|users))/.test(path)),
      [],
    );
  });

  it("Keys, associations, enums and rules are those of the tables", () => {
    assert.match(read("app/models/maker.ts"), 'static override idColumn = "MakerId";');
    assert.not.match(read("app/models/person.ts"), "idColumn");
    assert.match(read("app/models/order_detail.ts"), 'static override idColumn = ["OrderNo", "LineNo"];');
    const gadget = read("app/models/gadget.ts");
    for (const part of [
      'maker: belongsTo({ foreignKey: "MakerId", optional: true })',
      'gadget_tags: hasMany({ foreignKey: "Gadget" })',
      'tags: hasMany({ through: "gadget_tags" })',
      `State: ["new", "it's used"]`,
      'Code: { presence: true, uniqueness: { scope: "maker" } }',
      'price: "price_cents"',
    ])
      assert.ok(gadget.includes(part), `${part}\n${gadget}`);
    assert.not.match(gadget, "Shown: {");
    const person = read("app/models/person.ts");
    for (const part of [
      'boss_person: belongsTo({ class: "Person", foreignKey: "boss", optional: true })',
      "profile: hasOne()",
      "email: { uniqueness: true }",
      'return [this.first_name, this.last_name].filter(Boolean).join(" ") || super.toLabel();',
    ])
      assert.ok(person.includes(part), `${part}\n${person}`);
    assert.match(read("app/models/strassen.ts"), 'static override ignoredColumns = ["a.b", "constructor"];');
    assert.match(read("app/models/order.ts"), "this.CompanyName");
    assert.not.match(read("app/models/tag.ts"), "toLabel() {\n    return [this.Code]");
  });

  it("Policies list what people may see and write: no secrets and no bytes, and keys when a record is new", () => {
    const gadget = read("app/policies/gadget_policy.ts");
    for (const name of ["ApiToken", "password_hash", "Photo", "created_at"])
      assert.not.ok(gadget.includes(name), gadget);
    const [create = "", readable = ""] = gadget.split("permittedAttributesForRead");
    assert.not.match(create, "Shown");
    assert.match(readable, "Shown");
    const tag = read("app/policies/tag_policy.ts");
    assert.match(tag, 'permittedAttributesForCreate(): Attributes<Tag> {\n    return ["Code", "Label"];');
    assert.match(tag, 'permittedAttributesForUpdate(): Attributes<Tag> {\n    return ["Label"];');
    assert.not.match(read("app/policies/maker_policy.ts"), "MakerId");
    assert.not.match(read("app/policies/device_policy.ts"), '"id"');
    assert.match(app.out, "look like credentials: ApiToken, password_hash");
    assert.match(app.out, "because they are bytes: Photo");
    assert.not.match(connected, "leaves");
  });

  it("It compiles, before its types are written and after, and doctor finds nothing", async () => {
    const { code, out } = await typeCheck(app.root);
    assert.is(code, 0, out);
    await fwOk(app.root, "doctor");
    await fwOk(app.root, "policies", "--write");
    await fwOk(app.root, "policies", "--check");
  });

  it("Each list, record and form is served, and records are created, changed and deleted", async () => {
    walked = await walk(app.root, "sqlite:storage/old.sqlite3");
    assert.equal(failuresOf(walked), ["GadgetTag edit: refused"]);
    assert.is(Object.keys(walked.resources).length, app.constants.length);
    const { Gadget, Maker, Person, Order, OrderDetail, City, Tag, GadgetName, Strassen } = walked.labels;
    assert.equal(
      { Gadget, Maker, Person, Order, OrderDetail, City, Tag, GadgetName, Strassen },
      {
        ...{ Gadget: "Lamp", Maker: "Acme", Person: "Ada Lane", Order: "Acme", OrderDetail: "Order detail #10, 1" },
        ...{ City: "Bern", Tag: "Novelty", GadgetName: "Lamp", Strassen: "Bahnhofstrasse" },
      },
    );
  });

  it("An account that is called as one of the models is refused, with another name", async () => {
    const { code, err } = await runFw(app.root, "g", "fw:authlib:account", "person");
    assert.is(code, 2);
    assert.match(err, "Person is the model of a table that was there before");
    assert.match(err, "fw generate fw:authlib:account back_person");
  });

  it("Nothing of the schema was changed", () => {
    assert.equal(sqliteSchema(file(), Object.keys(schema)), schema);
  });
  it("A migration that changes such a table says that tests have none", async () => {
    assert.match(connected, /No test was written of .*tests begin with an empty database/);
    const field = await fwOk(app.root, "g", "fw:res:field", "Maker", "hint:string?");
    assert.match(field.out, 'No migration creates "Makers"');
    await fwOk(app.root, "g", "fw:install", "trash");
    const trash = await fwOk(app.root, "g", "fw:trash", "Maker");
    assert.match(trash.out, 'No migration creates "Makers"');
    const [migration] = readdirSync(join(app.root, "db/migrate")).filter((name) => name.includes("_add_trash_to_"));
    assert.match(read(`db/migrate/${migration}`), 'addTrash(db, "Makers")');
  });
});

for (const database of (await databases()).filter(({ name }) => name === "mysql"))
  describe("Models of tables that were there before, on MariaDB", (it, { after }) => {
    after(() => database.clean());

    it.unless(database.skip, "Enums, sets, years, triggers and columns that the database sets are served", async () => {
      const { DATABASE_URL: url = "" } = await database.values();
      const connection = await mysql.createConnection(url);
      for (const statement of [...mysqlTables, ...mysqlRows]) await connection.query(statement);
      await connection.end();
      const schema = await mysqlSchema(url);
      const app = await pullApp(url, { database: "mysql" });
      const read = readerOf(() => app);
      const gadget = read("app/models/gadget.ts");
      assert.match(gadget, `rating: ["G", "PG", "it's", "point"]`);
      const policy = read("app/policies/gadget_policy.ts");
      for (const name of ["flags", "photo"]) assert.not.ok(policy.includes(`"${name}"`), policy);
      const [create = "", readable = ""] = read("app/policies/maker_policy.ts").split("permittedAttributesForRead");
      assert.not.match(create, "last_update");
      assert.match(readable, "last_update");
      await connectAll(app);
      const { code, out } = await typeCheck(app.root);
      assert.is(code, 0, out);
      await fwOk(app.root, "doctor");
      const walked = await walk(app.root, url);
      assert.equal(failuresOf(walked), []);
      assert.equal(walked.labels, { Maker: "Acme", Gadget: "Lamp", GadgetText: "Lamp", GadgetList: "Lamp" });
      assert.equal(await mysqlSchema(url, Object.keys(schema)), schema);
    });
  });

for (const database of (await databases({ withPostgres: true, byCommands: true })).filter(({ name }) =>
  /^p/.test(name),
))
  describe(`Models of tables that were there before, on ${database.name}`, (it, { after }) => {
    after(() => database.clean());

    it.unless(database.skip, "Types, domains, identities, computed columns and views are served", async () => {
      const { DATABASE_URL: url = "" } = await database.values();
      await runPostgres(url, postgresTables);
      const schema = await postgresSchema(url);
      const app = await pullApp(url, { database: "postgres" });
      const read = readerOf(() => app);
      assert.match(read("app/models/gadget.ts"), `rating: ["G", "PG", "it's", "print"]`);
      const policy = read("app/policies/gadget_policy.ts");
      const [create = "", readable = ""] = policy.split("permittedAttributesForRead");
      for (const name of ["gadget_id", "photo", "ticket", "shown"]) assert.not.ok(create.includes(`"${name}"`), policy);
      for (const name of ["ticket", "shown"]) assert.ok(readable.includes(`"${name}"`), policy);
      await connectAll(app);
      const { code, out } = await typeCheck(app.root);
      assert.is(code, 0, out);
      await fwOk(app.root, "doctor");
      const walked = await walk(app.root, url);
      assert.equal(failuresOf(walked), []);
      const { Maker, Gadget, Code, GadgetList } = walked.labels;
      assert.equal(
        { Maker, Gadget, Code, GadgetList },
        { Maker: "Acme", Gadget: "Lamp", Code: "Novelty", GadgetList: "Lamp" },
      );
      const own = ["makers", "gadgets", "codes", "places", "gadget_list"];
      assert.equal(await postgresSchema(url, own), schema);
    });
  });
