import { randomFillSync } from "node:crypto";

const TIMES = 256;

/** Writes random bytes to the beginning of a buffer. They are drawn in bulk: one call of the generator costs more than what they are used for. */
export function randomDraws(size: number): (into: Buffer) => void {
  const pool = Buffer.alloc(size * TIMES);
  let drawn = pool.length;
  return (into) => {
    if (drawn === pool.length) {
      randomFillSync(pool);
      drawn = 0;
    }
    for (let at = 0; at < size; at++) into[at] = pool[drawn++]!;
  };
}
