import { readFileSync } from "node:fs";
import { join } from "node:path";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { failuresOf, walk } from "./pull_walk.ts";
import { connectAll, type PulledApp, pullApp } from "./pulled_app.ts";
import { runPostgres } from "./pulled_postgres.ts";
import { fwOk, newApp, runFw, typeCheck } from "./support.ts";

const tables = `
create schema sales;
create schema "Hr";
create table offices (id serial primary key, name text not null);
create table sales.orders (order_no integer primary key, customer text not null, office_id integer not null references offices);
create table sales.lines (order_no integer not null references sales.orders, line_no integer not null, text varchar(20) not null unique, primary key (order_no, line_no));
create view sales.totals as select order_no, count(*) as lines from sales.lines group by order_no;
create table "Hr".people (id serial primary key, name varchar(20) not null, boss_id integer references "Hr".people, office_id integer references offices);
create table "Hr".orders (id serial primary key, title varchar(20) not null, about integer references sales.orders);
insert into offices (name) values ('Rome'), ('Bern');
insert into sales.orders values (7, 'Acme', 1);
insert into sales.lines values (7, 1, 'Lamp');
insert into "Hr".people (name, office_id) values ('Ada', 2);
insert into "Hr".orders (title, about) values ('Buy a lamp', 7);
`;

for (const database of (await databases({ withPostgres: true, byCommands: true })).filter(({ name }) =>
  /^p/.test(name),
))
  describe(`Tables of several schemas, on ${database.name}`, (it, { after }) => {
    after(() => database.clean());

    it.unless(
      database.skip,
      "They are models with names of their own, refer to each other, and are served",
      async () => {
        const { DATABASE_URL: url = "" } = await database.values();
        await runPostgres(url, tables);
        const app = await pullApp(url, { database: "postgres" });
        assert.equal(app.constants, ["Office"]);
        const { out } = await fwOk(app.root, "g", "fw:db:pull", "--schema=sales,Hr");
        const constants = /fw:res:conn (.*) --dest=PORTAL/.exec(out)![1]!.split(" ");
        assert.equal(constants.sort(), ["HrOrder", "Line", "Office", "Order", "Person", "Total"]);
        assert.match(out, "The model of Hr.orders is called HrOrder: another class is called Order.");
        const read = (path: string) => readFileSync(join(app.root, "app/models", path), "utf8");
        assert.match(read("order.ts"), 'Model("sales.orders")');
        assert.match(read("order.ts"), "office: belongsTo()");
        assert.match(read("order.ts"), 'hr_orders: hasMany({ foreignKey: "about" })');
        assert.match(read("hr_order.ts"), 'Model("Hr.orders")');
        assert.match(read("person.ts"), 'boss: belongsTo({ class: "Person", optional: true })');
        assert.match(read("office.ts"), "orders: hasMany()");
        const served: PulledApp = { ...app, constants };
        await connectAll(served);
        const { code, out: compiled } = await typeCheck(app.root);
        assert.is(code, 0, compiled);
        await fwOk(app.root, "doctor");
        const walked = await walk(app.root, url);
        assert.equal(failuresOf(walked), []);
        const names = {
          HrOrder: "Buy a lamp",
          Line: "Line #7, 1",
          Office: "Rome",
          Order: "Order #7",
          Person: "Ada",
          Total: "Total",
        };
        assert.equal(walked.labels, names);
      },
    );

    it.unless(
      database.skip,
      "One that is gone is named by doctor and by the next run, and one that never was is refused",
      async () => {
        const { DATABASE_URL: url = "" } = await database.values();
        await runPostgres(url, tables);
        const { root } = await pullApp(url, { database: "postgres" });
        await fwOk(root, "g", "fw:db:pull", "orders", "--schema=sales");
        await runPostgres(url, "drop table sales.orders cascade");
        assert.match((await runFw(root, "doctor")).out, 'Order names "sales.orders"');
        assert.match((await fwOk(root, "g", "fw:db:pull")).out, "Order has no table any more: sales.orders is gone.");
        const unknown = await runFw(root, "g", "fw:db:pull", "--schema=sale");
        assert.is(unknown.code, 2);
        assert.match(unknown.err, 'the database has no schema "sale"');
      },
    );
  });

describe("Schemas of a database that has none", (it) => {
  it("They are refused", async () => {
    const root = await newApp();
    const { code, err } = await runFw(root, "g", "fw:db:pull", "--schema=sales");
    assert.is(code, 2);
    assert.match(err, 'the driver "sqlite" knows no schemas. Leave --schema out.');
  });
});
