import type { FramewrightError } from "framewright/kernel";
import type { Transaction } from "framewright/plugins/database";
import type { AccountRecord, AccountType } from "../account_type.ts";
import type { AuthlibBase } from "../base.ts";
import { offlineAuthlib } from "../create_accounts.ts";
import { errors } from "./errors.ts";
import * as deeds from "./operations.ts";
import { type RemovedFactors, removeFactors } from "./remove_factors.ts";
import { type AccountStatus, stateOf, statusOf } from "./status.ts";

/** A login, or an account's id. */
export type AccountKey = string | number;

export interface AdministrationOptions {
  /** Who does it, as events say in `details.actor`: "fw authlib:user:close", "admin 3". */
  actor?: string | undefined;
  /** The network address that events name, where a request causes them. */
  address?: string | undefined;
}

/**
 * What administrators do to accounts of one type, as their owners would: `services.auth.accounts("user")`. Each deed is
 * an event with `details.by: "administrator"`, and by securityMails() a mail to the owner.
 */
export class AccountAdministration<R extends object = AccountRecord> {
  readonly type: AccountType;
  readonly #options: AdministrationOptions;

  constructor(type: AccountType, options: AdministrationOptions = {}) {
    this.type = type;
    this.#options = options;
  }

  /** An account by its login, also the one that it had before it was closed, or by its id. @throws FW_ACCOUNT_MISSING, FW_ACCOUNT_SEVERAL */
  async find(who: AccountKey): Promise<R> {
    return (await this.#get(who)) as unknown as R;
  }
  async exists(who: AccountKey): Promise<boolean> {
    return (await this.#find(who)) !== undefined;
  }
  /** How an account stands: its state, locks, factors, sign-ins. */
  async status(who: AccountKey): Promise<AccountStatus> {
    return statusOf(this.#open(), await this.#get(who));
  }

  /** Takes no password for so many minutes, or as lockout() says; the owner may end that by a mailed link. Sign-ins go on. */
  async lock(who: AccountKey, { minutes }: { minutes?: number } = {}): Promise<void> {
    const isGood = minutes === undefined || (Number.isSafeInteger(minutes) && minutes > 0 && minutes <= 525_600);
    if (!isGood) throw errors.FW_ACCOUNT_MINUTES(minutes);
    return this.#do(who, deeds.lock(minutes));
  }
  /** Takes passwords and codes of the authenticator app again; false where neither was locked. */
  unlock(who: AccountKey): Promise<boolean> {
    return this.#do(who, deeds.unlock);
  }
  /** Closes an account as its owner would; `keepsLogin`: nobody can sign up with its login. What deleteAccountData() deletes stays. */
  close(who: AccountKey, options: { keepsLogin?: boolean } = {}): Promise<void> {
    return this.#do(who, deeds.close(options));
  }
  /** Opens a closed account again, under its login where that is free. It has no password: mail a reset, or issue a link. */
  reopen(who: AccountKey): Promise<void> {
    return this.#do(who, deeds.reopen);
  }
  /** Opens an unverified account. The password goes that was typed at the sign-up, by whomever; `keepsPassword` where you know. */
  verify(who: AccountKey, options: { keepsPassword?: boolean } = {}): Promise<void> {
    return this.#do(who, deeds.verify(options));
  }
  /** Mails the owner the link that sets a new password. */
  mailPasswordReset(who: AccountKey): Promise<void> {
    return this.#do(who, deeds.mailPasswordReset);
  }
  /** Makes the link that sets a new password, once, for you to hand over. */
  issueLink(who: AccountKey): Promise<string> {
    return this.#do(who, deeds.issueLink);
  }
  /** Sets a password, by the rules of the type, and ends every sign-in. @throws FW_ACCOUNT_PASSWORD */
  async setPassword(who: AccountKey, password: string): Promise<void> {
    const authlib = this.#open();
    const account = await this.#get(who);
    const problems = await authlib.passwordProblems(password, account);
    const reuse = problems.length > 0 ? undefined : await authlib.reuseProblem(account, password);
    if (reuse !== undefined) problems.push(reuse);
    if (problems.length > 0) throw errors.FW_ACCOUNT_PASSWORD(this.type.name, authlib.loginOf(account), problems);
    return this.#do(account.id, deeds.setPassword(await authlib.hashPassword(password)));
  }
  /** Changes the login, and ends every sign-in. The old address is told. @throws FW_ACCOUNT_LOGIN, FW_ACCOUNT_LOGIN_TAKEN */
  async changeLogin(who: AccountKey, typed: string): Promise<void> {
    const authlib = this.#open();
    const account = await this.#get(who);
    const login = authlib.normalizeLogin(typed);
    const isSame = login === authlib.normalizeLogin(authlib.loginOf(account));
    const problem = isSame ? authlib.t("login_same") : authlib.loginProblem(login);
    if (problem !== undefined) throw errors.FW_ACCOUNT_LOGIN(this.type.name, login, problem);
    return this.#do(account.id, deeds.changeLogin(login, await this.type.referrers()));
  }
  /** Ends every sign-in, remembered device, token and mailed link; how many sign-ins there were. */
  endSessions(who: AccountKey): Promise<number> {
    return this.#do(who, deeds.endSessions);
  }
  /** Removes authenticator app, passkeys and recovery codes, or one kind ("otp", "webauthn", …), and ends every sign-in. */
  removeFactors(who: AccountKey, kind?: string): Promise<readonly RemovedFactors[]> {
    return this.#do(who, removeFactors(kind));
  }

  /**
   * Does a deed in a transaction of yours: call `tell` once it is committed. It sees the account as it is then.
   * @throws FW_ACCOUNT_STATE, FW_ACCOUNT_FEATURE
   */
  async write<T>(
    id: number,
    deed: deeds.Deed<T>,
    transaction: Transaction,
  ): Promise<{ value: T; tell(): Promise<void> }> {
    const authlib = this.#open();
    const { needs = [], states } = deed;
    if (needs.length > 0 && !needs.some((feature) => this.type.has(feature)))
      throw errors.FW_ACCOUNT_FEATURE(this.type.name, deed.name, needs);
    await authlib.lockAccount({ id }, transaction);
    const account = await authlib.findAccountById(id, transaction);
    if (!account) throw errors.FW_ACCOUNT_MISSING(this.type.name, String(id));
    const state = stateOf(authlib, account);
    if (states && !states.includes(state))
      throw errors.FW_ACCOUNT_STATE(this.type.name, authlib.loginOf(account), state, deed.name);
    authlib.account = account;
    const done = await deed.write(authlib, account, transaction);
    const tell = async () => {
      for (const [name, details] of done.events) await authlib.tell(name, { ...details, ...this.#by }, account);
      await done.after?.();
    };
    return { value: done.value, tell };
  }

  async #do<T>(who: AccountKey, deed: deeds.Deed<T>): Promise<T> {
    const { id } = await this.#get(who);
    const { value, tell } = await this.#open().transaction((transaction) => this.write(id, deed, transaction));
    await tell();
    return value;
  }
  get #by(): { by: string; actor?: string } {
    const { actor } = this.#options;
    return { by: "administrator", ...(actor === undefined ? {} : { actor }) };
  }
  /** Past every request: a mail to the owner names no address and no device of the administrator. */
  #open(): AuthlibBase {
    const authlib = offlineAuthlib(this.type);
    const { address } = this.#options;
    authlib.origin = `http://localhost:${this.type.services.host.settings.port}`;
    if (address !== undefined) authlib.occurrence = { address, at: new Date() };
    return authlib;
  }
  async #get(who: AccountKey): Promise<AccountRecord> {
    const account = await this.#find(who);
    if (!account) throw errors.FW_ACCOUNT_MISSING(this.type.name, String(who));
    return account;
  }
  async #find(who: AccountKey): Promise<AccountRecord | undefined> {
    const authlib = this.#open();
    const text = String(who).trim();
    if (/^[1-9]\d{0,15}$/.test(text)) return authlib.findAccountById(Number(text));
    if (typeof who === "number" || text === "") return undefined;
    return (await authlib.findAccountByLogin(text)) ?? this.#findClosed(authlib, authlib.normalizeLogin(text));
  }
  /** Who had a login before it was closed. @throws FW_ACCOUNT_SEVERAL */
  async #findClosed(authlib: AuthlibBase, login: string): Promise<AccountRecord | undefined> {
    const { model, class: cls, services, name } = this.type;
    const pattern = `${login.replaceAll(/[!%_]/g, "!$&")}.closed-%`;
    const query = authlib.knex(model.table).whereRaw("?? like ? escape '!'", [cls.loginColumn, pattern]).limit(100);
    const accounts = (await services.database.rows(query)).map((row) => authlib.recordOf(row));
    const found = accounts.filter((account) => authlib.formerLogin(account) === login);
    if (found.length > 1)
      throw errors.FW_ACCOUNT_SEVERAL(
        name,
        login,
        found.map(({ id }) => id),
      );
    return found[0];
  }
}

/** Whether an error says why a deed was not done. */
export const isRefusal = (error: unknown): boolean =>
  /^FW_ACCOUNT_(?:STATE|FEATURE|MISSING)$/.test(String((error as FramewrightError | undefined)?.code));
