import { randomBytes } from "node:crypto";
import type { Transaction } from "framewright/plugins/database";
import type { Notice, RunRow, StepContext, StepResult, StepSpec, StepValues, Visit } from "../../contract/index.ts";
import type { EngineCore, RunStepContext } from "../context.ts";
import { filesOf, removedKeys } from "../files.ts";
import type { RunEvent } from "../history.ts";
import { type Refusal, refusalOf } from "../refusal.ts";
import { StaleRunError } from "../retry_on_conflict.ts";
import { copyContent, type RunContent, runInfo, type StoredRun } from "../run.ts";
import { stepContextOf, transactionOptions, translatorOf } from "../run_scope.ts";
import { adjacentStep, goneResult, redirectFor } from "../step_position.ts";
import { isOnCurrentSteps, type MigratedRun, stepLabelOf } from "../upkeep/migrate_steps.ts";
import { pruneFields, pruneHidden } from "../upkeep/prune_hidden.ts";
import type { RollbackParts } from "../upkeep/rollback.ts";
import { firstUnanswered } from "./first_unanswered.ts";
import { trackReads, unvisitOutdated } from "./outdated_steps.ts";
import { submitContext } from "./submit_context.ts";

/** The result of a submission, once it is committed. */
export type SubmissionResult =
  /** The run continues at its cursor. */
  | {
      readonly kind: "advanced";
      readonly row: RunRow;
      readonly content: RunContent;
      readonly notices: readonly Notice[];
    }
  /** It was the last step, and this request completes the run. */
  | { readonly kind: "completing"; readonly row: RunRow }
  /** Another request completes it, or has completed it. */
  | { readonly kind: "ended" }
  | { readonly kind: "redirected"; readonly result: StepResult }
  | { readonly kind: "refused"; readonly refusal: Refusal };
interface NextPosition {
  readonly cursor: string;
  readonly isComplete: boolean;
  readonly notices: readonly Notice[];
}

/** Stores a step's answers in the run, in one transaction with what `onSubmit` writes. */
export class Submission {
  readonly core: EngineCore;
  readonly visit: Visit;
  readonly run: StoredRun;
  readonly step: StepSpec;
  /** The sent values; the stored answers fill in files and passwords that were not sent again. */
  readonly read: (before: StepValues | undefined) => StepValues;
  readonly context: StepContext;
  /** "review": it leads to the review, once all steps before that are answered. */
  readonly direction: "next" | "review";
  #events: RunEvent[] = [];
  #keys: string[] = [];

