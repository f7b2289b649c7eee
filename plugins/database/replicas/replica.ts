import type { Knex } from "knex";
import type { Replication } from "../drivers/driver.ts";
import { failureOf } from "../drivers/failure.ts";

/** A position of the primary, and when it was read there, as of performance.now(). */
export interface Sample {
  readonly at: number;
  readonly position: string;
}

/** Milliseconds that a writer's read waits for the replica. */
const WAIT_MS = 1000;
/** Of a replica that is known to be late: an answer, and no wait. */
const SHORT_WAIT_MS = 1;
/** Milliseconds that a replica has for the newest position before it counts as late: under load it is never quite there. */
const FRESH_MS = 100;
/** A replica that was not looked at for so long is not read: the process, or the primary, stood still. */
const MAX_UNWATCHED_MS = 5000;

/** A replica: whether it answers, and how late it is. */
export class Replica {
  readonly name: string;
  readonly knex: Knex;
  readonly #replication: Replication;
  #isUp = false;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** When the primary had what the replica has now. */
  #caughtUpAt = Number.NEGATIVE_INFINITY;
  #lag = Number.POSITIVE_INFINITY;

  constructor(name: string, knex: Knex, replication: Replication) {
    this.name = name;
    this.knex = knex;
    this.#replication = replication;
  }

  get isUp(): boolean {
    return this.#isUp;
  }
  /** Whether it answers, and is no later than so many milliseconds. */
  isUsable(maxLag: number): boolean {
    return this.#isUp && this.#lag <= maxLag && performance.now() - this.#lookedAt < MAX_UNWATCHED_MS;
  }

  /** Notes the failure of a statement: one that is unavailable, or takes none, is skipped until it is checked again. */
  failed(error: unknown): void {
    const kind = failureOf(error)?.kind;
    if (kind === "unavailable" || kind === "unwritable") this.#down();
  }
  /** It may come back with less than it had. */
  #down(): void {
    this.#isUp = false;
    this.#caughtUpAt = Number.NEGATIVE_INFINITY;
  }

  /** Queries how far it is; the newest sample comes first. */
  async look(samples: readonly Sample[]): Promise<void> {
    try {
      const newest = await this.#newestOf(samples);
      const now = performance.now();
      if (newest) this.#caughtUpAt = newest.at;
      this.#lag = newest !== undefined && newest === samples[0] ? 0 : now - this.#caughtUpAt;
      this.#lookedAt = now;
      this.#isUp = true;
    } catch {
      this.#down();
    }
  }
  async #newestOf(samples: readonly Sample[]): Promise<Sample | undefined> {
    for (const [index, sample] of samples.entries()) {
      if (sample.at <= this.#caughtUpAt) return undefined;
      if (await this.#replication.has(this.knex, sample.position, index === 0 ? FRESH_MS : 0)) return sample;
    }
    return undefined;
  }

  /** Whether it has all up to a position, soon; one that is late is not waited for again until it is not. */
  async catchesUp(position: string): Promise<boolean> {
    try {
      const hasIt = await this.#replication.has(this.knex, position, this.#lag > 0 ? SHORT_WAIT_MS : WAIT_MS);
      if (!hasIt && this.#lag === 0) this.#lag = WAIT_MS;
      return hasIt;
    } catch (error) {
      this.failed(error);
      return false;
    }
  }
}
