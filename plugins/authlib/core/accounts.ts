import { RowReader, type Transaction } from "framewright/plugins/database";
import type { AccountRecord } from "../account_type.ts";
import type { AccountEventName, ReportedFailure } from "../events.ts";
import { Answers } from "./answers.ts";

/** The kind of job that reports a failure for which somebody typed a login. */
export const REPORTED = "authlib.reported";

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
  /** Tells by a job of a failure that names a login: whether anybody has it does not show in the answer's time. */
  async reportLater(name: AccountEventName, login: string, details: ReportedFailure["details"] = {}): Promise<void> {
    const failure: ReportedFailure = {
      type: this.type.name,
      name,
      login: this.normalizeLogin(login),
      address: this.request.address,
      at: Date.now(),
      details,
    };
    await this.type.services.jobs.enqueue(REPORTED, failure);
  }
  /** The job's work: the account is looked for, and told of where there is one; else a digest of the login is. */
  async report({ name, login, address, at, details }: ReportedFailure): Promise<void> {
    const account = await this.findAccountByLogin(login);
    this.occurrence = { address, at: new Date(at) };
    const login_digest = this.type.services.digests.digest(`${this.type.name}:${login}`);
    await this.tell(name, account ? details : { ...details, login_digest }, account);
  }

  /** Whether a login may be tried at all; asked for every one, whether anybody has it or not. */
  async mayTry(_login: string): Promise<boolean> {
    return true;
  }
  /** A password was right: what was counted against the login is forgotten. */
  async afterPassword(_login: string): Promise<void> {}
  /** A password was wrong, or nobody has the login: the same is done for both. `by`: where it was typed. */
  async afterLoginFailure(login: string, by = "password"): Promise<void> {
    await this.reportLater("login_failed", login, { by });
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
