import type { Queue } from "bullmq";
import { decodeDate } from "framewright/plugins/database";
import type { Claim, JobFilter, JobInfo, JobState } from "framewright/plugins/jobs";
import type { Redis } from "framewright/plugins/redis";
import { infoOf, type JobData, type QueuedJob, queueId } from "./job_data.ts";
import { loadBullmq } from "./load_bullmq.ts";

/** The attempts of a job are counted in its data, so that those of processes that died count too; BullMQ never ends them. */
const ENDLESS = 1_000_000;
/** How many jobs of a state are looked through for a list. */
const MAX_LISTED = 1000;
const SWEPT_AT_ONCE = 1000;

const states: Readonly<Record<JobState, readonly ("wait" | "delayed" | "active" | "completed" | "failed")[]>> = {
  waiting: ["wait", "delayed"],
  running: ["active"],
  done: ["completed"],
  failed: ["failed"],
};

export interface JobQueueOptions {
  redis: Redis;
  name: string;
  prefix: string;
  /** Seconds that completed jobs are retained. */
  keep: number;
}

/** The jobs in Redis. Every method throws 503 when Redis is unavailable. */
export class JobQueue {
  readonly #options: JobQueueOptions;
  #queue: Promise<Queue<JobData>> | undefined;

  constructor(options: JobQueueOptions) {
    this.#options = options;
  }

  /** Adds a job of the outbox. One that is there already stays as it is: its id is the job's. */
  add({ id, kind, payload, max_attempts, created_at }: Claim): Promise<unknown> {
    const now = Date.now();
    const createdAt = (decodeDate(created_at) as Date).getTime();
    const data: JobData = { payload, attempts: 0, maxAttempts: Number(max_attempts), createdAt, runAt: now };
    return this.#run((queue) =>
      queue.add(kind, data, {
        jobId: queueId(id),
        attempts: ENDLESS,
        backoff: { type: "custom" },
        removeOnComplete: { age: this.#options.keep },
        stackTraceLimit: 0,
        timestamp: now,
      }),
    );
  }

  async list({ state, kind, limit = 100 }: JobFilter): Promise<JobInfo[]> {
    const wanted = state === undefined ? (Object.keys(states) as JobState[]) : [state];
    const found = await this.#run((queue) =>
      Promise.all(
        wanted.map(async (one) => {
          const jobs = await queue.getJobs([...states[one]], 0, MAX_LISTED - 1);
          return jobs.filter((job) => job !== undefined).map((job) => infoOf(job, one));
        }),
      ),
    );
    const all = found.flat().filter((info) => kind === undefined || info.kind === kind);
    return all.sort((a, b) => b.id - a.id).slice(0, limit);
  }
  /** Whether a job runs that this worker has taken. */
  async isRunningAt(worker: string): Promise<boolean> {
    const jobs = await this.#run((queue) => queue.getJobs(["active"]));
    return jobs.some((job) => job?.processedBy === worker);
  }

  /** Makes a job due now, with all its attempts; false where it neither waits nor has failed. */
  retry(id: number): Promise<boolean> {
    return this.#change(id, async (job, state) => {
      if (!["failed", "delayed", "waiting"].includes(state)) return false;
      await job.updateData({ ...job.data, attempts: 0, runAt: Date.now() });
      if (state === "failed") await job.retry("failed");
      if (state === "delayed") await job.promote();
      return true;
    });
  }
  /** Removes a job; false where there is none, or it runs. */
  discard(id: number): Promise<boolean> {
    return this.#change(id, async (job, state) => {
      if (state === "active") return false;
      await job.remove();
      return true;
    });
  }
  /** Removes jobs that were completed more than so many milliseconds ago. */
  sweep(age: number): Promise<unknown> {
    return this.#run((queue) => queue.clean(age, SWEPT_AT_ONCE, "completed"));
  }

  async close(): Promise<void> {
    await (await this.#queue?.catch(() => undefined))?.close().catch(() => undefined);
  }

  /** Another process may change the job meanwhile: BullMQ refuses what no longer fits. */
  #change(id: number, change: (job: QueuedJob, state: string) => Promise<boolean>): Promise<boolean> {
    return this.#run(async (queue) => {
      const job = await queue.getJob(queueId(id));
      if (!job) return false;
      try {
        return await change(job, await job.getState());
      } catch (error) {
        if (/^(?:Missing key|Job .*(?:not in|could not be removed|is locked))/.test((error as Error).message))
          return false;
        throw error;
      }
    });
  }

  #run<T>(work: (queue: Queue<JobData>) => Promise<T>): Promise<T> {
    return this.#options.redis.run(async (connection) => {
      if (connection.status !== "ready") await connection.ping(); // BullMQ would wait for a connection for as long as it takes
      this.#queue ??= this.#open(connection).catch((error: unknown) => {
        this.#queue = undefined;
        throw error;
      });
      return work(await this.#queue);
    });
  }
  async #open(connection: Parameters<Parameters<Redis["run"]>[0]>[0]): Promise<Queue<JobData>> {
    const { Queue } = await loadBullmq();
    const { name, prefix } = this.#options;
    const queue = new Queue<JobData>(name, { connection, prefix });
    queue.on("error", () => undefined); // commands report it
    await queue.waitUntilReady();
    return queue;
  }
}
