import { setTimeout as sleep } from "node:timers/promises";
import { openKernel, type Settings } from "framewright/kernel";
import { type Database, database as databasePlugin } from "framewright/plugins/database";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { exitOf, serveApp } from "../../support/processes.ts";
import { openTenants } from "../scoping/tenants.ts";
import { countsOf, Importer, importFiles } from "./import_app.ts";

const ROWS = 400;
/** Every 20th row has no reference. */
const text = `Reference,Note\n${Array.from({ length: ROWS }, (_, at) => (at % 20 === 19 ? `,row ${at}` : `K-${at},row ${at}`)).join("\n")}\n`;

async function connect(
  root: string,
  url: string | undefined,
): Promise<{ knex: Database["knex"]; close(): Promise<void> }> {
  const settings = { root, env: "test", databaseUrl: url, secrets: [] } as unknown as Settings;
  const kernel = await openKernel([databasePlugin({ busyTimeout: 10_000 })], { settings });
  return { knex: kernel.service("database").knex, close: () => kernel.close() };
}

for (const database of await databases()) {
  describe(`An import whose process is killed, on ${database.name}`, (it, { after }) => {
    after(() => database.clean());
    it.unless(
      database.skip,
      `Of ${ROWS} rows, killed twice and resumed, each is written once or an error once`,
      async () => {
        const values = await database.values();
        const made = await openTenants(importFiles, values);
        await made.close();
        const { root } = made;
        let { child, url } = await serveApp(root, values);
        const store = await connect(root, values.DATABASE_URL);
        const rows = async () => Number((await store.knex("shipments").count("* as n"))[0]!.n);
        const until = async (count: number) => {
          for (let tries = 0; tries < 4000; tries++) {
            if ((await rows()) >= count) return;
            await sleep(5);
          }
          throw new Error("the import made no progress");
        };
        try {
          const person = new Importer({ url }, 1);
          const address = await person.upload(text);
          await person.map(address, ["reference", "note"]);
          await person.start(address);
          for (const part of [0.3, 0.6]) {
            await until(ROWS * 0.95 * part);
            child.kill("SIGKILL");
            await exitOf(child);
            const [{ done, failed, state }] = (await store.knex("framewright_background_runs")) as [
              Record<string, unknown>,
            ];
            assert.is(state, "running");
            assert.is(await rows(), Number(done), "rows and place are of one commit");
            assert.is(Number((await store.knex("framewright_import_failures").count("* as n"))[0]!.n), Number(failed));
            ({ child, url } = await serveApp(root, values));
          }
          const page = await new Importer({ url }, 1).ended(address, 60_000);
          assert.equal(countsOf(page), [ROWS * 0.95, 0, 0, ROWS * 0.05]);
          const written = (await store.knex("shipments").orderBy("id").select("note")).map(({ note }) => String(note));
          const expected = Array.from({ length: ROWS }, (_, at) => at)
            .filter((at) => at % 20 !== 19)
            .map((at) => `row ${at}`);
          assert.equal(written, expected, "each once, in order");
          assert.is(Number((await store.knex("arrivals").count("* as n"))[0]!.n), ROWS * 0.95);
          const failures = await store.knex("framewright_import_failures").orderBy("row_number").select("row_number");
          assert.equal(
            failures.map(({ row_number }) => Number(row_number)),
            Array.from({ length: ROWS / 20 }, (_, at) => (at + 1) * 20 + 1),
          );
        } finally {
          await store.close();
          child.kill("SIGTERM");
          await exitOf(child);
        }
      },
      120_000,
    );
  });
}
