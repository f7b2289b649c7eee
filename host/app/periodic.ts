import { messageOf } from "framewright/kernel";
import type { Logger } from "./log.ts";
import type { Registrant } from "./registrant.ts";

interface Task {
  readonly plugin: string;
  readonly milliseconds: number;
  readonly work: () => unknown;
}

/**
 * Work that plugins repeat while the application serves, such as deleting what is old. Of the workers of one
 * `fw start` only the first does it; on each of several machines one does, so that it must do no harm twice.
 */
export class PeriodicWork {
  readonly #registrant: Registrant;
  readonly #log: Logger;
  readonly #tasks: Task[] = [];
  #timers: NodeJS.Timeout[] = [];

  constructor(registrant: Registrant, log: Logger) {
    this.#registrant = registrant;
    this.#log = log;
  }

  /**
   * Adds work in a plugin's `apply`: `services.host.periodic.add(3_600_000, () => sweep())`. One that takes longer than
   * the milliseconds is not started again meanwhile; one that fails is logged under its plugin's name.
   * @throws FW_REGISTERED_LATE outside of `apply`
   */
  add(milliseconds: number, work: () => unknown): void {
    this.#tasks.push({ plugin: this.#registrant.name("host.periodic.add"), milliseconds, work });
  }

  start(): void {
    this.#timers = this.#tasks.map((task) => {
      let isRunning = false;
      return setInterval(async () => {
        if (isRunning) return;
        isRunning = true;
        await this.#run(task);
        isRunning = false;
      }, task.milliseconds).unref();
    });
  }
  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#timers = [];
  }

  async #run({ plugin, work }: Task): Promise<void> {
    try {
      await work();
    } catch (err) {
      this.#log.warn({ err, plugin }, `periodic work of the plugin "${plugin}" failed: ${messageOf(err)}`);
    }
  }
}
