import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "framewright/kernel";
import type { Logger } from "./log.ts";
import type { Registrant } from "./registrant.ts";

interface Task {
  readonly plugin: string;
  readonly milliseconds: number;
  readonly work: () => unknown;
}

/** Delay of the first run, so that a deploy of many machines does not begin with such work on each. */
const MAX_FIRST_MS = 60_000;

/**
 * Work that plugins repeat while the application serves, such as deleting what is old. Of the workers of one
 * `fw start` only the first does it; on each of several machines one does, so that it must do no harm twice.
 */
export class PeriodicWork {
  readonly #registrant: Registrant;
  readonly #log: Logger;
  readonly #tasks: Task[] = [];
  readonly #timers = new Map<Task, NodeJS.Timeout>();
  readonly #running = new Map<Task, Promise<void>>();
  #isStopped = false;

  constructor(registrant: Registrant, log: Logger) {
    this.#registrant = registrant;
    this.#log = log;
  }

  /**
   * Adds work in a plugin's `apply`: `services.host.periodic.add(3_600_000, () => sweep())`. It runs first after a minute at
   * most, then so long after each run; one that fails is logged under its plugin's name. A shutdown waits for it.
   * @throws FW_REGISTERED_LATE outside of `apply`
   */
  add(milliseconds: number, work: () => unknown): void {
    this.#tasks.push({ plugin: this.#registrant.name("host.periodic.add"), milliseconds, work });
  }

  start(): void {
    for (const task of this.#tasks) this.#schedule(task, Math.min(task.milliseconds, MAX_FIRST_MS));
  }
  /** Starts no further work, and waits so long for what runs. */
  async stop(milliseconds: number): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    const waited = new AbortController();
    const late = sleep(milliseconds, undefined, waited).catch(() => undefined);
    await Promise.race([Promise.all(this.#running.values()), late]);
    waited.abort();
    for (const { plugin } of this.#running.keys())
      this.#log.warn({ plugin }, `periodic work of the plugin "${plugin}" was not done within ${milliseconds} ms`);
  }

  #schedule(task: Task, milliseconds: number): void {
    const begin = () => {
      const run = this.#run(task).then(() => {
        this.#running.delete(task);
        if (!this.#isStopped) this.#schedule(task, task.milliseconds);
      });
      this.#running.set(task, run);
    };
    this.#timers.set(task, setTimeout(begin, milliseconds).unref());
  }

  async #run({ plugin, work }: Task): Promise<void> {
    try {
      await work();
    } catch (err) {
      this.#log.warn({ err, plugin }, `periodic work of the plugin "${plugin}" failed: ${messageOf(err)}`);
    }
  }
}
