import { createHash, randomBytes } from "node:crypto";

const PREFIX = "fwk_";
const SECRET_BYTES = 32;
const SHAPE = /^fwk_([\w-]{43})([\w-]{6})$/;

/** A new key: the prefix, by which scanners of secrets find it, 32 random bytes, and a checksum of them. */
export function newApiKey(): string {
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  return PREFIX + secret + checksum(secret);
}

/** Whether a text has the prefix of keys: no other credential is looked for then. */
export const isApiKey = (text: string): boolean => text.startsWith(PREFIX);
/** Whether it was issued as a key by anybody: a mistyped one needs no query. */
export function isWellFormed(text: string): boolean {
  const [, secret, sum] = SHAPE.exec(text) ?? [];
  return secret !== undefined && checksum(secret) === sum;
}
/** The stored digest of a key, in lower case: comparisons of some databases ignore case. */
export const digestOfKey = (key: string): string => createHash("sha256").update(key).digest("hex");
/** The characters by which its owner recognizes it. */
export const hintOf = (key: string): string => key.slice(-4);

const checksum = (secret: string): string =>
  createHash("sha256").update(PREFIX + secret).digest("base64url").slice(0, 6); // biome-ignore format: one thought
