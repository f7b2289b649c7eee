import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { serveAll } from "./db_pull_published.ts";
import { awkwardPostgres } from "./pull_awkward.ts";
import { pullApp } from "./pulled_app.ts";
import { postgresSchema, runPostgres } from "./pulled_postgres.ts";
import { fwOk } from "./support.ts";

for (const database of (await databases({ withPostgres: true })).filter(({ name }) => /^p/.test(name)))
  describe(`A database whose names, keys and types are awkward, on ${database.name}`, (it, { after }) => {
    after(() => database.clean());

    it.unless(database.skip, "All that can be served is, and what can't is named when it is pulled", async () => {
      const { DATABASE_URL: url = "" } = await database.values();
      await runPostgres(url, awkwardPostgres);
      const schema = await postgresSchema(url);
      const app = await pullApp(url, { database: "postgres" });
      const { out } = await fwOk(app.root, "g", "fw:db:pull", "--schema=public,Lager 2");
      const constants = /fw:res:conn (.*) --dest=PORTAL/.exec(out)![1]!.split(" ");
      console.log(app.out, out);
      const walked = await serveAll({ ...app, out, constants }, url, [], "back_user");
      console.log(walked.labels);
      const own = Object.keys(schema);
      assert.equal(await postgresSchema(url), { ...schema, ...{} });
      assert.ok(own);
    });
  });
