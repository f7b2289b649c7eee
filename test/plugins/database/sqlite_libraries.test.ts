import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openKernel, type Settings } from "framewright/kernel";
import { type Database, database, Schema } from "framewright/plugins/database";
import { assert, describe, throwsCode } from "../../support/index.ts";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const hasNode = major > 25 || (major === 24 && minor >= 15) || (major === 25 && minor >= 7);
const withoutNode = hasNode ? undefined : "needs Node 24.15 or later";

/** Opens one file by this library, or by the one that is chosen; a process must not open it by both. */
async function withFile(
  library: string | undefined,
  body: (open: () => Promise<Database>, file: string) => Promise<void>,
) {
  const root = mkdtempSync(join(tmpdir(), "framewright-library-"));
  const file = join(root, "test.sqlite3");
  const kernels: { close(): Promise<void> }[] = [];
  const open = async () => {
    const settings = { root, env: "test", databaseUrl: `sqlite:${file}` } as unknown as Settings;
    const kernel = await openKernel([database({ statementTimeout: 200 })], {
      ...{ settings, values: { DATABASE_SQLITE: library } },
    });
    kernels.push(kernel);
    return kernel.service("database");
  };
  try {
    await body(open, file);
  } finally {
    for (const kernel of kernels) await kernel.close();
    rmSync(root, { recursive: true, force: true });
  }
}

/** Counts numbers up for minutes; it names a large table, by which it is taken for slow. */
const ENDLESS =
  "select count(*) as n from (with recursive c(x) as (select 1 union all select x + 1 from c where x < 4000000000) select x from c) where (select count(*) from things) > 0";

async function manyThings(db: Database): Promise<void> {
  await new Schema(db.knex).createTable("things", (t) => {
    t.id();
    t.bigint("n");
    t.binary("bytes");
  });
  await db.knex.raw(
    "insert into things (n) with recursive c(x) as (select 1 union all select x + 1 from c where x < 30000) select x from c",
  );
}

for (const [library, reason] of [
  ["node", withoutNode],
  ["libsql", undefined],
] as const) {
  describe(`SQLite by ${library}`, (it) => {
    it.unless(
      reason,
      "Limits and offsets are applied wherever they are, and texts with the same words are not changed",
      () =>
        withFile(library, async (open) => {
          const { knex } = await open();
          await manyThings(await open());
          const ids = async (query: Promise<{ id: number }[]>) => (await query).map(({ id }) => id);
          for (let turn = 1; turn <= 3; turn++) {
            assert.equal(await ids(knex("things").orderBy("id").limit(turn).select("id")), [1, 2, 3].slice(0, turn));
            assert.equal(await ids(knex("things").orderBy("id").limit(2).offset(turn).select("id")), [
              turn + 1,
              turn + 2,
            ]);
            const inner = knex("things").orderBy("id").limit(turn).select("id").as("first");
            assert.equal(await ids(knex(inner).orderBy("id", "desc").limit(1).select("id")), [turn]);
          }
          assert.equal(await knex.raw("select ' limit ?)' as t"), [{ t: " limit ?)" }]);
          assert.equal(await ids(knex("things").offset(29_999).orderBy("id").select("id")), [30_000]);
        }),
    );

    it.unless(reason, "Values come back exactly, in rows as in what an insert returns", () =>
      withFile(library, async (open) => {
        const { knex } = await open();
        await knex.raw("create table v (id integer primary key, n, t text, b blob)");
        const bytes = Buffer.from([0, 1, 255]);
        await knex("v").insert([{ id: 1, n: "9007199254740993", t: "é", b: bytes }]);
        await knex.raw("update v set n = cast(n as integer)");
        const [row] = await knex("v").select("*");
        assert.equal({ ...row, b: Buffer.from(row.b) }, { id: 1, n: "9007199254740993", t: "é", b: bytes });
        assert.ok(row.b instanceof ArrayBuffer && Object.getPrototypeOf(row) === Object.prototype);
        assert.equal(
          await knex("v")
            .insert({ id: 2, n: 1n << 62n })
            .returning(["n"]),
          [{ n: String(1n << 62n) }],
        );
        assert.equal(await knex.raw("select 1.5 as f, -7 as i, null as n, true as y, 'a' as t"), [
          { f: 1.5, i: -7, n: null, y: 1, t: "a" },
        ]);
        await knex.raw("insert into v (id) values (9007199254740995)");
        await knex.raw("insert into v (t) values (?)", ["after it"]); // its id is beyond 2^53 as well
        assert.is((await knex("v").count("* as n"))[0]!.n, 4, "no insert is refused after it was done, nor done twice");
      }),
    );

    it.unless(reason, "Whole rows have the columns that another connection added or renamed", () =>
      withFile(library, async (open) => {
        const [{ knex }, other] = [await open(), await open()];
        await knex.raw("create table c (id integer primary key, a text)");
        await knex("c").insert({ id: 1, a: "x" });
        const all = () => knex("c").select("*");
        assert.equal(await all(), [{ id: 1, a: "x" }]);
        await other.knex.raw("alter table c add column b text default 'y'");
        assert.equal(await all(), [{ id: 1, a: "x", b: "y" }]);
        await other.knex.raw("alter table c rename column b to d");
        assert.equal(await all(), [{ id: 1, a: "x", d: "y" }]);
      }),
    );

    it.unless(reason, "Failures have SQLite's codes, and those of constraints become errors of fields", () =>
      withFile(library, async (open) => {
        const { knex } = await open();
        await knex.raw("create table u (id integer primary key, a text unique not null check (a <> 'no'))");
        await knex("u").insert({ a: "x" });
        const code = async (work: PromiseLike<unknown>) => {
          const error = (await Promise.resolve(work).catch((thrown: unknown) => thrown)) as Record<string, unknown>;
          return [error.code, error.extendedCode].filter(Boolean).join(" ");
        };
        assert.is(await code(knex("u").insert({ a: "x" })), "SQLITE_CONSTRAINT SQLITE_CONSTRAINT_UNIQUE");
        assert.is(await code(knex("u").insert({ a: null })), "SQLITE_CONSTRAINT SQLITE_CONSTRAINT_NOTNULL");
        assert.is(await code(knex("u").insert({ a: "no" })), "SQLITE_CONSTRAINT SQLITE_CONSTRAINT_CHECK");
        assert.is(await code(knex("nothing")), "SQLITE_ERROR");
      }),
    );

    it.unless(reason, "A slow select runs beside the event loop with exact values, and is ended after its time", () =>
      withFile(library, async (open) => {
        const db = await open();
        await manyThings(db);
        await db
          .knex("things")
          .where({ id: 1 })
          .update({ n: "9007199254740993", bytes: Buffer.from([7]) });
        const sorted = await db.knex("things").orderBy("n", "desc").orderBy("bytes").limit(2);
        assert.equal(sorted[0].n, "9007199254740993");
        assert.equal([...new Uint8Array(sorted[0].bytes)], [7]);
        const slow = db.knex.raw(ENDLESS);
        let turns = 0;
        const timer = setInterval(() => turns++, 5);
        const error = await throwsCode("FW_DATABASE_SLOW", () => Promise.resolve(slow));
        clearInterval(timer);
        assert.is((error as { status?: number }).status, 503);
        assert.ok(turns > 10, `the event loop turned ${turns} times`);
        assert.is((await db.knex("things").orderBy("n").orderBy("bytes").limit(1))[0].id, 2);
      }),
    );
  });
}

