import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { serveAll } from "./db_pull_published.ts";
import { published, reasonWithout } from "./published_databases.ts";
import { pullApp } from "./pulled_app.ts";
import { postgresSchema, runPostgres } from "./pulled_postgres.ts";

const script = "northwind_postgres.sql";
/** The script has none, and a table that joins two others needs both. */
const row = "insert into customer_demographics values ('big', 'Large customers')";

for (const database of (await databases({ withPostgres: true })).filter(({ name }) => /^p/.test(name)))
  describe(`Northwind, a published database of PostgreSQL, on ${database.name}`, (it, { after }) => {
    after(() => database.clean());

    it.unless(
      database.skip ?? reasonWithout(script),
      "It is served without a line by hand, each record by its name, and its schema stays as it is",
      async () => {
        const { DATABASE_URL: url = "" } = await database.values();
        await runPostgres(url, `${published(script)};\n${row}`);
        const schema = await postgresSchema(url);
        const tables = [...new Set(Object.keys(schema).flatMap((name) => /^(\w+)\./.exec(name)?.[1] ?? []))];
        const app = await pullApp(url, { database: "postgres" });
        const refused = ["CustomerCustomerDemo edit: refused", "EmployeeTerritory edit: refused"]; // all of them is their key
        const { labels } = await serveAll(app, url, refused);
        const {
          Category,
          Customer,
          Employee,
          Order,
          OrderDetail,
          Product,
          Region,
          Shipper,
          Supplier,
          Territory,
          UsState,
        } = labels;
        assert.equal(
          { Category, Customer, Employee, Order, OrderDetail, Product, Region, Shipper, Supplier, Territory, UsState },
          {
            ...{
              Category: "Beverages",
              Customer: "Alfreds Futterkiste",
              Employee: "Nancy Davolio",
              Order: "Order #10248",
            },
            ...{
              OrderDetail: "Order detail #10248, 11",
              Product: "Chai",
              Region: "Eastern",
              Shipper: "Speedy Express",
            },
            ...{ Supplier: "Exotic Liquids", Territory: "Westboro", UsState: "Alabama" },
          },
        );
        assert.equal(await postgresSchema(url, tables), schema);
      },
    );
  });
