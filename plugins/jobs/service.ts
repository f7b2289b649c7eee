import { suggest } from "framewright/kernel";
import type { Jobs, Work } from "./contract.ts";
import { errors } from "./errors.ts";
import type { Sealer } from "./payload_encryption.ts";
import type { Runner } from "./runner.ts";
import type { JobStore } from "./store.ts";

interface Parts {
  store: JobStore;
  sealer: Sealer;
  kinds: Map<string, Work>;
  registrant(): string | undefined;
  runner: Runner;
  /** There is something to do. */
  nudge(): void;
}

export function jobsService({ store, sealer, kinds, runner, nudge, registrant }: Parts): Jobs {
  const owners = new Map<string, string>();
  return {
    define(kind, work) {
      const owner = registrant() ?? "the application";
      if (kinds.has(kind)) throw errors.FW_JOB_KIND_TAKEN(kind, owners.get(kind)!, owner);
      owners.set(kind, owner);
      kinds.set(kind, work as Work);
    },
    async enqueue(kind, payload, options = {}) {
      if (!kinds.has(kind)) throw errors.FW_JOB_KIND_UNKNOWN(kind, suggest(kind, kinds.keys()));
      const id = await store.insert(kind, sealer.seal(kind, payload), options);
      const committed = options.transaction?.executionPromise;
      if (committed) void committed.then(nudge, () => undefined);
      else nudge();
      return id;
    },
    list: (filter = {}) => store.list(filter),
    async retry(id) {
      const found = await store.retry(id);
      if (found) nudge();
      return found;
    },
    discard: (id) => store.discard(id),
    async drain() {
      const before = runner.ended;
      for (;;) {
        const begun = await runner.fill();
        if (runner.running > 0) await runner.oneEnded();
        else if (begun === 0) return runner.ended - before;
      }
    },
  };
}
