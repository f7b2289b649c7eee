import { setTimeout as sleep } from "node:timers/promises";
import type { ObservedJob } from "framewright/host";
import { messageOf, type Registry } from "framewright/kernel";
import type { JobInfo, Work } from "./contract.ts";
import type { PayloadSealer } from "./payload_encryption.ts";
import type { Claim, JobStore } from "./store.ts";

const FIRST_DELAY_MS = 15_000;
const MAX_DELAY_MS = 86_400_000;
/** How often writing a result is tried while the database is unavailable; after that the lease expires, and the job runs again. */
const MAX_WRITE_ATTEMPTS = 5;

/** Where jobs log. */
export interface Log {
  error(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  info(facts: object, message: string): void;
}
export interface RunnerOptions {
  store: JobStore;
  sealer: PayloadSealer;
  kinds: Pick<Registry<Work>, "get" | "names" | "size">;
  concurrency: number;
  /** Milliseconds. */
  lease: number;
  log: Log;
  failed(info: JobInfo): void | Promise<void>;
  /** Runs the work of a job as its origin, observed. */
  enter(job: ObservedJob, work: () => Promise<void>): Promise<void>;
}

/** Milliseconds until the next attempt: 15 s after the first failure, then doubled each time, ±20%. */
export function delayAfter(attempt: number): number {
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1)) * (0.8 + 0.4 * Math.random());
}

/** Claims and runs jobs, at most `concurrency` at a time, and renews their leases while they run. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #running = new Map<Claim, Promise<void>>();
  #renewal: NodeJS.Timeout | undefined;
  #filling: Promise<unknown> = Promise.resolve();
  #stopped = false;
  /** How many jobs ended, successfully or not. */
  endedCount = 0;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  get runningCount(): number {
    return this.#running.size;
  }
  get hasCapacity(): boolean {
    return !this.#stopped && this.#running.size < this.#options.concurrency;
  }

  /** Starts as many due jobs as the concurrency allows; returns how many. Calls run one after the other. */
  startDueJobs(): Promise<number> {
    const started = this.#filling.then(() => this.#claimAndStart());
    this.#filling = started.catch(() => undefined);
    return started;
  }

  async #claimAndStart(): Promise<number> {
    const { store, kinds, concurrency } = this.#options;
    if (!this.hasCapacity || kinds.size === 0) return 0;
    const claims = await store.claim(kinds.names(), concurrency - this.#running.size);
    for (const claim of claims) {
      if (this.#stopped) await store.release(claim);
      else this.#start(claim);
    }
    return claims.length;
  }

  /** Resolves when one of the running jobs has ended. */
  async waitForOne(): Promise<void> {
    await Promise.race(this.#running.values());
  }

  /** Starts no more jobs, waits for the running ones, and releases those that do not end in time. */
  async stop(milliseconds: number): Promise<void> {
    this.#stopped = true;
    await this.#filling;
    const timeout = new AbortController();
    const ended = Promise.all(this.#running.values()).then(() => timeout.abort());
    await Promise.race([ended, sleep(milliseconds, undefined, { signal: timeout.signal }).catch(() => undefined)]);
    clearInterval(this.#renewal);
    for (const claim of this.#running.keys()) await this.#options.store.release(claim).catch(() => undefined);
  }

  #start(claim: Claim): void {
    const work = this.#run(claim).finally(() => {
      this.#running.delete(claim);
      this.endedCount++;
      if (this.#running.size === 0) this.#renewal = void clearInterval(this.#renewal);
    });
    this.#running.set(claim, work);
    this.#renewal ??= setInterval(() => this.#renew(), this.#options.lease / 3).unref();
  }

  #renew(): void {
    const { store, log } = this.#options;
    store.renew([...this.#running.keys()]).catch((error: unknown) => log.warn({}, `jobs: ${messageOf(error)}`));
  }

  async #run(claim: Claim): Promise<void> {
    const { store, sealer, kinds, log, enter } = this.#options;
    const { id, kind, attempts } = claim;
    if (attempts > claim.max_attempts) return this.#failed(claim, "the process that ran it died at each attempt", true);
    const start = performance.now();
    try {
      await enter({ job: kind, id, attempt: attempts }, async () =>
        kinds.get(kind)!(sealer.open(kind, claim.payload), { id, attempt: attempts }),
      );
    } catch (error) {
      return this.#failed(claim, messageOf(error), attempts >= claim.max_attempts);
    }
    const took = performance.now() - start;
    if (await this.#write(claim, () => store.markDone(claim)))
      log.info({ job: id, kind, attempt: attempts, took }, `job ${id} (${kind}) is done`);
    else
      log.warn(
        { job: id, kind, attempt: attempts },
        `job ${id} (${kind}) is done, but may run again: its lease had expired`,
      );
  }

  async #failed(claim: Claim, message: string, isLast: boolean): Promise<void> {
    const { store, log } = this.#options;
    const { id, kind, attempts } = claim;
    const next = new Date(Date.now() + delayAfter(attempts));
    const then = isLast ? "is not retried" : `is retried at ${next.toISOString()}`;
    log.warn({ job: id, kind, attempt: attempts }, `job ${id} (${kind}) failed and ${then}: ${message.slice(0, 500)}`);
    const isWritten = await this.#write(claim, () =>
      isLast ? store.markFailed(claim, message) : store.rescheduleAfterFailure(claim, next, message),
    );
    if (isWritten && isLast) await this.#announce(id);
  }

  async #announce(id: number): Promise<void> {
    const { store, log, failed } = this.#options;
    try {
      const info = await store.find(id);
      if (info) await failed(info);
    } catch (error) {
      log.warn({ job: id }, messageOf(error));
    }
  }

  /** Writes the result of a job, with retries: a short outage of the database must not make it run twice. */
  async #write(claim: Claim, write: () => Promise<boolean>): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await write();
      } catch (error) {
        if (attempt < MAX_WRITE_ATTEMPTS) await sleep(attempt * 200);
        else {
          this.#options.log.warn(
            { job: claim.id },
            `job ${claim.id} ended, but its result could not be written: ${messageOf(error)}`,
          );
          return false;
        }
      }
    }
  }
}
