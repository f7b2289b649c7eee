import type { Knex } from "knex";
import type { Transaction } from "objection";
import { changesOf, type RecordChanges } from "../changes/record_changes.ts";
import { chunkScope } from "../drivers/chunk_scope.ts";
import { hasOtherHosts } from "../drivers/connection.ts";
import { driverOf } from "../drivers/drivers.ts";
import { insideTransaction, isInsideTransaction } from "../drivers/lost_transaction.ts";
import { errors } from "../errors.ts";
import { insertRecord, isFast, isOneInsert, needsNoTransaction } from "../fast/index.ts";
import type { BaseModel, ModelClass } from "../models/model.ts";
import { type Chunk, runInChunk } from "./chunk.ts";
import { retried } from "./retry.ts";
import { TransactionQueue } from "./transaction_queue.ts";
import { commitFailed } from "./uncertain.ts";
import { type TransactionOptions, watchedTransaction } from "./watched_transaction.ts";

export interface InsertOptions extends TransactionOptions {
  /** The one that it is done in; by default one of its own, where it needs one. */
  transaction?: Transaction;
}
export interface TransactionLimits {
  /** Notices a query that forgot its transaction; not in production, where it would slow every await. */
  watchful: boolean;
  /** Milliseconds without a statement after which a transaction is rolled back. */
  idle: number;
  pool: number;
  acquireTimeout: number;
  changes: RecordChanges | undefined;
}

/** The transactions of a database: limited in time and number, and repeated after a conflict. */
export class Transactions {
  readonly #knex: () => Knex;
  readonly #limits: TransactionLimits;
  #queue: TransactionQueue | undefined;

  constructor(knex: () => Knex, limits: TransactionLimits) {
    this.#knex = knex;
    this.#limits = limits;
  }

  async run<T>(work: (transaction: Transaction) => PromiseLike<T>, options: TransactionOptions = {}): Promise<T> {
    const knex = this.#knex();
    const chunk = isInsideTransaction(knex.client) ? undefined : chunkScope(knex.client);
    if (chunk) return chunk.transaction(work);
    const { idle, changes } = this.#limits;
    let last: Transaction | undefined;
    let mayBeCommitted = false;
    const noted = async (transaction: Transaction) => {
      last = transaction;
      mayBeCommitted = false;
      const result = await work(transaction);
      mayBeCommitted = true;
      return result;
    };
    const result = await retried(
      () => this.#queued(knex, () => watchedTransaction(knex, (one) => this.#watch(() => noted(one)), idle, options)),
      options.until,
      () => !mayBeCommitted && hasOtherHosts(knex),
    ).catch((error: unknown) => {
      if (mayBeCommitted) commitFailed(error);
      throw error;
    });
    if (last) await changes?.heard(last);
    return result;
  }

  inChunk<T>(work: (chunk: Chunk) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const { idle, changes } = this.#limits;
    const parts = {
      watch: <R>(run: () => PromiseLike<R>) => this.#watch(run),
      heard: async (transaction: Transaction) => changes?.heard(transaction),
    };
    return runInChunk(this.#knex(), work, { ...options, parts, idle });
  }

  insert(cls: ModelClass, values: object, { transaction, ...options }: InsertOptions = {}): Promise<BaseModel> {
    const knex = this.#knex();
    const changes = changesOf(cls);
    if (isFast(knex) && !transaction && !changes && needsNoTransaction(cls))
      return retried(() => insertRecord(cls, values, knex), options.until).catch(commitFailed);
    const insert =
      isFast(knex) && isOneInsert(cls)
        ? async (open: Transaction) => {
            const record = await insertRecord(cls, values, open);
            await changes?.created(record, open);
            return record;
          }
        : (open: Transaction) => cls.query(open).insert(values as never) as unknown as PromiseLike<BaseModel>;
    return transaction ? Promise.resolve(insert(transaction)) : this.run(insert, options);
  }

  /** A few connections of a pool are for what is no transaction. */
  #queued<T>(knex: Knex, work: () => Promise<T>): Promise<T> {
    if (driverOf(knex).hasOneConnection) return work();
    const { pool, acquireTimeout } = this.#limits;
    this.#queue ??= new TransactionQueue(pool < 4 ? pool : pool - Math.ceil(pool / 5), acquireTimeout, {
      busy: () => errors.FW_DATABASE_BUSY("all transactions wait"),
    });
    return this.#queue.run(work);
  }

  async #watch<T>(work: () => PromiseLike<T>): Promise<T> {
    return this.#limits.watchful ? insideTransaction(this.#knex().client, work) : work();
  }
}
