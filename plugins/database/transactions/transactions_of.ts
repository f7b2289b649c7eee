import type { Knex } from "knex";
import type { Transaction } from "objection";

/** Runs work in a transaction. */
export type RunTransaction = <T>(work: (transaction: Transaction) => PromiseLike<T>) => Promise<T>;

/** Set in the config of a knex, which the clients of its transactions share. */
const used = Symbol("transactions");
interface HasConfig {
  config?: { [used]?: RunTransaction };
}

/** Notes how transactions of a knex are run. */
export function useTransactions(knex: Knex, run: RunTransaction): void {
  const client = knex.client as HasConfig;
  client.config = Object.assign(client.config ?? {}, { [used]: run });
}

/** How the database that a knex is of runs transactions; without one, as knex does. */
export const transactionsOf = (knex: Knex): RunTransaction =>
  (knex.client as HasConfig).config?.[used] ??
  ((work) => knex.transaction(async (transaction) => await work(transaction as unknown as Transaction)));

/** What is used of objection's query builder. */
interface Bound {
  knex(): Knex;
  transacting(transaction: Transaction | undefined): Bound;
  execute(): Promise<unknown>;
}
/** Runs a query in a transaction of its own. */
export async function inTransaction<T>(query: Bound): Promise<T> {
  try {
    return await transactionsOf(query.knex())((transaction) => query.transacting(transaction).execute() as Promise<T>);
  } finally {
    query.transacting(undefined); // it may be run again
  }
}
