import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { addFiles, writeApp } from "../support/apps.ts";
import { databases, mysqlStatement } from "../support/databases.ts";
import { assert, describe, reasonToSkip } from "../support/index.ts";
import { exitOf, serveApp } from "../support/processes.ts";
import { fw, inConsole, type Ran, runCommand } from "./support.ts";

const migration = (up: string) => `import type { Schema } from "framewright/plugins/database";
export async function up(db: Schema) { ${up} }
export async function down(_: Schema) {}
`;
const files: Record<string, string> = {
  "plugins.config.ts": `import { definePlugins } from "framewright";
import { database } from "framewright/plugins/database";
export default definePlugins([database()]);`,
  "config/routes.ts": `import { drawRoutes } from "framewright";\nexport default drawRoutes(() => undefined);`,
  "db/migrate/20260101000000_create.ts": migration(
    `await db.createTable("notes", (t) => { t.id(); t.string("title"); t.text("body"); });
     await db.createTable("lines", (t) => { t.id(); t.belongsTo("note"); t.decimal("price", 10, 2); });`,
  ),
};
const TITLE = 'O\'Hara \\ "Straße" 🌳;\n--';
const SECRET = "b1946ac92492d2347c6235b4d2611184e58ac70b5d1a9c3f7e0d2b8c6a4f8e19";

