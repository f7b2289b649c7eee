import { randomBytes } from "node:crypto";
import type { Session } from "framewright/host";

const SESSION_KEY = "wizards";

/** The key by which a browser without an account finds its runs; stored in the session alone. */
export function guestKey(session: Session): string | undefined {
  const kept = session.get(SESSION_KEY);
  if (typeof kept !== "object" || kept === null || Array.isArray(kept)) return undefined;
  return typeof kept.guest === "string" ? kept.guest : undefined;
}

/** The key; created when there is none. */
export function ensureGuestKey(session: Session): string {
  const known = guestKey(session);
  if (known !== undefined) return known;
  const guest = randomBytes(32).toString("base64url");
  session.setReserved(SESSION_KEY, { guest });
  return guest;
}
