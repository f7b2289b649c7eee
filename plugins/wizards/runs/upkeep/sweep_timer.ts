import { randomUUID } from "node:crypto";
import { messageOf } from "framewright/kernel";
import type { Engine, WizardStore } from "../../contract/index.ts";

const HOUR = 3_600_000;
/** Milliseconds after the start: a deploy of many nodes does not begin with a sweep of each. */
const FIRST = 60_000;
const LEASE = "sweep";

interface Parts {
  readonly engine: Pick<Engine, "sweep">;
  readonly store: Pick<WizardStore, "lease">;
  readonly log: { warn(facts: object, message: string): void };
  /** Milliseconds between two sweeps; an hour unless told. */
  readonly every?: number;
}

/** Sweeps by the clock in a process that serves; of several nodes one does, by a lease. */
export class Sweeper {
  readonly #parts: Parts;
  readonly #holder = `${process.pid}-${randomUUID()}`;
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<unknown> = Promise.resolve();
  #stopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }
  get #every(): number {
    return this.#parts.every ?? HOUR;
  }

  start(): void {
    this.#after(Math.min(FIRST, this.#every));
  }
  /** Begins no more, and waits for the sweep that runs. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#sweeping;
  }

  #after(milliseconds: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#sweeping = this.#sweep().finally(() => this.#after(this.#every));
    }, milliseconds).unref();
  }
  async #sweep(): Promise<void> {
    const { engine, store, log } = this.#parts;
    try {
      const until = new Date(Date.now() + this.#every * 0.9); // over when this node comes again
      if (await store.lease(LEASE, this.#holder, until)) await engine.sweep();
    } catch (error) {
      if ((error as { code?: string }).code === "FW_WIZARDS_TABLE") return; // there is nothing to sweep
      log.warn({ err: error }, `wizards were not swept: ${messageOf(error)}`);
    }
  }
}
