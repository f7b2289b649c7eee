import type { Worker } from "node:cluster";
import type { Logger } from "framewright/host";
import { endedWith, retire } from "./processes.ts";
import { WorkerSlot } from "./worker_slot.ts";

/** How long workers have to end once the supervisor was signalled to stop; a worker itself gives up after 30 s. */
const STOP_MS = 35_000;

/**
 * Keeps a number of processes serving one address: it replaces one that dies, and all of them, one after the other, when
 * it is signalled to reload. It never loads the application itself.
 */
export class Supervisor {
  readonly #slots: readonly WorkerSlot[];
  readonly #log: Logger;
  #signals = 0;
  #isStopping = false;
  #reloads: Promise<void> = Promise.resolve();
  #end!: (code: number) => void;
  /** The exit code, once it is over. */
  readonly ended = new Promise<number>((resolve) => {
    this.#end = resolve;
  });

  constructor(count: number, log: Logger) {
    this.#log = log;
    const died = (slot: WorkerSlot, worker: Worker) => this.#died(slot, worker);
    this.#slots = Array.from({ length: count }, (_, index) => new WorkerSlot(index + 1, count, died));
  }

  /**
   * Starts every worker, and gives the address; undefined when it was stopped meanwhile.
   * @throws FW_WORKER_BOOT when one can't serve; the others are ended then
   */
  async start(): Promise<string | undefined> {
    try {
      const booted = Promise.all(this.#slots.map((slot) => slot.start()));
      this.#reloads = booted.then(() => undefined).catch(() => undefined);
      return (await booted)[0];
    } catch (error) {
      await this.#stopWorkers();
      if (this.#signals > 0) return undefined;
      throw error;
    }
  }

  /** Replaces the workers one by one; each serves until its successor does. A call while another runs follows it. */
  reload(): Promise<void> {
    this.#reloads = this.#reloads.then(() => this.#reload());
    return this.#reloads;
  }

  async #reload(): Promise<void> {
    if (this.#isStopping) return;
    this.#log.info({}, "reload: workers are replaced one by one");
    for (const slot of this.#slots) {
      if (this.#isStopping) return;
      try {
        await slot.replace();
      } catch (error) {
        this.#log.error(
          { err: error },
          "reload ended: what was started can't serve, and the workers that are left go on",
        );
        return;
      }
    }
    this.#log.info({}, "reload: all workers are replaced");
  }

  /** Lets the workers finish what they do; on a third request, it ends them. */
  async stop(signal: "SIGTERM" | "SIGINT"): Promise<void> {
    this.#signals++;
    if (this.#signals === 1) this.#end((await this.#stopWorkers()) ? 0 : 1);
    if (this.#signals !== 3) return;
    for (const worker of this.#workers()) worker.process.kill("SIGKILL");
    this.#end(signal === "SIGINT" ? 130 : 143);
  }

  /** Whether all of them ended in time. */
  async #stopWorkers(): Promise<boolean> {
    this.#isStopping = true;
    for (const slot of this.#slots) slot.close();
    const ends = this.#workers().map((worker) => retire(worker, () => worker.process.kill("SIGTERM"), STOP_MS));
    return (await Promise.all(ends)).every(Boolean);
  }

  #workers(): Worker[] {
    return this.#slots.flatMap(({ workers }) => workers);
  }

  #died(slot: WorkerSlot, worker: Worker): void {
    if (this.#isStopping) return;
    const facts = { worker: slot.index, workerPid: worker.process.pid };
    this.#log.error(facts, `worker ${slot.index} ended with ${endedWith(worker)}, and is started again`);
    void this.#restart(slot);
  }

  /** Tries until it serves, as long as another does. */
  async #restart(slot: WorkerSlot): Promise<void> {
    try {
      await slot.restart();
    } catch (error) {
      if (this.#isStopping) return;
      this.#log.error({ err: error }, `worker ${slot.index} can't serve`);
      if (this.#slots.some(({ isServing }) => isServing)) return this.#restart(slot);
      this.#log.fatal({}, "no worker serves");
      await this.#stopWorkers();
      this.#end(1);
    }
  }
}
