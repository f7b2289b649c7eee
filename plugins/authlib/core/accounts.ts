import { isReferenced, type Knex, RowReader, type Transaction } from "framewright/plugins/database";
import type { AccountRecord, Referrer } from "../account_type.ts";
import type { AccountEventName, ReportedFailure } from "../events.ts";
import { Answers } from "./replies.ts";

/** The kind of job that reports a failure for which somebody typed a login. */
export const REPORTED = "authlib.reported";

type Row = Record<string, unknown>;
/** Characters of a login that are looked at: none that is taken has so many. */
const LONGEST = 255;
/** Characters of an address, and of the column that holds it. */
const LONGEST_LOGIN = 254;
/** What a closed account has instead of its login. */
const CLOSED = /^(.*)\.closed-(\d+)\.invalid$/;
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
    if (CLOSED.test(login)) return this.t("login_invalid");
    if (login.length > LONGEST_LOGIN) return this.t("login_too_long");
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
  async findAccountById(id: number, transaction?: Transaction): Promise<AccountRecord | undefined> {
    return this.#first({ id }, transaction);
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
  /** Until when passwords of a login are not taken; undefined where they are. The feature lockout says it. */
  async lockedUntil(_login: string): Promise<Date | undefined> {
    return undefined;
  }
  /** Takes no password of a login for some minutes, the feature's own unless told. */
  async lockLogin(_login: string, _options: { minutes?: number | undefined; connection?: Knex } = {}): Promise<void> {}
  /** Forgets wrong passwords that were counted against a login; whether it was locked. */
  async unlockLogin(_login: string, _connection?: Knex): Promise<boolean> {
    return false;
  }
  /** Whether an account may sign in at all. */
  isOpen(account: AccountRecord): boolean {
    return account.account_status === "verified";
  }
  /** Whether an account that showed what it has to is let in now; features that know reasons against it say them. */
  async maySignIn(account: AccountRecord): Promise<boolean> {
    return this.isOpen(account);
  }
  isUnverified(account: AccountRecord): boolean {
    return account.account_status === "unverified";
  }
  /** Whether who is signed in has shown that the address is theirs; false for nobody. */
  get isVerified(): boolean {
    return this.account !== undefined && !this.isUnverified(this.account);
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

  /** Whether somebody signed up for an account, and nobody verified it: who shows that the login is theirs may have it. */
  async isUnclaimed(account: AccountRecord, connection: Knex = this.knex): Promise<boolean> {
    if (!this.isUnverified(account) || !this.type.has("verify_account")) return false;
    const keys = connection(this.type.table("verification_keys"));
    return (await keys.where({ account_id: account.id }).first("id")) !== undefined;
  }
  /** Tables that a sign-up writes to as well: rows there don't keep an account that nobody verified from being deleted. */
  get signUpTables(): readonly string[] {
    return [];
  }
  /**
   * Deletes an account that nobody has verified; false where other rows refer to it, or it was verified meanwhile. What
   * may refer to it is asked of the type before a transaction begins.
   */
  async deleteUnverified(
    { id }: { id: number },
    referrers: readonly Referrer[],
    connection: Knex = this.knex,
  ): Promise<boolean> {
    for (const { table, column } of referrers) {
      if (this.signUpTables.includes(table)) continue;
      if (await connection(table).where(column, id).first(column)) return false;
    }
    try {
      return (await connection(this.type.model.table).where({ id, account_status: "unverified" }).delete()) > 0;
    } catch (error) {
      if (isReferenced(error)) return false;
      throw error;
    }
  }

  /** The login of an account that was closed, so that the one it had is free: nothing that is mailed there arrives. */
  closedLogin(account: AccountRecord): string {
    const mark = `.closed-${account.id}.invalid`;
    const login = this.loginOf(account);
    const { maxLength = LONGEST_LOGIN } = this.type.model.columns.get(this.type.class.loginColumn) ?? {};
    const isTooLong = login.length + mark.length > Math.min(maxLength, LONGEST_LOGIN);
    return isTooLong ? `closed${mark}` : login + mark;
  }
  /** The login that an account had before it was closed, as far as the one it has now says. */
  formerLogin(account: AccountRecord): string | undefined {
    const [, login, id] = CLOSED.exec(this.loginOf(account)) ?? [];
    return Number(id) === account.id && login !== "closed" ? login : undefined;
  }
  /** Frees the login of a closed account for others. */
  async freeLogin(account: AccountRecord, transaction: Transaction): Promise<void> {
    if (CLOSED.test(this.loginOf(account))) return;
    const login = this.closedLogin(account);
    await transaction(this.type.model.table)
      .where({ id: account.id })
      .update({ [this.type.class.loginColumn]: login });
  }
  /** Gives an account that is opened again the login that it had, unless another has it by now. */
  async restoreLogin(account: AccountRecord, transaction: Transaction): Promise<void> {
    const login = this.formerLogin(account);
    if (login === undefined || (await this.findAccountByLogin(login, transaction))) return;
    await this.updateAccount(account, { [this.type.class.loginColumn]: login }, transaction);
  }

  async #first(where: Row, transaction?: Transaction): Promise<AccountRecord | undefined> {
    const { model, services } = this.type;
    const query = (transaction ?? this.knex)(model.table).where(where).limit(1);
    const [row]: Row[] = await (transaction ? query : services.database.rows(query));
    return row && this.recordOf(row);
  }
}
