import type { Session } from "framewright/host";
import type { Begun } from "../../contract.ts";

const BEGUN_KEY = "oidc_begun";
const FOUND_KEY = "oidc_found";
const BEGUN_MS = 10 * 60_000;
const FOUND_MS = 10 * 60_000;
/** How many sign-ins may be under way in a browser, each in a tab of its own: they travel in its cookie. */
const MAX_BEGUN = 3;

/** A sign-in that was begun in this browser. */
interface BegunEntry extends Begun {
  readonly type: string;
  readonly provider: string;
  readonly at: number;
}
/** A person who signed in at a provider and is connected to no account yet. */
export interface FoundIdentity {
  readonly type: string;
  readonly provider: string;
  /** The provider as people read it. */
  readonly label: string;
  readonly issuer: string;
  readonly subject: string;
  readonly email?: string;
  readonly name?: string;
  /** The session at the provider. */
  readonly sid?: string;
  /** Whether the provider proves the address. */
  readonly isProven: boolean;
  readonly isStrong: boolean;
  /** What another feature stores with it, as the provider's revision. */
  readonly more?: Readonly<Record<string, string>>;
  readonly at: number;
}

export function storeBegun(session: Session, type: string, provider: string, begun: Begun): void {
  const others = begunOf(session).slice(1 - MAX_BEGUN);
  const entry = { ...begun, type, provider, at: Date.now() };
  session.setExpendable(BEGUN_KEY, [...others, entry] as never);
}
/** What a state was begun with, once; undefined for one of another browser, provider or account type, and for one that is too old. */
export function takeBegun(session: Session, type: string, provider: string, state: string): Begun | undefined {
  const all = begunOf(session);
  const own = all.find((one) => one.state === state && one.type === type && one.provider === provider);
  if (!own) return undefined;
  const others = all.filter((one) => one !== own);
  if (others.length === 0) session.delete(BEGUN_KEY);
  else session.setExpendable(BEGUN_KEY, others as never);
  return own;
}
const begunOf = (session: Session): BegunEntry[] =>
  ((session.get(BEGUN_KEY) ?? []) as unknown as BegunEntry[]).filter(({ at }) => Date.now() - at < BEGUN_MS);

export const storeFound = (session: Session, found: Omit<FoundIdentity, "at">): void =>
  session.setExpendable(FOUND_KEY, { ...found, at: Date.now() } as never);
/** The person who signed in at a provider within the last ten minutes, for an account type. */
export function foundOf(session: Session, type: string): FoundIdentity | undefined {
  const found = session.get(FOUND_KEY) as unknown as FoundIdentity | undefined;
  return found?.type === type && Date.now() - found.at < FOUND_MS ? found : undefined;
}
export const clearFound = (session: Session): void => session.delete(FOUND_KEY);
