import { decodeDate, type Transaction } from "framewright/plugins/database";
import type { AccountRecord, Referrer } from "../../account_type.ts";
import type { AuthlibBase } from "../../base.ts";

export const table = "compromise_keys";
const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;
/** The most reported passwords that are checked: each is as slow as a sign-in. */
const MAX_REPORTED = 3;

export interface Report {
  row: Record<string, unknown>;
  account: AccountRecord;
  /** The hash of the current password. */
  hash?: string | undefined;
}
/** The changes that were undone. */
export interface Undone {
  /** The restored address. */
  login: string | undefined;
  /** How many factors were removed. */
  factors: number;
}

/**
 * The row and account of a valid report key: one that was mailed to the account's current login, or to the one that it
 * had within the last day.
 */
export async function findReport(authlib: AuthlibBase, token: string): Promise<Report | undefined> {
  const found = await authlib.findKey(table, token);
  if (!found || !authlib.isOpen(found.account)) return undefined;
  return authlib.isLoginOf(found.account, String(found.row.login)) || (await hadRecently(authlib, found))
    ? found
    : undefined;
}

/** Whether the key was mailed to the account's former login, which was changed within the last day. */
async function hadRecently(authlib: AuthlibBase, { row, account }: Report): Promise<boolean> {
  const rows = await authlib
    .knex(authlib.type.table(table))
    .where({ account_id: account.id, login: row.login, notice: "login_changed" });
  const since = Date.now() - DAY_MS;
  return rows.some(({ requested_at }) => (decodeDate(requested_at) as Date).getTime() > since);
}

/**
 * Revokes all credentials, the password included, and undoes the changes of the last day: added factors, and a change of
 * the login. Undefined where another request has used this key.
 */
export async function undo(
  authlib: AuthlibBase,
  found: Report,
  referrers: readonly Referrer[],
  trx: Transaction,
): Promise<Undone | undefined> {
  const { row, account } = found;
  const { type } = authlib;
  const mine = () => ({ account_id: account.id });
  await authlib.lockAccount(account, trx);
  const spent = await trx(type.table(table)).where({ id: row.id, key_digest: row.key_digest }).delete();
  if (spent !== 1) return undefined;
  await authlib.killCredentials(account, trx);
  await authlib.removeHash(account, trx);
  let factors = 0;
  const since = new Date(Date.now() - DAY_MS);
  for (const feature of type.features.values())
    for (const name of feature.factors)
      factors += await trx(type.table(name)).where(mine()).where("created_at", ">", since).delete();
  await trx(type.table("known_devices")).where(mine()).where("created_at", ">", since).delete();
  const login = await restore(authlib, found, referrers, trx);
  if (found.hash !== undefined) await keepHash(authlib, account, found.hash, trx);
  return { login, factors };
}

/** Stores the hash of a compromised password, in a row whose key is discarded. */
async function keepHash(
  { type }: AuthlibBase,
  { id }: AccountRecord,
  password_hash: string,
  trx: Transaction,
): Promise<void> {
  const { digests } = type.services;
  const now = new Date();
  const row = { account_id: id, key_digest: digests.digest(digests.token()), login: "", notice: "reported" };
  const deadline = new Date(now.getTime() + YEAR_MS);
  await trx(type.table(table)).insert({ ...row, requested_at: now, deadline, password_hash });
}

/** Whether a password is one of the last reported ones, which other people know. */
export async function wasReported(authlib: AuthlibBase, { id }: AccountRecord, password: string): Promise<boolean> {
  const { type, knex } = authlib;
  const reported = knex(type.table(table)).where({ account_id: id }).whereNotNull("password_hash");
  const query = reported.where("deadline", ">", new Date()).orderBy("id", "desc").limit(MAX_REPORTED);
  for (const { password_hash } of await type.services.database.rows(query))
    if (await authlib.passwordMatchesHash(password, String(password_hash))) return true;
  return false;
}

/** Voids every mailed link: one to a former address could take the account back. */
export async function dropLinks({ type }: AuthlibBase, account: { id: number }, trx: Transaction): Promise<void> {
  await trx(type.table(table)).where({ account_id: account.id }).delete();
}

/** Restores the login that the key was mailed to, unless another account has it. Voids links mailed to other addresses. */
async function restore(
  authlib: AuthlibBase,
  { row, account }: Report,
  referrers: readonly Referrer[],
  trx: Transaction,
): Promise<string | undefined> {
  const login = String(row.login);
  if (authlib.isLoginOf(account, login)) return undefined;
  const taken = await authlib.findAccountByLogin(login, trx);
  const isFree =
    taken === undefined ||
    ((await authlib.isUnclaimed(taken, trx)) && (await authlib.deleteUnverified(taken, referrers, trx)));
  if (!isFree) return undefined;
  await authlib.updateAccount(account, { [authlib.type.class.loginColumn]: login }, trx);
  const others = trx(authlib.type.table(table)).where({ account_id: account.id });
  await others.whereNot({ login }).whereNull("password_hash").delete();
  return login;
}
