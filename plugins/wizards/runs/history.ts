import { announce, type BaseController } from "framewright/host";
import type { Transaction } from "framewright/plugins/database";
import type { EventRow, RunRow, WizardEvent, WizardHooks, WizardStore } from "../contract/index.ts";
import type { EngineParts } from "./context.ts";
import { runInfo } from "./run.ts";
import { ownerOf } from "./run_scope.ts";

export type RunEventKind = WizardEvent["kind"] | "back" | "completing";
/** An event of a run, before it is known whether its transaction commits. */
export interface RunEvent {
  readonly kind: RunEventKind;
  readonly step?: string | undefined;
  /** Names of steps, never values. */
  readonly detail?: object;
}
const internalKinds = new Set<RunEventKind>(["back", "completing"]);

/** Records the events of runs, and emits the public ones after the commit. */
export class RunHistory {
  readonly #store: WizardStore;
  readonly #hooks: WizardHooks;
  readonly #log: { warn(facts: object, message: string): void; error(facts: object, message: string): void };

  constructor({ store, hooks, log }: Pick<EngineParts, "store" | "hooks" | "log">) {
    this.#store = store;
    this.#hooks = hooks;
    this.#log = log;
  }

  /** A run's launch is recorded with its first change: a run that was never started leaves no history. */
  async record(
    row: RunRow,
    events: readonly RunEvent[],
    by: BaseController | undefined,
    transaction?: Transaction,
  ): Promise<void> {
    const first = eventOf(row, { kind: "launched" }, by, row.created_at);
    const rows = events.map((event) => eventOf(row, event, by, new Date()));
    for (const event of row.started_at === null ? [first, ...rows] : rows) await this.#store.record(event, transaction);
  }

  /** Emits committed events; an error in a listener is logged. */
  async announce(row: RunRow, events: readonly RunEvent[]): Promise<void> {
    const { wizard } = this.#hooks;
    if (!wizard.isUsed()) return;
    for (const { kind, step } of events) {
      if (internalKinds.has(kind)) continue;
      const event = { kind: kind as WizardEvent["kind"], run: runInfo({ row }), step };
      await announce(wizard, "wizards.wizard", event, { log: this.#log });
    }
  }
}

function eventOf(row: RunRow, { kind, step, detail }: RunEvent, by: BaseController | undefined, at: Date): EventRow {
  const actor = by && ownerOf(by);
  return {
    run_id: row.id!,
    wizard: row.wizard,
    kind,
    step: step ?? null,
    actor_type: actor?.type ?? null,
    actor_id: actor?.id ?? null,
    detail: detail ? JSON.stringify(detail) : null,
    at,
  };
}
