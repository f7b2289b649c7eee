import { announce, type ObservedJob, runJob } from "framewright/host";
import { checkOptions, definePlugin, option, type Plugin, Registry, SyncHook } from "framewright/kernel";
import { commands } from "./commands/index.ts";
import type { JobHooks, JobInfo, Work } from "./contract.ts";
import { errors } from "./errors.ts";
import { openPayloadSealer } from "./payload_encryption.ts";
import { jobSource } from "./personal_data.ts";
import { type Log, Runner } from "./runner.ts";
import { Scheduler } from "./schedules/scheduler.ts";
import { jobsService } from "./service.ts";
import { JobStore } from "./store.ts";
import { Worker } from "./worker.ts";

export { commands as jobCommands } from "./commands/index.ts";
export type { Work } from "./contract.ts";
export {
  type Attempt,
  type JobCount,
  type JobFilter,
  type JobHooks,
  type JobInfo,
  type JobOptions,
  type JobState,
  type Jobs,
  jobStates,
  type ScheduleInfo,
  type ScheduleOptions,
  type Timing,
} from "./contract.ts";
export { type EnqueuingParts, enqueuing } from "./enqueuing.ts";
export { errors as jobErrors } from "./errors.ts";
export { openPayloadSealer, type PayloadSealer } from "./payload_encryption.ts";
export { jobSource } from "./personal_data.ts";
export { delayAfter, type Log } from "./runner.ts";
export { Scheduler } from "./schedules/scheduler.ts";
export { type Claim, JobStore } from "./store.ts";
export { Worker } from "./worker.ts";

/** Options of `jobs()`. */
export interface JobsOptions {
  /** Milliseconds between polls of the table; a job that this process stores is started at once. */
  poll?: number;
  /** How many jobs this process runs at a time. */
  concurrency?: number;
  /** Milliseconds after which another process takes over the job of one that died; renewed while the job runs. */
  lease?: number;
  /** false: a serving process only stores jobs, and `fw jobs:work --watch` runs them. */
  run?: boolean;
  /** Days that rows of completed jobs are retained. */
  keep?: number;
}
/** Views and texts of the pages in `framewright/plugins/jobs/pages`, which each filler of the slot brings. */
export const jobsDirectory: string = import.meta.dirname;
const DAY_MS = 86_400_000;
/** How long running jobs may continue when the application closes. */
const CLOSE_TIMEOUT_MS = 8000;

/** Jobs as rows of the database: run at least once, by one process at a time, and retried when they fail. */
export function jobs(options: JobsOptions = {}): Plugin {
  const rules = {
    poll: option.positive,
    concurrency: option.positive,
    lease: option.positive,
    keep: option.number,
    run: option.boolean,
  };
  checkOptions("jobs", options, rules);
  const { poll = 5000, concurrency = 4, lease = 60_000, run = true, keep = 7 } = options;
  return definePlugin({
    name: "jobs",
    directory: jobsDirectory,
    commands,
    requires: ["database"],
    provides: "jobs",
    hooks: (): JobHooks => ({ failed: new SyncHook(["info"]) }),
    apply({ services, hooks, settings, registrant }) {
      const kinds = new Registry<Work>("the kind of job", registrant, { taken: errors.FW_JOB_KIND_TAKEN });
      const log: Log = services.host?.log ?? silentLog;
      const store = new JobStore(services.database, lease);
      const sealer = openPayloadSealer(settings.secrets);
      hooks.personal_data?.sources.tap("jobs", (sources) => sources.add(jobSource(store, sealer)));
      const failed = (info: JobInfo) => announce(hooks.jobs.failed, "jobs.failed", info, { log });
      const enter = (job: ObservedJob, work: () => Promise<void>) => runJob(services.host, job, work);
      const runner = new Runner({ store, sealer, kinds, concurrency, lease, log, failed, enter });
      const scheduler = new Scheduler({
        database: services.database,
        kinds,
        enqueue: ({ kind, payload, maxAttempts }, transaction) =>
          store.insert(kind, sealer.seal(kind, payload), { maxAttempts, transaction }),
      });
      const sweep = async () => {
        const before = new Date(Date.now() - keep * DAY_MS);
        await store.sweep(before);
        await scheduler.sweep(before);
      };
      const worker = new Worker({ runner, scheduler, poll, sweep, log });
      hooks.kernel.ready.tapPromise("jobs", () => scheduler.boot());
      if (run) hooks.host?.listening.tap("jobs", () => worker.start());
      hooks.host?.stopping.tap("jobs", () => void worker.stop());
      // Before other plugins close: what running jobs use must stay open.
      hooks.kernel.close.tapPromise("jobs", async () => {
        await Promise.all([runner.stop(CLOSE_TIMEOUT_MS), worker.stop()]);
      });
      return jobsService({ store, sealer, kinds, runner, scheduler, registrant, wake: () => worker.wake() });
    },
  });
}

const silentLog: Log = { error: () => undefined, warn: () => undefined, info: () => undefined };
