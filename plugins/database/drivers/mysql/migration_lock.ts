import type { Knex } from "knex";
import { errors } from "../../errors.ts";
import { MAX_WAIT_SECONDS } from "../../migrations/migration_lock.ts";
import type { Patient } from "./client.ts";

/** MySQL's lock belongs to a connection: a process that dies releases it. */
export async function withNamedLock<T>(knex: Knex, work: (knex: Knex) => Promise<T>): Promise<T> {
  const client = knex.client as Patient & { acquireConnection(): Promise<object> };
  client.isPatient = true; // a large table takes its time
  const connection = await client.acquireConnection();
  const name = "concat('framewright_migrate:', left(md5(database()), 16))";
  try {
    const [rows] = await knex.raw(`select get_lock(${name}, ${MAX_WAIT_SECONDS}) as got`).connection(connection);
    if (Number(rows[0].got) !== 1) throw errors.FW_MIGRATION_LOCKED(MAX_WAIT_SECONDS);
    return await work(knex);
  } finally {
    await knex
      .raw(`select release_lock(${name})`)
      .connection(connection)
      .then(undefined, () => undefined);
    await knex.client.releaseConnection(connection);
    client.isPatient = false;
  }
}
