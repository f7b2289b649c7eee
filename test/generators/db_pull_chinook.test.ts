import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { serveAll } from "./db_pull_published.ts";
import { published, reasonWithout, runSqlite, sqliteSchema } from "./published_databases.ts";
import { pullApp } from "./pulled_app.ts";

const script = "chinook_sqlite.sql";

describe("Chinook, a published database of SQLite", (it) => {
  it.unless(
    reasonWithout(script),
    "It is served without a line by hand, each record by its name, and its schema stays as it is",
    async () => {
      const url = "sqlite:storage/chinook.sqlite3";
      let schema: Record<string, string> = {};
      const prepare = (root: string) => {
        runSqlite(join(root, "storage/chinook.sqlite3"), published(script));
        schema = sqliteSchema(join(root, "storage/chinook.sqlite3"));
      };
      const app = await pullApp(url, { prepare });
      const { labels } = await serveAll(app, url, ["PlaylistTrack edit: refused"]); // all of it is its key
      assert.equal(labels, {
        Album: "For Those About To Rock We Salute You",
        Artist: "AC/DC",
        Customer: "Luís Gonçalves",
        Employee: "Andrew Adams",
        Genre: "Rock",
        Invoice: "Invoice #1",
        InvoiceLine: "Invoice line #1",
        MediaType: "MPEG audio file",
        Playlist: "Music",
        PlaylistTrack: "Playlist track #1, 3402",
        Track: "For Those About To Rock (We Salute You)",
      });
      assert.equal(sqliteSchema(join(app.root, "storage/chinook.sqlite3"), Object.keys(schema)), schema);
    },
  );
});
