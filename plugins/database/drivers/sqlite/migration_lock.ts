import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import { errors } from "../../errors.ts";
import { MAX_WAIT_SECONDS } from "../../migrations/migration_lock.ts";

/** SQLite's write lock is the file's: the whole run is one transaction, and a process that dies undoes all of it. */
export async function withFileLock<T>(knex: Knex, work: (knex: Knex) => Promise<T>): Promise<T> {
  const until = Date.now() + MAX_WAIT_SECONDS * 1000;
  for (;;) {
    try {
      return await knex.transaction(work);
    } catch (error) {
      const busy = /FW_DATABASE_(?:BUSY|LOCKED)|SQLITE_BUSY|database is locked/.test(String(error));
      if (!busy) throw error;
      if (Date.now() > until) throw errors.FW_MIGRATION_LOCKED(MAX_WAIT_SECONDS);
      await sleep(200);
    }
  }
}
