import { randomBytes } from "node:crypto";
import type { Transaction } from "framewright/plugins/database";
import type { Move, Notice, RunRow, StepContext, StepSpec, StepValues, Visit } from "../../contract/index.ts";
import { checkStep } from "../../flow/check_flow.ts";
import type { Core } from "../context.ts";
import { filesOf, keysGone } from "../files.ts";
import type { Happening } from "../history.ts";
import { type Refusal, refusalOf } from "../refusal.ts";
import { Again } from "../retry_on_conflict.ts";
import { type Content, contentOf, infoOf, type OpenRun } from "../run.ts";
import { contextOf, limitsOf, sayOf } from "../run_scope.ts";
import { elsewhere, gone, neighbour } from "../step_position.ts";
import { labelOf, type Migrated } from "../upkeep/migrate_steps.ts";
import { prune } from "../upkeep/prune_hidden.ts";
import { submitContext } from "./submit_context.ts";

/** What a submission came to, once it is committed. */
export type Submitted =
  /** The run goes on at its cursor. */
  | { readonly kind: "moved"; readonly row: RunRow; readonly notices: readonly Notice[] }
  /** It was the last step, and this request completes the run. */
  | { readonly kind: "completing"; readonly row: RunRow }
  /** Another request completes it, or has done so. */
  | { readonly kind: "ended" }
  | { readonly kind: "elsewhere"; readonly move: Move }
  | { readonly kind: "refused"; readonly refusal: Refusal };
interface Place {
  readonly cursor: string;
  readonly isComplete: boolean;
  readonly notices: readonly Notice[];
}

/** A step's answers on their way into the run: one transaction with what `onSubmit` writes. */
export class Submission {
  readonly core: Core;
  readonly visit: Visit;
  readonly step: StepSpec;
  /** What was sent, as values; what the run has of the step fills in files and passwords that were not sent again. */
  readonly read: (before: StepValues | undefined) => StepValues;
  readonly context: StepContext;
  #happenings: Happening[] = [];
  #keys: string[] = [];

