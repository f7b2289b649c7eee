import { announce, type ObservedJob, runJob } from "framewright/host";
import { checkOptions, definePlugin, option, type Plugin, Registry, SyncHook } from "framewright/kernel";
import {
  type JobHooks,
  type JobInfo,
  JobStore,
  jobCommands,
  jobErrors,
  jobSource,
  jobsDirectory,
  type Log,
  openPayloadSealer,
  Scheduler,
  type Work,
  Worker,
} from "framewright/plugins/jobs";
import { Consumer } from "./consumer.ts";
import { JobQueue } from "./job_queue.ts";
import { loadBullmq } from "./load_bullmq.ts";
import { Processor } from "./processor.ts";
import { Relay } from "./relay.ts";
import { bullmqService } from "./service.ts";

/** Options of `bullmq()`. */
export interface BullmqOptions {
  /** The name of the queue; "jobs" by default. */
  queue?: string;
  /** Milliseconds between two looks for rows that another process left; this process relays its own at once. */
  poll?: number;
  /** How many jobs this process runs at a time. */
  concurrency?: number;
  /** Milliseconds after which another process takes over the job of one that died; renewed while the job runs. */
  lease?: number;
  /** false: a serving process only enqueues jobs, and `fw jobs:work --watch` runs them. */
  run?: boolean;
  /** Days that completed jobs are retained. */
  keep?: number;
}
const DAY_MS = 86_400_000;
/** Milliseconds after which another process relays the row of one that died while it did. */
const RELAY_LEASE_MS = 10_000;
/** How long running jobs may continue when the application closes. */
const CLOSE_TIMEOUT_MS = 7000;

const silentLog: Log = { error: () => undefined, warn: () => undefined, info: () => undefined };

/** Jobs in Redis, by BullMQ: they are rows until their transaction is committed and they are due. */
export function bullmq(options: BullmqOptions = {}): Plugin {
  const numbers = { poll: option.positive, concurrency: option.positive, lease: option.positive, keep: option.number };
  checkOptions("bullmq", options, { ...numbers, queue: option.string, run: option.boolean });
  const { queue: name = "jobs", poll = 5000, concurrency = 4, lease = 60_000, run = true, keep = 7 } = options;
  return definePlugin({
    name: "bullmq",
    directory: jobsDirectory,
    commands: jobCommands,
    requires: ["database", "redis"],
    provides: "jobs",
    replaces: true,
    hooks: (): JobHooks => ({ failed: new SyncHook(["info"]) }),
    apply({ services, hooks, settings, registrant }) {
      const { database, redis } = services;
      const kinds = new Registry<Work>("the kind of job", registrant, { taken: jobErrors.FW_JOB_KIND_TAKEN });
      const log: Log = services.host?.log ?? silentLog;
      const store = new JobStore(database, RELAY_LEASE_MS);
      const sealer = openPayloadSealer(settings.secrets);
      hooks.personal_data?.sources.tap("bullmq", (sources) => sources.add(jobSource(store, sealer)));
      const place = { redis, name, prefix: redis.key("queue") };
      const queue = new JobQueue({ ...place, keep: keep * (DAY_MS / 1000) });
      const failed = (info: JobInfo) => announce(hooks.jobs.failed, "jobs.failed", info, { log });
      const enter = (job: ObservedJob, work: () => Promise<void>) => runJob(services.host, job, work);
      const processor = new Processor({ kinds, sealer, log, failed, enter });
      const consumer = new Consumer({ ...place, queue, concurrency, lease, processor, log });
      const scheduler = new Scheduler({
        database,
        kinds,
        enqueue: ({ kind, payload, maxAttempts }, transaction) =>
          store.insert(kind, sealer.seal(kind, payload), { maxAttempts, transaction }),
      });
      const sweep = async () => {
        const before = new Date(Date.now() - keep * DAY_MS);
        await Promise.all([store.sweep(before), scheduler.sweep(before), queue.sweep(keep * DAY_MS)]);
      };
      const relay = new Relay(store, queue, kinds);
      const worker = new Worker({ runner: relay, scheduler, poll, sweep, log });
      hooks.kernel.boot.tapPromise("bullmq", async () => void (await loadBullmq()));
      hooks.kernel.ready.tapPromise("bullmq", () => scheduler.boot());
      hooks.host?.listening.tap("bullmq", () => {
        worker.start();
        if (run) consumer.start();
      });
      hooks.host?.stopping.tap("bullmq", () => void worker.stop());
      // Before other plugins close: what running jobs use must stay open.
      hooks.kernel.close.tapPromise("bullmq", async () => {
        await Promise.all([consumer.stop(CLOSE_TIMEOUT_MS), worker.stop()]);
        await queue.close();
      });
      const wake = () => worker.wake();
      return bullmqService({ store, queue, relay, consumer, scheduler, sealer, kinds, registrant, wake });
    },
  });
}
