import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../../support/shop.ts";
import { openTenants } from "../scoping/tenants.ts";
import { countsOf, Importer, importFiles, statusOf } from "./import_app.ts";

const MOST_ROWS = Math.max(5000, 20_000 * Number(process.env.FW_SOAK_SCALE ?? 1));
/** As many on every database, whatever the scale: FW_TEST_IMPORT_ROWS=100000. */
const GIVEN_ROWS = process.env.FW_TEST_IMPORT_ROWS;
const MAX_GROWTH_MB = 50;
/** A hundred thousand forms, on a machine that does other work. */
const DEADLINE_MS = 3_600_000;
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const heap = (): number => {
  collect();
  return process.memoryUsage().heapUsed / 1_048_576;
};

/** Every hundredth row has no reference. */
const line = (at: number): string =>
  `${at % 100 === 99 ? "" : `S-${at}`},A note for row ${at},Dart,${at % 900},Ann Alpine`;

for (const database of await databases({ mysqlInSoak: true })) {
  const ROWS = Number(GIVEN_ROWS ?? (database.name === "sqlite" ? MOST_ROWS : MOST_ROWS / 5)); // a server writes each commit to its disk
  const BAD = ROWS / 100;
  describe(`An import of many rows, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    if (database.skip === undefined) {
      before(async () => {
        app = await openTenants(importFiles, await database.values());
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }
    it.unless(
      database.skip,
      `Of ${ROWS} rows 1 % are wrong, the others are written once each, and memory stays within bounds`,
      async () => {
        const person = new Importer(app, 1);
        await person.import(`Reference\nwarm\n`, ["reference"]);
        const text = `Reference,Note,Carrier,Weight,Author\n${Array.from({ length: ROWS }, (_, at) => line(at)).join("\n")}\n`;
        const columns = ["reference", "note", "carrier", "weight", "author"];
        const url = await person.upload(text);
        await person.map(url, columns);
        const [start, before] = [performance.now(), heap()];
        let growth = 0;
        await person.start(url);
        const look = () => person.page(url).catch(() => person.page(url)); // a connection that was kept may be closed meanwhile
        let page = await look();
        while (!statusOf(page).startsWith("Imported") && performance.now() - start < DEADLINE_MS) {
          await sleep(3000);
          growth = Math.max(growth, heap() - before);
          page = await look();
        }
        const seconds = (performance.now() - start) / 1000;
        console.log(`${database.name}: ${ROWS} rows in ${seconds.toFixed()} s, ${growth.toFixed(1)} MB more`);
        assert.equal(countsOf(page), [ROWS - BAD, 0, 0, BAD]);
        const { knex } = databaseOf(app.application);
        const distinct = await knex("shipments")
          .where("reference", "like", "S-%")
          .countDistinct({ total: "reference" });
        assert.is(Number(distinct[0]?.total), ROWS - BAD);
        const file = await (await person.get(`${url}/failures.csv`)).text();
        assert.is(file.trimEnd().split("\r\n").length, BAD + 1);
        const refused = [...file.matchAll(/A note for row (\d+)/g)].map(([, at]) => Number(at));
        assert.equal(
          refused,
          Array.from({ length: BAD }, (_, at) => at * 100 + 99),
        );
        assert.ok(growth < MAX_GROWTH_MB, `the heap grew by ${growth} MB`);
      },
      DEADLINE_MS + 60_000,
    );
  });
}
