import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import { errors } from "../../errors.ts";
import { MAX_WAIT_SECONDS } from "../../migrations/migration_lock.ts";
import { retried } from "../../transactions/retry.ts";
import type { Patient } from "./client.ts";

const TABLE = "framewright_migration_lock";
/** Milliseconds without a renewal after which the holder counts as dead. No clock of a server or of another machine is compared. */
const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 3000;
const RETRY_EVERY_MS = 250;

interface LockRow {
  holder: string | null;
  beat: string | number;
}

/**
 * Runs the work while this process holds the one row of a table, which holds on every node of a cluster: named locks are a
 * node's own. Each take and each renewal is a conditional update. @throws FW_MIGRATION_LOCKED, FW_MIGRATION_LOCK_LOST
 */
export async function withLockRow<T>(knex: Knex, work: (knex: Knex) => Promise<T>): Promise<T> {
  const client = knex.client as Patient;
  client.isPatient = true; // a large table takes its time
  const holder = randomUUID();
  try {
    await createLock(knex);
    await takeLock(knex, holder);
    return await whileHeld(knex, holder, work);
  } finally {
    client.isPatient = false;
  }
}

/** Each statement may run again, also on another host: one that had run changes nothing any more. */
const repeated = <T>(statement: () => PromiseLike<T>): Promise<T> => retried(statement, undefined, () => true);

async function createLock(knex: Knex): Promise<void> {
  await repeated(() =>
    knex.raw(
      "create table if not exists ?? (id tinyint unsigned primary key, holder varchar(64) null, beat bigint unsigned not null) engine = InnoDB",
      [TABLE],
    ),
  );
  await repeated(() => knex.raw("insert ignore into ?? (id, holder, beat) values (1, null, 0)", [TABLE]));
}

async function takeLock(knex: Knex, holder: string): Promise<void> {
  const until = performance.now() + MAX_WAIT_SECONDS * 1000;
  let seen: LockRow | undefined;
  let since = 0;
  while (performance.now() < until) {
    if (await update(knex, { holder }, { holder: null })) return;
    const row: LockRow | undefined = await repeated(() => knex(TABLE).where({ id: 1 }).first("holder", "beat"));
    if (row?.holder !== seen?.holder || String(row?.beat) !== String(seen?.beat)) {
      seen = row;
      since = performance.now();
    } else if (seen && performance.now() - since > LEASE_MS && (await update(knex, { holder }, seen))) return;
    await sleep(RETRY_EVERY_MS);
  }
  throw errors.FW_MIGRATION_LOCKED(MAX_WAIT_SECONDS);
}

/** Changes the row if it is as expected; of several processes one succeeds. */
async function update(knex: Knex, change: Partial<LockRow>, expected: Partial<LockRow>): Promise<boolean> {
  const count = await repeated(() =>
    knex(TABLE)
      .where({ id: 1, ...expected })
      .update({ ...change, beat: knex.raw("beat + 1") }),
  );
  return count === 1;
}

/** Renews the lock while the work runs, and gives it back. */
async function whileHeld<T>(knex: Knex, holder: string, work: (knex: Knex) => Promise<T>): Promise<T> {
  const over = new AbortController();
  const renewed = renew(knex, holder, over.signal);
  try {
    return await Promise.race([work(knex), renewed]);
  } finally {
    over.abort();
    await update(knex, { holder: null }, { holder }).catch(() => undefined);
  }
}

/** Rejects when the lock was lost; never resolves. */
function renew(knex: Knex, holder: string, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    let last = performance.now();
    const beat = async () => {
      if (signal.aborted) return;
      const isHeld = await update(knex, {}, { holder }).catch(() => undefined); // undefined: it did not answer
      if (isHeld) last = performance.now();
      if (isHeld === false || performance.now() - last > LEASE_MS) reject(errors.FW_MIGRATION_LOCK_LOST());
      else setTimeout(beat, RENEW_EVERY_MS).unref();
    };
    setTimeout(beat, RENEW_EVERY_MS).unref();
  });
}
