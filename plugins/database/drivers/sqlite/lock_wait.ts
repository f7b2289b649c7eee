/** Milliseconds of the first wait, and of the longest one: a write of another process takes some hundredths. */
const FIRST_WAIT = 0.03;
const LONGEST_WAIT = 5;

const never = new Int32Array(new SharedArrayBuffer(4));

/** Whether another process holds the lock that a statement needs; it gets it once that process has committed. */
export function isLocked(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === "SQLITE_BUSY" || code === "SQLITE_BUSY_RECOVERY";
}

/**
 * Runs a statement that found the file locked again, until it gets the lock. SQLite itself would sleep for a millisecond at
 * least, in which this process could have done several writes.
 * @throws `refused` after `timeout` milliseconds
 */
export function retryLocked<T>(timeout: number, refused: unknown, run: () => T): T {
  const until = performance.now() + timeout;
  let last = refused;
  for (let wait = FIRST_WAIT; performance.now() < until; wait = Math.min(2 * wait, LONGEST_WAIT)) {
    Atomics.wait(never, 0, 0, wait);
    try {
      return run();
    } catch (error) {
      if (!isLocked(error)) throw error;
      last = error;
    }
  }
  throw last;
}
