import type { Session } from "framewright/host";

const place = "account_typed_login";
const LIFETIME = 10 * 60_000;
type Kept = Record<string, { login: string; at: number }>;

const all = (session: Session): Kept => (session.get(place) ?? {}) as Kept;

/** Keeps the login that somebody typed for the pages that follow, in their own session and for ten minutes. */
export function keepLogin(session: Session, type: string, login: string): void {
  session.setExpendable(place, { ...all(session), [type]: { login: login.slice(0, 254), at: Date.now() } });
}

export function keptLogin(session: Session, type: string): string | undefined {
  const kept = all(session)[type];
  return kept && Date.now() - kept.at < LIFETIME ? kept.login : undefined;
}

export function forgetLogin(session: Session, type: string): void {
  const { [type]: own, ...others } = all(session);
  if (own === undefined) return;
  if (Object.keys(others).length === 0) session.delete(place);
  else session.setExpendable(place, others);
}
