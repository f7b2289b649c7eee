import { setTimeout as sleep } from "node:timers/promises";
import { openKernel, type Settings } from "framewright/kernel";
import { database } from "framewright/plugins/database";
import { assert, describe } from "../../support/index.ts";
import { asCluster, freePort, OwnMariadb, reasonForNoGalera } from "../../support/processes.ts";
import { TestHost } from "../../support/test_host.ts";

describe("A process that goes back to a Galera node", (it) => {
  it.unless(
    reasonForNoGalera(),
    "Its reads wait for what other nodes committed while the others go back, and no longer",
    async () => {
      const server = new OwnMariadb(await freePort());
      await server.install();
      await server.start(...asCluster(await freePort()));
      const hosts = [new TestHost(await freePort(), server.url), new TestHost(await freePort(), server.url)] as const;
      const databaseUrl = `mysql://root@${hosts.map(({ port }) => `127.0.0.1:${port}`).join(",")}/test`;
      const settings = { root: process.cwd(), env: "production", databaseUrl } as unknown as Settings;
      const kernel = await openKernel([database()], { settings });
      const { knex } = kernel.service("database");
      const waits = async () => (await knex.raw("select @@session.wsrep_sync_wait as waits"))[0][0].waits as number;
      try {
        await hosts[1].start();
        assert.is(await waits(), 0);
        await hosts[0].start();
        const seen: number[] = [];
        for (let turn = 0; turn < 200 && !(seen.includes(1) && seen.at(-1) === 0); turn++) {
          seen.push(await waits());
          await sleep(50);
        }
        assert.ok(hosts[0].connections > 1, "it went back");
        assert.equal([seen.includes(1), seen.at(-1)], [true, 0], `${seen}`);
      } finally {
        await kernel.close();
        for (const host of hosts) await host.stop();
        await server.remove();
      }
    },
    60_000,
  );
});
