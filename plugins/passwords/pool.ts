import { availableParallelism } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { serviceUnavailable } from "framewright/host";
import { errors } from "./errors.ts";
import type { HashTask } from "./tasks.ts";

interface Job {
  task: HashTask;
  resolve(digest: Buffer): void;
  reject(error: unknown): void;
}
type Answer = { digest: Uint8Array } | { failure: string };

/** Leaves one core to the event loop. */
export const defaultWorkers = (): number => Math.max(1, availableParallelism() - 1);
/** Idle time after which a thread ends: it takes about 15 MB, and starts again in 100 ms. */
const IDLE_MS = 10_000;
/** About how many hashes a worker does per second, for Retry-After. */
const HASHES_PER_SECOND = 20;

/** A pool of hashing threads, started on demand. Idle ones end, and do not keep the process alive. */
export class HashPool {
  readonly #workers: number;
  readonly #queue: number;
  /** The idle threads, last used last, each with the timer that ends it. */
  readonly #idle = new Map<Worker, NodeJS.Timeout>();
  readonly #lifetime: number;
  readonly #busy = new Map<Worker, Job>();
  readonly #waiting: Job[] = [];
  #closed = false;

  constructor({ workers, queue, idle = IDLE_MS }: { workers: number; queue: number; idle?: number }) {
    this.#workers = workers;
    this.#queue = queue;
    this.#lifetime = idle;
  }

  /** The current number of threads. */
  get threads(): number {
    return this.#busy.size + this.#idle.size;
  }

  /** The tasks that are worked on, and those that wait. */
  get load(): { running: number; waiting: number } {
    return { running: this.#busy.size, waiting: this.#waiting.length };
  }

  /** @throws HttpError 503 with Retry-After when the queue is full */
  run(task: HashTask): Promise<Buffer> {
    if (this.#closed) return Promise.reject(serviceUnavailable());
    const worker = this.#takeIdle() ?? this.#start();
    if (!worker && this.#waiting.length >= this.#queue) {
      return Promise.reject(serviceUnavailable(Math.ceil(this.#queue / (HASHES_PER_SECOND * this.#workers))));
    }
    return new Promise((resolve, reject) => {
      const job = { task, resolve, reject };
      if (worker) this.#give(worker, job);
      else this.#waiting.push(job);
    });
  }

  /** Rejects waiting tasks, and ends the threads. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { reject } of this.#waiting.splice(0)) reject(serviceUnavailable());
    const threads = [...this.#idle.keys(), ...this.#busy.keys()];
    for (const end of this.#idle.values()) clearTimeout(end);
    this.#idle.clear();
    await Promise.all(threads.map((worker) => worker.terminate()));
  }

  /** Takes the thread that worked last, so that the others can end. */
  #takeIdle(): Worker | undefined {
    const worker = [...this.#idle.keys()].at(-1);
    if (worker) this.#wake(worker);
    return worker;
  }
  #rest(worker: Worker): void {
    const end = () => {
      this.#idle.delete(worker);
      void worker.terminate();
    };
    this.#idle.set(worker, setTimeout(end, this.#lifetime).unref());
  }
  #wake(worker: Worker): void {
    clearTimeout(this.#idle.get(worker));
    this.#idle.delete(worker);
  }

  #start(): Worker | undefined {
    if (this.threads >= this.#workers) return undefined;
    const worker = new Worker(join(import.meta.dirname, "worker.js"), { execArgv: [], stdin: false });
    let reason = "it was stopped";
    worker.on("message", (answer: Answer) => this.#done(worker, answer));
    worker.on("error", (error) => {
      reason = error.message;
    });
    worker.on("exit", () => this.#lost(worker, reason));
    return worker;
  }

  #give(worker: Worker, job: Job): void {
    this.#busy.set(worker, job);
    worker.ref(); // keeps the process alive until the hash is done
    worker.postMessage(job.task);
  }

  #done(worker: Worker, answer: Answer): void {
    const job = this.#busy.get(worker);
    this.#busy.delete(worker);
    worker.unref();
    const next = this.#waiting.shift();
    if (next) this.#give(worker, next);
    else this.#rest(worker);
    if ("digest" in answer) job?.resolve(Buffer.from(answer.digest));
    else job?.reject(errors.FW_PASSWORD_WORKER(answer.failure));
  }

  /** A thread that ended fails only its own task; a new one replaces it. */
  #lost(worker: Worker, reason: string): void {
    this.#busy.get(worker)?.reject(this.#closed ? serviceUnavailable() : errors.FW_PASSWORD_WORKER(reason));
    this.#busy.delete(worker);
    this.#wake(worker);
    const next = this.#closed ? undefined : this.#waiting.shift();
    if (next) this.#give(this.#start()!, next);
  }
}
