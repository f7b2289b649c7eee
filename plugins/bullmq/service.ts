import { type Registry, suggest } from "framewright/kernel";
import {
  type JobFilter,
  type JobInfo,
  type JobStore,
  type Jobs,
  jobErrors,
  type PayloadSealer,
  type Scheduler,
  type Work,
} from "framewright/plugins/jobs";
import type { Consumer } from "./consumer.ts";
import type { JobQueue } from "./job_queue.ts";
import type { Relay } from "./relay.ts";

interface Parts {
  /** The outbox: jobs that wait for their commit, or for being due. */
  store: JobStore;
  queue: JobQueue;
  relay: Relay;
  consumer: Consumer;
  scheduler: Scheduler;
  sealer: PayloadSealer;
  kinds: Registry<Work>;
  registrant(): string | undefined;
  /** Called when there is a new row to relay. */
  wake(): void;
}

export function bullmqService(parts: Parts): Jobs {
  const { store, queue, relay, consumer, scheduler, sealer, kinds, registrant, wake } = parts;
  return {
    define: (kind, work) => kinds.add(kind, work as Work),
    async enqueue(kind, payload, options = {}) {
      if (!kinds.has(kind)) throw jobErrors.FW_JOB_KIND_UNKNOWN(kind, suggest(kind, kinds.names()));
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
    async list(filter = {}) {
      const found = new Map<number, JobInfo>();
      // The rows first: a job that is relayed meanwhile is found twice, not never.
      for (const info of await rowsOf(store, filter)) found.set(info.id, info);
      for (const info of await queue.list(filter)) found.set(info.id, info);
      return [...found.values()].sort((a, b) => b.id - a.id).slice(0, filter.limit ?? 100);
    },
    async retry(id) {
      const found = (await store.retry(id)) || (await queue.retry(id));
      if (found) wake();
      return found;
    },
    async discard(id) {
      const isRow = await store.discard(id);
      return (await queue.discard(id)) || isRow;
    },
    async drain() {
      const before = consumer.endedCount;
      for (;;) {
        let count = await scheduler.enqueueDue();
        count += await relay.startDueJobs();
        // One that was done meanwhile may have enqueued another.
        if (!(await consumer.drain()) && count === 0) return consumer.endedCount - before;
      }
    },
  };
}

/** The jobs that are rows still; one that is being relayed has not started. */
async function rowsOf(store: JobStore, filter: JobFilter): Promise<JobInfo[]> {
  if (filter.state === "running") return [];
  const relayed = filter.state === "waiting" ? await store.list({ ...filter, state: "running" }) : [];
  const rows = [...(await store.list(filter)), ...relayed];
  return rows.map((info) => (info.state === "running" ? { ...info, state: "waiting", attempts: 0 } : info));
}
