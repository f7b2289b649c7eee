import type { ObservedJob } from "framewright/host";
import { messageOf, type Registry } from "framewright/kernel";
import { delayAfter, type JobInfo, type Log, type PayloadSealer, type Work } from "framewright/plugins/jobs";
import { idOf, infoOf, type JobData, type QueuedJob, shortened } from "./job_data.ts";

/** Milliseconds until a job whose kind this process does not know is offered again: another release does it. */
const UNKNOWN_DELAY_MS = 5000;

export interface ProcessorOptions {
  kinds: Pick<Registry<Work>, "get" | "has">;
  sealer: PayloadSealer;
  log: Log;
  failed(info: JobInfo): void | Promise<void>;
  /** Runs the work of an attempt as its origin. */
  enter(job: ObservedJob, work: () => Promise<void>): Promise<void>;
}

/** Does one attempt of a job. What it throws is for BullMQ, which goes by the error's name. */
export class Processor {
  readonly #options: ProcessorOptions;
  /** Jobs whose work runs, with the token that locks each. */
  readonly running = new Map<QueuedJob, string>();

  constructor(options: ProcessorOptions) {
    this.#options = options;
  }

  async run(job: QueuedJob, token: string): Promise<void> {
    const { kinds } = this.#options;
    if (job.data.payload === null) return; // it is done: its process died before BullMQ knew
    if (!kinds.has(job.name)) {
      await job.moveToDelayed(Date.now() + UNKNOWN_DELAY_MS, token);
      throw named("DelayedError", "no plugin of this process defines the kind");
    }
    const attempt = job.data.attempts + 1;
    if (attempt > job.data.maxAttempts)
      throw await this.#failure(job, "the process that ran it died at each attempt", true);
    await job.updateData({ ...job.data, attempts: attempt });
    this.running.set(job, token);
    try {
      await this.#work(job, attempt);
    } catch (error) {
      throw await this.#failure(job, messageOf(error), attempt >= job.data.maxAttempts);
    } finally {
      this.running.delete(job);
    }
    const { error: _, ...data } = job.data;
    await job.updateData({ ...data, payload: null });
  }

  /** When the next attempt of a failed one is due, in milliseconds from now. */
  static delayOf(data: JobData): number {
    return Math.max(1, Math.round(data.runAt - Date.now()));
  }

  /** After a last attempt was recorded. */
  async announce(job: QueuedJob): Promise<void> {
    const { log, failed } = this.#options;
    try {
      await failed(infoOf(job, "failed"));
    } catch (error) {
      log.warn({ job: idOf(job) }, messageOf(error));
    }
  }

  async #work(job: QueuedJob, attempt: number): Promise<void> {
    const { kinds, sealer, log, enter } = this.#options;
    const { name: kind } = job;
    const id = idOf(job);
    const start = performance.now();
    const payload = sealer.open(kind, job.data.payload!);
    await enter({ job: kind, id, attempt }, async () => kinds.get(kind)!(payload, { id, attempt }));
    const took = performance.now() - start;
    log.info({ job: id, kind, attempt, took }, `job ${id} (${kind}) is done`);
  }

  async #failure(job: QueuedJob, message: string, isLast: boolean): Promise<Error> {
    const { data, name: kind } = job;
    const id = idOf(job);
    const next = new Date(Date.now() + delayAfter(data.attempts));
    const then = isLast ? "is not retried" : `is retried at ${next.toISOString()}`;
    const error = shortened(message);
    this.#options.log.warn(
      { job: id, kind, attempt: data.attempts },
      `job ${id} (${kind}) failed and ${then}: ${error}`,
    );
    await job.updateData({ ...data, error, runAt: isLast ? data.runAt : next.getTime() });
    return named(isLast ? "UnrecoverableError" : "Error", error);
  }
}

const named = (name: string, message: string): Error => Object.assign(new Error(message), { name });
