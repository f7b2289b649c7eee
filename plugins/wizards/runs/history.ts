import { announce, type BaseController } from "framewright/host";
import type { Transaction } from "framewright/plugins/database";
import type { EventRow, RunRow, WizardEvent, WizardStore } from "../contract/index.ts";
import type { EngineParts } from "./context.ts";
import type { WizardHooks } from "./hooks.ts";
import { infoOf } from "./run.ts";
import { ownerOf } from "./run_scope.ts";

export type TrailKind = WizardEvent["kind"] | "back" | "completing";
/** What happened to a run, before it is known whether it is committed. */
export interface Happening {
  readonly kind: TrailKind;
  readonly step?: string | undefined;
  /** Names of steps, never values. */
  readonly detail?: object;
}
const silent = new Set<TrailKind>(["back", "completing"]);

/** Writes down what happens to runs, and tells the public once it is committed. */
export class Trail {
  readonly #store: WizardStore;
  readonly #hooks: WizardHooks;
  readonly #log: { warn(facts: object, message: string): void; error(facts: object, message: string): void };

  constructor({ store, hooks, log }: Pick<EngineParts, "store" | "hooks" | "log">) {
    this.#store = store;
    this.#hooks = hooks;
    this.#log = log;
  }

  /** A run's launch is written with its first change: one that nobody began leaves no trace. */
  async record(
    row: RunRow,
    happenings: readonly Happening[],
    by: BaseController | undefined,
    transaction?: Transaction,
  ): Promise<void> {
    const first = eventOf(row, { kind: "launched" }, by, row.created_at);
    const rows = happenings.map((happening) => eventOf(row, happening, by, new Date()));
    for (const event of row.started_at === null ? [first, ...rows] : rows) await this.#store.record(event, transaction);
  }

  /** What is committed stays so: a listener that throws is a line in the log. */
  async announce(row: RunRow, happenings: readonly Happening[]): Promise<void> {
    const { wizard } = this.#hooks;
    if (!wizard.isUsed()) return;
    for (const { kind, step } of happenings) {
      if (silent.has(kind)) continue;
      const event = { kind: kind as WizardEvent["kind"], run: infoOf({ row }), step };
      await announce(wizard, "wizards.wizard", event, { log: this.#log });
    }
  }
}

function eventOf(row: RunRow, { kind, step, detail }: Happening, by: BaseController | undefined, at: Date): EventRow {
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
