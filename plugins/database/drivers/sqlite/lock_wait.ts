/** Tries without a wait: a write of another process takes some hundredths of a millisecond, and a try takes one. */
const TRIES_AT_ONCE = 20;
/** Milliseconds of the first wait, and of the longest one. */
const FIRST_WAIT = 0.01;
export const LONGEST_WAIT = 5;

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
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0; // half of what a try costs that is refused
  try {
    for (let tries = 1, wait = FIRST_WAIT; performance.now() < until; tries++) {
      try {
        return run();
      } catch (error) {
        if (!isLocked(error)) throw error;
      }
      if (tries <= TRIES_AT_ONCE) continue;
      Atomics.wait(never, 0, 0, wait);
      wait = Math.min(2 * wait, LONGEST_WAIT);
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  throw refused;
}
