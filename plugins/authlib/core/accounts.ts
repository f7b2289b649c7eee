import { isReferenced, type Knex, RowReader, type Transaction } from "framewright/plugins/database";
import type { AccountRecord, Referrer } from "../account_type.ts";
import type { AccountEventName, ReportedFailure } from "../events.ts";
import { provenLoginOf, storeProvenLogin } from "./proven_login.ts";
import { Replies } from "./replies.ts";

/** The job that reports a failure by the login that was typed. */
export const REPORTED_FAILURE_JOB = "authlib.reported";

type Row = Record<string, unknown>;
/** A typed login is cut to this length: one more than a valid login has. */
const MAX_TYPED_CHARS = 255;
/** The longest valid email address, and the length of its column. */
const MAX_LOGIN_CHARS = 254;
/** The login column of a closed account. */
const CLOSED_LOGIN = /^(.*)\.closed-(\d+)\.invalid$/;
/** A deliverable address. No character of it can add a second recipient or a header. */
const ADDRESS =
  /^(?=[^@]{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?)*$/u;

/** Finds accounts, and returns what their state allows. */
export class AccountsByLogin extends Replies {
  /** A login as it is stored and compared: trimmed, in lower case. */
  normalizeLogin(login: string): string {
    return login.trim().toLowerCase().slice(0, MAX_TYPED_CHARS);
  }
  loginOf(account: AccountRecord): string {
    return String(account[this.type.class.loginColumn] ?? "");
  }
  /** Why a text is not a valid login, or undefined. */
  loginProblem(login: string): string | undefined {
    if (CLOSED_LOGIN.test(login)) return this.t("login_invalid");
    if (login.length > MAX_LOGIN_CHARS) return this.t("login_too_long");
    return ADDRESS.test(login) ? undefined : this.t("login_invalid");
  }
  async findAccountByLogin(login: string, transaction?: Transaction): Promise<AccountRecord | undefined> {
    const account = await this.#first({ [this.type.class.loginColumn]: this.normalizeLogin(login) }, transaction);
    return account && this.isLoginOf(account, login) ? account : undefined;
  }
  /**
   * Stores in the browser's session, for an hour, that its person opened a link mailed to this address: a sign-up with it
   * needs no other link. The sign-up page shows the reason, a sentence, to that browser alone.
   */
  proveLogin(login: string, { reason }: { reason?: string } = {}): void {
    storeProvenLogin(this.session, this.type.name, this.normalizeLogin(login), reason);
  }
  /** The address that the browser has proven to be its person's. */
  get provenLogin(): string | undefined {
    return provenLoginOf(this.session, this.type.name)?.login;
  }
  /** Why that address was mailed to, as the sign-up page states it. */
  get provenReason(): string | undefined {
    return provenLoginOf(this.session, this.type.name)?.reason;
  }
  /** Whether the account has exactly this login. Databases match é with e, and attempts are counted by the typed login. */
  isLoginOf(account: AccountRecord, login: string): boolean {
    return this.normalizeLogin(this.loginOf(account)) === this.normalizeLogin(login);
  }
  async findAccountById(id: number, transaction?: Transaction): Promise<AccountRecord | undefined> {
    return this.#first({ id }, transaction);
  }
  /** Reports a failed login in a job, so that the response time does not reveal whether the login exists. */
  async reportLater(
    name: AccountEventName,
    login: string,
    details: ReportedFailure["details"] = {},
    transaction?: Transaction,
  ): Promise<void> {
    const failure: ReportedFailure = {
      type: this.type.name,
      name,
      login: this.normalizeLogin(login),
      address: this.request.address,
      at: Date.now(),
      details,
    };
    await this.type.services.jobs.enqueue(REPORTED_FAILURE_JOB, failure, transaction ? { transaction } : {});
  }
  /** Runs in the job: emits the event with the account, or with a digest of the login where no account has it. */
  async reportFailure({ name, login, address, at, details }: ReportedFailure): Promise<void> {
    const account = await this.findAccountByLogin(login);
    this.occurrence = { address, at: new Date(at) };
    const login_digest = this.type.services.digests.digest(`${this.type.name}:${login}`);
    await this.emitEvent(name, account ? details : { ...details, login_digest }, account);
  }

  /** Whether passwords of a login are accepted now. Called for every login, existing or not. */
  async isLoginAllowed(_login: string): Promise<boolean> {
    return true;
  }
  /** Called after a right password: resets the count of failures. */
  async afterPassword(_login: string): Promise<void> {}
  /** Called after a wrong password, and in the same way for a login that does not exist. `by`: the form it was typed into. */
  async afterLoginFailure(login: string, by = "password"): Promise<void> {
    await this.reportLater("login_failed", login, { by });
  }
  /** When the lock of a login ends; undefined where it is not locked. Implemented by lockout(). */
  async lockedUntil(_login: string): Promise<Date | undefined> {
    return undefined;
  }
  /** Locks a login for some minutes; by default those of lockout(). */
  async lockLogin(_login: string, _options: { minutes?: number | undefined; connection?: Knex } = {}): Promise<void> {}
  /** Unlocks a login and resets its failures; returns whether it was locked. */
  async unlockLogin(_login: string, _connection?: Knex): Promise<boolean> {
    return false;
  }
  /** Whether an account may sign in at all. */
  isOpen(account: AccountRecord): boolean {
    return account.account_status === "verified";
  }
  /** Whether an account with right credentials may sign in now. Features override it to refuse. */
  async maySignIn(account: AccountRecord): Promise<boolean> {
    return this.isOpen(account);
  }
  isUnverified(account: AccountRecord): boolean {
    return account.account_status === "unverified";
  }
  /** Whether the signed-in account is verified; false where nobody is signed in. */
  get isVerified(): boolean {
    return this.account !== undefined && !this.isUnverified(this.account);
  }
  /** The account of a row, which may contain columns of joined tables. */
  recordOf(row: Row): AccountRecord {
    return RowReader.of(this.type.model).recordWithin(row) as unknown as AccountRecord;
  }
  /** Updates columns of an account without the model's validations, which may require columns that this form lacks. */
  async updateAccount(account: AccountRecord, values: Row, transaction: Transaction): Promise<void> {
    const columns = this.type.model.columns;
    const stamped = columns.has("updated_at") ? { ...values, updated_at: new Date() } : values;
    await this.type.services.database.changeRows(this.type.model, { id: account.id }, stamped, transaction);
    Object.assign(account, values);
  }

  /** Whether an account was signed up for and never verified: a person who proves to own the login may take it. */
  async isUnclaimed(account: AccountRecord, connection: Knex = this.knex): Promise<boolean> {
    if (!this.isUnverified(account) || !this.type.has("verify_account")) return false;
    const keys = connection(this.type.table("verification_keys"));
    return (await keys.where({ account_id: account.id }).first("id")) !== undefined;
  }
  /** Tables that a sign-up writes to. Their rows do not prevent the deletion of an unverified account. */
  get signUpTables(): readonly string[] {
    return [];
  }
  /**
   * Deletes an unverified account; returns false where other rows refer to it, or it was verified meanwhile. Load
   * `referrers` from the type before the transaction starts.
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
      const { model, services } = this.type;
      const where = { id, account_status: "unverified" };
      return (await services.database.changeRows(model, where, undefined, connection)) > 0;
    } catch (error) {
      if (isReferenced(error)) return false;
      throw error;
    }
  }

  /** The login that a closed account gets, which frees its own. It is not deliverable. */
  closedLogin(account: AccountRecord): string {
    const mark = `.closed-${account.id}.invalid`;
    const login = this.loginOf(account);
    const { maxLength = MAX_LOGIN_CHARS } = this.type.model.columns.get(this.type.class.loginColumn) ?? {};
    const isTooLong = login.length + mark.length > Math.min(maxLength, MAX_LOGIN_CHARS);
    return isTooLong ? `closed${mark}` : login + mark;
  }
  /** The login that an account had before it was closed, or undefined where the current one does not contain it. */
  formerLogin(account: AccountRecord): string | undefined {
    const [, login, id] = CLOSED_LOGIN.exec(this.loginOf(account)) ?? [];
    return Number(id) === account.id && login !== "closed" ? login : undefined;
  }
  /** Frees the login of a closed account for others. */
  async freeLogin(account: AccountRecord, transaction: Transaction): Promise<void> {
    if (CLOSED_LOGIN.test(this.loginOf(account))) return;
    const login = this.closedLogin(account);
    const change = { [this.type.class.loginColumn]: login };
    await this.type.services.database.changeRows(this.type.model, { id: account.id }, change, transaction);
  }
  /** Gives a reopened account its former login back, unless another account has taken it. */
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
