import type { IdentityClaims, Subject } from "../../contract.ts";

const MAX_ISSUER = 500;
/** By OpenID Connect, no subject is longer. */
const MAX_SUBJECT = 255;
const MAX_EMAIL = 254;
const MAX_SID = 255;
const MAX_NAME = 100;
const CONTROL = /\p{Cc}/u;

const isText = (value: unknown, most: number): value is string =>
  typeof value === "string" && value !== "" && value.length <= most && !CONTROL.test(value);

/** Whether an identity can be stored as it is: one that is cut off would be somebody else's. */
export const isStorable = ({ issuer, subject }: Subject): boolean =>
  isText(issuer, MAX_ISSUER) && isText(subject, MAX_SUBJECT);

/** What else is used of the claims. An address that is too long is left out: its beginning may be another person's. */
export function detailsOf({ email, sid, name }: IdentityClaims): { email?: string; sid?: string; name?: string } {
  return {
    ...(isText(email, MAX_EMAIL) ? { email } : {}),
    ...(isText(sid, MAX_SID) ? { sid } : {}),
    ...(typeof name === "string" ? { name: shortened(name) } : {}),
  };
}

/** Whether lower case leaves an address what it is: letters besides those of ASCII may become the address of somebody else. */
export const isPlain = ({ email }: IdentityClaims): boolean =>
  typeof email === "string" && /^[\x21-\x7e]+@/.test(email);

/** Whether a text can be the name of a session. */
export const isSid = (value: unknown): value is string => isText(value, MAX_SID);

const shortened = (name: string): string =>
  [...name.slice(0, 2 * MAX_NAME).replaceAll(/\p{Cc}/gu, " ")].slice(0, MAX_NAME).join("").toWellFormed();
