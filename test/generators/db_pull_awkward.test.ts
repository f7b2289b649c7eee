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

for (const database of (await databases({ withPostgres: true })).filter(({ name }) => /^p/.test(name)))
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
        const walked = await serveAll({ ...app, constants: namedConstants(out) }, url, [], "back_user");
        console.log(walked.labels);
        assert.equal(await postgresSchema(url, Object.keys(schema)), schema);
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
        console.log(app.out);
        const walked = await serveAll(app, url, [], "back_user");
        console.log(walked.labels);
        assert.equal(await mysqlSchema(url, Object.keys(schema)), schema);
      },
      240_000,
    );
  });
