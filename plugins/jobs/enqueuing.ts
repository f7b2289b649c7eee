import { type Registry, suggest } from "framewright/kernel";
import type { Jobs, Work } from "./contract.ts";
import { errors } from "./errors.ts";
import type { PayloadSealer } from "./payload_encryption.ts";
import type { Scheduler } from "./schedules/scheduler.ts";
import type { JobStore } from "./store.ts";

/** What enqueueing takes. */
export interface EnqueuingParts {
  store: JobStore;
  sealer: PayloadSealer;
  kinds: Registry<Work>;
  scheduler: Scheduler;
  registrant(): string | undefined;
  /** Called when there is a new row. */
  wake(): void;
}

/** What every filler of the slot "jobs" does alike whose jobs begin as rows: defining, enqueueing and scheduling them. */
export function enqueuing(parts: EnqueuingParts): Pick<Jobs, "define" | "enqueue" | "every" | "schedules"> {
  const { store, sealer, kinds, scheduler, registrant, wake } = parts;
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
  };
}