describe("The library of SQLite", (it) => {
  const titleOf = async (library: string | undefined) => {
    let title = "";
    await withFile(library, async (open) => {
      title = (await (await open()).examine()).find(({ what }) => what === "SQLite")!.detail;
    });
    return title;
  };

  it("DATABASE_SQLITE chooses it, Node's own is taken where it is stable, and fw doctor prints which one it is", async () => {
    assert.match(await titleOf("libsql"), /^libsql \d+\.\d+\.\d+, SQLite 3\.\d+/);
    assert.match(await titleOf(undefined), hasNode ? /^node:sqlite of Node \d+.*, SQLite 3\.\d+/ : /^libsql /);
  });

  it("FW_SQLITE_MISSING reports a library that is not here, and FW_ENV_INVALID an unknown one", async () => {
    await throwsCode("FW_ENV_INVALID", () => titleOf("sqlite3"));
    if (!hasNode)
      assert.match((await throwsCode("FW_SQLITE_MISSING", () => titleOf("node"))).message, /Use Node 24\.15/);
  });

  it("FW_SQLITE_MISSING says what to install where neither is here", () =>
    withFile("libsql", async (_, file) => {
      const preload = `${file}.cjs`;
      const find = "const Module = require('node:module'); const usual = Module._resolveFilename;";
      writeFileSync(
        preload,
        `${find} Module._resolveFilename = function (name, ...rest) { return usual.call(this, name === "libsql" ? "not-installed" : name, ...rest); };`,
      );
      const args = ["--require", preload, ...process.execArgv, join(import.meta.dirname, "slow_reader.ts"), file];
      const env = { ...process.env, DATABASE_SQLITE: "libsql" };
      const { stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
      assert.match(
        stderr,
        /FW_SQLITE_MISSING: nothing opens SQLite here: .*DATABASE_SQLITE=libsql.*npm install libsql/,
      );
    }));

  const withoutProc = existsSync("/proc/self/task") ? undefined : "needs /proc";
  it.unless(withoutNode ?? withoutProc, "The process of slow selects ends when the application was killed", () =>
    withFile("node", async (open, file) => {
      await manyThings(await open());
      const args = [...process.execArgv, join(import.meta.dirname, "slow_reader.ts"), file, ENDLESS];
      const env = { ...process.env, DATABASE_SQLITE: "node" };
      const options = { env, timeout: 20_000, killSignal: "SIGKILL" } as const;
      const dying = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "inherit"] });
      const [printed] = (await once(dying.stdout, "data")) as [Buffer];
      const child = Number(printed.toString().trim());
      const isRunning = () => {
        try {
          return readFileSync(`/proc/${child}/stat`, "utf8").split(" ")[2] !== "Z";
        } catch {
          return false;
        }
      };
      assert.ok(child > 0 && isRunning());
      dying.kill("SIGKILL");
      for (let look = 0; look < 60 && isRunning(); look++) await sleep(50);
      assert.not(isRunning());
    }),
  );
});
