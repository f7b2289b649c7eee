import { setTimeout as sleep } from "node:timers/promises";
import { driverCode, isWorthRetry, unlessAway } from "../drivers/unavailable.ts";

/** SQLite has waited for its lock each time before it says that it is busy. */
const BUSY_ATTEMPTS = 3;
const ATTEMPTS = 12;
/** Milliseconds: the pause before the second attempt at most, and before any. */
const FIRST_PAUSE = 40;
const LONGEST_PAUSE = 1000;
/** Milliseconds of trying for work that no request waits for. */
const PATIENCE = 15_000;

/**
 * Does the work again when another transaction was in its way, after a pause that is random and grows, so that those who
 * met once don't meet again; not beyond `until` (an instant of performance.now()).
 */
export async function retried<T>(work: () => PromiseLike<T>, until = performance.now() + PATIENCE): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const attempts = driverCode(error)?.startsWith("SQLITE_") ? BUSY_ATTEMPTS : ATTEMPTS;
      const pause = Math.random() * Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1));
      if (!isWorthRetry(error) || attempt >= attempts || performance.now() + pause > until) throw unlessAway(error);
      await sleep(pause);
    }
  }
}
