import { RowReader, type Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../account_type.ts";
import { Answers } from "./answers.ts";

type Row = Record<string, unknown>;
/** Characters of a login that are looked at: none that is taken has so many. */
const LONGEST = 255;
/** One that mails can be sent to: nothing in it could become a second recipient or a header. */
const ADDRESS =
  /^(?=[^@]{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?)*$/u;

/** Finding accounts, and what their state allows. */
export class AccountsByLogin extends Answers {
  /** A login as it is stored and compared: without the spaces around it, in lower case. */
  normalizeLogin(login: string): string {
    return login.trim().toLowerCase().slice(0, LONGEST);
  }
  loginOf(account: AccountRecord): string {
    return String(account[this.type.class.loginColumn] ?? "");
  }
  /** Why a text can't be a login, or undefined when it can. */
  loginProblem(login: string): string | undefined {
    if (login.length > 254) return this.t("login_too_long");
    return ADDRESS.test(login) ? undefined : this.t("login_invalid");
  }
  async findAccountByLogin(login: string, transaction?: Transaction): Promise<AccountRecord | undefined> {
    const account = await this.#first({ [this.type.class.loginColumn]: this.normalizeLogin(login) }, transaction);
    return account && this.isLoginOf(account, login) ? account : undefined;
  }
  /** Whether it is this very login: databases take é for e, and tries are counted by what was typed. */
  isLoginOf(account: AccountRecord, login: string): boolean {
    return this.normalizeLogin(this.loginOf(account)) === this.normalizeLogin(login);
  }
  async findAccountById(id: number): Promise<AccountRecord | undefined> {
    return this.#first({ id });
  }
  /** Whether an account may sign in at all. */
  isOpen(account: AccountRecord): boolean {
    return account.account_status === "verified";
  }
  isUnverified(account: AccountRecord): boolean {
    return account.account_status === "unverified";
  }
  /** The account of a row, which may have columns of other tables as well. */
  recordOf(row: Row): AccountRecord {
    return RowReader.of(this.type.model).recordWithin(row) as unknown as AccountRecord;
  }
  /** Changes columns of an account, past the model's validations of what the person is not asked for here. */
  async updateAccount(account: AccountRecord, values: Row, transaction: Transaction): Promise<void> {
    const columns = this.type.model.columns;
    const stamped = columns.has("updated_at") ? { ...values, updated_at: new Date() } : values;
    await transaction(this.type.model.table).where({ id: account.id }).update(stamped);
    Object.assign(account, values);
  }

  async #first(where: Row, transaction?: Transaction): Promise<AccountRecord | undefined> {
    const { model, services } = this.type;
    const query = (transaction ?? this.knex)(model.table).where(where).limit(1);
    const [row]: Row[] = await (transaction ? query : services.database.rows(query));
    return row && this.recordOf(row);
  }
}
