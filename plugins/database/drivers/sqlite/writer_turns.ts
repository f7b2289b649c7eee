import { setTimeout as sleep } from "node:timers/promises";
import { LONGEST_WAIT } from "./lock_wait.ts";

/** Milliseconds of a transaction that is followed by a pause. */
const LONG_TRANSACTION_MS = 25;
/** Milliseconds, in which another process that waits for the lock tries again. */
const PAUSE_MS = 2 * LONGEST_WAIT;

/**
 * The turns of a connection as the one writer of a file. A process that begins its next transaction at once would keep others
 * out, since they look for the lock only now and then.
 */
export class WriterTurns {
  #began = 0;
  #ended = 0;

  /** Before a transaction: leaves a moment to others after a long one. */
  async wait(): Promise<void> {
    const left = this.#ended + PAUSE_MS - performance.now();
    if (this.#ended - this.#began > LONG_TRANSACTION_MS && left > 0) await sleep(Math.ceil(left));
  }
  begin(): void {
    this.#began = performance.now();
  }
  end(): void {
    this.#ended = performance.now();
  }
}
