import type { FramewrightError } from "framewright/kernel";
import type { Transaction } from "framewright/plugins/database";
import type { AccountRecord, AccountType } from "../account_type.ts";
import type { AuthlibBase } from "../base.ts";
import { offlineAuthlib } from "../create_accounts.ts";
import { errors } from "./errors.ts";
import * as operations from "./operations.ts";
import { type RemovedFactors, removeFactors } from "./remove_factors.ts";
import { type AccountStatus, stateOf, statusOf } from "./status.ts";

/** A login, or an account's id. */
export type AccountKey = string | number;

/** Who does it, and from where. */
export interface AdministrationOptions {
  /** The administrator, for `details.actor` of events: "fw authlib:user:close", "admin 3". */
  actor?: string | undefined;
  /** The network address for events, where a request causes them. */
  address?: string | undefined;
}

/**
 * The operations of administrators on accounts of one type: `services.auth.accounts("user")`. Each emits an event with
 * `details.by: "administrator"`, and securityMails() mails the owner.
 */
export class AccountAdministration<R extends object = AccountRecord> {
  readonly type: AccountType;
  readonly #options: AdministrationOptions;

  constructor(type: AccountType, options: AdministrationOptions = {}) {
    this.type = type;
    this.#options = options;
  }

  /** Finds an account by its id, its login, or the login that it had before it was closed. @throws FW_ACCOUNT_MISSING, FW_ACCOUNT_SEVERAL */
  async find(who: AccountKey): Promise<R> {
    return (await this.#get(who)) as unknown as R;
  }
  async exists(who: AccountKey): Promise<boolean> {
    return (await this.#find(who)) !== undefined;
  }
  /** The state, locks, factors and sign-ins of an account. */
  async status(who: AccountKey): Promise<AccountStatus> {
    return statusOf(this.#open(), await this.#get(who));
  }

  /** Refuses passwords for some minutes, by default those of lockout(). The owner may unlock the account by a mailed link. Sign-ins stay. */
  async lock(who: AccountKey, { minutes }: { minutes?: number } = {}): Promise<void> {
    const isGood = minutes === undefined || (Number.isSafeInteger(minutes) && minutes > 0 && minutes <= 525_600);
    if (!isGood) throw errors.FW_ACCOUNT_MINUTES(minutes);
    return this.#runOn(who, operations.lock(minutes));
  }
  /** Unlocks passwords and codes of the authenticator app; false where neither was locked. */
  unlock(who: AccountKey): Promise<boolean> {
    return this.#runOn(who, operations.unlock);
  }
  /** Closes an account as its owner would, without deleteAccountData(). `keepsLogin`: nobody can sign up with its login. */
  close(who: AccountKey, options: { keepsLogin?: boolean } = {}): Promise<void> {
    return this.#runOn(who, operations.close(options));
  }
  /** Closes an account in your transaction, whatever its state is; call `emitEvents` after the commit. */
  closeWithin(id: number, transaction: Transaction): Promise<{ emitEvents(): Promise<void> }> {
    return this.run(id, operations.closeFully, transaction);
  }
  /** Reopens a closed account, with its former login where that is free. It has no password: mail a reset, or issue a link. */
  reopen(who: AccountKey): Promise<void> {
    return this.#runOn(who, operations.reopen);
  }
  /** Verifies an account. Deletes the sign-up's password, which anyone may have chosen, unless `keepsPassword`. */
  verify(who: AccountKey, options: { keepsPassword?: boolean } = {}): Promise<void> {
    return this.#runOn(who, operations.verify(options));
  }
  /** Mails the owner the link that sets a new password. */
  mailPasswordReset(who: AccountKey): Promise<void> {
    return this.#runOn(who, operations.mailPasswordReset);
  }
  /** Returns a one-time link that sets a new password, for you to hand over. */
  issueLink(who: AccountKey): Promise<string> {
    return this.#runOn(who, operations.issueLink);
  }
  /** Sets a password that meets the type's rules, and ends every sign-in. @throws FW_ACCOUNT_PASSWORD */
  async setPassword(who: AccountKey, password: string): Promise<void> {
    const authlib = this.#open();
    const account = await this.#get(who);
    const problems = await authlib.passwordProblems(password, account);
    const reuse = problems.length > 0 ? undefined : await authlib.reuseProblem(account, password);
    if (reuse !== undefined) problems.push(reuse);
    if (problems.length > 0) throw errors.FW_ACCOUNT_PASSWORD(this.type.name, authlib.loginOf(account), problems);
    return this.#runOn(account.id, operations.setPassword(await authlib.hashPassword(password)));
  }
  /** Changes the login, ends every sign-in, and mails the old address. @throws FW_ACCOUNT_LOGIN, FW_ACCOUNT_LOGIN_TAKEN */
  async changeLogin(who: AccountKey, typed: string): Promise<void> {
    const authlib = this.#open();
    const account = await this.#get(who);
    const login = authlib.normalizeLogin(typed);
    const isSame = login === authlib.normalizeLogin(authlib.loginOf(account));
    const problem = isSame ? authlib.t("login_same") : authlib.loginProblem(login);
    if (problem !== undefined) throw errors.FW_ACCOUNT_LOGIN(this.type.name, login, problem);
    return this.#runOn(account.id, operations.changeLogin(login, await this.type.referrers()));
  }
  /** Ends every sign-in, remembered device, token and mailed link; returns the number of sign-ins. */
  endSessions(who: AccountKey): Promise<number> {
    return this.#runOn(who, operations.endSessions);
  }
  /** Ends one sign-in, by its id in `listSessions()`. @throws FW_ACCOUNT_SESSION */
  endSession(who: AccountKey, id: number): Promise<void> {
    return this.#runOn(who, operations.endSession(id));
  }
  /** Mails an invited account a new link, as the invitation of its inviter; the earlier link ends. @throws FW_ACCOUNT_INVITATION */
  resendInvitation(who: AccountKey): Promise<void> {
    return this.#runOn(who, operations.resendInvitation());
  }
  /** Removes authenticator app, passkeys and recovery codes, or one kind ("otp", "webauthn", …), and ends every sign-in. */
  removeFactors(who: AccountKey, kind?: string): Promise<readonly RemovedFactors[]> {
    return this.#runOn(who, removeFactors(kind));
  }

  /**
   * Runs an operation in your transaction, on the account's current row. Call `emitEvents` after the commit.
   * @throws FW_ACCOUNT_STATE, FW_ACCOUNT_FEATURE
   */
  async run<T>(
    id: number,
    operation: operations.Operation<T>,
    transaction: Transaction,
  ): Promise<{ value: T; emitEvents(): Promise<void> }> {
    const authlib = this.#open();
    const { needs = [], states } = operation;
    if (needs.length > 0 && !needs.some((feature) => this.type.has(feature)))
      throw errors.FW_ACCOUNT_FEATURE(this.type.name, operation.name, needs);
    await authlib.lockAccount({ id }, transaction);
    const account = await authlib.findAccountById(id, transaction);
    if (!account) throw errors.FW_ACCOUNT_MISSING(this.type.name, String(id));
    const state = stateOf(authlib, account);
    if (states && !states.includes(state))
      throw errors.FW_ACCOUNT_STATE(this.type.name, authlib.loginOf(account), state, operation.name);
    authlib.account = account;
    const done = await operation.write(authlib, account, transaction);
    const emitEvents = async () => {
      for (const [name, details] of done.events) await authlib.emitEvent(name, { ...details, ...this.#by }, account);
      await done.after?.();
    };
    return { value: done.value, emitEvents };
  }

  async #runOn<T>(who: AccountKey, operation: operations.Operation<T>): Promise<T> {
    const { id } = await this.#get(who);
    const { value, emitEvents } = await this.#open().transaction((transaction) => this.run(id, operation, transaction));
    await emitEvents();
    return value;
  }
  get #by(): { by: string; actor?: string } {
    const { actor } = this.#options;
    return { by: "administrator", ...(actor === undefined ? {} : { actor }) };
  }
  /** An account plugin without a request, so that a mail to the owner contains no address or device of the administrator. */
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
  /** The account that had a login before it was closed. @throws FW_ACCOUNT_SEVERAL */
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

/** Whether an error means that an operation was refused. */
export const isRefusal = (error: unknown): boolean =>
  /^FW_ACCOUNT_(?:STATE|FEATURE|MISSING|SESSION)$/.test(String((error as FramewrightError | undefined)?.code));
