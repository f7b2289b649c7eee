import { messageOf } from "framewright/kernel";
import type { Log, Runner } from "./runner.ts";

const SWEEP_EVERY = 3_600_000;

export interface WorkerOptions {
  runner: Runner;
  /** Milliseconds between looks at the table when nobody nudges. */
  poll: number;
  /** Removes old rows. */
  sweep(): Promise<unknown>;
  log: Log;
}

/** The loop of a process that serves: does what is due, then rests until it is nudged or the time has come. */
export class Worker {
  readonly #options: WorkerOptions;
  #wake: (() => void) | undefined;
  #nudged = false;
  #sweptAt = 0;
  #trouble = "";
  #loop: Promise<void> | undefined;
  #stopped = false;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#loop ??= this.#work();
  }
  nudge(): void {
    this.#nudged = true;
    this.#wake?.();
  }
  async stop(): Promise<void> {
    this.#stopped = true;
    this.nudge();
    await this.#loop;
  }

  async #work(): Promise<void> {
    const { runner } = this.#options;
    while (!this.#stopped) {
      this.#nudged = false;
      const begun = await this.#look();
      if (begun > 0 && runner.hasRoom) continue; // there may be more
      await this.#rest(runner.running > 0);
    }
  }

  async #look(): Promise<number> {
    try {
      const begun = await this.#options.runner.fill();
      await this.#sweep();
      this.#trouble = "";
      return begun;
    } catch (error) {
      this.#complain(messageOf(error));
      return 0;
    }
  }

  async #sweep(): Promise<void> {
    if (Date.now() - this.#sweptAt < SWEEP_EVERY) return;
    await this.#options.sweep();
    this.#sweptAt = Date.now();
  }

  /** Says once what is wrong with the table, not at every look. */
  #complain(message: string): void {
    if (message !== this.#trouble) this.#options.log.warn({}, `jobs wait: ${message}`);
    this.#trouble = message;
  }

  async #rest(isBusy: boolean): Promise<void> {
    if (this.#nudged || this.#stopped) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#options.poll).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
      if (isBusy) void this.#options.runner.oneEnded().then(this.#wake);
    });
    this.#wake = undefined;
  }
}
