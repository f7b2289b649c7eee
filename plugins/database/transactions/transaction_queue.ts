import type { FramewrightError } from "framewright/kernel";
import { unavailable } from "../drivers/unavailable.ts";

export interface TurnsOptions {
  /** What is thrown when none came free in time. */
  busy(): FramewrightError;
  /** How many may wait. */
  queue?: number;
}

/**
 * Lets so many work at a time, the others in their order: transactions that wait for each other's locks must not take
 * every connection of the pool, so that reads of other rows stay served.
 */
export class Turns {
  readonly #most: number;
  /** Milliseconds. */
  readonly #patience: number;
  readonly #options: TurnsOptions;
  /** Begins, or gives up for a reason. */
  readonly #waiting = new Set<(closed?: Error) => void>();
  #taken = 0;
  #closed: Error | undefined;

  constructor(most: number, patience: number, options: TurnsOptions) {
    this.#most = most;
    this.#patience = patience;
    this.#options = options;
  }

  /** Lets nobody begin any more, who waits among them. */
  close(reason: Error): void {
    this.#closed = reason;
    for (const begin of [...this.#waiting]) begin(reason);
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) throw this.#closed;
    if (this.#taken >= this.#most) await this.#turn();
    else this.#taken++;
    try {
      return await work();
    } finally {
      this.#pass();
    }
  }

  /** Hands the turn on, to who waits longest. */
  #pass(): void {
    const [next] = this.#waiting;
    if (next) next();
    else this.#taken--;
  }

  /** @throws 503 where none came free in time, or too many wait already */
  #turn(): Promise<void> {
    const { queue = Number.POSITIVE_INFINITY } = this.#options;
    const busy = () => unavailable(this.#options.busy(), undefined);
    if (this.#waiting.size >= queue) return Promise.reject(busy());
    return new Promise((resolve, reject) => {
      const begin = (closed?: Error) => {
        clearTimeout(timer);
        this.#waiting.delete(begin);
        if (closed) reject(closed);
        else resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(begin);
        reject(busy());
      }, this.#patience);
      this.#waiting.add(begin);
    });
  }
}
