import { announce } from "framewright/host";
import { checkOptions, definePlugin, type OptionRule, option, type Plugin, SyncHook } from "framewright/kernel";
import type { JobHooks, JobInfo, Jobs, Work } from "./contract.ts";
import { sealer } from "./payload_encryption.ts";
import { type Log, Runner } from "./runner.ts";
import { jobsService } from "./service.ts";
import { JobStore } from "./store.ts";
import { Worker } from "./worker.ts";

export {
  type Attempt,
  type JobFilter,
  type JobHooks,
  type JobInfo,
  type JobOptions,
  type JobState,
  type Jobs,
  jobStates,
} from "./contract.ts";

declare module "framewright/kernel" {
  interface Slots {
    jobs: { service: Jobs; hooks: JobHooks };
  }
}

export interface JobsOptions {
  /** Milliseconds between looks at the table; a job of this process is begun at once. */
  poll?: number;
  /** How many this process does at a time. */
  concurrency?: number;
  /** Milliseconds after which the job of a process that died is another's; renewed while it runs. */
  lease?: number;
  /** false: a process that listens only stores jobs, and `fw jobs:work --watch` does them. */
  run?: boolean;
  /** Days that rows of done jobs are kept. */
  keep?: number;
}
const DAY = 86_400_000;
/** Milliseconds that running jobs may take once the application closes. */
const PATIENCE = 8000;

const positive: OptionRule = {
  expected: "a number above zero",
  check: (value) => typeof value === "number" && value > 0,
};

/** Jobs as rows of the database: done at least once, by one process at a time, and tried again when they fail. */
export function jobs(options: JobsOptions = {}): Plugin {
  const rules = { poll: positive, concurrency: positive, lease: positive, keep: option.number, run: option.boolean };
  checkOptions("jobs", options, rules);
  const { poll = 5000, concurrency = 4, lease = 60_000, run = true, keep = 7 } = options;
  return definePlugin({
    name: "jobs",
    requires: ["database"],
    provides: "jobs",
    hooks: (): JobHooks => ({ failed: new SyncHook(["info"]) }),
    apply({ services, hooks, settings, registrant }) {
      const kinds = new Map<string, Work>();
      const log: Log = services.host?.log ?? silent;
      const store = new JobStore(services.database, lease);
      const keys = sealer(settings.secrets);
      const failed = (info: JobInfo) => announce(hooks.jobs.failed, "jobs.failed", info, { log });
      const runner = new Runner({ store, sealer: keys, kinds, concurrency, lease, log, failed });
      const sweep = () => store.sweep(new Date(Date.now() - keep * DAY));
      const worker = new Worker({ runner, poll, sweep, log });
      if (run) hooks.host?.listening.tap("jobs", () => worker.start());
      hooks.host?.stopping.tap("jobs", () => void worker.stop());
      // Before anything is undone: what jobs use is open as long as they run.
      hooks.kernel.close.tapPromise("jobs", async () => {
        await Promise.all([runner.stop(PATIENCE), worker.stop()]);
      });
      return jobsService({ store, sealer: keys, kinds, runner, registrant, nudge: () => worker.nudge() });
    },
  });
}

const silent: Log = { error: () => undefined, warn: () => undefined, info: () => undefined };
