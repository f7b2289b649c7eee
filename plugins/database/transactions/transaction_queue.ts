import type { FramewrightError } from "framewright/kernel";
import { unavailable } from "../drivers/unavailable.ts";

export interface TransactionQueueOptions {
  /** The error when no slot came free in time. */
  busy(): FramewrightError;
  /** How many may wait; any number by default. */
  queue?: number;
}

/**
 * Runs at most so many pieces of work at a time, the others in order: transactions that wait for each other's locks must
 * not take every connection of the pool, so that reads of other rows stay served.
 */
export class TransactionQueue {
  readonly #maxRunning: number;
  readonly #maxWaitMs: number;
  readonly #options: TransactionQueueOptions;
  /** Each starts its work, or rejects it with an error. */
  readonly #waiting = new Set<(closed?: Error) => void>();
  #running = 0;
  #closed: Error | undefined;

  constructor(maxRunning: number, maxWaitMs: number, options: TransactionQueueOptions) {
    this.#maxRunning = maxRunning;
    this.#maxWaitMs = maxWaitMs;
    this.#options = options;
  }

  /** Starts no more work, and rejects what waits. */
  close(reason: Error): void {
    this.#closed = reason;
    for (const start of [...this.#waiting]) start(reason);
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw this.#closed;
    if (this.#running >= this.#maxRunning) await this.#waitForSlot();
    else this.#running++;
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  /** Gives the slot to the work that waits longest. */
  #release(): void {
    const [next] = this.#waiting;
    if (next) next();
    else this.#running--;
  }

  /** @throws 503 where none came free in time, or too many wait already */
  #waitForSlot(): Promise<void> {
    const { queue = Number.POSITIVE_INFINITY } = this.#options;
    const busy = () => unavailable(this.#options.busy(), undefined);
    if (this.#waiting.size >= queue) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const start = (closed?: Error) => {
        clearTimeout(timer);
        this.#waiting.delete(start);
        if (closed) reject(closed);
        else resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(start);
        reject(busy());
      }, this.#maxWaitMs);
      this.#waiting.add(start);
    });
  }
}
