import { openKernel } from "framewright/kernel";
import { limits, memoryLimits } from "framewright/plugins/limits";
import { limitsConformance } from "../../conformance/limits.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { openLimits } from "./support.ts";

describe("Limits in memory", (it) => {
  for (const { sentence, check } of limitsConformance) it(sentence, () => check(memoryLimits()));
  it("An application without a database counts in memory, and one that asks for rows is refused", async () => {
    const kernel = await openKernel([limits()]);
    assert.is(await kernel.service("limits").open("a", { points: 1, seconds: 9 }).consume("b"), undefined);
    await kernel.close();
    const failed = await openKernel([limits({ store: "database" })]).catch((error: { code: string }) => error);
    assert.is((failed as { code: string }).code, "FW_LIMITS_DATABASE");
  });
});

for (const database of await databases()) {
  describe(`Limits in rows of ${database.name}`, (it, { after }) => {
    after(() => database.clean());
    for (const { sentence, check } of limitsConformance) {
      it.unless(database.skip, sentence, async () => {
        const { DATABASE_URL: url = "sqlite::memory:" } = await database.values();
        const { kernel, ...opened } = await openLimits(url);
        try {
          await opened.database.migrations.up();
          await check(opened.limits);
        } finally {
          await kernel.close();
        }
      });
    }
  });
}
