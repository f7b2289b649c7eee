import { mapTableErrors, type Transaction } from "framewright/plugins/database";
import { errors } from "./errors.ts";

export const counterTable = "framewright_numbers";
const KEY = ["table_name", "column_name", "scope", "period"];

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
  const where = { ...key };
  const known = await runQuery(transaction(counterTable).where(where).first("value"));
  if (!known)
    await runQuery(
      transaction(counterTable)
        .insert({ ...where, value: await begin() })
        .onConflict(KEY)
        .ignore(),
    );
  await runQuery(transaction(counterTable).where(where).increment("value", 1));
  const row = (await runQuery(transaction(counterTable).where(where).first("value"))) as { value: unknown };
  return Number(row.value);
}

const runQuery = mapTableErrors(errors.FW_NUMBERS_TABLE);
