import { join } from "node:path";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { freePort } from "../../support/processes.ts";
import { limitsRoot, openLimits } from "./support.ts";

const rule = { points: 10, seconds: 60 };

for (const database of await databases()) {
  describe(`Rows of limits on ${database.name}`, (it, { after }) => {
    after(() => database.clean());
    const addressOf = async (root: string) =>
      (await database.values()).DATABASE_URL ?? `sqlite:${join(root, "limits.sqlite3")}`;

    it.unless(database.skip, "Two applications on one database allow a key's attempts once, not twice", async () => {
      const root = limitsRoot();
      const url = await addressOf(root);
      const one = await openLimits(url, { root });
      await one.database.migrations.up();
      const other = await openLimits(url, { root });
      try {
        for (const key of ["ann", "bob"]) {
          const all = [one, other].flatMap(({ limits }) =>
            Array.from({ length: 25 }, () => limits.open("guesses", rule).consume(key)),
          );
          assert.is((await Promise.all(all)).filter((wait) => wait === undefined).length, 10);
        }
      } finally {
        await Promise.all([one.kernel.close(), other.kernel.close()]);
      }
    });

    it.unless(
      database.skip,
      "An attempt within an open transaction is counted, with the transaction where there is one connection",
      async () => {
        const root = limitsRoot();
        const { kernel, limits, database: db } = await openLimits(await addressOf(root), { root });
        try {
          await db.migrations.up();
          const limiter = limits.open("within", { points: 1, seconds: 60 });
          const first = await db.transaction((transaction) => limiter.consume("ann", { transaction }));
          assert.is(first, undefined);
          assert.ok(await limiter.consume("ann"));
          const undone = db.transaction(async (transaction) => {
            await limiter.consume("bob", { transaction });
            throw new Error("undone");
          });
          await undone.catch(() => undefined);
          assert.is((await limiter.consume("bob")) === undefined, db.driver.hasOneConnection === true);
        } finally {
          await kernel.close();
        }
      },
    );

    it.unless(database.skip, "Rows contain no key, and are swept when their count has ended", async () => {
      const root = limitsRoot();
      const { kernel, limits, database: db } = await openLimits(await addressOf(root), { root });
      try {
        await db.migrations.up();
        const limiter = limits.open("guesses", rule);
        for (let n = 0; n < 3; n++) await limiter.consume(`ann-${n}@example.test`);
        assert.not.match(JSON.stringify(await db.knex("framewright_limits")), "ann");
        await limiter.reset("ann-0@example.test");
        const { RowStore } = await import("../../../plugins/limits/row_store.ts");
        await new RowStore(db).sweep(Date.now());
        assert.is((await db.knex("framewright_limits")).length, 2);
      } finally {
        await kernel.close();
      }
    });

    it.unless(database.skip, "Without its table attempts are counted in memory, until the table is there", async () => {
      const root = limitsRoot();
      const { kernel, limits, database: db } = await openLimits(await addressOf(root), { root });
      try {
        const limiter = limits.open("guesses", { points: 1, seconds: 60 });
        assert.is(await limiter.consume("ann"), undefined);
        assert.ok(await limiter.consume("ann"));
        await db.migrations.up();
        assert.is(await limiter.consume("ann"), undefined);
        assert.ok(await limiter.consume("ann"));
        assert.is((await db.knex("framewright_limits")).length, 1);
      } finally {
        await kernel.close();
      }
    });
  });
}

describe("A database that does not answer", (it) => {
  it("An attempt that can't be counted is an error with the status 503, not an allowed one", async () => {
    const { kernel, limits } = await openLimits(`mysql://root@127.0.0.1:${await freePort()}/none`);
    try {
      const failed = await limits
        .open("guesses", rule)
        .consume("ann")
        .catch((error: { status?: number }) => error);
      assert.is((failed as { status?: number }).status, 503);
    } finally {
      await kernel.close();
    }
  });
});
