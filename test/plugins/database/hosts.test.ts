import { setTimeout as sleep } from "node:timers/promises";
import { openKernel, type Settings } from "framewright/kernel";
import { type Database, database } from "framewright/plugins/database";
import { assert, describe, reasonToSkip, throwsCode } from "../../support/index.ts";
import { freePort } from "../../support/processes.ts";
import { TestHost } from "../../support/test_host.ts";

const withoutMysql = await reasonToSkip("mysql");

async function withHosts(body: (db: Database, first: TestHost, second: TestHost) => Promise<void>): Promise<void> {
  const hosts = [new TestHost(await freePort()), new TestHost(await freePort())] as const;
  const { username, pathname } = new URL(process.env.FW_TEST_MYSQL_URL!);
  const databaseUrl = `mysql://${username}@${hosts.map(({ port }) => `127.0.0.1:${port}`).join(",")}${pathname}`;
  const kernel = await openKernel([database()], { settings: settings(databaseUrl) });
  try {
    await body(kernel.service("database"), ...hosts);
  } finally {
    await kernel.close();
    for (const host of hosts) await host.stop();
  }
}
const settings = (databaseUrl: string) =>
  ({ root: process.cwd(), env: "production", databaseUrl }) as unknown as Settings;

describe("A database address with several hosts", (it) => {
  it("FW_DATABASE_HOSTS and FW_DATABASE_URL say what is wrong with the hosts of an address, without its password", async () => {
    const refused = async (databaseUrl: string, code = "FW_DATABASE_HOSTS") => {
      const { message } = await throwsCode(code, async () => {
        const kernel = await openKernel([database()], { settings: settings(databaseUrl) });
        return kernel.service("database").knex;
      });
      assert.not.match(message, /s[e3]cret/);
      return message;
    };
    assert.match(await refused("mysql://me:secret@db1,,db3/shop"), /number 2 in mysql:\/\/…@db1,,db3\/shop is no host/);
    assert.match(await refused("mysql://me:secret@db1:1,db2:70000/shop"), /number 2/);
    assert.match(await refused("mysql://me:secret@db1:x,db2/shop", "FW_DATABASE_URL"), /…@db1:x,db2/);
    assert.match(await refused("mysql://me:secret@db1,db2:3306,db1:3306/shop"), /db1:3306 stands there twice/);
    assert.match(await refused("mysql://me:secret@db1,db2/shop?hosts=nearest"), /neither order nor spread/);
    assert.match(await refused("mysql://me:secret@db1,db2/shop?socket=/run/db.sock"), /a socket is one server/);
    await refused("mysql://me:secret@db1,db2", "FW_DATABASE_URL");
    await refused("mysql://me:s3cret/secret,x@db1,db2/shop", "FW_DATABASE_URL");
    await refused("mysql://me:se/secret@db1/shop", "FW_DATABASE_URL");
  });

  it.unless(
    withoutMysql,
    "Connections go to the first host that works, and back to it once it does again",
    async () => {
      await withHosts(async (db, first, second) => {
        await second.start();
        await db.ping();
        assert.equal([first.connections, second.connections], [0, 1]);
        let finish = () => {};
        const waits = new Promise<void>((resolve) => {
          finish = resolve;
        });
        const open = db.transaction((trx) => trx.raw("select 1").then(() => waits.then(() => trx.raw("select 2"))));
        await first.start();
        assert.is(first.pings, 0);
        for (let attempt = 0; attempt < 200 && first.pings === 0; attempt++) await db.ping().then(() => sleep(50));
        const { connections } = second;
        await Promise.all([db.ping(), db.knex.raw("select 1"), db.knex.raw("select 1")]);
        assert.is(second.connections, connections, "new connections are made to the first host only");
        finish();
        await open; // where it began
        await first.stop();
        await sleep(50); // its connections hear of it
        await Promise.all([db.ping(), db.knex.raw("select 1")]);
        assert.ok(second.connections > connections);
      });
    },
  );

  it.unless(
    withoutMysql,
    "A host that stops answering holds nothing for 2 s: a query is 503 at worst, a transaction runs again elsewhere, and other queries go there",
    async () => {
      await withHosts(async (db, first, second) => {
        await first.start();
        await second.start();
        await Promise.all([db.ping(), db.transaction((trx) => trx.raw("select 1"))]);
        assert.is(second.connections, 0);
        first.isFrozen = true;
        const start = performance.now();
        let runs = 0;
        const [query, answer] = await Promise.allSettled([
          db.knex.raw("select 1"),
          db.transaction(async (trx) => {
            runs++;
            const [rows] = await trx.raw("select 7 as seven");
            return rows[0].seven;
          }),
        ]);
        assert.ok(performance.now() - start < 2500, `after ${performance.now() - start} ms`);
        if (query.status === "rejected") assert.is(query.reason.status, 503); // a new connection went elsewhere at once
        assert.is((answer as PromiseFulfilledResult<number>).value, 7);
        assert.ok(runs >= 1);
        const again = performance.now();
        await db.ping();
        assert.ok(performance.now() - again < 500);
      });
    },
  );

  it.unless(withoutMysql, "All hosts away is 503 with Retry-After", async () => {
    await withHosts(async (db) => {
      const error = (await throwsCode("FW_DATABASE_AWAY", () => db.ping())) as Error & { retryAfter?: number };
      assert.is(error.retryAfter, 5);
    });
  });

  it.unless(
    withoutMysql,
    "A transaction whose commit got no answer is 503 and does not run again, and one that lost its connection before does",
    async () => {
      await withHosts(async (db, first) => {
        await first.start();
        await db.knex.raw("create or replace table host_notes (note varchar(20))");
        let runs = 0;
        const note = (text: string) =>
          db.transaction(async (trx) => {
            runs++;
            await trx("host_notes").insert({ note: text });
          });
        first.losesAnswerTo = "COMMIT";
        const error = await note("committed").catch((reason) => reason as Error & { status?: number });
        assert.is((error as { status?: number }).status, 503);
        assert.is(runs, 1);
        first.losesAnswerTo = "insert into";
        await note("again");
        assert.is(runs, 3);
        const notes = await db.knex("host_notes").pluck("note");
        assert.equal(notes, ["committed", "again"]);
        await db.knex.raw("drop table host_notes");
      });
    },
  );

  it.unless(
    withoutMysql,
    "A select whose answer was lost runs again, and neither a write nor what runs in a transaction does",
    async () => {
      await withHosts(async (db, first) => {
        await first.start();
        await db.knex.raw("create or replace table host_reads (note varchar(20))");
        await db.knex("host_reads").insert({ note: "a" });
        for (const read of [
          () => db.knex("host_reads").pluck("note"),
          async () => (await db.knex("host_reads").where({ note: "a" })).map(({ note }) => note),
          async () => (await db.rows(db.knex("host_reads").select("note"))).map(({ note }) => note),
        ]) {
          first.losesAnswerTo = "from `host_reads`";
          assert.equal(await read(), ["a"]);
          assert.is(first.losesAnswerTo, undefined);
        }
        const lost = async (text: string, work: () => Promise<unknown>) => {
          first.losesAnswerTo = text;
          assert.is(((await work().catch((error) => error)) as { status?: number }).status, 503);
        };
        await lost("insert into", async () => db.knex("host_reads").insert({ note: "b" }));
        await lost("for update", () => db.knex.transaction(async (trx) => trx("host_reads").forUpdate()));
        await lost("from `host_reads`", () => db.knex.transaction(async (trx) => trx("host_reads").select("note")));
        await db.knex.raw("drop table host_reads");
      });
    },
  );

  it.unless(withoutMysql, "fw doctor names what a server's settings break", async () => {
    const examined = async (pool: number) => {
      const kernel = await openKernel([database({ pool })], { settings: settings(process.env.FW_TEST_MYSQL_URL!) });
      try {
        return await kernel.service("database").examine();
      } finally {
        await kernel.close();
      }
    };
    const [fine] = await examined(5);
    assert.is(fine?.what, "database server");
    assert.ok(fine?.ok, fine?.detail);
    assert.match(fine?.detail ?? "", /takes \d+ processes with a pool of 5/);
    const [narrow] = await examined(100_000);
    assert.is(narrow?.ok, false);
    assert.match(narrow?.detail ?? "", /max_connections is \d+, and one process takes 100000/);
  });

  it.unless(withoutMysql, "With hosts=spread each process begins at a random host", async () => {
    await withHosts(async (_, first, second) => {
      await first.start();
      await second.start();
      const { username, pathname } = new URL(process.env.FW_TEST_MYSQL_URL!);
      const url = `mysql://${username}@127.0.0.1:${first.port},127.0.0.1:${second.port}${pathname}?hosts=spread`;
      for (let index = 0; index < 16; index++) {
        const kernel = await openKernel([database()], { settings: settings(url) });
        await kernel.service("database").ping();
        await kernel.close();
      }
      assert.ok(first.connections > 0 && second.connections > 0);
      assert.is(first.connections + second.connections, 16);
    });
  });

  it.unless(
    withoutMysql,
    "DATABASE_STATEMENT_TIMEOUT ends a statement with 503, and FW_ENV_INVALID names a wrong one",
    async () => {
      const opened = (DATABASE_STATEMENT_TIMEOUT: string) =>
        openKernel([database()], {
          settings: settings(process.env.FW_TEST_MYSQL_URL!),
          values: { DATABASE_STATEMENT_TIMEOUT },
        });
      const kernel = await opened("300");
      try {
        const start = performance.now();
        const slow = () =>
          kernel
            .service("database")
            .knex.raw(
              "select count(*) from information_schema.collations a, information_schema.collations b, information_schema.collations c, information_schema.collations d",
            );
        const error = (await throwsCode("FW_DATABASE_SLOW", slow)) as Error & { status?: number };
        assert.is(error.status, 503);
        assert.ok(performance.now() - start < 3000);
      } finally {
        await kernel.close();
      }
      assert.match((await throwsCode("FW_ENV_INVALID", () => opened("ten"))).message, /DATABASE_STATEMENT_TIMEOUT/);
    },
  );
});
