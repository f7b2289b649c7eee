import { setTimeout as sleep } from "node:timers/promises";
import { MAX_WAIT_SECONDS, migrationLocked } from "framewright/plugins/database";
import type { Knex } from "knex";

interface PatientClient {
  isPatient?: boolean;
}
const TRY_LOCK = "select pg_try_advisory_xact_lock(hashtext('framewright_migrate'), hashtext(current_schema())) as got";

/** PostgreSQL undoes changes of tables as well: the whole run is one transaction, and a process that dies undoes all of it. */
export async function migrateInTransaction<T>(knex: Knex, work: (knex: Knex) => Promise<T>): Promise<T> {
  const client = knex.client as PatientClient;
  client.isPatient = true; // a large table takes its time
  try {
    return await knex.transaction(async (transaction) => {
      await lock(transaction);
      return work(transaction);
    });
  } finally {
    client.isPatient = false;
  }
}

async function lock(transaction: Knex): Promise<void> {
  const until = Date.now() + MAX_WAIT_SECONDS * 1000;
  for (;;) {
    const { rows } = await transaction.raw(TRY_LOCK);
    if (Number(rows[0].got) === 1) return;
    if (Date.now() > until) throw migrationLocked(MAX_WAIT_SECONDS);
    await sleep(200);
  }
}
