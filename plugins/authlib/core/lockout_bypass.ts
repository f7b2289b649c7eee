import type { Session } from "framewright/host";

const place = "account_let_past";
const LIFETIME = 15 * 60_000;
type Kept = Record<string, { login: string; at: number }>;

const all = (session: Session): Kept => (session.get(place) ?? {}) as Kept;

/** A browser that showed by a mailed link whose a login is: strangers who guess at that login don't keep it out. */
export function letPast(session: Session, type: string, login: string): void {
  session.setExpendable(place, { ...all(session), [type]: { login, at: Date.now() } });
}

export function isLetPast(session: Session, type: string, login: string): boolean {
  const kept = all(session)[type];
  return kept?.login === login && Date.now() - kept.at < LIFETIME;
}
