import { setTimeout as sleep } from "node:timers/promises";
import { failureOf } from "../drivers/failure.ts";
import { asUnavailable } from "../drivers/unavailable.ts";

const MAX_ATTEMPTS = 12;
/** Of a database that has waited for its lock each time before it reports that it is busy. */
const MAX_ATTEMPTS_AFTER_WAITING = 3;
/** Milliseconds: the pause before the second attempt at most, and before any. */
const FIRST_PAUSE_MS = 40;
const MAX_PAUSE_MS = 1000;
/** Milliseconds of trying for work that no request waits for. */
const MAX_RETRY_MS = 15_000;

/** Attempts, and milliseconds since the first one, in which another host is tried. */
const MAX_HOSTS_TRIED = 3;
const MAX_FAILOVER_MS = 3000;

/**
 * Repeats the work when another transaction conflicted with it, after a pause that is random and grows, so that the same
 * transactions do not collide again; not beyond `until` (an instant of performance.now()). `mayMove`: whether work that
 * failed since its host does is to be tried on another one, as nothing of it can have been committed.
 */
export async function retried<T>(
  work: () => PromiseLike<T>,
  until = performance.now() + MAX_RETRY_MS,
  mayMove?: () => boolean,
): Promise<T> {
  const start = performance.now();
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const failure = failureOf(error);
      const attempts = failure?.hasWaited ? MAX_ATTEMPTS_AFTER_WAITING : MAX_ATTEMPTS;
      const moves =
        attempt < MAX_HOSTS_TRIED &&
        performance.now() - start < MAX_FAILOVER_MS &&
        failure?.kind === "unavailable" &&
        mayMove?.();
      const pause = Math.random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
      const isRepeated = moves || (failure?.kind === "conflict" && attempt < attempts);
      if (!isRepeated || performance.now() + pause > until) throw asUnavailable(error);
      await sleep(pause);
    }
  }
}
