import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assert, describe } from "../support/index.ts";
import { runSqlite, sqliteSchema } from "./published_databases.ts";
import { failuresOf, walk } from "./pull_walk.ts";
import { ensureBuilt, newApp, spawnOk, useDatabase } from "./support.ts";

const namesOf = (out: string) => /fw:res:conn (.*) --dest=PORTAL/.exec(out)?.[1]?.split(" ");

describe("An application whose own tables have a prefix", (it) => {
  it("It is put over a database, served, backed up and restored, and its tables begin so and in no other way", async () => {
    await ensureBuilt();
    const root = await newApp("shop");
    const url = "sqlite:storage/old.sqlite3";
    const file = join(root, "storage/old.sqlite3");
    useDatabase(root, url);
    runSqlite(
      file,
      "create table notes (NoteId integer primary key, name varchar(20)); insert into notes values (1, 'First')",
    );
    /** Of a copy: this process would keep the file open. */
    const schemaOf = (names?: readonly string[]) => {
      copyFileSync(file, `${file}.copy`);
      return sqliteSchema(`${file}.copy`, names);
    };
    const schema = schemaOf();
    const config = join(root, "plugins.config.ts");
    const list = readFileSync(config, "utf8");
    writeFileSync(config, list.replace("database()", 'database({ frameworkPrefix: "fw_" })'));
    const run = (...words: string[]) => spawnOk(root, ...words); // a process that stays would keep the file open
    assert.equal(namesOf((await run("g", "fw:db:pull")).out), ["Note"]);
    for (const plugin of ["wizards", "imports", "undo", "saved_views", "notifications", "limits"])
      await run("g", "fw:install", plugin);
    await run("g", "fw:authlib:account", "back_user");
    await run("g", "fw:pkg:portal", "admin", "--auth=back_user");
    await run("g", "fw:res:conn", "Note", "--dest=admin_portal");
    await run("db:migrate");
    await run("doctor");
    const added = Object.keys(schemaOf()).filter((name) => schema[name] === undefined);
    assert.equal(
      added.filter((name) => !/^(fw_|back_user|sqlite_)/.test(name)),
      [],
    );
    for (const table of ["jobs", "wizard_runs", "imports", "deletions", "saved_views", "notifications", "limits"])
      assert.ok(added.includes(`fw_${table}`), `back_${table}\n${added.join("\n")}`);
    assert.equal(namesOf((await run("g", "fw:db:pull")).out), ["Note"]);
    const walked = await walk(root, url, "back_user");
    assert.equal(failuresOf(walked), []);
    const saved = /storage\/backups\/\S+\.sqlite3/.exec((await run("db:backup")).out)?.[0];
    await run("db:restore", saved!, "--yes");
    await run("db:migrate");
    assert.equal(schemaOf(Object.keys(schema)), schema);
  });
});
