import { setTimeout as sleep } from "node:timers/promises";
import { openKernel, type Settings } from "framewright/kernel";
import { type Database, database as databasePlugin } from "framewright/plugins/database";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { exitOf, serveApp } from "../../support/processes.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { countsOf, Importer } from "./import_app.ts";
import { undoFiles } from "./import_undo_app.ts";

const ROWS = 600;
const text = (weight: number) =>
  `Reference,Weight\n${Array.from({ length: ROWS }, (_, at) => `K-${String(at).padStart(4, "0")},${weight}`).join("\n")}\n`;

async function connect(
  root: string,
  url: string | undefined,
): Promise<{ knex: Database["knex"]; close(): Promise<void> }> {
  const settings = { root, env: "test", databaseUrl: url, secrets: [] } as unknown as Settings;
  const kernel = await openKernel([databasePlugin({ busyTimeout: 10_000 })], { settings });
  return { knex: kernel.service("database").knex, close: () => kernel.close() };
}

for (const database of await databases()) {
  describe(`An undoing whose process is killed, on ${database.name}`, (it, { after }) => {
    after(() => database.clean());
    it.unless(
      database.skip,
      `Of ${ROWS} records, killed twice and resumed, half are deleted once and half have their earlier values once`,
      async () => {
        const values = await database.values();
        const made = await openTenants(undoFiles, values);
        const stamps = { created_at: "2026-03-01 10:00:00.000", updated_at: "2026-03-01 10:00:00.000" };
        for (let at = 0; at < ROWS; at += 2)
          await databaseOf(made.application)
            .knex("shipments")
            .insert({
              ...{ organization_id: 1, author_id: 1, reference: `K-${String(at).padStart(4, "0")}`, weight: 1 },
              ...stamps,
            });
        await made.close();
        const { root } = made;
        let { child, url } = await serveApp(root, values);
        const store = await connect(root, values.DATABASE_URL);
        const run = async () => (await store.knex("framewright_background_runs").orderBy("id", "desc").first()) as Run;
        try {
          const person = new Importer({ url }, 1);
          const address = await person.upload(text(2));
          await person.map(address, ["reference", "weight"], { rows: "both:reference" });
          await person.start(address);
          assert.equal(countsOf(await person.ended(address, 60_000)).slice(0, 2), [ROWS / 2, ROWS / 2]);
          await person.send(`${address}/undo`, `${address}/undo`, {});
          for (const part of [0.3, 0.6]) {
            while (Number((await run()).done) < ROWS * part) await sleep(5);
            child.kill("SIGKILL");
            await exitOf(child);
            const { state, done } = await run();
            assert.is(state, "running");
            const left = await store.knex("shipments").where({ weight: 2 });
            assert.is(left.length, ROWS - Number(done), "records and place are of one commit");
            ({ child, url } = await serveApp(root, values));
          }
          for (let tries = 0; tries < 2000 && (await run()).state !== "done"; tries++) await sleep(20);
          const { state, done, failed } = await run();
          assert.equal([state, Number(done), Number(failed)], ["done", ROWS, 0]);
          const rows = await store.knex("shipments").orderBy("id").select("reference", "weight");
          assert.is(rows.length, ROWS / 2);
          assert.ok(rows.every(({ weight }) => Number(weight) === 1));
          const page = await new Importer({ url }, 1).page(address);
          assert.equal(countsOf(page).slice(4), [ROWS / 2, ROWS / 2, 0]);
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

interface Run {
  state: string;
  done: number;
  failed: number;
}
