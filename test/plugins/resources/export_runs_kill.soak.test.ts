import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openKernel, type Settings } from "framewright/kernel";
import { type Database, database as databasePlugin } from "framewright/plugins/database";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { exitOf, serveApp } from "../../support/processes.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { Exporter, exportRunFiles, settings, shipment } from "./export_runs_app.ts";
import { list } from "./import_app.ts";

const ROWS = 100_000;
const files = {
  ...exportRunFiles,
  ...settings(
    "resources(),\n  backgroundRuns({ lease: 1500 }),\n  exports({ backgroundRows: 1000 }),\n  imports(),\n  jobs({ lease: 1500, poll: 100 }),",
  ),
};

async function connect(
  root: string,
  url: string | undefined,
): Promise<{ knex: Database["knex"]; close(): Promise<void> }> {
  const settings = { root, env: "test", databaseUrl: url, secrets: [] } as unknown as Settings;
  const kernel = await openKernel([databasePlugin({ busyTimeout: 10_000 })], { settings });
  return { knex: kernel.service("database").knex, close: () => kernel.close() };
}

for (const database of await databases()) {
  describe(`An export whose process is killed, on ${database.name}`, (it, { after }) => {
    after(() => database.clean());
    it.unless(
      database.skip,
      `Of ${ROWS} rows, killed twice while it is made, there is one file with each row once`,
      async () => {
        const values = await database.values();
        const made = await openTenants(files, values);
        for (let at = 0; at < ROWS; at += 500) {
          const rows = Array.from({ length: 500 }, (_, index) => ({ ...shipment(at + index), note: "n".repeat(200) }));
          await databaseOf(made.application).knex("shipments").insert(rows);
        }
        await made.close();
        const { root } = made;
        let { child, url } = await serveApp(root, values);
        const store = await connect(root, values.DATABASE_URL);
        mkdirSync(join(root, "storage/files"), { recursive: true });
        const stored = () =>
          readdirSync(join(root, "storage/files"), { recursive: true }).filter((name) =>
            /[0-9a-f]{40}$/.test(`${name}`),
          );
        try {
          const address = await new Exporter({ url }, 1).prepare(`${list}/export.csv?sort=reference`);
          let kills = 0;
          for (; kills < 2; kills++) {
            let run: Record<string, unknown> | undefined;
            for (let tries = 0; tries < 4000 && Number(run?.done ?? 0) === 0; tries++) {
              await sleep(5);
              run = await store.knex("framewright_background_runs").first();
              if (run?.state === "done") throw new Error("it was faster than the test");
              if (Number(run?.starts) !== kills + 1) run = undefined;
            }
            child.kill("SIGKILL");
            await exitOf(child);
            assert.equal(stored(), [], "nothing of it is left");
            await store.knex("framewright_background_runs").update({ done: 0 });
            ({ child, url } = await serveApp(root, values));
          }
          const person = new Exporter({ url }, 1);
          assert.match(await person.ended(address, 60_000), "can be downloaded until");
          assert.is(stored().length, 1);
          const lines = (await person.page(`${address}/file`)).split("\r\n");
          assert.is(lines.length, ROWS + 2);
          assert.equal(
            lines.slice(1, -1).map((line) => line.slice(0, 7)),
            Array.from({ length: ROWS }, (_, at) => shipment(at).reference),
          );
          assert.is((await store.knex("framewright_background_runs")).length, 1);
        } finally {
          await store.close();
          child.kill("SIGTERM");
          await exitOf(child);
        }
      },
      180_000,
    );
  });
}
