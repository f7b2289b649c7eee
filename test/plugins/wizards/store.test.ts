import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Kernel, openKernel, type Settings } from "framewright/kernel";
import { database, type Knex, Schema } from "framewright/plugins/database";
import { wizardStore } from "framewright/plugins/wizards";
import { wizardStoreConformance } from "../../conformance/wizard_store.ts";
import { databases, driverPlugins } from "../../support/databases.ts";
import { assert, describe, throwsCode } from "../../support/index.ts";

const schema = readFileSync(join(import.meta.dirname, "../../../plugins/wizards/schema.liquid"), "utf8");
const makeTables = new Function("db", `return (async () => { ${schema} })();`) as (db: Schema) => Promise<void>;
const tables = ["runs", "events", "leases"].map((name) => `framewright_wizard_${name}`);

/** Two thousand open runs of two hundred people, with a trail. */
async function fill(knex: Knex): Promise<void> {
  const at = "2026-01-01 00:00:00.000";
  const runs = Array.from({ length: 2000 }, (_, index) => ({
    wizard: "AWizard",
    kind: "keyed",
    state: ["in_progress", "in_progress", "completed"][index % 3],
    identity: `i${index}`,
    claim: `i${index}`,
    owner_type: "user",
    owner_id: String(index % 200),
    base: "/a",
    cursor: "a",
    visited: "[]",
    schema_map: "{}",
    started_at: index % 2 ? at : null,
    expires_at: at,
    completing_at: at,
    created_at: at,
    updated_at: at,
  }));
  const events = runs.map((_, index) => ({ run_id: index, wizard: "AWizard", kind: "launched", at }));
  for (let from = 0; from < 2000; from += 500) {
    await knex("framewright_wizard_runs").insert(runs.slice(from, from + 500));
    await knex("framewright_wizard_events").insert(events.slice(from, from + 500));
  }
}

for (const base of await databases()) {
  describe(`The store of runs, on ${base.name}`, (it, { after }) => {
    after(() => base.clean());
    const open = async (): Promise<Kernel> => {
      const { DATABASE_URL: databaseUrl = "sqlite::memory:" } = await base.values();
      const settings = { root: "/", env: "test", databaseUrl } as unknown as Settings;
      return openKernel([database(), ...(await driverPlugins(databaseUrl)), wizardStore()], { settings });
    };
    const story = (sentence: string, tell: (kernel: Kernel) => Promise<void>) =>
      it.unless(base.skip, sentence, async () => {
        const kernel = await open();
        try {
          await tell(kernel);
        } finally {
          await kernel.close();
        }
      });
    const schemaOf = (kernel: Kernel) => new Schema(kernel.service("database").knex);

    for (const { sentence, check } of wizardStoreConformance) {
      story(sentence, async (kernel) => {
        await makeTables(schemaOf(kernel));
        await check(kernel.service("wizardStore"));
      });
    }

    story("FW_WIZARDS_TABLE names the commands that create the missing tables", async (kernel) => {
      const store = kernel.service("wizardStore");
      const asked = [
        () => store.byClaim(["a"]),
        () => store.byId(1),
        () => store.delete(1),
        () => store.due("stale", new Date(), 1),
        () => store.trail(1),
        () => store.lease("sweep", "me", new Date()),
      ];
      for (const ask of [...asked]) {
        const error = await throwsCode("FW_WIZARDS_TABLE", ask);
        assert.match(error.message, /fw generate fw:wizards:install.*fw db:migrate/);
      }
    });

    story("The tables of wizards can be created twice and have names of at most 64 characters", async (kernel) => {
      await makeTables(schemaOf(kernel));
      await makeTables(schemaOf(kernel));
      const there = await kernel.service("database").tables();
      for (const table of tables) assert.ok(there.includes(table) && table.length <= 64);
    });

    story("Every query of requests and sweeps uses an index", async (kernel) => {
      if (!["sqlite", "mysql"].includes(base.name)) return; // plans are read as these two write them
      await makeTables(schemaOf(kernel));
      const [store, { knex, client }] = [kernel.service("wizardStore"), kernel.service("database")];
      await fill(knex);
      if (client === "mysql") await knex.raw("analyze table framewright_wizard_runs, framewright_wizard_events");
      const asked: { sql: string; bindings: readonly unknown[] }[] = [];
      knex.on("query", ({ sql, bindings }) => asked.push({ sql, bindings }));
      await store.byClaim(["x", "y"]);
      await store.latest(["x", "y"]);
      await store.byId(1);
      await store.open({ type: "user", id: "7" }, { wizard: "AWizard" });
      for (const what of ["unstarted", "expired", "stale", "completed"] as const)
        await store.due(what, new Date(0), 100);
      await store.sweepEvents(new Date(0), 100);
      await store.trail(3);
      await store.update(3, { version: 9 }, { version: 10 });
      assert.is(asked.length, 12);
      for (const { sql, bindings } of [...asked]) {
        const explain = client === "mysql" ? "explain " : "explain query plan ";
        const plan = await knex.raw(explain + sql, bindings as never[]);
        const lines: Record<string, unknown>[] = client === "mysql" ? plan[0] : plan;
        for (const line of lines) {
          const uses =
            client === "mysql"
              ? line.key !== null || /impossible|no matching/i.test(String(line.Extra))
              : !/^SCAN/.test(String(line.detail));
          assert.ok(uses, `${sql}: ${JSON.stringify(line)}`);
        }
      }
    });
  });
}
