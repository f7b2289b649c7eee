import { randomUUID } from "node:crypto";
import type { RunEngine, WizardStore } from "../../contract/index.ts";

const LEASE = "sweep";

interface Parts {
  readonly engine: Pick<RunEngine, "sweep">;
  readonly store: Pick<WizardStore, "lease">;
  /** Milliseconds between two sweeps. */
  readonly everyMs: number;
}

/** A sweep that one of several nodes does: the one that has the lease. */
export function leasedSweep({ engine, store, everyMs }: Parts): () => Promise<void> {
  const holder = `${process.pid}-${randomUUID()}`;
  return async () => {
    try {
      const until = new Date(Date.now() + everyMs * 0.9); // expires before this node's next sweep
      if (await store.lease(LEASE, holder, until)) await engine.sweep();
    } catch (error) {
      if ((error as { code?: string }).code !== "FW_WIZARDS_TABLE") throw error; // no tables, nothing to sweep
    }
  };
}
