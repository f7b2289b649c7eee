import { createConnection, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { openKernel, type Settings } from "framewright/kernel";
import { type Database, database } from "framewright/plugins/database";
import { assert, describe, reasonToSkip, throwsCode } from "../../support/index.ts";
import { freePort } from "../../support/processes.ts";

const withoutMysql = await reasonToSkip("mysql");

/** A host of a cluster, as far as a client can tell: a port of its own that leads to the test's server. */
class TestHost {
  readonly port: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  /** Whether it takes connections and says nothing. */
  isFrozen = false;
  connections = 0;

  constructor(port: number) {
    this.port = port;
  }
  async start(): Promise<void> {
    const { hostname, port } = new URL(process.env.FW_TEST_MYSQL_URL!);
    const server = createServer((client) => {
      this.connections++;
      const upstream = createConnection({ host: hostname, port: Number(port || 3306) });
      for (const socket of [client, upstream]) this.#sockets.add(socket.on("error", () => undefined));
      client.on("data", (data) => this.isFrozen || upstream.write(data)).on("close", () => upstream.destroy());
      upstream.on("data", (data) => this.isFrozen || client.write(data)).on("close", () => client.destroy());
    });
    this.#server = server;
    await new Promise<void>((resolve) => server.listen(this.port, "127.0.0.1", resolve));
  }
  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    if (server) await new Promise((resolve) => server.close(resolve));
  }
}

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
        await first.start();
        for (let attempt = 0; attempt < 100 && first.connections < 3; attempt++) await db.ping().then(() => sleep(50));
        const { connections } = second;
        await Promise.all([db.ping(), db.knex.raw("select 1"), db.knex.raw("select 1")]);
        assert.is(second.connections, connections, "new connections are made to the first host only");
        await first.stop();
        await sleep(50); // its connections hear of it
        await Promise.all([db.ping(), db.knex.raw("select 1")]);
        assert.ok(second.connections > connections);
      });
    },
  );

  it.unless(
    withoutMysql,
    "A host that stops answering holds nothing for 2 s: a query is 503, a transaction runs again elsewhere, and other queries go there",
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
        assert.is((query as PromiseRejectedResult).reason?.status, 503);
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
});
