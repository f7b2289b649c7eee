import type { Knex } from "knex";
import type { Transaction } from "objection";
import { type ChunkScope, runInScope } from "../drivers/chunk_scope.ts";
import { type ClientPort, onConnection } from "../fast/index.ts";
import { retried } from "./retry.ts";
import { commitFailed } from "./uncertain.ts";
import { type TransactionOptions, watchedTransaction } from "./watched_transaction.ts";

const NAME = "fw_piece";

/** A promise that is settled from outside; nobody has to listen. */
function deferred() {
  let resolve!: () => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<void>((done, failed) => {
    [resolve, reject] = [done, failed];
  });
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

interface Piece {
  readonly transaction: Transaction;
  /** Its commit is that of the chunk. */
  committed(): void;
  undone(error: unknown): void;
}

/** What the database does around each transaction. */
interface ChunkParts {
  /** Runs what is in a transaction, noticing a query that forgot it. */
  watch<T>(work: () => PromiseLike<T>): Promise<T>;
  /** Resolves when all has heard of what a transaction committed. */
  heard(transaction: Transaction): Promise<void>;
}

/** Transactions that are committed together: each is undone by itself, and what follows its commit waits for that of all. */
export class Chunk implements ChunkScope {
  readonly owner: object;
  readonly outer: Knex.Transaction;
  readonly connection: object;
  busy: Promise<void> | undefined;
  isOpen = true;
  readonly #parts: ChunkParts;
  readonly #written: Piece[] = [];
  readonly #over = deferred();

  constructor(owner: object, outer: Knex.Transaction, connection: object, parts: ChunkParts) {
    this.owner = owner;
    this.outer = outer;
    this.connection = connection;
    this.#parts = parts;
  }

  /** Resolves when all is committed, and rejects when all is undone. */
  get committed(): Promise<void> {
    return this.#over.promise;
  }

  /** Runs work in a transaction of the chunk, one after the other; resolves when it is written. What it throws undoes it alone. */
  async transaction<T>(work: (transaction: Transaction) => PromiseLike<T>): Promise<T> {
    while (this.busy) await this.busy;
    const { promise, resolve } = deferred();
    this.busy = promise;
    try {
      return await this.#run(work);
    } finally {
      this.busy = undefined;
      resolve();
    }
  }

  async #run<T>(work: (transaction: Transaction) => PromiseLike<T>): Promise<T> {
    await this.#statement(`SAVEPOINT ${NAME}`);
    const piece = pieceOf(this.outer, (sql) => this.#statement(sql));
    const open = piece.transaction as unknown as Knex.Transaction;
    try {
      const result = await this.#parts.watch(() => work(piece.transaction));
      await open.commit();
      this.#written.push(piece);
      return result;
    } catch (error) {
      await open.rollback(error);
      piece.undone(error);
      throw error;
    }
  }
  async #statement(sql: string): Promise<void> {
    await onConnection(this.outer.client as ClientPort, { sql, bindings: [], method: "raw" });
  }

  /** The commit has come: what follows that of each transaction is done, in their order. */
  async follow(): Promise<void> {
    try {
      for (const { transaction, committed } of this.#written) {
        committed();
        await (transaction as unknown as Knex.Transaction).executionPromise;
        await this.#parts.heard(transaction);
      }
      await this.#parts.heard(this.outer as unknown as Transaction);
    } finally {
      this.#over.resolve(); // what fails after it does not undo it
    }
  }
  /** All is undone. */
  undo(error: unknown): void {
    for (const piece of this.#written) piece.undone(error);
    this.#over.reject(error);
  }
}

interface ChunkOptions extends TransactionOptions {
  readonly parts: ChunkParts;
  /** Milliseconds without a statement after which it is rolled back. */
  readonly idle: number;
}

/** Runs work whose transactions are committed together. */
export async function runInChunk<T>(
  knex: Knex,
  work: (chunk: Chunk) => Promise<T>,
  { parts, idle, ...options }: ChunkOptions,
): Promise<T> {
  let chunk: Chunk | undefined;
  let mayBeCommitted = false;
  const begin = async (transaction: Transaction): Promise<T> => {
    const outer = transaction as unknown as Knex.Transaction;
    mayBeCommitted = false;
    const open = new Chunk(knex.client, outer, await outer.client.acquireConnection(), parts);
    chunk = open;
    try {
      const result = await runInScope(open, () => work(open));
      while (open.busy) await open.busy;
      mayBeCommitted = true;
      return result;
    } finally {
      open.isOpen = false;
    }
  };
  /** What an attempt wrote is undone with it, also where the next one succeeds. */
  const attempt = async (): Promise<T> => {
    try {
      return await watchedTransaction(knex, begin, idle, options);
    } catch (error) {
      chunk?.undo(error);
      throw error;
    }
  };
  const result = await retried(attempt, options.until).catch((error: unknown) => {
    if (mayBeCommitted) commitFailed(error);
    throw error;
  });
  await chunk?.follow();
  return result;
}

/**
 * A transaction of its own for all that goes by one: statements go to the outer one, whose knex it shares, as setting one up costs
 * more than most statements; its commit releases the savepoint, and `executionPromise` waits for the commit of all.
 */
function pieceOf(outer: Knex.Transaction, statement: (sql: string) => Promise<void>): Piece {
  const { promise, resolve, reject } = deferred();
  let isOver = false;
  const table = ((...given: Parameters<Knex>) => outer(...given)) as unknown as Knex.Transaction;
  const within = (nested: Knex.Transaction) => Object.assign(nested, { parentTransaction: table });
  const transaction = (work?: (nested: Knex.Transaction) => unknown, options?: Knex.TransactionConfig) =>
    typeof work === "function"
      ? outer.transaction(async (nested) => work(within(nested)), options)
      : outer.transaction(options).then(within);
  const own = {
    executionPromise: promise,
    isCompleted: () => isOver || outer.isCompleted(),
    transaction,
    savepoint: transaction,
    async commit() {
      await statement(`RELEASE SAVEPOINT ${NAME}`);
      isOver = true;
    },
    async rollback() {
      isOver = true;
      if (outer.isCompleted()) return;
      await statement(`ROLLBACK TO SAVEPOINT ${NAME}`);
      await statement(`RELEASE SAVEPOINT ${NAME}`);
    },
  };
  Object.setPrototypeOf(table, outer);
  const visible = { writable: true, enumerable: true }; // knex takes an object without keys for no transaction
  for (const [name, value] of Object.entries(own)) Object.defineProperty(table, name, { value, ...visible });
  return { transaction: table as unknown as Transaction, committed: resolve, undone: reject };
}
