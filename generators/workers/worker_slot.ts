import type { Worker } from "node:cluster";
import { setTimeout as sleep } from "node:timers/promises";
import { DRAIN } from "./messages.ts";
import { fork, retire } from "./processes.ts";

/** A worker that dies later than this after its start is replaced at once. */
const STEADY_MS = 60_000;
const MAX_DELAY_MS = 30_000;
/** How long a worker with a successor may take to end: its idle connections, then its last requests. */
const DRAIN_MS = 40_000;

/** One place of a supervisor: the process that serves in it, and its successor while it is replaced. */
export class WorkerSlot {
  /** From 1. */
  readonly index: number;
  readonly #count: number;
  readonly #died: (slot: WorkerSlot, worker: Worker) => void;
  readonly #workers = new Set<Worker>();
  #serving: Worker | undefined;
  #startedAt = 0;
  #deaths = 0;
  #waiting: AbortController | undefined;
  #isClosed = false;

  /** `died` is called when the process that serves ends without a request to. */
  constructor(index: number, count: number, died: (slot: WorkerSlot, worker: Worker) => void) {
    this.index = index;
    this.#count = count;
    this.#died = died;
  }

  /** The processes of this place: none, one, or two while it is replaced. */
  get workers(): readonly Worker[] {
    return [...this.#workers];
  }
  get isServing(): boolean {
    return this.#serving !== undefined;
  }

  /** Starts the process, and gives its address. @throws FW_WORKER_BOOT */
  async start(): Promise<string> {
    this.#startedAt = Date.now();
    const { worker, url } = await fork(this.index, this.#count, (forked) => this.#follow(forked));
    this.#serving = worker;
    return url;
  }

  /** Starts it again after it died: at once, then after 1, 2, 4 … 30 seconds while it keeps dying. @throws FW_WORKER_BOOT */
  async restart(): Promise<void> {
    if (Date.now() - this.#startedAt > STEADY_MS) this.#deaths = 0;
    const delay = this.#deaths === 0 ? 0 : Math.min(MAX_DELAY_MS, 1000 * 2 ** (this.#deaths - 1));
    this.#deaths++;
    this.#waiting = new AbortController();
    await sleep(delay, undefined, { signal: this.#waiting.signal }).catch(() => undefined);
    if (!this.#isClosed && !this.isServing) await this.start();
  }

  /** Starts a successor, then lets the process end. @throws FW_WORKER_BOOT, and the process goes on serving */
  async replace(): Promise<void> {
    const old = this.#serving;
    await this.start();
    this.#deaths = 0;
    if (old) await retire(old, () => old.send(DRAIN), DRAIN_MS);
  }

  /** From now on nothing is started. */
  close(): void {
    this.#isClosed = true;
    this.#waiting?.abort();
  }

  #follow(worker: Worker): void {
    this.#workers.add(worker);
    worker.once("exit", () => {
      this.#workers.delete(worker);
      if (this.#serving !== worker) return;
      this.#serving = undefined;
      this.#died(this, worker);
    });
  }
}
