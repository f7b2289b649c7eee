import type { Session } from "framewright/host";

const SESSION_KEY = "proven_logins";
const LIFETIME_MS = 3_600_000;

type Proof = {
  login: string;
  /** Milliseconds since 1970. */
  until: number;
  /** What the sign-up page states about the link: who invites to what. */
  reason?: string;
};
/** Characters of a reason: it travels in the session's cookie. */
const MAX_REASON = 300;
type Proofs = Record<string, Proof>;
const proofsOf = (session: Session): Proofs => (session.get(SESSION_KEY) ?? {}) as Proofs;

/** Stores in the browser's session, for an hour, that its person opened a link that was mailed to this address. */
export function storeProvenLogin(session: Session, type: string, login: string, reason?: string): void {
  const until = Date.now() + LIFETIME_MS;
  const proof: Proof = { login, until, ...(reason === undefined ? {} : { reason: reason.slice(0, MAX_REASON) }) };
  session.setExpendable(SESSION_KEY, { ...proofsOf(session), [type]: proof });
}
/** The address that this browser has proven, and why it was mailed; undefined for none. */
export function provenLoginOf(session: Session, type: string): { login: string; reason?: string } | undefined {
  const proof = proofsOf(session)[type];
  return proof && proof.until > Date.now() ? proof : undefined;
}
export function clearProvenLogin(session: Session, type: string): void {
  const { [type]: own, ...others } = proofsOf(session);
  if (own === undefined) return;
  if (Object.keys(others).length === 0) session.delete(SESSION_KEY);
  else session.setExpendable(SESSION_KEY, others);
}
