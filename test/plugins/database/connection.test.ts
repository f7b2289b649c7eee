import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { definePlugin, openKernel, type Plugin, type Settings } from "framewright/kernel";
import { database, Model, Schema, type Transaction } from "framewright/plugins/database";
import { databaseConformance } from "../../conformance/database.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";
import { within } from "../../support/pace.ts";
import { eachDatabase } from "./support.ts";

type Away = Error & { code: string; status: number; retryAfter: number };

eachDatabase("The contract of the database", (it) => {
  for (const { sentence, check } of databaseConformance) it(sentence, async (fresh) => check(await fresh.open()));
});

eachDatabase("The connection", (it, name) => {
  it("A plugin that taps connect provides the connection", async (fresh) => {
    const own = await fresh.open();
    let asked = 0;
    const foreign = definePlugin({
      name: "foreign",
      apply({ hooks }) {
        hooks.database?.connect.tap("foreign", () => {
          asked++;
          return own.knex.withUserParams({ own: true });
        });
      },
    });
    const db = await fresh.open({}, { plugins: [foreign] });
    await databaseConformance[1]?.check(db);
    assert.is(asked, 1);
    assert.is(db.knex.userParams.own, true);
  });

  it("FW_DATABASE_BUSY with 503 and Retry-After ends the wait for a connection of an exhausted pool", async (fresh) => {
    const db = await fresh.open({}, { acquireTimeout: 150, pool: 1, env: "production" });
    const error = (await throwsCode("FW_DATABASE_BUSY", () =>
      db.transaction(() => db.knex.raw("create table crowded (id int)")),
    )) as Away;
    assert.is(error.status, 503);
    assert.is(error.retryAfter, 5);
    await db.ping();
  });

  it("A pool of two connections serves 200 concurrent transactions", async (fresh) => {
    const db = await fresh.open({}, { pool: 2 });
    await new Schema(db.knex).createTable("counts", (t) => {
      t.id();
      t.integer("n").notNull();
    });
    await db.knex("counts").insert({ n: 0 });
    const one = () =>
      db.transaction(async (trx) => {
        await trx("counts").update({ n: trx.raw("n + 1") });
      });
    await Promise.all(Array.from({ length: 200 }, one));
    assert.is((await db.knex("counts").first("n")).n, 200);
  });

  it("A transaction that meets a conflict is retried a few times and up to its deadline, then fails with 503", async (fresh) => {
    const db = await fresh.open();
    const conflict = () =>
      Object.assign(new Error("deadlock"), { code: name === "mysql" ? "ER_LOCK_DEADLOCK" : "SQLITE_BUSY" });
    let runs = 0;
    assert.is(
      await db.transaction(async () => {
        if (++runs < 3) throw conflict();
        return "done";
      }),
      "done",
    );
    runs = 0;
    const lost = async () => {
      runs++;
      throw conflict();
    };
    const error = (await throwsCode("FW_DATABASE_LOCKED", () => db.transaction(lost))) as Away;
    assert.is(error.status, 503);
    assert.is(runs, name === "mysql" ? 12 : 3); // SQLite waits for its lock before it says so
    runs = 0;
    const start = performance.now();
    const late = await db.transaction(lost, { until: start + 50 }).catch((reason: unknown) => reason);
    assert.is((late as Away).status, 503);
    assert.match((late as Away).code, /^FW_(DATABASE_LOCKED|TRANSACTION_LATE)$/); // between two tries, or within one
    assert.ok(runs < 12 && performance.now() - start < within(500), "not beyond the deadline of its request");
  });

  it("FW_TRANSACTION_LATE ends a transaction at its deadline, later writes are refused, and the connection stays usable", async (fresh) => {
    const db = await fresh.open({}, { pool: 1, env: "production" });
    const never = () => new Promise<never>(() => undefined);
    const slow = (trx: Transaction) => (name === "mysql" ? trx.raw("select sleep(5)") : never());
    for (const work of [never, slow, async (trx: Transaction) => trx.raw("select 1").then(never)]) {
      const start = performance.now();
      const limits = { until: start + 200, by: "a test" };
      const error = (await throwsCode("FW_TRANSACTION_LATE", () => db.transaction(work, limits))) as Away;
      assert.is(error.status, 503);
      assert.match(error.message, /of a test was not over after/);
      await db.ping();
      await db.transaction((trx) => trx.raw("select 1"));
      assert.ok(performance.now() - start < within(2000));
    }
    let proceed = () => {};
    const waits = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    let late: unknown;
    const work = async (trx: Transaction) => {
      await waits;
      late = await trx.raw("create table too_late (id integer)").then(
        () => "written",
        () => "refused",
      );
    };
    await throwsCode("FW_TRANSACTION_LATE", () => db.transaction(work, { until: performance.now() + 50 }));
    proceed(); // what it awaited comes in the end
    await db.ping();
    while (late === undefined) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.is(late, "refused");
    assert.equal(await db.tables(), []);
  });

  it("A connection sees rows and columns that another connection changed", async (fresh) => {
    class Thing extends Model("things") {}
    const db = await fresh.open();
    const other = await fresh.open();
    const schema = new Schema(other.knex);
    await schema.createTable("things", (t) => {
      t.id();
      t.string("a");
    });
    await other.knex("things").insert({ a: "1" });
    assert.equal(await db.knex("things").select("*"), [{ id: 1, a: "1" }]);
    await schema.addColumns("things", (t) => t.string("b").default("2"));
    assert.equal(await db.knex("things").select("*"), [{ id: 1, a: "1", b: "2" }]);
    const linked = await fresh.open({ Thing: Thing });
    assert.is((await linked.query(Thing).first())?.b, "2");
  });
});

