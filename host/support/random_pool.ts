import { randomFillSync } from "node:crypto";

const DRAWS_PER_FILL = 256;

/** Returns a function that writes `size` random bytes to the start of a buffer, from a pool: one randomFillSync serves 256 calls. */
export function randomPool(size: number): (into: Buffer) => void {
  const pool = Buffer.alloc(size * DRAWS_PER_FILL);
  let drawn = pool.length;
  return (into) => {
    if (drawn === pool.length) {
      randomFillSync(pool);
      drawn = 0;
    }
    for (let at = 0; at < size; at++) into[at] = pool[drawn++]!;
  };
}
