import type { Session } from "framewright/host";

const SESSION_KEY = "account_typed_login";
const LIFETIME_MS = 10 * 60_000;
type TypedLogins = Record<string, { login: string; at: number }>;

const all = (session: Session): TypedLogins => (session.get(SESSION_KEY) ?? {}) as TypedLogins;

/** Stores the typed login in the browser's session for ten minutes, for the pages that follow. */
export function storeTypedLogin(session: Session, type: string, login: string): void {
  session.setExpendable(SESSION_KEY, { ...all(session), [type]: { login: login.slice(0, 254), at: Date.now() } });
}

export function typedLoginOf(session: Session, type: string): string | undefined {
  const kept = all(session)[type];
  return kept && Date.now() - kept.at < LIFETIME_MS ? kept.login : undefined;
}

export function clearTypedLogin(session: Session, type: string): void {
  const { [type]: own, ...others } = all(session);
  if (own === undefined) return;
  if (Object.keys(others).length === 0) session.delete(SESSION_KEY);
  else session.setExpendable(SESSION_KEY, others);
}