describe("The address of a database", (it) => {
  const settings = (databaseUrl: string | undefined, root = tmpdir()) =>
    ({ root, env: "test", databaseUrl }) as unknown as Settings;

  it("A missing address is a file in storage that is created on first use, and closing refuses further use", async () => {
    const root = mkdtempSync(join(tmpdir(), "framewright-database-"));
    const kernel = await openKernel([database()], { settings: settings(undefined, root) });
    await kernel.service("database").ping();
    assert.ok(existsSync(join(root, "storage", "test.sqlite3")));
    await kernel.close();
    await throwsCode("FW_DATABASE_CLOSED", () => kernel.service("database").knex);
  });

  it("An address may be a database in memory", async () => {
    const kernel = await openKernel([database()], { settings: settings("sqlite::memory:") });
    await databaseConformance[1]?.check(kernel.service("database"));
    await kernel.close();
  });

  const refused = (code: string, url: string) =>
    throwsCode(code, async () => {
      const kernel = await openKernel([database({ url })], { settings: settings(undefined) });
      await kernel.service("database").ping();
    });

  it("FW_DATABASE_DRIVER names the schemes that there are, and FW_DATABASE_URL an address without its password; FW_OPTION_UNKNOWN an unknown option", async () => {
    const { message } = await refused("FW_DATABASE_DRIVER", "postgres://me:secret@host/x");
    assert.match(message, /"postgres:".*mariadb:, mysql:.*sqlite:/);
    assert.not.match(message, /secret/);
    assert.not.match((await refused("FW_DATABASE_URL", "mysql://me:secret@host")).message, /secret/);
    assert.not.match((await refused("FW_DATABASE_URL", "//me:secret@host/x")).message, /secret/);
    await throwsCode("FW_OPTION_UNKNOWN", () => database({ pol: 1 } as object));
  });

  it("FW_DATABASE_DRIVERS and FW_REGISTRY_TAKEN refuse two drivers of one scheme or of one name, with both", async () => {
    const adding = (name: string, protocols: string[]) =>
      definePlugin({
        name: `plugin of ${name}`,
        requires: ["database"],
        apply: ({ services: { database: service } }) =>
          service.drivers.add(name, { ...service.drivers.get("sqlite")!, name, protocols }),
      });
    const opened = (...plugins: Plugin[]) =>
      openKernel([database(), ...plugins], { settings: settings("other::memory:") });
    const { message } = await throwsCode("FW_DATABASE_DRIVERS", async () => {
      const kernel = await opened(adding("one", ["other"]), adding("two", ["other"]));
      return kernel.service("database").knex;
    });
    assert.match(message, /"one" and "two" open "other:"/);
    await throwsCode("FW_REGISTRY_TAKEN", () => opened(adding("mysql", ["other"])));
  });

  it("FW_DATABASE_AWAY with 503 and Retry-After reports a server that hangs up or does not listen", async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const hangsUp = await openKernel([database()], { settings: settings(`mysql://root@127.0.0.1:${port}/x`) });
    assert.is(((await throwsCode("FW_DATABASE_AWAY", () => hangsUp.service("database").ping())) as Away).status, 503);
    await hangsUp.close();
    await new Promise((resolve) => server.close(resolve));
    const nobody = await openKernel([database()], { settings: settings(`mysql://root@127.0.0.1:${port}/x`) });
    assert.is(((await throwsCode("FW_DATABASE_AWAY", () => nobody.service("database").ping())) as Away).retryAfter, 5);
    await nobody.close();
  });
});

describe("A database that is unavailable at boot", (it) => {
  it("A database that is unavailable at boot is 503 until it is back, and its tables are read then", async () => {
    class Thing extends Model("things") {}
    const root = mkdtempSync(join(tmpdir(), "framewright-database-"));
    const file = join(root, "folder.sqlite3");
    mkdirSync(file); // a folder stands where the file should be
    const kernel = await openKernel([database()], {
      settings: settingsOf(`sqlite:${file}`),
      load: (opening) => opening.service("database").register("Thing", Thing, "thing.ts"),
    });
    const db = kernel.service("database");
    assert.is(((await throwsCode("FW_DATABASE_AWAY", () => db.query(Thing))) as Away).status, 503);
    await throwsCode("FW_DATABASE_AWAY", () => db.query(Thing).insert({ a: "1" }));
    rmSync(file, { recursive: true });
    await new Schema(db.knex).createTable("things", (t) => {
      t.id();
      t.string("a");
    });
    while (!db.model("Thing").exists) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.is((await db.query(Thing).insert({ a: "1" })).$id(), 1);
    await kernel.close();
  });
});

const settingsOf = (databaseUrl: string) => ({ root: tmpdir(), env: "test", databaseUrl }) as unknown as Settings;
