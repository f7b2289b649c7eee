import { messageOf } from "framewright/kernel";

const SWEEP_INTERVAL_MS = 15 * 60_000;
/** Delay after the start, so that a deploy of many nodes does not begin with a sweep on each. */
const FIRST_SWEEP_MS = 60_000;

interface Log {
  warn(about: object, message: string): void;
}

/** Sweeps at intervals in a process that serves requests. */
export class SweepTimer {
  readonly #work: () => Promise<void>;
  readonly #log: Log;
  readonly #name: string;
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> = Promise.resolve();
  #stopped = false;

  /** `name` is what is swept, as the log calls it: "background runs". */
  constructor(work: () => Promise<void>, log: Log, name: string) {
    this.#work = work;
    this.#log = log;
    this.#name = name;
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
      await this.#work();
    } catch (error) {
      this.#log.warn({ err: error }, `the sweep of ${this.#name} failed: ${messageOf(error)}`);
    }
  }
}
