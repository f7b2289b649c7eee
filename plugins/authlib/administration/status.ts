import { decodeDate } from "framewright/plugins/database";
import type { AccountRecord } from "../account_type.ts";
import type { AuthlibBase } from "../base.ts";
import type { FactorSummary } from "../core/factors.ts";
import { readSignIn } from "../core/sign_in.ts";
import type { InvitationSteps } from "../features/invitation/index.ts";
import type { AccountState } from "./operations.ts";

/** The status of an account. */
export interface AccountStatus {
  readonly id: number;
  readonly login: string;
  readonly state: AccountState;
  /** When the lock of passwords ends. */
  readonly lockedUntil?: Date;
  /** When the lock of authenticator codes ends. */
  readonly codesLockedUntil?: Date;
  readonly hasPassword: boolean;
  /** The second factors and passkeys that the type offers, with the number of each. */
  readonly factors: readonly Pick<FactorSummary, "name" | "count" | "since">[];
  /** Complete sign-ins. */
  readonly sessions: number;
  /** Devices that sign in again by themselves. */
  readonly rememberedDevices: number;
  /** When an account was invited that has not accepted yet. */
  readonly invitedAt?: Date;
  /** From the audit log, else from the stored sign-ins. */
  readonly lastSignIn?: Date;
}

export function stateOf(authlib: AuthlibBase, account: AccountRecord): AccountState {
  if (authlib.isOpen(account)) return "open";
  return authlib.isUnverified(account) ? "unverified" : "closed";
}

/** Loads the status with several queries: intended for one account. */
export async function statusOf(authlib: AuthlibBase, account: AccountRecord): Promise<AccountStatus> {
  authlib.account = account;
  const lockedUntil = await authlib.lockedUntil(authlib.normalizeLogin(authlib.loginOf(account)));
  const codesLockedUntil = await authlib.factorsLockedUntil();
  const signIns = await signInsOf(authlib, account);
  const lastSignIn = (await lastOfAudit(authlib, account)) ?? signIns[0]?.createdAt;
  const factors = await authlib.listFactors();
  const invitedAt = await invitedAtOf(authlib, account);
  return {
    id: account.id,
    login: authlib.loginOf(account),
    state: stateOf(authlib, account),
    ...(lockedUntil ? { lockedUntil } : {}),
    ...(codesLockedUntil ? { codesLockedUntil } : {}),
    hasPassword: await authlib.hasPassword(account),
    factors: factors.map(({ name, count, since }) => ({ name, count, ...(since ? { since } : {}) })),
    sessions: signIns.filter((signIn) => authlib.isAlive(signIn)).length,
    rememberedDevices: await rememberedOf(authlib, account),
    ...(invitedAt ? { invitedAt } : {}),
    ...(lastSignIn ? { lastSignIn } : {}),
  };
}

/** The complete sign-ins, newest first. */
async function signInsOf({ knex, type }: AuthlibBase, { id }: AccountRecord) {
  const query = knex(type.table("active_session_keys")).where({ account_id: id }).orderBy("created_at", "desc");
  const rows = await type.services.database.rows(query);
  return rows.map((row) => readSignIn(row)).filter(({ pending }) => pending === undefined);
}

async function lastOfAudit({ knex, type }: AuthlibBase, { id }: AccountRecord): Promise<Date | undefined> {
  if (!type.has("audit_logging")) return undefined;
  const entries = knex(type.table("authentication_audit_logs")).where({ account_id: id, event: "login" });
  const [row] = await type.services.database.rows(entries.orderBy("id", "desc").select("at").limit(1));
  return decodeDate(row?.at) as Date | undefined;
}

async function invitedAtOf(authlib: AuthlibBase, account: AccountRecord): Promise<Date | undefined> {
  return authlib.type.has("invitation") ? (authlib as AuthlibBase & InvitationSteps).invitedAt(account) : undefined;
}

async function rememberedOf({ knex, type }: AuthlibBase, { id }: AccountRecord): Promise<number> {
  if (!type.has("remember")) return 0;
  const keys = knex(type.table("remember_keys")).where({ account_id: id }).where("deadline", ">", new Date());
  return (await type.services.database.rows(keys.select("id"))).length;
}
