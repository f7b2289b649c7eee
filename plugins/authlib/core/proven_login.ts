import type { Session } from "framewright/host";

const SESSION_KEY = "proven_logins";
const LIFETIME_MS = 3_600_000;

type Proof = {
  login: string;
  /** Milliseconds since 1970. */
  until: number;
};
type Proofs = Record<string, Proof>;
const proofsOf = (session: Session): Proofs => (session.get(SESSION_KEY) ?? {}) as Proofs;

/** Stores in the browser's session, for an hour, that its person opened a link that was mailed to this address. */
export function storeProvenLogin(session: Session, type: string, login: string): void {
  session.setExpendable(SESSION_KEY, { ...proofsOf(session), [type]: { login, until: Date.now() + LIFETIME_MS } });
}
export function provenLoginOf(session: Session, type: string): string | undefined {
  const proof = proofsOf(session)[type];
  return proof && proof.until > Date.now() ? proof.login : undefined;
}
export function clearProvenLogin(session: Session, type: string): void {
  const { [type]: own, ...others } = proofsOf(session);
  if (own === undefined) return;
  if (Object.keys(others).length === 0) session.delete(SESSION_KEY);
  else session.setExpendable(SESSION_KEY, others);
}