for (const base of await databases({ mysqlInSoak: true })) {
  describe(`fw db:backup and db:restore, on ${base.name}`, (it, { before, after }) => {
    let app: string;
    let env: Record<string, string>;
    const run = (...words: string[]): Promise<Ran> => runCommand(process.execPath, [fw, ...words], app, env);
    const ok = async (...words: string[]) => {
      const ran = await run(...words);
      assert.is(ran.code, 0, ran.out + ran.err);
      return ran.out;
    };
    const evaluate = async (line: string) => {
      const out = await inConsole(
        app,
        env,
        `console.log("<" + JSON.stringify(await (async (knex) => ${line})(app.kernel.service("database").knex)) + ">")`,
      );
      return JSON.parse(/<(.*)>/.exec(out)?.[1] ?? `"${out}"`) as unknown;
    };
    const insert = (title: string) =>
      evaluate(`{ await knex("notes").insert(${JSON.stringify({ title })}); return 1; }`);
    const titles = () => evaluate(`(await knex("notes").orderBy("id")).map(({ title }) => title)`);
    const backups = () =>
      readdirSync(join(app, "storage/backups"))
        .filter((name) => !name.startsWith("."))
        .sort();
    const newest = () => join("storage/backups", backups().at(-1)!);
    const can = (sentence: string, story: () => Promise<void>) => it.unless(base.skip, sentence, story, 120_000);

    if (base.skip === undefined)
      before(async () => {
        app = writeApp(files);
        env = {
          DATABASE_URL: `sqlite:storage/shop.sqlite3`,
          ...(await base.values()),
          NODE_ENV: "development",
          SECRET_KEY_BASE: SECRET,
        };
        await ok("db:migrate");
      });
    after(() => base.clean());

    can(
      "The database is written whole into a file of its own, which nobody else reads, and comes back as it was",
      async () => {
        await insert(TITLE);
        await evaluate(`{ await knex("lines").insert({ note_id: 1, price: "12.50" }); return 1; }`);
        const out = await ok("db:backup");
        const [name, ...others] = backups();
        assert.equal(others, []);
        assert.match(out, `storage/backups/${name}`);
        assert.match(out, "SECRET_KEY_BASE");
        const file = join(app, "storage/backups", name!);
        assert.is(statSync(file).mode & 0o777, 0o600);
        assert.is(readFileSync(join(app, "storage/backups/.gitignore"), "utf8"), "*\n");
        await insert("later");
        await evaluate(`{ await knex.schema.createTable("later", (t) => t.integer("a")); return 1; }`);
        assert.match(await ok("db:restore", file, "--yes"), "restored storage/backups/");
        assert.equal(await titles(), [TITLE]);
        assert.equal(await evaluate(`Number((await knex("lines").first()).price)`), 12.5);
        assert.is(
          await evaluate(`knex.schema.hasTable("later")`),
          false,
          "the migration that creates it can run again",
        );
        assert.is(backups().length, 2, "what was there before is saved");
        await insert("goes on");
        await ok("db:restore", newest(), "--yes");
        assert.equal(await titles(), [TITLE, "later"]);
        await evaluate(`{ await knex.schema.dropTable("later"); return 1; }`);
      },
    );

    can("A backup is of one moment, while the application writes", async () => {
      const writing = inConsole(
        app,
        env,
        `await (async () => { const d = app.kernel.service("database"); const end = Date.now() + 6000; console.log("<begun>"); while (Date.now() < end) await d.transaction(async (trx) => { await trx("notes").insert({ title: "pair" }); await new Promise((done) => setTimeout(done, 5)); await trx("notes").insert({ title: "pair" }); }); })()`,
      );
      await sleep(2500);
      await ok("db:backup", "moment.dump");
      assert.not.match(await writing, /Error/);
      const pairs = `Number((await knex("notes").where("title", "pair").count("* as n"))[0].n)`;
      const after = (await evaluate(pairs)) as number;
      await ok("db:restore", "moment.dump", "--yes");
      const then = (await evaluate(pairs)) as number;
      assert.is(then % 2, 0);
      assert.ok(then > 0 && then < after, `${then} of ${after}`);
    });

    can(
      "Nothing is overwritten, a folder gets a file of its own, and --keep removes older ones of this database alone",
      async () => {
        await ok("db:backup", "mine.dump");
        const twice = await run("db:backup", "mine.dump");
        assert.is(twice.code, 1);
        assert.match(twice.err, "FW_BACKUP_EXISTS");
        mkdirSync(join(app, "kept"));
        writeFileSync(join(app, "kept/other-20200101T000000000Z.sql"), "");
        writeFileSync(join(app, "kept/notes.txt"), "");
        for (let count = 0; count < 3; count++) await ok("db:backup", "kept/", "--keep=2");
        const left = readdirSync(join(app, "kept"));
        assert.is(left.length, 4, left.join(", "));
        assert.ok(left.includes("notes.txt") && left.includes("other-20200101T000000000Z.sql"));
        assert.is((await run("db:backup", "--keep=none")).code, 2);
      },
    );

    can(
      "Without a terminal, and in production, a restore needs --yes; a file that is cut off or another is refused",
      async () => {
        const file = newest();
        const asked = await run("db:restore", file);
        assert.equal([asked.code, /FW_RESTORE_YES/.test(asked.err)], [2, true], asked.err);
        env.NODE_ENV = "production";
        assert.match((await run("db:restore", file)).err, "nothing is asked in production");
        env.NODE_ENV = "development";
        const before = await titles();
        await ok("db:backup", "cut.dump");
        truncateSync(join(app, "cut.dump"), statSync(join(app, "cut.dump")).size - 100);
        writeFileSync(join(app, "none.txt"), "Shopping list");
        for (const wrong of ["cut.dump", "none.txt"]) {
          const { code, err } = await run("db:restore", wrong, "--yes");
          assert.is(code, 1);
          assert.match(err, "FW_RESTORE_FILE");
        }
        assert.match((await run("db:restore", "gone.dump", "--yes")).err, "FW_FILE_MISSING");
        assert.equal(await titles(), before);
      },
    );

    can("A restore is refused while the application serves", async () => {
      await ok("db:backup", "served.dump");
      const { child } = await serveApp(app, { ...env, NODE_ENV: "production" }, "serve", [process.execPath, fw]);
      try {
        await sleep(500);
        const { code, err } = await run("db:restore", "served.dump", "--yes");
        assert.is(code, 1);
        assert.match(err, /FW_RESTORE_(?:IN_USE|SERVED)/);
        await ok("db:backup", "beside.dump");
      } finally {
        child.kill("SIGTERM");
        await exitOf(child);
      }
      await ok("db:restore", "served.dump", "--yes");
    });

    if (base.name !== "sqlite") {
      can("A program that is missing or fails is one sentence, and leaves no file", async () => {
        const path = env.PATH;
        env.PATH = "/nonexistent";
        const missing = await run("db:backup", "missing.dump");
        assert.is(missing.code, 1);
        assert.match(missing.err, /FW_BACKUP_TOOL: .* is not installed, and is needed here. Run: apt-get install /);
        mkdirSync(join(app, "bin"), { recursive: true });
        for (const name of ["mariadb-dump", "pg_dump"]) {
          writeFileSync(
            join(app, "bin", name),
            `#!/bin/sh\necho "$@" > ${app}/args\necho half\necho "disk is full" >&2\nexit 3\n`,
          );
          chmodSync(join(app, "bin", name), 0o755);
        }
        env.PATH = `${join(app, "bin")}:${process.env.PATH}`;
        env.DATABASE_URL = env.DATABASE_URL!.replace(/\/\/(?:[^@/]*@)?/, "//root:hid%24den@");
        const failed = await run("db:backup", "failed.dump");
        assert.match(
          failed.err,
          "FW_BACKUP_FAILED: the database could not be backed up: disk is full. Nothing was written.",
        );
        assert.not.match(failed.err + readFileSync(join(app, "args"), "utf8"), /hid(?:%24|\$)den/);
        assert.not.ok(existsSync(join(app, "failed.dump")) || existsSync(join(app, "missing.dump")));
        assert.equal(
          readdirSync(app).filter((name) => name.endsWith(".part")),
          [],
        );
        delete env.PATH;
        if (path !== undefined) env.PATH = path;
      });
    }
  });
}

