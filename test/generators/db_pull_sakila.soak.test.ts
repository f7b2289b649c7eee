import { databases } from "../support/databases.ts";
import { assert, describe } from "../support/index.ts";
import { serveAll } from "./db_pull_published.ts";
import { loadSakila, mysqlSchema, reasonWithout } from "./published_databases.ts";
import { pullApp } from "./pulled_app.ts";

const script = "sakila_mysql_schema.sql";

for (const database of (await databases()).filter(({ name }) => name === "mysql"))
  describe("Sakila, a published database of MySQL, on MariaDB", (it, { after }) => {
    after(() => database.clean());

    it.unless(
      database.skip ?? reasonWithout(script),
      "It is served without a line by hand, each record by its name, and its schema stays as it is",
      async () => {
        const { DATABASE_URL: url = "" } = await database.values();
        await loadSakila(url);
        const schema = await mysqlSchema(url);
        const app = await pullApp(url, { database: "mysql" });
        const refused = ["FilmActor edit: refused", "FilmCategory edit: refused"]; // all of them is their key
        const { labels } = await serveAll(app, url, refused);
        const { Actor, Address, City, CustomerList, Film, FilmText, Language, Rental, Staff, Store } = labels;
        assert.equal(
          { Actor, Address, City, CustomerList, Film, FilmText, Language, Rental, Staff, Store },
          {
            ...{
              Actor: "PENELOPE GUINESS",
              Address: "47 MySakila Drive",
              City: "Lethbridge",
              CustomerList: "MARY SMITH",
            },
            ...{ Film: "ACADEMY DINOSAUR", FilmText: "ACADEMY DINOSAUR", Language: "English", Rental: "Rental #1" },
            ...{ Staff: "Mike Hillyer", Store: "Store #1" },
          },
        );
        assert.equal(await mysqlSchema(url, Object.keys(schema)), schema);
      },
    );
  });
