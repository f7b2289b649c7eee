import { randomBytes } from "node:crypto";
import type { Session } from "framewright/host";

const place = "wizards";

/** The key by which a browser without an account finds its runs; it lies in the session alone. */
export function guestKey(session: Session): string | undefined {
  const kept = session.get(place);
  if (typeof kept !== "object" || kept === null || Array.isArray(kept)) return undefined;
  return typeof kept.guest === "string" ? kept.guest : undefined;
}

/** The key, made when there is none. */
export function makeGuest(session: Session): string {
  const known = guestKey(session);
  if (known !== undefined) return known;
  const guest = randomBytes(32).toString("base64url");
  session.setReserved(place, { guest });
  return guest;
}