  constructor(
    { core, visit, run, step }: RunStepContext,
    read: Submission["read"],
    direction: Submission["direction"] = "next",
  ) {
    this.core = core;
    this.visit = visit;
    this.run = run;
    this.step = step;
    this.read = read;
    this.direction = direction;
    this.context = stepContextOf(visit);
  }
  get #wizard() {
    return this.visit.mount.wizard;
  }

  /** @throws StaleRunError when another request wrote in between */
  async send(): Promise<SubmissionResult> {
    try {
      const submitted =
        (await this.#submitWithoutLock()) ??
        (await this.core.store.locked(
          this.run.id,
          (row, transaction) => this.#submitLocked(row, transaction),
          transactionOptions(this.visit),
        ));
      if ("row" in submitted) await this.core.afterCommit(submitted.row, this.#events, this.#keys);
      return submitted;
    } catch (error) {
      const refusal = refusalOf(error, translatorOf(this.visit.controller));
      if (!refusal) throw error;
      return { kind: "refused", refusal };
    }
  }

  /**
   * Fast path: a step that only stores answers needs no lock; the version detects other writers. Undefined where the step
   * does more, or another request was faster.
   */
  async #submitWithoutLock(): Promise<SubmissionResult | undefined> {
    const opened = this.#opened();
    if (opened?.run.state !== "in_progress" || !this.#needsNoLock(opened)) return undefined;
    try {
      return await this.#save(opened, undefined);
    } catch (error) {
      if (error instanceof StaleRunError) return undefined;
      throw error;
    }
  }
  /** The run of this request, which is open already unless a deploy changed its steps. */
  #opened(): MigratedRun | undefined {
    const { run } = this;
    if (isOnCurrentSteps(run, this.#wizard.flow)) return { run, stored: run, stepToRepeat: undefined };
    return this.core.open(run.row, this.#wizard, this.context);
  }
  #needsNoLock({ run, stepToRepeat }: MigratedRun): boolean {
    const { flow } = this.#wizard;
    const { key, onSubmit, review } = this.step;
    if (onSubmit || review || stepToRepeat !== undefined) return false;
    if (run !== this.run && redirectFor(flow, run, key, this.context)) return false; // of this request's run it is known
    if (run.persisted.length > 0 || flow.steps.some(({ onRollback }) => onRollback)) return false;
    return this.#next({ staged: { ...run.staged, [key]: this.read(run.staged[key]) } }) !== undefined;
  }

  async #submitLocked(row: RunRow | undefined, transaction: Transaction): Promise<SubmissionResult> {
    const opened = row && this.core.open(row, this.#wizard, this.context);
    if (!opened) return { kind: "redirected", result: goneResult };
    const { run } = opened;
    if (run.state !== "in_progress") return { kind: "ended" };
    const result = redirectFor(this.#wizard.flow, run, this.step.key, this.context);
    if (result) return { kind: "redirected", result };
    if (this.#next(run) === undefined) await this.core.parts.hooks.locked.promise(runInfo(run));
    return this.#save(opened, transaction);
  }

  /** Without a transaction the step must have nothing to roll back, and the run must not end. */
  async #save(opened: MigratedRun, transaction: Transaction | undefined): Promise<SubmissionResult> {
    const { run, stored } = opened;
    const content = await this.#applyStep(run, transaction!);
    const { cursor, isComplete, notices } = await this.#nextPosition(opened, content, transaction!);
    Object.assign(content, { cursor, visited: [...new Set([...content.visited, cursor])] });
    this.#keys = removedKeys(filesOf(stored), filesOf(content));
    if (stored.schema !== run.schema) this.#events.push({ kind: "migrated" });
    if (isComplete) this.#events.push({ kind: "completing", step: this.step.key });
    const more = { ...(isComplete ? completingColumns() : {}), base: this.visit.base };
    const within = transaction ? { transaction } : {};
    const row = await this.core.write({ run, wizard: this.#wizard, ...within }, content, more);
    await this.#record(run.row, transaction);
    return isComplete ? { kind: "completing", row } : { kind: "advanced", row, content, notices };
  }

  /** Without a transaction the answers are stored already: a failure to record the event is only logged. */
  async #record(row: RunRow, transaction: Transaction | undefined): Promise<void> {
    const recorded = this.core.history.record(row, this.#events, this.visit.controller, transaction);
    if (transaction) return recorded;
    const { log } = this.core.parts;
    await recorded.catch((error: unknown) => log.warn({ err: error }, "an event of a wizard's run was not recorded"));
  }

  /** The run's content with this step's answers, after `onSubmit`, without the steps that are hidden now. */
  async #applyStep(run: StoredRun, transaction: Transaction): Promise<RunContent> {
    const { key, onSubmit, review } = this.step;
    const content = copyContent(run);
    const parts = { database: this.core.database, flow: this.#wizard.flow, transaction };
    delete content.drafts[key];
    if (!review) content.staged = { ...content.staged, [key]: this.read(content.staged[key]) };
    if (onSubmit) await this.#callOnSubmit(onSubmit, parts, content);
    const pruned = await pruneHidden(parts, content, this.context);
    content.staged = pruneFields(parts.flow, content.staged, this.context);
    const visible = parts.flow.visible(content.staged, this.context);
    unvisitOutdated(content, { key, before: run.staged, visible });
    this.#events = [{ kind: "submitted", step: key }, ...pruned.map((step) => ({ kind: "pruned" as const, step }))];
    return content;
  }

  async #callOnSubmit(onSubmit: NonNullable<StepSpec["onSubmit"]>, parts: RollbackParts, content: RunContent) {
    const { key } = this.step;
    const context = await submitContext(parts, { content, step: key, context: this.context });
    const { data, reads } = trackReads(context.data as Record<string, unknown>, parts.flow.steps, key);
    await onSubmit({ ...context, data });
    content.reads = { ...content.reads, [key]: [...reads] };
  }

  /** Where the run continues; after the last step, whether every visible step is answered and valid. */
  async #nextPosition(
    { run, stepToRepeat }: MigratedRun,
    content: RunContent,
    transaction: Transaction,
  ): Promise<NextPosition> {
    const { flow } = this.#wizard;
    const { context, direction, step } = this;
    const isRepeated =
      stepToRepeat !== undefined && stepToRepeat !== step.key && content.visited.includes(stepToRepeat);
    const next = isRepeated ? stepToRepeat : this.#next(content);
    const continueAt = (cursor: string, ...notices: Notice[]): NextPosition => ({
      cursor,
      isComplete: false,
      notices: [...run.notices, ...notices],
    });
    if (next !== undefined && (isRepeated || direction === "next")) return continueAt(next);
    const mustBeVisited = direction === "review";
    const open = await firstUnanswered(content, { flow, context, transaction, mustBeVisited });
    if (open !== undefined) {
      const text = next === undefined ? "wizards.notices.incomplete" : "wizards.notices.before_review";
      return continueAt(open, { text, vars: { step: stepLabelOf(flow, open) } });
    }
    return next === undefined
      ? { cursor: step.key, isComplete: true, notices: [] }
      : continueAt(flow.steps.at(-1)!.key); // the review
  }
  #next(content: Pick<RunContent, "staged">): string | undefined {
    return adjacentStep(this.#wizard.flow, content, this.step.key, this.context, 1);
  }
}

const completingColumns = (): Partial<RunRow> => ({
  state: "completing",
  attempt: randomBytes(16).toString("hex"),
  completing_at: new Date(),
});
