import { decodeDate, isDuplicate, type Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../account_type.ts";
import { AccountsByLogin } from "./accounts.ts";

type Row = Record<string, unknown>;

const MINUTE = 60_000;
/** Good keys of one purpose that an account has at most, and mails an hour that one may ask for. */
const MAX_KEYS = 3;
/** After a mail, no other of its purpose is sent for so long: the one that is there is good. */
export const SPACING_MS = 5 * MINUTE;
const PERIOD_MS = 60 * MINUTE;

export interface KeyOptions {
  /** Milliseconds for which the key is good. */
  lifetime: number;
  /** Further columns of its row. */
  extra?: Row;
  transaction?: Transaction | undefined;
  /** How many good ones the account keeps, the newest. */
  max?: number;
  /** Which are counted for that: those whose columns have these values; all unless told. */
  same?: Row;
}

/** Keys that travel by mail: several an account and purpose, stored as digests, all spent with the first that is used. */
export class MailedKeys extends AccountsByLogin {
  /** Makes a key beside those before it. Returns what the link carries. */
  issueKey(table: string, account: { id: number }, options: KeyOptions): Promise<string> {
    return this.#within(options.transaction, async (trx) => {
      await this.lockAccount(account, trx);
      return this.#issue(table, account, options, trx);
    });
  }

  /**
   * As issueKey, for a mail that anybody may ask for: undefined where one was sent within the last five minutes, or three
   * within the hour, whose keys are good.
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

  /** The row and the account of a key that is good, without using it up; for the page that asks to confirm. */
  async findKey(table: string, token: string): Promise<{ row: Row; account: AccountRecord } | undefined> {
    const { database, digests } = this.type.services;
    const query = this.knex(this.type.table(table)).whereIn("key_digest", digests.all(token)).limit(1);
    const [row] = await database.rows(query);
    if (!row || (decodeDate(row.deadline) as Date) < new Date()) return undefined;
    const account = await this.findAccountById(Number(row.account_id));
    return account && { row, account };
  }

  /** Uses a key up, and with it the account's others of its purpose; false when another request did so first. */
  async spendKey(table: string, row: Row, transaction: Transaction): Promise<boolean> {
    const keys = () => transaction(this.type.table(table));
    await this.lockAccount({ id: Number(row.account_id) }, transaction);
    const spent = await keys().where({ id: row.id, key_digest: row.key_digest }).delete();
    if (spent !== 1) return false;
    await keys().where({ account_id: row.account_id }).delete();
    return true;
  }

  /** What is done to an account in this transaction is done by nobody else meanwhile. */
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
    const good: Row[] = await keys()
      .where({ ...same, account_id: account.id })
      .where("deadline", ">", now)
      .orderBy("id", "desc")
      .select("id")
      .forUpdate();
    const kept = good.slice(0, max - 1).map(({ id }) => id as number);
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
        if (!isDuplicate(error)) throw error; // of a table from before, in which an account has one key alone
        await keys().where({ account_id: account.id }).delete();
        await keys().insert(row);
      });
    return token;
  }
}