const noMysql = await reasonToSkip("mysql");
describe("fw db:backup", (it) => {
  it.unless(noMysql, "A password of MariaDB may have any characters", async () => {
    const server = process.env.FW_TEST_MYSQL_URL!;
    const [mysql] = await databases().then((all) => all.filter(({ name }) => name === "mysql"));
    const { DATABASE_URL } = await mysql!.values();
    const [user, password] = [`fw_b_${process.pid}`, "p@s\"s'w\\o rd#1;$x"];
    const literal = password.replaceAll(/['\\]/g, "\\$&");
    try {
      await mysqlStatement(server, `create user '${user}'@'localhost' identified by '${literal}'`);
      await mysqlStatement(
        server,
        `grant all on ${new URL(DATABASE_URL!).pathname.slice(1)}.* to '${user}'@'localhost'`,
      );
      const url = new URL(DATABASE_URL!);
      url.username = user;
      url.password = encodeURIComponent(password);
      const app = writeApp(files);
      const env = { DATABASE_URL: url.href, NODE_ENV: "development", SECRET_KEY_BASE: SECRET };
      for (const words of [["db:migrate"], ["db:backup", "a.sql"], ["db:restore", "a.sql", "--yes"]]) {
        const { code, out, err } = await runCommand(process.execPath, [fw, ...words], app, env);
        assert.is(code, 0, out + err);
      }
      assert.match(readFileSync(join(app, "a.sql"), "utf8"), "CREATE TABLE `notes`");
    } finally {
      await mysqlStatement(server, `drop user if exists '${user}'@'localhost'`);
      await mysql!.clean();
    }
  });

  it("A driver that makes no backups, and a plugin that connects elsewhere, are refused", async () => {
    const app = writeApp({ ...files });
    const env = { NODE_ENV: "development", SECRET_KEY_BASE: SECRET, DATABASE_URL: "plain:x" };
    addFiles(app, {
      "plugins.config.ts": `import { definePlugin, definePlugins } from "framewright";
import { database, defineDriver } from "framewright/plugins/database";
const plain = definePlugin({ name: "plain", requires: ["database"], apply: ({ services }) => {
  const { backup: _, ...rest } = [...services.database.drivers.entries()].find(([name]) => name === "sqlite")![1];
  services.database.drivers.add("plain", defineDriver({ ...rest, name: "plain", protocols: ["plain"] }));
} });
export default definePlugins([database(), plain]);`,
    });
    const refused = await runCommand(process.execPath, [fw, "db:backup"], app, env);
    assert.is(refused.code, 1);
    assert.match(refused.err, 'FW_BACKUP_DRIVER: the driver "plain" makes no backups.');
    addFiles(app, {
      "plugins.config.ts": `import { definePlugin, definePlugins } from "framewright";
import { connect, database } from "framewright/plugins/database";
const other = definePlugin({ name: "other", requires: ["database"], apply: ({ hooks }) => {
  hooks.database.connect.tap("other", (_, options) => connect({ ...options, url: "sqlite:storage/other.sqlite3" }));
} });
export default definePlugins([database(), other]);`,
    });
    const elsewhere = await runCommand(process.execPath, [fw, "db:backup"], app, {
      ...env,
      DATABASE_URL: "sqlite:storage/a.sqlite3",
    });
    assert.match(elsewhere.err, "FW_BACKUP_OTHER");
  });
});
