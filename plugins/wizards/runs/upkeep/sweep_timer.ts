import { randomUUID } from "node:crypto";
import { messageOf } from "framewright/kernel";
import type { RunEngine, WizardStore } from "../../contract/index.ts";

const HOUR_MS = 3_600_000;
/** Delay after the start, so that a deploy of many nodes does not begin with a sweep on each. */
const FIRST_SWEEP_MS = 60_000;
const LEASE = "sweep";

interface Parts {
  readonly engine: Pick<RunEngine, "sweep">;
  readonly store: Pick<WizardStore, "lease">;
  readonly log: { warn(facts: object, message: string): void };
  /** Milliseconds between two sweeps; an hour by default. */
  readonly everyMs?: number;
}

/** Sweeps at intervals in a process that serves requests; of several nodes, the one that has the lease. */
export class SweepTimer {
  readonly #parts: Parts;
  readonly #holder = `${process.pid}-${randomUUID()}`;
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }
  get #everyMs(): number {
    return this.#parts.everyMs ?? HOUR_MS;
  }

  start(): void {
    this.#schedule(Math.min(FIRST_SWEEP_MS, this.#everyMs));
  }
  /** Starts no further sweep, and waits for the current one. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#sweeping;
  }

  #schedule(milliseconds: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#sweeping = this.#sweep().finally(() => this.#schedule(this.#everyMs));
    }, milliseconds).unref();
  }
  async #sweep(): Promise<void> {
    const { engine, store, log } = this.#parts;
    try {
      const until = new Date(Date.now() + this.#everyMs * 0.9); // expires before this node's next sweep
      if (await store.lease(LEASE, this.#holder, until)) await engine.sweep();
    } catch (error) {
      if ((error as { code?: string }).code === "FW_WIZARDS_TABLE") return; // no tables, nothing to sweep
      log.warn({ err: error }, `the sweep of wizards failed: ${messageOf(error)}`);
    }
  }
}
