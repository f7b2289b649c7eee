import { fork } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { indexName, Schema, shortName } from "framewright/plugins/database";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { eachDatabase, type Fresh } from "./support.ts";

function write({ root }: Fresh, file: string, up: string, down = ""): void {
  const path = join(root, file);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, `export async function up(db) { ${up} }\nexport async function down(db) { ${down} }\n`);
}

eachDatabase("Migrations", (it, name) => {
  /** What is there without any migration; a server has a table that locks them. */
  const locks = name === "mysql" ? ["framewright_migration_lock"] : [];
  const kept = ["framewright_migrations", ...locks, "framewright_releases"];

  it("Migrations of all folders run in the order of their timestamps and roll back in reverse", async (fresh) => {
    write(
      fresh,
      "db/migrate/20260101000000_create_users.ts",
      `await db.createTable("users", (t) => { t.id(); t.string("name"); });`,
      `await db.dropTable("users");`,
    );
    write(
      fresh,
      "db/migrate/20260103000000_add_nick.ts",
      `await db.addColumns("users", (t) => { t.string("nick").unique(); t.belongsTo("boss", { table: "users" }); });`,
      `await db.removeColumns("users", ["nick", "boss_id"]);`,
    );
    write(
      fresh,
      "packages/blog/db/migrate/20260102000000_create_posts.ts",
      `await db.createTable("posts", (t) => { t.id(); t.belongsTo("user", { null: false, onDelete: "cascade" }); });`,
      `await db.dropTable("posts");`,
    );
    const db = await fresh.open();
    const names = ["20260101000000_create_users", "20260102000000_create_posts", "20260103000000_add_nick"];
    assert.equal(
      (await db.migrations.status()).map(({ applied }) => applied),
      [false, false, false],
    );
    assert.equal(await db.migrations.up(), names);
    assert.equal(await db.migrations.up(), []);
    const columns = await db.introspect("users");
    const boss = columns.find((column) => column.name === "boss_id")?.references;
    assert.equal(boss, { table: "users", column: "id", onDelete: "restrict" });
    assert.is(columns.find((column) => column.name === "nick")?.unique, true);
    assert.is(columns.find((column) => column.name === "id")?.type, "bigint");
    assert.ok((await db.migrations.status()).every(({ applied, at }) => applied && at instanceof Date));
    assert.equal(await db.migrations.down(), [names[2]]);
    assert.equal(
      (await db.introspect("users")).map((column) => column.name),
      ["id", "name"],
    );
    assert.equal(await db.migrations.down(5), [names[1], names[0]]);
    assert.equal(await db.tables(), kept);
  });

  it("A migration with a table or column name of 65 characters fails on every database without creating a table", async (fresh) => {
    const long = "x".repeat(65);
    const make = (table: string, column: string) =>
      `await db.createTable("${table}", (t) => { t.id(); t.string("${column}"); });`;
    const ups = [make(long, "a"), make("a", long), `await db.renameTable("a", "${long}");`];
    for (const up of ups) {
      write(fresh, "db/migrate/20260101000000_long.ts", up);
      const db = await fresh.open();
      const error = await throwsCode("FW_MIGRATION_FAILED", () => db.migrations.up());
      assert.match(error.message, /has 65 characters; the databases take 6[34]/);
      assert.not.ok((await db.tables()).some((table) => !kept.includes(table)));
    }
  });

  it("FW_MIGRATION_FAILED names the migration, and a second run completes what was left half-done", async (fresh) => {
    const file = "db/migrate/20260101000000_two_tables.ts";
    const first = `await db.createTable("ones", (t) => { t.id(); t.string("a").index(); }); await db.addColumns("ones", (t) => { t.string("b").unique(); });`;
    write(fresh, file, `${first} throw new Error("boom");`);
    const db = await fresh.open();
    const error = await throwsCode("FW_MIGRATION_FAILED", () => db.migrations.up());
    assert.match(error.message, /"20260101000000_two_tables" failed going up: boom/);
    assert.is((await db.tables()).includes("ones"), name === "mysql");
    const again = "db/migrate2/20260101000000_two_tables.ts";
    write(fresh, again, `${first} await db.createTable("twos", (t) => { t.id(); });`);
    const second = await fresh.open({}, { migrations: [join(fresh.root, "db/migrate2")] });
    await throwsCode("FW_MIGRATION_DUPLICATE", () => second.migrations.up());
    const { rmSync } = await import("node:fs");
    rmSync(join(fresh.root, file));
    assert.equal(await second.migrations.up(), ["20260101000000_two_tables"]);
    assert.equal(await db.tables(), [...kept, "ones", "twos"]);
    assert.equal(
      (await db.introspect("ones")).map((column) => column.name),
      ["id", "a", "b"],
    );
  });

  it("A file without a timestamp, without up or with a required column that has no default is refused", async (fresh) => {
    write(fresh, "db/migrate/create_users.ts", "");
    const db = await fresh.open();
    await throwsCode("FW_MIGRATION_NAME", () => db.migrations.up());
    const { renameSync, writeFileSync: put } = await import("node:fs");
    const good = join(fresh.root, "db/migrate/20260101000000_nothing.ts");
    renameSync(join(fresh.root, "db/migrate/create_users.ts"), good);
    put(good, "export const nothing = 1;\n");
    assert.match(
      (await throwsCode("FW_MIGRATION_SHAPE", () => db.migrations.up())).message,
      /exports no function "up"/,
    );
    await throwsCode("FW_MIGRATION_COLUMN", () =>
      new Schema(db.knex).addColumns("users", (t) => t.string("x").notNull()),
    );
  });

  const onNodes = name === "pglite" ? () => undefined : it; // it is for one process
  onNodes("Two nodes that migrate at once run each migration once", async (fresh) => {
    write(
      fresh,
      "db/migrate/20260101000000_slow.ts",
      `await db.createTable("ones", (t) => { t.id(); t.string("who"); }); await new Promise((r) => setTimeout(r, 300)); await db.knex("ones").insert({ who: "x" });`,
    );
    const answers = await Promise.all([node(fresh), node(fresh)]);
    assert.equal(answers.flat(), ["20260101000000_slow"]);
    const db = await fresh.open();
    assert.is((await db.knex("ones")).length, 1);
  });

  if (name === "mysql")
    it("FW_MIGRATION_LOCK_LOST ends a run whose lock another process took over", async (fresh) => {
      write(fresh, "db/migrate/20260101000000_slow.ts", "await new Promise((r) => setTimeout(r, 6000).unref());");
      const db = await fresh.open();
      const lost = throwsCode("FW_MIGRATION_LOCK_LOST", () => db.migrations.up());
      const held = () => db.knex("framewright_migration_lock").whereNotNull("holder");
      while ((await held().catch(() => [])).length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
      await db.knex("framewright_migration_lock").update({ holder: "another" });
      await lost;
      assert.is((await held()).length, 1, "the lock of the other one is left alone");
    });
});

/** Migrates in a process of its own. */
function node({ root, url }: Fresh): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, "fixtures", "migrate.ts"), [root, url]);
    child.once("message", (message) => resolve(message as string[]));
    child.once("exit", (code) => reject(new Error(`exit ${code} without an answer`)));
  });
}

describe("The names of indexes", (it) => {
  it("The name of an index over 64 characters is shortened to a distinct and repeatable one", () => {
    assert.is(indexName("posts", ["a", "b"], true), "posts_a_b_unique");
    const long = shortName("x".repeat(80));
    assert.is(long.length, 64);
    assert.is(shortName("x".repeat(80)), long);
    assert.is.not(shortName("x".repeat(81)), long);
  });
});
