import type { Knex } from "knex";

type Opened = Knex.Transaction & { parentTransaction?: Knex.Transaction };

/** Queues what is to be reported after a commit: of a transaction within another after the outer one's, of a rollback nothing. */
export class CommitQueue<T> {
  readonly #waiting = new WeakMap<object, T[]>();
  readonly #done = new WeakMap<object, Promise<void>>();
  readonly #say: (items: readonly T[]) => Promise<void>;

  constructor(say: (items: readonly T[]) => Promise<void>) {
    this.#say = say;
  }

  add(transaction: Knex.Transaction, item: T): void {
    this.#waitingOf(transaction).push(item);
  }

  #waitingOf(transaction: Knex.Transaction): T[] {
    const known = this.#waiting.get(transaction);
    if (known) return known;
    const items: T[] = [];
    this.#waiting.set(transaction, items);
    this.#follow(transaction as Opened, items);
    return items;
  }

  /** Resolves when everything of a committed transaction was reported. */
  done(transaction: object): Promise<void> {
    return this.#done.get(transaction) ?? Promise.resolve();
  }

  #follow(transaction: Opened, items: readonly T[]): void {
    let isRolledBack = false;
    const { rollback } = transaction;
    transaction.rollback = (...given) => {
      isRolledBack = true; // a transaction without a handler resolves then as well
      return rollback.apply(transaction, given);
    };
    transaction.executionPromise.then(
      () => {
        if (isRolledBack) return;
        const { parentTransaction: outer } = transaction;
        if (outer) for (const item of items) this.add(outer, item);
        else this.#done.set(transaction, this.#say(items));
      },
      () => undefined,
    );
  }
}
