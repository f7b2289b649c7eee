import type { Knex } from "knex";
import type { Transaction } from "objection";

type Work = () => Promise<void>;

/** Module-level: found by a transaction, and freed with it: what is done before its commit. */
const waiting = new WeakMap<object, Work[]>();

/**
 * Does work in a transaction right before it is committed, as writing what was collected meanwhile by one statement; within
 * another transaction before its savepoint is released, and of a rollback nothing. What it throws rolls the transaction back.
 * @example beforeCommit(transaction, () => entries.flush(transaction))
 */
export function beforeCommit(transaction: Transaction, work: Work): void {
  const known = waiting.get(transaction);
  if (known) return void known.push(work);
  const works = [work];
  waiting.set(transaction, works);
  const open = transaction as unknown as Knex.Transaction;
  const { commit } = open;
  open.commit = (async (...given: Parameters<typeof commit>) => {
    for (let next = works.shift(); next; next = works.shift()) await next();
    return commit.apply(open, given);
  }) as typeof commit;
}
