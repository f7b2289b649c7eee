import { type Knex, mapTableErrors, retried, type Transaction } from "framewright/plugins/database";
import { errors } from "./errors.ts";

export const counterTable = "framewright_numbers";
const KEY = ["table_name", "column_name", "scope", "period"];
/** Milliseconds that a number is tried for beside its transaction, where others conflict. */
const RETRY_MS = 5000;

/** What a counter counts: a column of a table, within a scope and a period. */
export interface CounterKey {
  readonly table_name: string;
  readonly column_name: string;
  readonly scope: string;
  readonly period: string;
}

/**
 * The next value of a counter, in the transaction of what is numbered: others who want one wait until it has ended, and where
 * it is undone its value is the next one again. `begin` gives the value that a new counter begins behind.
 */
export async function nextValue(
  transaction: Transaction,
  key: CounterKey,
  begin: () => Promise<number>,
): Promise<number> {
  await ensureCounter(transaction, key, begin);
  return increment(transaction, key);
}

/** The next value, stored at once: nobody waits for what is numbered, and a value whose record is not stored is left out. */
export async function nextValueBesides(
  connection: Knex,
  key: CounterKey,
  begin: () => Promise<number>,
): Promise<number> {
  const until = performance.now() + RETRY_MS;
  await retried(() => ensureCounter(connection, key, begin), until);
  return retried(() => connection.transaction((transaction) => increment(transaction, key)), until);
}

async function ensureCounter(connection: Knex, key: CounterKey, begin: () => Promise<number>): Promise<void> {
  const where = { ...key };
  if (await runQuery(connection(counterTable).where(where).first("value"))) return;
  const row = { ...where, value: await begin() };
  await runQuery(connection(counterTable).insert(row).onConflict(KEY).ignore());
}
async function increment(connection: Knex, key: CounterKey): Promise<number> {
  const where = { ...key };
  await runQuery(connection(counterTable).where(where).increment("value", 1));
  const row = (await runQuery(connection(counterTable).where(where).first("value"))) as { value: unknown };
  return Number(row.value);
}

const runQuery = mapTableErrors(errors.FW_NUMBERS_TABLE);
