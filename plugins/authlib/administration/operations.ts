import type { Transaction } from "framewright/plugins/database";
import type { AccountRecord, Referrer } from "../account_type.ts";
import type { AuthlibBase } from "../base.ts";
import type { AccountEventName } from "../events.ts";
import type { ChangeLoginSteps } from "../features/change_login/index.ts";
import type { InvitationSteps } from "../features/invitation/index.ts";
import type { ResetPasswordSteps } from "../features/reset_password/index.ts";
import { errors } from "./errors.ts";

/** The state of an account. Every status that may not sign in and is not "unverified" counts as closed. */
export type AccountState = "open" | "unverified" | "closed";
type Details = Record<string, string | number | boolean>;

/** The result of an operation: its value, and after the commit the events to emit and work to do. */
export interface OperationResult<T> {
  readonly value: T;
  readonly events: readonly (readonly [name: AccountEventName, details?: Details])[];
  after?(): Promise<void>;
}
/** An operation of an administrator on an account, in a transaction that has locked the account's row. */
export interface Operation<T = void> {
  /** The method of `accounts("user")` that runs it, for errors. */
  readonly name: string;
  /** The states that it applies to; by default all. */
  readonly states?: readonly AccountState[];
  /** Features of which it requires one. */
  readonly needs?: readonly string[];
  write(authlib: AuthlibBase, account: AccountRecord, transaction: Transaction): Promise<OperationResult<T>>;
}
const done = (...events: OperationResult<void>["events"][number][]): OperationResult<void> => ({
  value: undefined,
  events,
});
const normalizedLogin = (authlib: AuthlibBase, account: AccountRecord) =>
  authlib.normalizeLogin(authlib.loginOf(account));
const withPasswordLinks = (authlib: AuthlibBase) => authlib as AuthlibBase & ResetPasswordSteps;

/** Refuses passwords for a while. The owner may unlock the account by a mailed link. */
export const lock = (minutes?: number): Operation => ({
  name: "lock",
  states: ["open"],
  needs: ["lockout"],
  async write(authlib, account, connection) {
    await authlib.lockLogin(normalizedLogin(authlib, account), { minutes, connection });
    return done(["locked"]);
  },
});

/** Unlocks passwords and codes. False where nothing was locked. */
export const unlock: Operation<boolean> = {
  name: "unlock",
  async write(authlib, account, trx) {
    const login = normalizedLogin(authlib, account);
    const wasLocked = await authlib.unlockLogin(login, trx);
    const waited = await authlib.unlockFactors(trx);
    const value = wasLocked || waited;
    const after = () => authlib.type.services.limits.reset("login", authlib.limitKey(login));
    return { value, events: value ? [["unlocked"]] : [], after };
  },
};

/** Closes the account as its owner would, without deleteAccountData(). */
export const close = ({ keepsLogin = false } = {}): Operation => ({
  name: "close",
  states: ["open", "unverified"],
  async write(authlib, account, trx) {
    await authlib.updateAccount(account, { account_status: "closed" }, trx);
    await authlib.closeCredentials(account, trx);
    if (!keepsLogin) await authlib.freeLogin(account, trx);
    return done(["closed"]);
  },
});

/** Closes an account of any state; of a closed one it removes what may be left. */
export const closeFully: Operation = {
  name: "close",
  async write(authlib, account, trx) {
    const wasOpen = authlib.isOpen(account) || authlib.isUnverified(account);
    const { events } = await close().write(authlib, account, trx);
    return done(...(wasOpen ? events : []));
  },
};

/** Reopens a closed account, without a password, and with its former login where that is free. */
export const reopen: Operation = {
  name: "reopen",
  states: ["closed"],
  async write(authlib, account, trx) {
    await authlib.updateAccount(account, { account_status: "verified" }, trx);
    await authlib.restoreLogin(account, trx);
    return done(["reopened"]);
  },
};

/** Verifies the address without the mailed link. Deletes the sign-up's password unless `keepsPassword`: anyone may have chosen it. */
export const verify = ({ keepsPassword = false } = {}): Operation => ({
  name: "verify",
  states: ["unverified"],
  async write(authlib, account, trx) {
    if (keepsPassword) await authlib.killCredentials(account, trx);
    else await authlib.closeCredentials(account, trx);
    await authlib.updateAccount(account, { account_status: "verified" }, trx);
    const steps = authlib as { afterVerifyAccount?(account: AccountRecord): Promise<void> };
    return { ...done(["verified"]), after: async () => steps.afterVerifyAccount?.(account) };
  },
});

