import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Worker } from "bullmq";
import type { Log } from "framewright/plugins/jobs";
import type { Redis, RedisClient } from "framewright/plugins/redis";
import type { JobData, QueuedJob } from "./job_data.ts";
import type { JobQueue } from "./job_queue.ts";
import { loadBullmq } from "./load_bullmq.ts";
import { Processor } from "./processor.ts";

/** Jobs whose process died are counted by their attempts: BullMQ never gives one up for that. */
const ENDLESS = 1_000_000;
const RETRY_MS = 1000;
/** Milliseconds between two looks whether this process still does a job. */
const WAIT_MS = 20;
/** How long Redis is waited for when the application closes, in milliseconds. */
const FAREWELL_MS = 1000;

export interface ConsumerOptions {
  redis: Redis;
  queue: JobQueue;
  name: string;
  prefix: string;
  concurrency: number;
  /** Milliseconds. */
  lease: number;
  processor: Processor;
  log: Log;
}

/** Takes due jobs from Redis and does them: in a loop of BullMQ while the process serves, or those that are due. */
export class Consumer {
  readonly #options: ConsumerOptions;
  /** What jobs that this process does have as `processedBy`. */
  readonly #holder = `${process.pid}-${randomUUID()}`;
  readonly #fetched = new Set<Promise<unknown>>();
  #worker: Promise<Worker<JobData>> | undefined;
  /** The worker of `#worker` from its construction on: it has a connection of its own, ready or not. */
  #constructed: Worker<JobData> | undefined;
  #connection: RedisClient | undefined;
  #stopped = false;
  /** How many jobs ended, successfully or not. */
  endedCount = 0;

  constructor(options: ConsumerOptions) {
    this.#options = options;
  }

  /** Does jobs until it is stopped; waits for Redis where it is unavailable. */
  start(): void {
    void this.#run();
  }
  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        const worker = await this.#open();
        if (!this.#stopped) await worker.run();
        return;
      } catch (error) {
        if (!this.#stopped) this.#options.log.warn({}, `jobs are waiting: ${(error as Error).message}`);
        this.#worker = undefined;
        await sleep(RETRY_MS);
      }
    }
  }

  /** Does the jobs that are due, and waits for those that this process does; false where there were none. @throws 503 when Redis is unavailable */
  async drain(): Promise<boolean> {
    const { redis, queue, concurrency } = this.#options;
    await redis.run((client) => client.ping());
    const worker = await this.#open();
    let found = false;
    const fetchAll = async () => {
      while (!this.#stopped && (await this.#doNext(worker))) found = true;
    };
    await Promise.all(Array.from({ length: concurrency }, fetchAll));
    while (!this.#stopped && (await queue.isRunningAt(this.#holder))) {
      found = true;
      await sleep(WAIT_MS);
    }
    return found;
  }

  async #doNext(worker: Worker<JobData>): Promise<boolean> {
    const token = randomUUID();
    const job = await worker.getNextJob(token, { block: false });
    if (!job) return false;
    const done = this.#do(job, token);
    this.#fetched.add(done);
    await done.finally(() => this.#fetched.delete(done));
    return true;
  }
  /** As BullMQ's own loop: the lock is renewed while the work runs, then the end is recorded. */
  async #do(job: QueuedJob, token: string): Promise<void> {
    const { lease, processor } = this.#options;
    const renewal = setInterval(() => void job.extendLock(token, lease).catch(() => undefined), lease / 3).unref();
    try {
      const failure = await processor.run(job, token).then(
        () => undefined,
        (error: Error) => error,
      );
      if (failure?.name === "DelayedError") return;
      if (failure) await job.moveToFailed(failure, token, false);
      else await job.moveToCompleted(null, token, false);
      this.endedCount++;
      if (failure?.name === "UnrecoverableError") await processor.announce(job);
    } finally {
      clearInterval(renewal);
    }
  }

  /** Starts no more jobs, waits for the running ones, and releases those that do not end in time. */
  async stop(milliseconds: number): Promise<void> {
    this.#stopped = true;
    const { processor } = this.#options;
    const isReady = this.#connection?.status === "ready";
    await within(milliseconds, Promise.all([isReady && this.#constructed?.pause(), ...this.#fetched]));
    for (const [job, token] of processor.running) {
      await within(FAREWELL_MS, release(job, token));
    }
    await this.#closeWorker();
    this.#connection?.disconnect();
  }
  /** Closed by force, its connection ends too where Redis is down; otherwise it would try to reconnect for ever. */
  async #closeWorker(): Promise<void> {
    const worker = this.#constructed;
    this.#constructed = undefined;
    if (worker) await within(FAREWELL_MS, worker.close(true));
  }

  #open(): Promise<Worker<JobData>> {
    this.#worker ??= this.#create();
    return this.#worker;
  }
  async #create(): Promise<Worker<JobData>> {
    const { Worker } = await loadBullmq();
    const { redis, name, prefix, concurrency, lease, processor, log } = this.#options;
    this.#connection ??= await redis.connect({ maxRetriesPerRequest: null }); // what was done is recorded when Redis is back
    await this.#connection.ping();
    if (this.#stopped) throw new Error("the application closes");
    await this.#closeWorker(); // of an attempt that failed
    const worker = new Worker<JobData>(name, (job, token) => processor.run(job, token!), {
      connection: this.#connection,
      prefix,
      concurrency,
      autorun: false,
      name: this.#holder,
      lockDuration: lease,
      stalledInterval: lease / 2,
      maxStalledCount: ENDLESS,
      runRetryDelay: RETRY_MS,
      settings: { backoffStrategy: (_attempts, _type, _error, job) => Processor.delayOf(job!.data) },
    });
    this.#constructed = worker;
    worker.on("error", (error) => {
      if (/lock/i.test(error.message)) log.warn({}, `jobs: ${error.message}`); // the connection's are logged where it is
    });
    worker.on("completed", () => void this.endedCount++);
    worker.on("failed", (job) => {
      this.endedCount++;
      if (job?.finishedOn !== undefined) void processor.announce(job);
    });
    await worker.waitUntilReady();
    await worker.startStalledCheckTimer();
    return worker;
  }
}

/** A job as if it had not been started. */
async function release(job: QueuedJob, token: string): Promise<void> {
  await job.updateData({ ...job.data, attempts: job.data.attempts - 1 });
  await job.moveToWait(token);
}

/** Waits for work, whatever becomes of it, but not longer. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  const timeout = new AbortController();
  const ended = work.then(
    () => timeout.abort(),
    () => timeout.abort(),
  );
  await Promise.race([ended, sleep(milliseconds, undefined, { signal: timeout.signal }).catch(() => undefined)]);
}
