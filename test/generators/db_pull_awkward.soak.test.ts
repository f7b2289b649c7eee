import mysql from "mysql2/promise";
import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { serveAll } from "./db_pull_published.ts";
import { mysqlSchema } from "./published_databases.ts";
import { awkwardMysql, awkwardPostgres } from "./pull_awkward.ts";
import { pullApp } from "./pulled_app.ts";
import { postgresSchema, runPostgres } from "./pulled_postgres.ts";
import { fwOk } from "./support.ts";

const namedConstants = (out: string): string[] => /fw:res:conn (.*) --dest=PORTAL/.exec(out)![1]!.split(" ");

/** What is not taken as it is, a sentence each. */
const noted = [
  'one as two is left out: SQL that is built of names would read a dot, " as " or a space at an end of it otherwise.',
  'order is read without "constructor", "toString", "then"',
  '"per cent %", "question?", "a.b", "x[y]"',
  "holidays is listed only: its key day is of the type date, and no address can name a record by it.",
  "no_key is listed only: it has no key, so that nothing identifies a record.",
  "order summary is listed only: it is a view, so that nothing identifies a record.",
  "cities.region, cities.zone have no association: they refer to region, zone, which is not the key of Country.",
  "cities.country has no association: it refers to iso, which is not the key of Country.",
];
const notedOnPostgres = [
  "dot.ted is left out:",
  '2nd_table is left out: it needs the column "1st", whose name no attribute can have.',
  "The model of Lager 2.order is called Lager2Order: another class is called Order.",
];
const labels = { Order: "Order #1", User: "Ada", Grosse: "Grosse #1", Lesson: "Latin" };

/** What is refused because the walk's values are none of the type, or no row is there to refer to. */
const refusedOnMariadb = ["Attendance edit: refused", "Price create: 422", "Solo edit: refused", "Type create: 422"];
const refusedOnPostgres = ["Attendance edit: refused", "Solo edit: refused"];

for (const database of (await databases({ withPostgres: true, byCommands: true })).filter(({ name }) =>
  /^p/.test(name),
))
  describe(`A database whose names, keys and types are awkward, on ${database.name}`, (it, { after }) => {
    after(() => database.clean());

    it.unless(
      database.skip,
      "All that can be served is, and what can't is named when it is pulled",
      async () => {
        const { DATABASE_URL: url = "" } = await database.values();
        await runPostgres(url, awkwardPostgres);
        const schema = await postgresSchema(url);
        const app = await pullApp(url, { database: "postgres" });
        const { out } = await fwOk(app.root, "g", "fw:db:pull", "--schema=public,Lager 2");
        for (const line of [...noted, ...notedOnPostgres]) assert.ok(out.includes(line), `${line}\n${out}`);
        const walked = await serveAll({ ...app, constants: namedConstants(out) }, url, refusedOnPostgres, "back_user");
        const { Order, User, Grosse, Table, Lesson, Lager2Order, Lager2Table, WeIrd } = walked.labels;
        assert.equal(
          { Order, User, Grosse, Table, Lesson, Lager2Order, Lager2Table, WeIrd },
          { ...labels, Table: "茶", Lager2Order: "Nachschub", Lager2Table: "米", WeIrd: "Weird" },
        );
        const now = await postgresSchema(url);
        assert.equal(Object.fromEntries(Object.keys(schema).map((name) => [name, now[name]])), schema);
      },
      240_000,
    );
  });

for (const database of (await databases()).filter(({ name }) => name === "mysql"))
  describe("A database whose names, keys and types are awkward, on MariaDB", (it, { after }) => {
    after(() => database.clean());

    it.unless(
      database.skip,
      "All that can be served is, and what can't is named when it is pulled",
      async () => {
        const { DATABASE_URL: url = "" } = await database.values();
        const connection = await mysql.createConnection(url);
        for (const statement of awkwardMysql) await connection.query(statement);
        await connection.end();
        const schema = await mysqlSchema(url);
        const app = await pullApp(url, { database: "mysql" });
        for (const line of noted) assert.ok(app.out.includes(line), `${line}\n${app.out}`);
        const walked = await serveAll(app, url, refusedOnMariadb, "back_user");
        const { Order, User, Grosse, Table, Lesson } = walked.labels;
        assert.equal({ Order, User, Grosse, Table, Lesson }, { ...labels, Table: "茶" });
        assert.equal(await mysqlSchema(url, Object.keys(schema)), schema);
      },
      240_000,
    );
  });
