import { messageOf } from "framewright/kernel";
import type { Log, Runner } from "./runner.ts";
import type { Scheduler } from "./schedules/scheduler.ts";

const SWEEP_INTERVAL_MS = 3_600_000;

export interface WorkerOptions {
  runner: Pick<Runner, "startDueJobs" | "waitForOne" | "hasCapacity" | "runningCount">;
  scheduler: Pick<Scheduler, "enqueueDue" | "wait">;
  /** Milliseconds between polls of the table, unless it is woken. */
  poll: number;
  /** Removes old rows. */
  sweep(): Promise<unknown>;
  log: Log;
}

/**
 * The loop of a serving process: stores the jobs of due schedules, runs due jobs, then sleeps until it is woken, a schedule
 * is due or the poll interval is over.
 */
export class Worker {
  readonly #options: WorkerOptions;
  #endSleep: (() => void) | undefined;
  #isWoken = false;
  #sweptAt = 0;
  /** What failed at the last poll, by the part of the loop. */
  readonly #failures = new Map<string, string>();
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
    const { runner, scheduler } = this.#options;
    await this.#attempt("schedules", () => scheduler.enqueueDue());
    const started = await this.#attempt("jobs", async () => {
      const count = await runner.startDueJobs();
      await this.#sweep();
      return count;
    });
    return started ?? 0;
  }

  /** Logs a failure once, not at every poll. */
  async #attempt<T>(part: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      const result = await work();
      this.#failures.delete(part);
      return result;
    } catch (error) {
      const message = messageOf(error);
      if (this.#failures.get(part) !== message) this.#options.log.warn({}, `${part} are waiting: ${message}`);
      this.#failures.set(part, message);
      return undefined;
    }
  }

  async #sweep(): Promise<void> {
    if (Date.now() - this.#sweptAt < SWEEP_INTERVAL_MS) return;
    await this.#options.sweep();
    this.#sweptAt = Date.now();
  }

  async #sleep(isBusy: boolean): Promise<void> {
    if (this.#isWoken || this.#stopped) return;
    await new Promise<void>((resolve) => {
      const { poll, scheduler } = this.#options;
      const timer = setTimeout(resolve, Math.min(poll, scheduler.wait)).unref();
      this.#endSleep = () => {
        clearTimeout(timer);
        resolve();
      };
      if (isBusy) void this.#options.runner.waitForOne().then(this.#endSleep);
    });
    this.#endSleep = undefined;
  }
}
