import { decodeDate, type Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../account_type.ts";
import { AccountsByLogin } from "./accounts.ts";

type Row = Record<string, unknown>;

/** Keys that travel by mail: one an account and purpose, stored as digests, good once and for a while. */
export class MailedKeys extends AccountsByLogin {
  /**
   * Makes a key and forgets the one before. `lifetime` in milliseconds. Returns what the link carries; it ends in
   * `suffix`, which is as good as stored: of another one the digest differs.
   */
  async issueKey(
    table: string,
    account: AccountRecord,
    {
      lifetime,
      extra = {},
      suffix = "",
      transaction,
    }: { lifetime: number; extra?: Row; suffix?: string; transaction?: Transaction },
  ): Promise<string> {
    const { digests } = this.type.services;
    const token = digests.token() + suffix;
    const now = new Date();
    const row = {
      account_id: account.id,
      key_digest: digests.digest(token),
      requested_at: now,
      deadline: new Date(now.getTime() + lifetime),
      ...extra,
    };
    const replace = async (trx: Transaction) => {
      await trx(this.type.table(table)).insert(row).onConflict("account_id").merge();
    };
    await (transaction ? replace(transaction) : this.transaction(replace));
    return token;
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

  /** Uses a key up; false when another request did so first. */
  async spendKey(table: string, row: Row, transaction: Transaction): Promise<boolean> {
    const spent = await transaction(this.type.table(table)).where({ id: row.id, key_digest: row.key_digest }).delete();
    return spent === 1;
  }
}
