import { decodeDate, type Transaction } from "framewright/plugins/database";
import type { AccountRecord, Referrer } from "../../account_type.ts";
import type { AuthlibBase } from "../../base.ts";

export const table = "compromise_keys";
const DAY_MS = 86_400_000;

export interface Found {
  row: Record<string, unknown>;
  account: AccountRecord;
}
/** What was undone. */
export interface Undone {
  /** The address that the account has again. */
  login: string | undefined;
  /** How many factors were removed. */
  factors: number;
}

/**
 * The key of a report and its account, while it is good: it was mailed to the login that the account has, or to the one
 * that it had within the last day.
 */
export async function findReport(authlib: AuthlibBase, token: string): Promise<Found | undefined> {
  const found = await authlib.findKey(table, token);
  if (!found || !authlib.isOpen(found.account)) return undefined;
  return authlib.isLoginOf(found.account, String(found.row.login)) || (await hadLately(authlib, found))
    ? found
    : undefined;
}

/** Whether the account's login was the one that the key was mailed to, and was changed within the last day. */
async function hadLately(authlib: AuthlibBase, { row, account }: Found): Promise<boolean> {
  const rows = await authlib
    .knex(authlib.type.table(table))
    .where({ account_id: account.id, login: row.login, notice: "login_changed" });
  const since = Date.now() - DAY_MS;
  return rows.some(({ requested_at }) => (decodeDate(requested_at) as Date).getTime() > since);
}

/**
 * Ends everything that lets somebody in, the password included, and undoes what was done within the last day: factors
 * that were added, and a change of the login. Undefined when another request did so with this key.
 */
export async function undo(
  authlib: AuthlibBase,
  found: Found,
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
  await trx(type.table("password_hashes")).where(mine()).delete();
  let factors = 0;
  const since = new Date(Date.now() - DAY_MS);
  for (const feature of type.features.values())
    for (const name of feature.factors)
      factors += await trx(type.table(name)).where(mine()).where("created_at", ">", since).delete();
  await trx(type.table("known_devices")).where(mine()).where("created_at", ">", since).delete();
  return { login: await restore(authlib, found, referrers, trx), factors };
}

/** Ends every link that was mailed: one to an address from before would take the account back. */
export async function dropLinks({ type }: AuthlibBase, account: { id: number }, trx: Transaction): Promise<void> {
  await trx(type.table(table)).where({ account_id: account.id }).delete();
}

/** Puts the login back that the key was mailed to, unless another account has it; links that were mailed elsewhere end. */
async function restore(
  authlib: AuthlibBase,
  { row, account }: Found,
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
  await others.whereNot({ login }).delete();
  return login;
}
