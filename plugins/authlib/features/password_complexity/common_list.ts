import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const BYTES = 4;
/** Module-level: a file of the package, which never changes; read with the first use. */
let list: Buffer | undefined;

/** The 32 bits of a password's digest that the list stores: about 4 of a million other passwords collide. */
export const shortDigest = (text: string): number => createHash("sha256").update(text).digest().readUInt32BE();

/**
 * Whether a password, in lower case, is among the 17,950 most used ones of at least eight characters. `common.bin` is 72 kB
 * of sorted digests, written by `node test/support/common_passwords.js`, and read at the first password.
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
