import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const BYTES = 4;
let list: Buffer | undefined;

/** What of a password's digest stands in the list: 32 bits, so that some 4 of a million others are taken for listed. */
export const shortDigest = (text: string): number => createHash("sha256").update(text).digest().readUInt32BE();

/**
 * Whether a password, in small letters, is among the 17,950 most used of eight characters and more. `common.bin` is 72 kB of
 * sorted digests, made by `node test/support/common_passwords.js`; it is read at the first password.
 */
export function isListed(text: string): boolean {
  list ??= readFileSync(join(import.meta.dirname, "common.bin"));
  const wanted = shortDigest(text);
  let [low, high] = [0, list.length / BYTES];
  while (low < high) {
    const middle = (low + high) >> 1;
    const found = list.readUInt32BE(middle * BYTES);
    if (found === wanted) return true;
    if (found < wanted) low = middle + 1;
    else high = middle;
  }
  return false;
}
