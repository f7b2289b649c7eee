import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import type { Patient } from "../drivers/mysql/client.ts";
import { errors } from "../errors.ts";
import type { Client } from "./ddl.ts";

/** How long a node waits for another one that migrates. */
const MAX_WAIT_SECONDS = 300;

/** Runs the work while no other process migrates the same database; waits for one that does. */
export function withMigrationLock<T>(knex: Knex, client: Client, work: (knex: Knex) => Promise<T>): Promise<T> {
  return client === "mysql" ? withNamedLock(knex, work) : withFileLock(knex, work);
}

/** MySQL's lock belongs to a connection: a process that dies releases it. */
async function withNamedLock<T>(knex: Knex, work: (knex: Knex) => Promise<T>): Promise<T> {
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

/** SQLite's write lock is the file's: the whole run is one transaction, and a process that dies undoes all of it. */
async function withFileLock<T>(knex: Knex, work: (knex: Knex) => Promise<T>): Promise<T> {
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
