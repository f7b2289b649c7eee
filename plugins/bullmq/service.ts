import {
  type EnqueuingParts,
  enqueuing,
  type JobFilter,
  type JobInfo,
  type JobStore,
  type Jobs,
} from "framewright/plugins/jobs";
import type { Consumer } from "./consumer.ts";
import type { JobQueue } from "./job_queue.ts";
import type { Relay } from "./relay.ts";

/** The store is the outbox: jobs that wait for their commit, or for being due. */
interface Parts extends EnqueuingParts {
  queue: JobQueue;
  relay: Relay;
  consumer: Consumer;
}

export function bullmqService(parts: Parts): Jobs {
  const { store, queue, relay, consumer, scheduler, wake } = parts;
  return {
    ...enqueuing(parts),
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
