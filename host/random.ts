import { randomFillSync } from "node:crypto";

const TIMES = 256;

/**
 * Gives random bytes, drawn in bulk: one call of the generator costs more than what the bytes are used for. They are to
 * be used at once: the next but some draw overwrites them.
 */
export function randomDraws(size: number): () => Buffer {
  const pool = Buffer.alloc(size * TIMES);
  let drawn = pool.length;
  return () => {
    if (drawn === pool.length) {
      randomFillSync(pool);
      drawn = 0;
    }
    drawn += size;
    return pool.subarray(drawn - size, drawn);
  };
}
