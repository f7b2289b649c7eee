import type { Session } from "framewright/host";

const SESSION_KEY = "account_let_past";
const LIFETIME_MS = 15 * 60_000;
type Bypasses = Record<string, { login: string; at: number }>;

const all = (session: Session): Bypasses => (session.get(SESSION_KEY) ?? {}) as Bypasses;

/** Lets this browser past the lock of a login for 15 minutes, after a mailed link has proved who owns it. */
export function storeLockoutBypass(session: Session, type: string, login: string): void {
  session.setExpendable(SESSION_KEY, { ...all(session), [type]: { login, at: Date.now() } });
}

export function hasLockoutBypass(session: Session, type: string, login: string): boolean {
  const kept = all(session)[type];
  return kept?.login === login && Date.now() - kept.at < LIFETIME_MS;
}
