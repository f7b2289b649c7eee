import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "framewright/kernel";
import type { JobInfo, Work } from "./contract.ts";
import type { Sealer } from "./payload_encryption.ts";
import type { Claim, JobStore } from "./store.ts";

const FIRST_DELAY = 15_000;
const LONGEST_DELAY = 86_400_000;
/** How often a result is written while the database is away; then the lease runs out, and the job is done again. */
const WRITES = 5;

export interface Log {
  error(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  info(facts: object, message: string): void;
}
export interface RunnerOptions {
  store: JobStore;
  sealer: Sealer;
  kinds: ReadonlyMap<string, Work>;
  concurrency: number;
  /** Milliseconds. */
  lease: number;
  log: Log;
  failed(info: JobInfo): void | Promise<void>;
}

/** 15 s after the first failure, then twice as long each time, a fifth more or less. */
export function delayAfter(attempt: number): number {
  return Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (attempt - 1)) * (0.8 + 0.4 * Math.random());
}

/** Claims jobs and does them, at most `concurrency` at a time, keeping their leases while they run. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #running = new Map<Claim, Promise<void>>();
  #renewal: NodeJS.Timeout | undefined;
  #looking: Promise<unknown> = Promise.resolve();
  #stopped = false;
  /** How many ended, well or not. */
  ended = 0;

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  get running(): number {
    return this.#running.size;
  }
  get hasRoom(): boolean {
    return !this.#stopped && this.#running.size < this.#options.concurrency;
  }

  /** Begins as many due jobs as there is room for; says how many. One look at a time. */
  fill(): Promise<number> {
    const looked = this.#looking.then(() => this.#fill());
    this.#looking = looked.catch(() => undefined);
    return looked;
  }

  async #fill(): Promise<number> {
    const { store, kinds, concurrency } = this.#options;
    if (!this.hasRoom || kinds.size === 0) return 0;
    const claims = await store.claim([...kinds.keys()], concurrency - this.#running.size);
    for (const claim of claims) {
      if (this.#stopped) await store.giveBack(claim);
      else this.#begin(claim);
    }
    return claims.length;
  }

  /** Resolves when one of the running jobs has ended. */
  async oneEnded(): Promise<void> {
    await Promise.race(this.#running.values());
  }

  /** Begins no more, waits for what runs, and gives back what is not done by then. */
  async stop(milliseconds: number): Promise<void> {
    this.#stopped = true;
    await this.#looking;
    const patience = new AbortController();
    const ended = Promise.all(this.#running.values()).then(() => patience.abort());
    await Promise.race([ended, sleep(milliseconds, undefined, { signal: patience.signal }).catch(() => undefined)]);
    clearInterval(this.#renewal);
    for (const claim of this.#running.keys()) await this.#options.store.giveBack(claim).catch(() => undefined);
  }

  #begin(claim: Claim): void {
    const work = this.#perform(claim).finally(() => {
      this.#running.delete(claim);
      this.ended++;
      if (this.#running.size === 0) this.#renewal = void clearInterval(this.#renewal);
    });
    this.#running.set(claim, work);
    this.#renewal ??= setInterval(() => this.#renew(), this.#options.lease / 3).unref();
  }

  #renew(): void {
    const { store, log } = this.#options;
    store.renew([...this.#running.keys()]).catch((error: unknown) => log.warn({}, `jobs: ${messageOf(error)}`));
  }

  async #perform(claim: Claim): Promise<void> {
    const { store, sealer, kinds, log } = this.#options;
    const { id, kind, attempts } = claim;
    if (attempts > claim.max_attempts) return this.#failed(claim, "the process that did it ended each time", true);
    const start = performance.now();
    try {
      const payload = sealer.open(kind, claim.payload);
      await kinds.get(kind)!(payload, { id, attempt: attempts });
    } catch (error) {
      return this.#failed(claim, messageOf(error), attempts >= claim.max_attempts);
    }
    const took = performance.now() - start;
    if (await this.#write(claim, () => store.done(claim)))
      log.info({ job: id, kind, attempt: attempts, took }, `job ${id} (${kind}) is done`);
    else
      log.warn(
        { job: id, kind, attempt: attempts },
        `job ${id} (${kind}) is done, and may be done again: its lease was over`,
      );
  }

  async #failed(claim: Claim, message: string, isLast: boolean): Promise<void> {
    const { store, log } = this.#options;
    const { id, kind, attempts } = claim;
    const next = new Date(Date.now() + delayAfter(attempts));
    const then = isLast ? "is given up" : `is tried again at ${next.toISOString()}`;
    log.warn({ job: id, kind, attempt: attempts }, `job ${id} (${kind}) failed and ${then}: ${message.slice(0, 500)}`);
    const told = await this.#write(claim, () =>
      isLast ? store.giveUp(claim, message) : store.again(claim, next, message),
    );
    if (told && isLast) await this.#announce(id);
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

  /** Writes how a job ended; a database that is away for a moment must not make it done twice. */
  async #write(claim: Claim, write: () => Promise<boolean>): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await write();
      } catch (error) {
        if (attempt < WRITES) await sleep(attempt * 200);
        else {
          this.#options.log.warn(
            { job: claim.id },
            `job ${claim.id} ended, which can't be written: ${messageOf(error)}`,
          );
          return false;
        }
      }
    }
  }
}
