import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "framewright/plugins/database";
import type { TestApp } from "../../support/apps.ts";
import { databases } from "../../support/databases.ts";
import { assert, describe } from "../../support/index.ts";
import { databaseOf } from "../authlib/accounts.ts";
import { ApiClient, openApi, type Pair } from "./api.ts";

// A statement that a deadlock undid is sent again: a sign-out that answers 503 leaves its tokens alive.

const tables = { tokens: "api_user_jwt_refresh_keys" };
const DELETES = `delete from \`${tables.tokens}\``;

for (const database of await databases()) {
  describe(`Deadlocks of accounts, on ${database.name}`, (it, { before, after }) => {
    let app: TestApp;
    const isMysql = database.name === "mysql";
    const skip =
      database.skip ?? (isMysql ? undefined : "another transaction can't be made the survivor of a deadlock here");
    if (skip === undefined) {
      before(async () => {
        app = await openApi({ values: await database.values(), authlib: "{ limits: false }" });
      });
      after(async () => {
        await app?.close();
        await database.clean();
      });
    }

    it.unless(skip, "A sign-out that a deadlock undid is done again, and its tokens are dead", async () => {
      const { knex } = databaseOf(app.application);
      const client = new ApiClient(app);
      const { body } = await client.refresh((await client.login()).refresh_token);
      const { access_token, refresh_token } = body as unknown as Pair;
      const [spent, live] = await knex(tables.tokens).orderBy("id");
      const hold = (row: { id: number }) =>
        other(tables.tokens).where({ id: row.id }).update({ issued_at: new Date() });
      const undone: string[] = [];
      knex.on("query-error", (error: Error, { sql }: { sql: string }) => {
        if ((error.cause as { code?: string } | undefined)?.code === "ER_LOCK_DEADLOCK") undone.push(sql);
      });
      const other = await knex.transaction();
      try {
        await hold(live);
        const { id: _, ...row } = live;
        const padding = (n: number) => ({ ...row, family: `padding ${n}`, token_digest: `padding ${n}` });
        await other(tables.tokens).insert(Array.from({ length: 20 }, (_, n) => padding(n))); // it survives: it has changed more rows
        const out = client.send("/api_users/logout", {}, { authorization: `Bearer ${access_token}` });
        await waitsForLock(knex);
        await hold(spent); // the sign-out has this row, and waits for the other one
        await other.rollback();
        assert.is((await out).status, 200);
        assert.equal(
          undone.map((sql) => sql.startsWith(DELETES)),
          [true],
        );
      } finally {
        if (!other.isCompleted()) await other.rollback();
      }
      assert.is(await client.opens(access_token), false);
      assert.is((await client.refresh(refresh_token)).status, 401);
    });
  });
}

/** Resolves when the deletion of a sign-out has waited for longer than it takes: information_schema.innodb_trx stays as it was while it is read often. */
async function waitsForLock(knex: Knex): Promise<void> {
  for (let round = 0; round < 200; round++) {
    const [found] = await knex("information_schema.processlist")
      .whereRaw("db = database() and time_ms > 300")
      .where("info", "like", `${DELETES}%`)
      .count({ n: "*" });
    if (Number(found?.n) > 0) return;
    await sleep(20);
  }
  throw new Error("no sign-out waited for a lock");
}
