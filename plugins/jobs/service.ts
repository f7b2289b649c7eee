import { type Registry, suggest } from "framewright/kernel";
import type { Jobs, Work } from "./contract.ts";
import { errors } from "./errors.ts";
import type { PayloadSealer } from "./payload_encryption.ts";
import type { Runner } from "./runner.ts";
import type { Scheduler } from "./schedules/scheduler.ts";
import type { JobStore } from "./store.ts";

interface Parts {
  store: JobStore;
  sealer: PayloadSealer;
  kinds: Registry<Work>;
  registrant(): string | undefined;
  runner: Runner;
  scheduler: Scheduler;
  /** Called when there is a new job to run. */
  wake(): void;
}

export function jobsService({ store, sealer, kinds, runner, scheduler, wake, registrant }: Parts): Jobs {
  return {
    define: (kind, work) => kinds.add(kind, work as Work),
    async enqueue(kind, payload, options = {}) {
      if (!kinds.has(kind)) throw errors.FW_JOB_KIND_UNKNOWN(kind, suggest(kind, kinds.names()));
      const id = await store.insert(kind, sealer.seal(kind, payload), options);
      const committed = options.transaction?.executionPromise;
      if (committed) void committed.then(wake, () => undefined);
      else wake();
      return id;
    },
    every(name, options) {
      scheduler.declare(name, registrant() ?? "the application", options);
      wake();
    },
    schedules: () => scheduler.list(),
    list: (filter = {}) => store.list(filter),
    counts: () => store.counts(),
    async retry(id) {
      const found = await store.retry(id);
      if (found) wake();
      return found;
    },
    discard: (id) => store.discard(id),
    async drain() {
      const before = runner.endedCount;
      for (;;) {
        const ended = runner.endedCount;
        await scheduler.enqueueDue();
        const started = await runner.startDueJobs();
        if (runner.runningCount > 0) await runner.waitForOne();
        // One that ended during the query may have enqueued another after it.
        else if (started === 0 && ended === runner.endedCount) return ended - before;
      }
    },
  };
}
