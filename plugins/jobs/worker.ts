import { messageOf } from "framewright/kernel";
import type { Log, Runner } from "./runner.ts";

const SWEEP_INTERVAL_MS = 3_600_000;

export interface WorkerOptions {
  runner: Runner;
  /** Milliseconds between polls of the table, unless it is woken. */
  poll: number;
  /** Removes old rows. */
  sweep(): Promise<unknown>;
  log: Log;
}

/** The loop of a serving process: runs due jobs, then sleeps until it is woken or the poll interval is over. */
export class Worker {
  readonly #options: WorkerOptions;
  #endSleep: (() => void) | undefined;
  #isWoken = false;
  #sweptAt = 0;
  #lastError = "";
  #loop: Promise<void> | undefined;
  #stopped = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#loop ??= this.#work();
  }
  wake(): void {
    this.#isWoken = true;
    this.#endSleep?.();
  }
  async stop(): Promise<void> {
    this.#stopped = true;
    this.wake();
    await this.#loop;
  }

  async #work(): Promise<void> {
    const { runner } = this.#options;
    while (!this.#stopped) {
      this.#isWoken = false;
      const started = await this.#poll();
      if (started > 0 && runner.hasCapacity) continue; // there may be more
      await this.#sleep(runner.runningCount > 0);
    }
  }

  async #poll(): Promise<number> {
    try {
      const started = await this.#options.runner.startDueJobs();
      await this.#sweep();
      this.#lastError = "";
      return started;
    } catch (error) {
      this.#logOnce(messageOf(error));
      return 0;
    }
  }

  async #sweep(): Promise<void> {
    if (Date.now() - this.#sweptAt < SWEEP_INTERVAL_MS) return;
    await this.#options.sweep();
    this.#sweptAt = Date.now();
  }

  /** Logs an error once, not at every poll. */
  #logOnce(message: string): void {
    if (message !== this.#lastError) this.#options.log.warn({}, `jobs are waiting: ${message}`);
    this.#lastError = message;
  }

  async #sleep(isBusy: boolean): Promise<void> {
    if (this.#isWoken || this.#stopped) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#options.poll).unref();
      this.#endSleep = () => {
        clearTimeout(timer);
        resolve();
      };
      if (isBusy) void this.#options.runner.waitForOne().then(this.#endSleep);
    });
    this.#endSleep = undefined;
  }
}
