import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openKernel, type Settings } from "framewright/kernel";
import { database, Model } from "framewright/plugins/database";
import { jobs } from "framewright/plugins/jobs";
import { driverPlugins } from "../../support/databases.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { eachDatabase, type Fresh } from "./support.ts";

const schema = readFileSync(join(import.meta.dirname, "../../../plugins/jobs/schema.liquid"), "utf8");
const marks = 'await db.createTable("marks", (t) => { t.id(); t.string("text"); });';

function writeMigration({ root }: Fresh, name = "create_framewright_jobs", tables = schema + marks): void {
  mkdirSync(join(root, "db/migrate"), { recursive: true });
  const down = 'await db.dropTable("framewright_job_schedules"); await db.dropTable("framewright_jobs");';
  writeFileSync(
    join(root, `db/migrate/20260101000000_${name}.ts`),
    `export async function up(db) {\n${tables}\n}\nexport async function down(db) { ${down} }\n`,
  );
}

async function openJobs(fresh: Fresh, frameworkPrefix: string | undefined) {
  const settings = { root: fresh.root, env: "test", databaseUrl: fresh.url, secrets: ["x".repeat(64)], values: {} };
  const prefix = frameworkPrefix === undefined ? {} : { frameworkPrefix };
  const kernel = await openKernel([database(prefix), ...(await driverPlugins(fresh.url)), jobs({ run: false })], {
    settings: settings as unknown as Settings,
  });
  return { kernel, database: kernel.service("database"), jobs: kernel.service("jobs") };
}

eachDatabase("The framework's own tables under a prefix", (it, name) => {
  const lock = name === "mysql" ? ["fw_migration_lock"] : [];
  /** The names as a connection without the prefix reads them. */
  const storedTables = async (fresh: Fresh) => (await fresh.open()).tables();

  it("Each has it, with its indexes, and the database's other tables are left as they are", async (fresh) => {
    writeMigration(fresh);
    const opened = await openJobs(fresh, "fw_");
    try {
      await opened.database.migrations.up();
      const all = ["fw_job_schedules", "fw_jobs", "fw_migrations", "fw_releases", "marks", ...lock].sort();
      assert.equal([...(await storedTables(fresh))].sort(), all);
      const plain = await fresh.open();
      const indexes = await plain.driver.tables.indexes(plain.knex, "fw_jobs");
      assert.ok(indexes.length >= 4 && indexes.every((index) => index.name.startsWith("fw_jobs_")), String(indexes));
      assert.ok((await opened.database.tables()).includes("framewright_jobs"));
      assert.ok((await opened.database.columnNames()).get("framewright_jobs")?.has("payload"));
      assert.equal(await opened.database.migrations.up(), []);
      assert.equal(await opened.database.migrations.down(), ["20260101000000_create_framewright_jobs"]);
      assert.not.ok((await storedTables(fresh)).includes("fw_jobs"));
    } finally {
      await opened.kernel.close();
    }
  });

  it("A job is stored with a transaction, and not by one that is rolled back", async (fresh) => {
    writeMigration(fresh);
    const { kernel, database: db, jobs: queue } = await openJobs(fresh, "fw_");
    try {
      await db.migrations.up();
      const ran: object[] = [];
      queue.define("mark", async (payload) => void ran.push(payload));
      const enqueue = (text: string, isLost: boolean) =>
        db.transaction(async (transaction) => {
          await queue.enqueue("mark", { text }, { transaction });
          if (isLost) throw new Error("rolled back");
        });
      await enqueue("lost", true).catch(() => undefined);
      await enqueue("stored", false);
      await queue.drain();
      assert.equal(ran, [{ text: "stored" }]);
    } finally {
      await kernel.close();
    }
  });

  it("Two applications have tables of their own beside each other", async (fresh) => {
    writeMigration(fresh);
    const plain = await openJobs(fresh, undefined);
    await plain.database.migrations.up();
    plain.jobs.define("mark", async () => undefined);
    await plain.jobs.enqueue("mark", { text: "of the first" });
    await plain.kernel.close();
    const other = { ...fresh, root: join(fresh.root, "other") };
    writeMigration(other, "create_others", schema);
    const opened = await openJobs(other, "fw_");
    try {
      await opened.database.migrations.up();
      assert.is((await opened.database.knex("framewright_jobs")).length, 0);
      assert.equal(
        (await opened.database.tables()).filter((table) => table === "framewright_jobs"),
        ["framewright_jobs"],
      );
    } finally {
      await opened.kernel.close();
    }
  });

  it("A prefix with which another table begins is refused before anything is changed", async (fresh) => {
    const plain = await fresh.open();
    await plain.knex.raw("create table fw_things (id integer primary key)");
    writeMigration(fresh);
    const { kernel, database: db } = await openJobs(fresh, "fw_");
    try {
      assert.match((await throwsCode("FW_TABLE_PREFIX_TAKEN", () => db.migrations.up())).message, "fw_things");
      assert.equal(
        (await storedTables(fresh)).filter((table) => !lock.includes(table)),
        ["fw_things"],
      );
    } finally {
      await kernel.close();
    }
  });

  it("A model whose table begins so is refused, with its name", async (fresh) => {
    const Thing = class extends Model("fw_things") {};
    const error = await throwsCode("FW_TABLE_PREFIX_MODEL", () => fresh.open({ Thing }, { frameworkPrefix: "fw_" }));
    assert.match(error.message, 'the table of Thing is "fw_things"');
  });

  it("A prefix that comes after the first migration is refused", async (fresh) => {
    writeMigration(fresh);
    const plain = await openJobs(fresh, undefined);
    await plain.database.migrations.up();
    await plain.kernel.close();
    const { kernel, database: db } = await openJobs(fresh, "fw_");
    try {
      const { message } = await throwsCode("FW_TABLE_PREFIX_CHANGED", () => db.migrations.up());
      assert.match(message, "framewright_NAME to fw_NAME");
      assert.not.ok((await storedTables(fresh)).includes("fw_migrations"));
    } finally {
      await kernel.close();
    }
  });
});

describe("The prefix of the framework's tables", (it) => {
  it("One that no name can begin with, or that is too long, is refused", async () => {
    for (const frameworkPrefix of ["", "1_", "Fw_", "fw-", "a_long_prefix_", "sales."])
      await throwsCode("FW_TABLE_PREFIX", () => database({ frameworkPrefix }));
  });
});
