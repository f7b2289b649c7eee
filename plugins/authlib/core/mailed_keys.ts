import { decodeDate, isDuplicate, type Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../account_type.ts";
import { AccountsByLogin } from "./accounts.ts";

type Row = Record<string, unknown>;

const MINUTE_MS = 60_000;
/** The most valid keys of one purpose per account, and the most mails per hour. */
const MAX_KEYS = 3;
/** The shortest time between two mails of one purpose. */
export const SPACING_MS = 5 * MINUTE_MS;
const PERIOD_MS = 60 * MINUTE_MS;

export interface KeyOptions {
  /** Milliseconds for which the key is valid. */
  lifetime: number;
  /** More columns of its row. */
  extra?: Row;
  transaction?: Transaction | undefined;
  /** How many valid keys the account keeps: the newest. */
  max?: number;
  /** Counts only keys with these column values; by default all. */
  same?: Row;
}

/** One-time keys in mailed links: several per account and purpose, stored as digests. Using one deletes all of them. */
export class MailedKeys extends AccountsByLogin {
  /** Stores a new key beside the earlier ones. Returns the token for the link. */
  issueKey(table: string, account: { id: number }, options: KeyOptions): Promise<string> {
    return this.#within(options.transaction, async (trx) => {
      await this.lockAccount(account, trx);
      return this.#issue(table, account, options, trx);
    });
  }

  /**
   * As issueKey, for a mail that anybody may request: undefined where one was sent within the last five minutes, or three
   * within the last hour, and their keys are still valid.
   */
  requestKey(table: string, account: { id: number }, options: KeyOptions): Promise<string | undefined> {
    const { same = {}, lifetime } = options;
    return this.#within(options.transaction, async (trx) => {
      await this.lockAccount(account, trx);
      const now = Date.now();
      const rows: Row[] = await trx(this.type.table(table))
        .where({ ...same, account_id: account.id })
        .where("deadline", ">", new Date(now))
        .select("requested_at")
        .forUpdate();
      const ages = rows.map(({ requested_at }) => now - (decodeDate(requested_at) as Date).getTime());
      const isRecent = ages.some((age) => age < Math.min(SPACING_MS, lifetime / MAX_KEYS));
      const isFull = ages.filter((age) => age < Math.min(PERIOD_MS, lifetime)).length >= MAX_KEYS;
      return isRecent || isFull ? undefined : this.#issue(table, account, options, trx);
    });
  }

  /** The row and the account of a valid key, without spending it: for the page that asks to confirm. */
  async findKey(table: string, token: string): Promise<{ row: Row; account: AccountRecord } | undefined> {
    const { database, digests } = this.type.services;
    const query = this.knex(this.type.table(table)).whereIn("key_digest", digests.all(token)).limit(1);
    const [row] = await database.rows(query);
    if (!row || (decodeDate(row.deadline) as Date) < new Date()) return undefined;
    const account = await this.findAccountById(Number(row.account_id));
    return account && { row, account };
  }

  /** Spends a key, and deletes the account's other keys of its purpose; false when another request was first. */
  async spendKey(table: string, row: Row, transaction: Transaction): Promise<boolean> {
    const keys = () => transaction(this.type.table(table));
    await this.lockAccount({ id: Number(row.account_id) }, transaction);
    const spent = await keys().where({ id: row.id, key_digest: row.key_digest }).delete();
    if (spent !== 1) return false;
    await keys().where({ account_id: row.account_id }).delete();
    return true;
  }

  /** Locks the account's row until the transaction ends. */
  async lockAccount({ id }: { id: number }, transaction: Transaction): Promise<void> {
    await transaction(this.type.model.table).where({ id }).select("id").forUpdate();
  }

  #within<T>(transaction: Transaction | undefined, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return transaction ? work(transaction) : this.transaction(work);
  }
  async #issue(
    table: string,
    account: { id: number },
    { lifetime, extra = {}, max = MAX_KEYS, same = {} }: KeyOptions,
    transaction: Transaction,
  ): Promise<string> {
    const { digests } = this.type.services;
    const keys = () => transaction(this.type.table(table));
    const token = digests.token();
    const now = new Date();
    const valid: Row[] = await keys()
      .where({ ...same, account_id: account.id })
      .where("deadline", ">", now)
      .orderBy("id", "desc")
      .select("id")
      .forUpdate();
    const kept = valid.slice(0, max - 1).map(({ id }) => id as number);
    await keys()
      .where({ account_id: account.id })
      .where((any) => any.where("deadline", "<=", now).orWhere((old) => old.where(same).whereNotIn("id", kept)))
      .delete();
    const row = {
      account_id: account.id,
      key_digest: digests.digest(token),
      requested_at: now,
      deadline: new Date(now.getTime() + lifetime),
      ...extra,
    };
    await keys()
      .insert(row)
      .catch(async (error: unknown) => {
        if (!isDuplicate(error)) throw error; // a table of an earlier release, unique by account
        await keys().where({ account_id: account.id }).delete();
        await keys().insert(row);
      });
    return token;
  }
}
