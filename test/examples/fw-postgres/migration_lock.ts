import { setTimeout as sleep } from "node:timers/promises";
import { MAX_WAIT_SECONDS, migrationLocked } from "framewright/plugins/database";
import type { Knex } from "knex";

interface PatientClient {
  isPatient?: boolean;
}
const KEY = "hashtext('framewright_migrate'), hashtext(current_schema())";

/** The lock belongs to a connection: a process that dies releases it. With one connection there is nobody to wait for. */
export async function withAdvisoryLock<T>(knex: Knex, work: (knex: Knex) => Promise<T>): Promise<T> {
  const client = knex.client as Knex.Client & PatientClient;
  client.isPatient = true; // a large table takes its time
  const isSingle = (client.pool as { max?: number } | undefined)?.max === 1;
  const connection = isSingle ? undefined : await client.acquireConnection();
  try {
    if (connection) await lock(knex, connection);
    return await work(knex);
  } finally {
    if (connection) {
      await knex
        .raw(`select pg_advisory_unlock(${KEY})`)
        .connection(connection)
        .then(undefined, () => undefined);
      await client.releaseConnection(connection);
    }
    client.isPatient = false;
  }
}

async function lock(knex: Knex, connection: unknown): Promise<void> {
  const until = Date.now() + MAX_WAIT_SECONDS * 1000;
  for (;;) {
    const { rows } = await knex.raw(`select pg_try_advisory_lock(${KEY}) as got`).connection(connection as never);
    if (Number(rows[0].got) === 1) return;
    if (Date.now() > until) throw migrationLocked(MAX_WAIT_SECONDS);
    await sleep(200);
  }
}