  constructor(core: Core, visit: Visit, step: StepSpec, read: Submission["read"]) {
    this.core = core;
    this.visit = visit;
    this.step = step;
    this.read = read;
    this.context = contextOf(visit);
  }
  get #wizard() {
    return this.visit.mount.wizard;
  }

  /** @throws Again when somebody else wrote in between */
  async send(run: OpenRun): Promise<Submitted> {
    try {
      const submitted =
        (await this.#light(run.row)) ??
        (await this.core.store.locked(
          run.id,
          (row, transaction) => this.#locked(row, transaction),
          limitsOf(this.visit),
        ));
      if ("row" in submitted) await this.core.after(submitted.row, this.#happenings, this.#keys);
      return submitted;
    } catch (error) {
      const refusal = refusalOf(error, sayOf(this.visit.controller));
      if (!refusal) throw error;
      return { kind: "refused", refusal };
    }
  }

  /** A step that only keeps its answers needs no lock: the version keeps others out. Undefined where it does more, or somebody was faster. */
  async #light(row: RunRow): Promise<Submitted | undefined> {
    const opened = this.core.open(row, this.#wizard, this.context);
    if (opened?.run.state !== "in_progress" || !this.#isLight(opened)) return undefined;
    try {
      return await this.#keep(opened, undefined);
    } catch (error) {
      if (error instanceof Again) return undefined;
      throw error;
    }
  }
  #isLight({ run, again }: Migrated): boolean {
    const { flow } = this.#wizard;
    const { key, onSubmit, review } = this.step;
    if (onSubmit || review || again !== undefined || elsewhere(flow, run, key, this.context)) return false;
    if (run.persisted.length > 0 || flow.steps.some(({ onRollback }) => onRollback)) return false;
    return this.#next({ staged: { ...run.staged, [key]: this.read(run.staged[key]) } }) !== undefined;
  }

  async #locked(row: RunRow | undefined, transaction: Transaction): Promise<Submitted> {
    const opened = row && this.core.open(row, this.#wizard, this.context);
    if (!opened) return { kind: "elsewhere", move: gone };
    const { run } = opened;
    if (run.state !== "in_progress") return { kind: "ended" };
    const move = elsewhere(this.#wizard.flow, run, this.step.key, this.context);
    if (move) return { kind: "elsewhere", move };
    if (this.#next(run) === undefined) await this.core.parts.hooks.locked.promise(infoOf(run));
    return this.#keep(opened, transaction);
  }

  /** Without a transaction nothing may be left to undo, and the run may not end. */
  async #keep(opened: Migrated, transaction: Transaction | undefined): Promise<Submitted> {
    const { run, stored } = opened;
    const content = await this.#applied(run, transaction!);
    const { cursor, isComplete, notices } = await this.#place(opened, content, transaction!);
    Object.assign(content, { cursor, visited: [...new Set([...content.visited, cursor])] });
    this.#keys = keysGone(filesOf(stored), filesOf(content));
    if (stored.schema !== run.schema) this.#happenings.push({ kind: "migrated" });
    if (isComplete) this.#happenings.push({ kind: "completing", step: this.step.key });
    const more = { ...(isComplete ? begun() : {}), base: this.visit.base };
    const within = transaction ? { transaction } : {};
    const row = await this.core.write({ run, wizard: this.#wizard, ...within }, content, more);
    await this.#record(run.row, transaction);
    return isComplete ? { kind: "completing", row } : { kind: "moved", row, notices };
  }

  /** Without a transaction the answers are kept already, whatever becomes of the trail. */
  async #record(row: RunRow, transaction: Transaction | undefined): Promise<void> {
    const recorded = this.core.trail.record(row, this.#happenings, this.visit.controller, transaction);
    if (transaction) return recorded;
    const { log } = this.core.parts;
    await recorded.catch((error: unknown) => log.warn({ err: error }, "a wizard's trail was not written"));
  }

  /** The run's content with this step's answers in it, after its `onSubmit`, without what is hidden now. */
  async #applied(run: OpenRun, transaction: Transaction): Promise<Content> {
    const { key, onSubmit, review } = this.step;
    const content = contentOf(run);
    const parts = { database: this.core.database, flow: this.#wizard.flow, transaction };
    delete content.drafts[key];
    if (!review) content.staged = { ...content.staged, [key]: this.read(content.staged[key]) };
    if (onSubmit) await onSubmit(await submitContext(parts, { content, step: key, context: this.context }));
    const pruned = await prune(parts, content, this.context);
    this.#happenings = [{ kind: "submitted", step: key }, ...pruned.map((step) => ({ kind: "pruned" as const, step }))];
    return content;
  }

  /** Where the run goes on; at the end, whether every visible step is filled and valid. */
  async #place({ run, again }: Migrated, content: Content, transaction: Transaction): Promise<Place> {
    const { flow } = this.#wizard;
    const { key } = this.step;
    const next = again !== undefined && again !== key ? again : this.#next(content);
    if (next !== undefined) return { cursor: next, isComplete: false, notices: run.notices };
    const unfit = await this.#firstUnfit(content, transaction);
    if (unfit === undefined) return { cursor: key, isComplete: true, notices: [] };
    const notice = { text: "wizards.notices.incomplete", vars: { step: labelOf(flow, unfit) } };
    return { cursor: unfit, isComplete: false, notices: [...run.notices, notice] };
  }
  #next(content: Pick<Content, "staged">): string | undefined {
    return neighbour(this.#wizard.flow, content, this.step.key, this.context, 1);
  }
  async #firstUnfit({ staged, persisted }: Content, transaction: Transaction): Promise<string | undefined> {
    const { flow } = this.#wizard;
    for (const step of flow.visible(staged, this.context)) {
      if (step.review) continue;
      const values = Object.hasOwn(staged, step.key) ? staged[step.key] : undefined;
      if (!values) return step.key;
      const errors = await checkStep(step, values, this.context, {
        transaction,
        answers: { flow, staged },
        persisted,
      });
      if (Object.keys(errors).length > 0) return step.key;
    }
    return undefined;
  }
}

const begun = (): Partial<RunRow> => ({
  state: "completing",
  attempt: randomBytes(16).toString("hex"),
  completing_at: new Date(),
});