export const mailPasswordReset: Operation = {
  name: "mailPasswordReset",
  states: ["open"],
  needs: ["reset_password"],
  async write(authlib, account, trx) {
    await withPasswordLinks(authlib).mailPasswordLink(account, trx);
    return done(["password_reset_requested"]);
  },
};

/** A one-time link that sets a password. */
export const issueLink: Operation<string> = {
  name: "issueLink",
  states: ["open"],
  needs: ["reset_password"],
  async write(authlib, account, trx) {
    const key = await withPasswordLinks(authlib).passwordKey(account, trx);
    return { value: authlib.mailUrl("reset-password", { key }), events: [["password_link_made"]] };
  },
};

export const setPassword = (hash: string): Operation => ({
  name: "setPassword",
  states: ["open"],
  async write(authlib, account, trx) {
    await authlib.storeHash(account, hash, trx);
    await authlib.killCredentials(account, trx);
    await authlib.unlockLogin(normalizedLogin(authlib, account), trx);
    return done(["password_changed"]);
  },
});

/** `referrers` of the type, loaded before the transaction: an unverified account with this login may be deleted. */
export const changeLogin = (login: string, referrers: readonly Referrer[]): Operation => ({
  name: "changeLogin",
  states: ["open", "unverified"],
  needs: ["change_login", "security_mails"],
  async write(authlib, account, trx) {
    const before = authlib.loginOf(account);
    const taken = await authlib.findAccountByLogin(login, trx);
    if (taken && !(await freeTakenLogin(authlib, taken, referrers, trx)))
      throw errors.FW_ACCOUNT_LOGIN_TAKEN(authlib.type.name, login, taken.id);
    await authlib.updateAccount(account, { [authlib.type.class.loginColumn]: login }, trx);
    await authlib.killCredentials(account, trx);
    const mails = authlib as AuthlibBase & Pick<ChangeLoginSteps, "mailLoginChanged">;
    if (authlib.loginProblem(before) === undefined)
      await mails.mailLoginChanged(account, before, trx, { by: "administrator" });
    return done(["login_changed"]);
  },
});

/** Frees a login that an unverified or closed account has; false where an open account has it. */
async function freeTakenLogin(
  authlib: AuthlibBase,
  taken: AccountRecord,
  referrers: readonly Referrer[],
  transaction: Transaction,
): Promise<boolean> {
  if (await authlib.isUnclaimed(taken, transaction)) return authlib.deleteUnverified(taken, referrers, transaction);
  if (authlib.isOpen(taken) || authlib.isUnverified(taken)) return false;
  await authlib.freeLogin(taken, transaction);
  return true;
}

/** Ends one sign-in, and the device that is remembered by it. */
export const endSession = (id: number): Operation => ({
  name: "endSession",
  needs: ["active_sessions"],
  async write(authlib, account, trx) {
    if (await authlib.endSession(id, trx)) return done(["sessions_revoked", { which: "one" }]);
    throw errors.FW_ACCOUNT_SESSION(authlib.type.name, authlib.loginOf(account), id);
  },
});

/** Mails an invited account a new link; the earlier one ends. `inviterId`: whose invitation it becomes. */
export const resendInvitation = (inviterId?: number): Operation => ({
  name: "resendInvitation",
  states: ["unverified"],
  needs: ["invitation"],
  async write(authlib, account, trx) {
    const steps = authlib as AuthlibBase & InvitationSteps;
    const outcome = await steps.resendInvitation(account, trx, inviterId);
    if (outcome !== "sent") throw errors.FW_ACCOUNT_INVITATION(authlib.type.name, authlib.loginOf(account), outcome);
    const { role } = account;
    return done(["invited", typeof role === "string" ? { role, again: true } : { again: true }]);
  },
});

/** Ends every sign-in, device, token and mailed link; returns the number of sign-ins. */
export const endSessions: Operation<number> = {
  name: "endSessions",
  async write(authlib, account, trx) {
    const rows = await trx(authlib.type.table("active_session_keys")).where({ account_id: account.id }).select("id");
    await authlib.killCredentials(account, trx);
    return { value: rows.length, events: [["sessions_revoked", { which: "all" }]] };
  },
};
