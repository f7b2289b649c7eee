import { AsyncLocalStorage } from "node:async_hooks";
import type { BaseModel, Database, Transaction, TransactionOptions } from "framewright/plugins/database";
import type { ResourceController } from "framewright/plugins/resources";
import type { RecordWriter } from "framewright/plugins/resources/toolkit";

/** Keeps what is needed to take the writing of a record back, in its transaction. */
export type KeepWrite = (write: RecordWriter, record: BaseModel, transaction: Transaction) => Promise<void>;

/** A write of its own for a row: `mark` is committed together with the record, and `done` is given what it returned once it is. */
export function ownTransaction<P>(
  database: Database,
  mark: (transaction: Transaction) => Promise<P>,
  done: (place: P) => void,
  keep?: KeepWrite,
): RecordWriter {
  const write: RecordWriter = {
    isUnchanged: false,
    async run(work, options) {
      const [written, ...places] = await database.transaction(async (transaction) => {
        write.rows = [];
        const result = await work(transaction);
        if (!("record" in result)) return [result] as const;
        if (!write.isUnchanged) await keep?.(write, result.record, transaction);
        return [result, await mark(transaction)] as const;
      }, options);
      for (const place of places) done(place);
      return written;
    },
  };
  return write;
}

/** The rows of a file have been undone together: one of them could not be written, or they were only checked. */
export class RowsUndone extends Error {
  constructor() {
    super("the rows of an import were undone together");
  }
}

/** A promise that is settled from outside. */
function deferred() {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((done, failed) => {
    [resolve, reject] = [done, failed];
  });
  return { promise, resolve, reject };
}

/** Runs what writes a row in a transaction of its own within one for all rows. */
export type Transact = <T>(work: (transaction: Transaction) => Promise<T>) => Promise<T>;

/** One commit for all rows: what comes after a record's commit waits for that of all. */
export class SharedTransaction {
  readonly #transact: Transact;
  readonly #waiting: { over: ReturnType<typeof deferred>; acting: Promise<unknown> }[] = [];

  constructor(transact: Transact) {
    this.#transact = transact;
  }

  /** Begins what a controller does for a row; resolves when the row is written, with whether it was unchanged. */
  async begin(
    controller: ResourceController,
    act: () => Promise<unknown>,
    keep?: KeepWrite,
    transact = this.#transact,
  ): Promise<{ isUnchanged: boolean }> {
    const [written, over] = [deferred(), deferred()];
    over.promise.catch(() => undefined);
    let isWritten = false;
    const write: RecordWriter = {
      isUnchanged: false,
      run: async (work) => {
        const result = await transact(async (own) => {
          write.rows = [];
          const made = await work(own);
          if ("record" in made && !write.isUnchanged) await keep?.(write, made.record, own);
          return made;
        });
        if ("record" in result) {
          isWritten = true;
          written.resolve();
          await over.promise;
        }
        return result as never;
      },
    };
    controller.recordWriter = write;
    const acting = act();
    this.#waiting.push({ over, acting });
    acting.catch(() => undefined);
    await Promise.race([written.promise, acting]);
    if (!isWritten) write.isUnchanged = true; // the controller has answered without writing
    return write;
  }
  /** All is committed: what waits goes on, one row after the other, and is waited for; returns what failed by then. */
  async committed(): Promise<unknown[]> {
    const failures: unknown[] = [];
    for (const { over, acting } of this.#waiting) {
      over.resolve();
      await acting.catch((error: unknown) => failures.push(error));
    }
    return failures;
  }
  /** All is undone: what waits ends, and nothing that would come after a commit is done. */
  async undone(): Promise<void> {
    for (const { over } of this.#waiting) over.reject(new RowsUndone());
    await Promise.allSettled(this.#waiting.map(({ acting }) => acting));
  }
}

/** Tries each row in a transaction of its own that is undone, where a database reads nothing beside an open one. */
export const triedAlone = (database: Database, options: TransactionOptions): Pick<SharedTransaction, "begin"> => ({
  async begin(controller, act, keep) {
    let isWritten = false;
    const write: RecordWriter = {
      isUnchanged: false,
      run: (work) =>
        database.transaction(async (transaction) => {
          [isWritten, write.rows] = [false, []];
          const made = await work(transaction);
          if (!("record" in made)) return made;
          if (!write.isUnchanged) await keep?.(write, made.record, transaction);
          isWritten = true;
          throw new RowsUndone();
        }, options),
    };
    controller.recordWriter = write;
    await act().catch((error: unknown) => {
      if (!(isWritten && error instanceof RowsUndone)) throw error;
    });
    return write;
  },
});

/**
 * Writes rows in one transaction. The work is outside of it, as a request does that reads beside its own transaction; only
 * what records are written by is in it. What the work throws undoes all. After a deadlock it runs again.
 */
export async function writeTogether<T>(
  database: Database,
  work: (shared: SharedTransaction, transaction: Transaction) => Promise<T>,
  options: TransactionOptions,
): Promise<T> {
  const outside = AsyncLocalStorage.snapshot();
  const attempts: SharedTransaction[] = [];
  try {
    const result = await database.transaction(async (transaction) => {
      await attempts.pop()?.undone();
      const shared = new SharedTransaction((write) =>
        transaction.transaction(async (own) => write(own as Transaction)),
      );
      attempts.push(shared);
      return outside(() => work(shared, transaction));
    }, options);
    await attempts.at(-1)?.committed();
    return result;
  } catch (error) {
    await attempts.at(-1)?.undone();
    throw error;
  }
}

/** Whether a record has these values already. */
export function hasValues(record: BaseModel, columns: Readonly<Record<string, unknown>>): boolean {
  const stored = record as unknown as Record<string, unknown>;
  return Object.entries(columns).every(([name, value]) => comparable(stored[name]) === comparable(value));
}

function comparable(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "object") return JSON.stringify(value);
  const text = String(value);
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, "") : text; // 12.50 is 12.5
}
