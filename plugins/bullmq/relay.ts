import type { Registry } from "framewright/kernel";
import type { JobStore, Work } from "framewright/plugins/jobs";
import type { JobQueue } from "./job_queue.ts";

const RELAYED_AT_ONCE = 50;

/**
 * Brings due jobs from their rows to Redis. A row is claimed, added, then removed: a process that dies in between leaves it
 * to another one when its claim expires, and the second add does nothing, because the id is the same.
 */
export class Relay {
  readonly #store: JobStore;
  readonly #queue: JobQueue;
  readonly #kinds: Pick<Registry<Work>, "names" | "size">;
  #relaying: Promise<unknown> = Promise.resolve();
  readonly hasCapacity = true;
  readonly runningCount = 0;

  constructor(store: JobStore, queue: JobQueue, kinds: Pick<Registry<Work>, "names" | "size">) {
    this.#store = store;
    this.#queue = queue;
    this.#kinds = kinds;
  }

  /** Relays some due jobs; returns how many. Calls run one after the other. */
  startDueJobs(): Promise<number> {
    const relayed = this.#relaying.then(() => this.#relay());
    this.#relaying = relayed.catch(() => undefined);
    return relayed;
  }
  /** Resolves when no row is being relayed. */
  async waitForOne(): Promise<void> {
    await this.#relaying;
  }

  async #relay(): Promise<number> {
    if (this.#kinds.size === 0) return 0;
    const claims = await this.#store.claim(this.#kinds.names(), RELAYED_AT_ONCE);
    for (const [index, claim] of claims.entries()) {
      try {
        await this.#queue.add(claim);
      } catch (error) {
        for (const left of claims.slice(index)) await this.#store.release(left).catch(() => undefined);
        throw error;
      }
      await this.#store.remove(claim);
    }
    return claims.length;
  }
}
