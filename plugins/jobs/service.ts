import type { Jobs } from "./contract.ts";
import { type EnqueuingParts, enqueuing } from "./enqueuing.ts";
import type { Runner } from "./runner.ts";

interface Parts extends EnqueuingParts {
  runner: Runner;
}

export function jobsService(parts: Parts): Jobs {
  const { store, runner, scheduler, wake } = parts;
  return {
    ...enqueuing(parts),
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
