import type { Transaction } from "framewright/plugins/database";
import type { AccountRecord, Referrer } from "../account_type.ts";
import type { AuthlibBase } from "../base.ts";
import type { AccountEventName } from "../events.ts";
import type { ChangeLoginSteps } from "../features/change_login/index.ts";
import type { ResetPasswordSteps } from "../features/reset_password/index.ts";
import { errors } from "./errors.ts";

/** What an account is, as far as deeds depend on it: every status that may not sign in, and is not unverified, is closed. */
export type AccountState = "open" | "unverified" | "closed";
type Details = Record<string, string | number | boolean>;

/** What came of a deed: what is told of it once it is stored, and what is done then besides. */
export interface Done<T> {
  readonly value: T;
  readonly events: readonly (readonly [name: AccountEventName, details?: Details])[];
  after?(): Promise<void>;
}
/** What an administrator does to an account, in a transaction that has the account's row. */
export interface Deed<T = void> {
  /** The method of `accounts("user")` that does it, for errors. */
  readonly name: string;
  /** The states that it applies to; all unless told. */
  readonly states?: readonly AccountState[];
  /** Features of which it needs one. */
  readonly needs?: readonly string[];
  write(authlib: AuthlibBase, account: AccountRecord, transaction: Transaction): Promise<Done<T>>;
}
const done = (...events: Done<void>["events"][number][]): Done<void> => ({ value: undefined, events });
const loginIn = (authlib: AuthlibBase, account: AccountRecord) => authlib.normalizeLogin(authlib.loginOf(account));
const withLinks = (authlib: AuthlibBase) => authlib as AuthlibBase & ResetPasswordSteps;

/** Takes no password for a while; the owner may end that by a mailed link. */
export const lock = (minutes?: number): Deed => ({
  name: "lock",
  states: ["open"],
  needs: ["lockout"],
  async write(authlib, account, connection) {
    await authlib.lockLogin(loginIn(authlib, account), { minutes, connection });
    return done(["locked"]);
  },
});

/** Passwords and codes are taken again. False where nothing was locked. */
export const unlock: Deed<boolean> = {
  name: "unlock",
  async write(authlib, account, trx) {
    const login = loginIn(authlib, account);
    const wasLocked = await authlib.unlockLogin(login, trx);
    const waited = await authlib.unlockFactors(trx);
    const value = wasLocked || waited;
    const after = () => authlib.type.services.limits.forget("login", authlib.limitKey(login));
    return { value, events: value ? [["unlocked"]] : [], after };
  },
};

/** As its owner's closing does; what the application deletes then stays. */
export const close = ({ keepsLogin = false } = {}): Deed => ({
  name: "close",
  states: ["open", "unverified"],
  async write(authlib, account, trx) {
    await authlib.updateAccount(account, { account_status: "closed" }, trx);
    await authlib.closeCredentials(account, trx);
    if (!keepsLogin) await authlib.freeLogin(account, trx);
    return done(["closed"]);
  },
});

/** Open again, under the login that it had where nobody else has it, and without a password. */
export const reopen: Deed = {
  name: "reopen",
  states: ["closed"],
  async write(authlib, account, trx) {
    await authlib.updateAccount(account, { account_status: "verified" }, trx);
    await authlib.restoreLogin(account, trx);
    return done(["reopened"]);
  },
};

/** Open without the mailed link. A password from before is of whoever signed up, and goes unless it is kept. */
export const verify = ({ keepsPassword = false } = {}): Deed => ({
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

export const mailPasswordReset: Deed = {
  name: "mailPasswordReset",
  states: ["open"],
  needs: ["reset_password"],
  async write(authlib, account, trx) {
    await withLinks(authlib).mailPasswordLink(account, trx);
    return done(["password_reset_requested"]);
  },
};

/** A link that sets a password, once: for whoever asked for it. */
export const issueLink: Deed<string> = {
  name: "issueLink",
  states: ["open"],
  needs: ["reset_password"],
  async write(authlib, account, trx) {
    const key = await withLinks(authlib).passwordKey(account, trx);
    return { value: authlib.mailUrl("reset-password", { key }), events: [["password_link_made"]] };
  },
};

export const setPassword = (hash: string): Deed => ({
  name: "setPassword",
  states: ["open"],
  async write(authlib, account, trx) {
    await authlib.storeHash(account, hash, trx);
    await authlib.killCredentials(account, trx);
    await authlib.unlockLogin(loginIn(authlib, account), trx);
    return done(["password_changed"]);
  },
});

/** `referrers`: of the type, asked before the transaction, where an account that nobody verified may have to go. */
export const changeLogin = (login: string, referrers: readonly Referrer[]): Deed => ({
  name: "changeLogin",
  states: ["open", "unverified"],
  needs: ["change_login", "security_mails"],
  async write(authlib, account, trx) {
    const before = authlib.loginOf(account);
    const taken = await authlib.findAccountByLogin(login, trx);
    if (taken && !(await makeFree(authlib, taken, referrers, trx)))
      throw errors.FW_ACCOUNT_LOGIN_TAKEN(authlib.type.name, login, taken.id);
    await authlib.updateAccount(account, { [authlib.type.class.loginColumn]: login }, trx);
    await authlib.killCredentials(account, trx);
    const mails = authlib as AuthlibBase & Pick<ChangeLoginSteps, "mailLoginChanged">;
    if (authlib.loginProblem(before) === undefined)
      await mails.mailLoginChanged(account, before, trx, { by: "administrator" });
    return done(["login_changed"]);
  },
});

/** Takes a login from an account that nobody verified, or that is closed; false where it is somebody's. */
async function makeFree(
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

/** Ends every sign-in, device, token and mailed link; how many sign-ins there were. */
export const endSessions: Deed<number> = {
  name: "endSessions",
  async write(authlib, account, trx) {
    const rows = await trx(authlib.type.table("active_session_keys")).where({ account_id: account.id }).select("id");
    await authlib.killCredentials(account, trx);
    return { value: rows.length, events: [["sessions_revoked", { which: "all" }]] };
  },
};
