import { messageOf } from "framewright/kernel";
import type { BackgroundRuns } from "./runs.ts";

const SWEEP_INTERVAL_MS = 15 * 60_000;
/** Delay after the start, so that a deploy of many nodes does not begin with a sweep on each. */
const FIRST_SWEEP_MS = 60_000;

/** Sweeps at intervals in a process that serves requests. */
export class BackgroundSweep {
  readonly #runs: BackgroundRuns;
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(runs: BackgroundRuns) {
    this.#runs = runs;
  }
  start(): void {
    this.#schedule(FIRST_SWEEP_MS);
  }
  /** Starts no further sweep, and waits for the current one. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#sweeping;
  }
  #schedule(milliseconds: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#sweeping = this.#sweep().finally(() => this.#schedule(SWEEP_INTERVAL_MS));
    }, milliseconds).unref();
  }
  async #sweep(): Promise<void> {
    try {
      await this.#runs.sweep();
    } catch (error) {
      this.#runs.log.warn({ err: error }, `the sweep of background runs failed: ${messageOf(error)}`);
    }
  }
}
