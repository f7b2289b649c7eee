import {
  asUnavailable,
  type Database,
  isDuplicate,
  type Knex,
  retried,
  type Transaction,
} from "framewright/plugins/database";
import type { LimitRule } from "./contract.ts";

export const TABLE = "framewright_limits";
/** Milliseconds that a statement is retried when others conflict with it: a request waits for it. */
const RETRY_MS = 2000;
const SWEPT_AT_ONCE = 500;

/** All statements on the table. A count changes by one conditional update, so that parallel attempts never exceed a limit. */
export class RowStore {
  readonly #database: Database;
  readonly #transaction: Transaction | undefined;

  constructor(database: Database, transaction?: Transaction) {
    this.#database = database;
    this.#transaction = transaction;
  }

  /** The store as it has to be used while a transaction is open: a database with one connection can't be queried past it. */
  within(transaction: Transaction | undefined): RowStore {
    return transaction && this.#database.driver.hasOneConnection ? new RowStore(this.#database, transaction) : this;
  }

  /** Counts one attempt in the row of a key, from 1 where its count has ended; false when there is no row, or no attempt is left. */
  async count(digest: string, { points, seconds }: LimitRule, now: number): Promise<boolean> {
    const after = (ended: Knex.Value, current: string) =>
      this.#database.knex.raw(`case when expires_at <= ? then ? else ${current} end`, [now, ended]);
    // In this order: MySQL assigns from left to right, and the first reads what the second changes.
    const change = { points: after(1, "points + 1"), expires_at: after(now + seconds * 1000, "expires_at") };
    const open = (either: Knex.QueryBuilder) => either.where("expires_at", "<=", now).orWhere("points", "<", points);
    return (await run(() => this.#row(digest).where(open).update(change))) === 1;
  }
  /** Inserts the row of a key with its first attempt; false when another process has. */
  async insert(digest: string, { seconds }: LimitRule, now: number): Promise<boolean> {
    const row = { key_digest: digest, points: 1, expires_at: now + seconds * 1000 };
    try {
      await run(() => this.#table().insert(row));
      return true;
    } catch (error) {
      if (isDuplicate(error)) return false;
      throw error;
    }
  }
  /** The count of a key, and when it ends in milliseconds since 1970; undefined where it has no row. */
  async find(digest: string): Promise<{ points: number; end: number } | undefined> {
    const [row] = await run(() => this.#row(digest).select("points", "expires_at").limit(1));
    return row && { points: Number(row.points), end: Number(row.expires_at) };
  }
  async refund(digest: string, now: number): Promise<void> {
    const counted = () => this.#row(digest).where("expires_at", ">", now).where("points", ">", 0);
    await run(() => counted().decrement("points", 1));
  }
  /** Ends a count. The row stays for the next one: deleting what others insert again makes them deadlock. */
  async end(digest: string): Promise<void> {
    await run(() => this.#row(digest).update({ expires_at: 0 }));
  }
  /** Removes rows whose count had ended before this instant. */
  async sweep(before: number): Promise<void> {
    for (;;) {
      const ended = () => this.#table().where("expires_at", "<", before);
      const rows = await run(() => ended().select("id").limit(SWEPT_AT_ONCE));
      const ids = rows.map(({ id }: { id: unknown }) => id);
      if (ids.length > 0) await run(() => ended().whereIn("id", ids).delete());
      if (ids.length < SWEPT_AT_ONCE) return;
    }
  }

  #table(): Knex.QueryBuilder {
    return (this.#transaction ?? this.#database.knex)(TABLE);
  }
  #row(digest: string): Knex.QueryBuilder {
    return this.#table().where({ key_digest: digest });
  }
}

/** @throws 503 when the database is unavailable */
async function run<T>(query: () => PromiseLike<T>): Promise<T> {
  try {
    return await retried(query, performance.now() + RETRY_MS);
  } catch (error) {
    throw asUnavailable(error);
  }
}
