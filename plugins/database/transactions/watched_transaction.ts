import type { Knex } from "knex";
import type { Transaction } from "objection";
import { unavailable } from "../drivers/unavailable.ts";
import { errors } from "../errors.ts";

/** Until when a transaction may last, and who is named when it lasts longer. */
export interface TransactionOptions {
  /** The instant of performance.now() at which it is rolled back when it isn't over: a request's deadline. */
  until?: number;
  /** Whose it is, for the log: `the wizard "Signup"`. */
  by?: string;
}
type Work<T> = (transaction: Transaction) => PromiseLike<T>;
/** A driver's connection, as the client for MySQL keeps it. */
interface OpenConnection {
  /** Statements that it has not answered. */
  running?: number;
  destroy?(): void;
}

/**
 * Runs a transaction that can't stay open for good: what awaits something that never comes is rolled back, and its
 * connection is free again. Without `until`, it may last as long as its statements don't pause for `idle` milliseconds
 * (0: as long as it likes).
 */
export function watchedTransaction<T>(
  knex: Knex,
  work: Work<T>,
  idle: number,
  { until, by = "the application" }: TransactionOptions = {},
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const start = performance.now();
    let last = start;
    let timer: NodeJS.Timeout | undefined;
    let open: Transaction | undefined;
    const hasEnd = until !== undefined && until !== Number.POSITIVE_INFINITY;
    const rest = (): number => {
      if (hasEnd) return until - performance.now();
      return idle > 0 ? last + idle - performance.now() : Number.POSITIVE_INFINITY;
    };
    const look = () => {
      const left = rest();
      if (left > 1) timer = setTimeout(look, left).unref();
      else {
        const error = unavailable(errors.FW_TRANSACTION_LATE(by, Math.round(performance.now() - start)), undefined);
        reject(error);
        void rollBackLate(open!, error);
      }
    };
    const over = () => clearTimeout(timer);
    const begin = (transaction: Transaction) => {
      open = transaction;
      const left = rest();
      if (left !== Number.POSITIVE_INFINITY) {
        if (!hasEnd)
          transaction.on("query", () => {
            last = performance.now();
          });
        timer = setTimeout(look, Math.max(1, left)).unref();
      }
      return Promise.resolve(work(transaction));
    };
    knex
      .transaction(begin as (transaction: Knex.Transaction) => Promise<T>)
      .finally(over)
      .then(resolve, reject);
  });
}

/** Rolls back; a connection that still waits for an answer is closed, and the server rolls back. */
async function rollBackLate(transaction: Transaction, error: Error): Promise<void> {
  try {
    const { client } = transaction as unknown as { client: { acquireConnection(): Promise<OpenConnection> } };
    const connection = await client.acquireConnection();
    if ((connection.running ?? 0) > 0) connection.destroy?.();
    await transaction.rollback(error);
  } catch {
    // It was over in the meantime.
  }
}
