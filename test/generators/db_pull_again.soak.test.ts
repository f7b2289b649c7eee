import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { runSqlite } from "./published_databases.ts";
import { pullApp } from "./pulled_app.ts";
import { ensureBuilt, fwOk, newApp, runFw, snapshot, typeCheck, useDatabase } from "./support.ts";

const url = "sqlite:storage/old.sqlite3";
const schema = `create table Makers (MakerId integer primary key, Name varchar(40) not null, Town varchar(20));
create table Gadgets (GadgetId integer primary key, Title varchar(40) not null, Weight integer, MakerId integer not null references Makers)`;
const change = (root: string, sql: string) => runSqlite(join(root, "storage/old.sqlite3"), sql);
const editorOf = (root: string) => (path: string, from: string, to: string) => {
  const text = readFileSync(join(root, path), "utf8");
  assert.ok(text.includes(from), text);
  writeFileSync(join(root, path), text.replace(from, to));
};

describe("fw db:pull again, after tables changed", (it, { before }) => {
  let root: string;
  let edit: ReturnType<typeof editorOf>;
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  const gadget = "app/models/gadget.ts";
  before(async () => {
    const prepare = (folder: string) => runSqlite(join(folder, "storage/old.sqlite3"), schema);
    ({ root } = await pullApp(url, { prepare }));
    edit = editorOf(root);
  });

  it("Without a change it writes nothing", async () => {
    const files = snapshot(root);
    const { out } = await fwOk(root, "db:pull");
    assert.not.match(out, /^\s+(create|edit|overwrite|kept)/m);
    assert.equal(snapshot(root), files);
  });

  it("With --dry-run it prints what it would change, and otherwise merges it with what was edited", async () => {
    edit(
      gadget,
      "  override toLabel",
      "  get isHeavy(): boolean {\n    return Number(this.Weight) > 9;\n  }\n\n  override toLabel",
    );
    edit("app/policies/gadget_policy.ts", "return this.user !== undefined;", "return true;");
    change(
      root,
      "alter table Gadgets add column Colour varchar(10) check (Colour in ('red', 'blue')); create table Shops (ShopId integer primary key, Name varchar(10))",
    );
    const files = snapshot(root);
    const dry = await fwOk(root, "db:pull", "--dry-run");
    assert.match(dry.out, '+  static override enums = { Colour: ["red", "blue"] };');
    assert.match(dry.out, "app/models/shop.ts");
    assert.equal(snapshot(root), files);
    const { out } = await fwOk(root, "db:pull");
    assert.match(out, '+  static override enums = { Colour: ["red", "blue"] };');
    assert.match(read(gadget), "get isHeavy()");
    assert.match(read(gadget), 'enums = { Colour: ["red", "blue"] }');
    const policy = read("app/policies/gadget_policy.ts");
    assert.match(policy, "return true;");
    assert.match(policy, '"Title", "Weight", "maker", "Colour"');
    assert.ok(existsSync(join(root, "app/models/shop.ts")));
    assert.not.match((await fwOk(root, "db:pull")).out, /^\s+(create|edit|kept)/m);
  });

  it("Where both changed the same lines, the file is left as it is, and it says so", async () => {
    edit("app/policies/maker_policy.ts", '"Name", "Town"', '"Town", "Name"');
    change(root, "alter table Makers add column Zip varchar(10)");
    const before = read("app/policies/maker_policy.ts");
    const { out } = await fwOk(root, "db:pull");
    assert.match(out, "app/policies/maker_policy.ts is left as it is: you changed the lines that the table changes.");
    assert.is(read("app/policies/maker_policy.ts"), before);
  });

  it("A column that nothing names may go; a table that is gone is named here and by fw doctor", async () => {
    change(root, "alter table Makers drop column Zip; drop table Shops");
    const { out } = await fwOk(root, "db:pull");
    assert.match(out, "Shop has no table any more: Shops is gone. Its files are left: app/models/shop.ts");
    const doctor = await runFw(root, "doctor");
    assert.is(doctor.code, 1);
    assert.match(doctor.out, 'FIX  tables of models: Shop names "Shops", which the database does not have.');
    for (const file of ["models/shop", "policies/shop_policy", "definitions/shop_definition"])
      rmSync(join(root, `app/${file}.ts`));
    change(root, "alter table Gadgets drop column Weight");
    await fwOk(root, "db:pull");
    assert.match((await fwOk(root, "doctor")).out, "tables of models: all exist");
    const typed = await typeCheck(root);
    assert.is(typed.code, 0, typed.out);
  });

  it("A column that a model names and that is gone is named by fw doctor", async () => {
    change(root, "alter table Gadgets drop column Title");
    const doctor = await runFw(root, "doctor");
    assert.is(doctor.code, 1);
    assert.match(doctor.out, 'the model "Gadget" has a validation for "Title", which is no column');
  });
});

describe("fw db:pull of some tables, into a package", (it) => {
  it("300 tables take less than a minute", async () => {
    const tables = Array.from(
      { length: 300 },
      (_, at) =>
        `create table things_${at} (thing_no integer primary key, name varchar(40) not null${at > 0 ? `, before integer references things_${at - 1}` : ""})`,
    );
    const prepare = (folder: string) => runSqlite(join(folder, "storage/old.sqlite3"), tables.join(";"));
    const start = Date.now();
    const { constants } = await pullApp(url, { prepare });
    assert.is(constants.length, 300);
    assert.ok(Date.now() - start < 60_000, String(Date.now() - start));
  });

  it("It takes those that are named, in any case, and leaves a model of one's own", async () => {
    await ensureBuilt();
    const root = await newApp();
    useDatabase(root, url);
    runSqlite(
      join(root, "storage/old.sqlite3"),
      `${schema}; create table Shops (ShopId integer primary key, MakerId integer references Makers)`,
    );
    await fwOk(root, "g", "fw:pkg:package", "sales");
    writeFileSync(
      join(root, "packages/sales/app/models/sales/maker.ts").replace("/sales/maker", "/maker_of_things"),
      'import { Model } from "framewright/plugins/database";\n\nexport default class MakerOfThings extends Model("Makers") {\n  static override idColumn = "MakerId";\n}\n',
    );
    const wrong = await runFw(root, "db:pull", "gadget");
    assert.is(wrong.code, 2);
    assert.match(wrong.err, /FW_TABLE_UNKNOWN.*Did you mean "Gadgets"\?/s);
    await fwOk(root, "db:pull", "gadgets", "--dest=sales");
    const model = readFileSync(join(root, "packages/sales/app/models/sales/gadget.ts"), "utf8");
    assert.match(model, 'maker: belongsTo({ class: "MakerOfThings", foreignKey: "MakerId" })');
    assert.not.ok(existsSync(join(root, "packages/sales/app/models/sales/shop.ts")));
    const { out } = await fwOk(root, "db:pull", "--dest=sales");
    assert.match(out, "Makers has a model of yours, MakerOfThings, which is left as it is.");
    assert.ok(existsSync(join(root, "packages/sales/app/models/sales/shop.ts")));
    await fwOk(root, "types");
    const typed = await typeCheck(root);
    assert.is(typed.code, 0, typed.out);
    await fwOk(root, "doctor");
  });
});
