import { announce } from "framewright/host";
import type { Transaction } from "framewright/plugins/database";
import type { Outcome } from "framewright/plugins/resources";
import type { RunOutcome, RunRow, StepResult, Visit, WizardObject } from "../../contract/index.ts";
import { errors } from "../../errors.ts";
import type { EngineCore } from "../context.ts";
import { WizardFailure } from "../failure.ts";
import { filesOf } from "../files.ts";
import { refusalOf, stepToFix } from "../refusal.ts";
import { StaleRunError } from "../retry_on_conflict.ts";
import { runInfo, type StoredRun } from "../run.ts";
import { stepContextOf, transactionOptions, translatorOf } from "../run_scope.ts";
import { doneResult } from "../step_position.ts";
import { reopenRun } from "../upkeep/recover.ts";
import { persistedRecords } from "./submit_context.ts";
import { waitForCompletion } from "./wait_for_completion.ts";

/** How long a completed run is retained to answer late posts, where open runs never expire. */
const REPLAY_MS = 14 * 86_400_000;

interface Execution {
  readonly outcome: Outcome;
  /** Keys of the files that `execute` kept for the application. */
  readonly kept: ReadonlySet<string>;
}
interface CompletedRun {
  readonly row: RunRow;
  readonly keys: readonly string[];
}

/**
 * Completes a run that this request has claimed: `execute`, its outcome and the run's end are one transaction. A failure
 * is rolled back, and the run is open again.
 */
export async function complete(core: EngineCore, visit: Visit, taken: RunRow, step: string): Promise<StepResult> {
  const { hooks, log } = core.parts;
  let executed: CompletedRun | undefined;
  try {
    await hooks.completing.promise(runInfo({ row: taken }));
    executed = await core.store.locked(
      taken.id!,
      (row, transaction) => execute(core, visit, taken, row, transaction),
      transactionOptions(visit),
    );
  } catch (error) {
    if (error instanceof StaleRunError) return waitForCompletion(core, visit, taken);
    return reopenAfterFailure(core, visit, taken, step, error);
  }
  const { row, keys } = executed;
  await core.afterCommit(row, [{ kind: "completed" }], keys);
  await announce(hooks.completed, "wizards.completed", runInfo({ row }), { log });
  return doneResult(core.codec.open(row)!);
}

/** In the transaction; only the attempt that claimed the run may proceed. @throws StaleRunError for another, WizardFailure when `execute` fails */
async function execute(
  core: EngineCore,
  visit: Visit,
  taken: RunRow,
  row: RunRow | undefined,
  transaction: Transaction,
): Promise<CompletedRun> {
  if (row?.state !== "completing" || row.attempt !== taken.attempt) throw new StaleRunError();
  const { hooks } = core.parts;
  const run = core.open(row, visit.mount.wizard, stepContextOf(visit))!.run;
  await hooks.executing.promise(runInfo(run));
  const { outcome, kept } = await callExecute(core, visit, run, transaction);
  const change = completedColumns(core, visit, run, outcome);
  const expected = { attempt: taken.attempt, version: row.version };
  if (!(await core.store.update(row.id!, expected, change, transaction))) throw new StaleRunError();
  await core.history.record(row, [{ kind: "completed" }], visit.controller, transaction);
  const completed = { ...row, ...change };
  await hooks.executed.promise(runInfo({ row: completed }), transaction);
  return { row: completed, keys: unkeptFiles(run, kept) };
}

async function callExecute(
  core: EngineCore,
  visit: Visit,
  run: StoredRun,
  transaction: Transaction,
): Promise<Execution> {
  const { wizard: Wizard, name } = visit.mount;
  const persisted = await persistedRecords(core.database, run.persisted, transaction);
  const { controller } = visit;
  const context = { ...stepContextOf(visit), staged: run.staged, persisted, controller, transaction };
  const wizard: WizardObject & { readonly keptFiles?: ReadonlySet<string> } = new Wizard(context);
  const outcome: Outcome | undefined = await wizard.execute();
  if (typeof outcome?.ok !== "boolean") throw errors.FW_WIZARD_OUTCOME(name);
  if (!outcome.ok) throw new WizardFailure(outcome.fields, outcome.message);
  return { outcome, kept: wizard.keptFiles ?? new Set() };
}
const unkeptFiles = (run: StoredRun, kept: ReadonlySet<string>): string[] =>
  filesOf(run)
    .map(({ key }) => key)
    .filter((key) => !kept.has(key));

/** The columns of a completed run: without its answers; with its outcome, and the claim of a one-time wizard. */
function completedColumns(
  core: EngineCore,
  { controller, base, mount }: Visit,
  { row }: StoredRun,
  outcome: Outcome,
): Partial<RunRow> {
  const now = new Date();
  const location = controller.request.safeLocation(outcome.location, base === "" ? [] : [base]);
  const stored: RunOutcome = { location, message: outcome.message };
  const { oneTime } = mount.wizard.metadata;
  return {
    state: "completed",
    claim: oneTime ? row.claim : null,
    data: null,
    drafts: null,
    persisted: null,
    outcome: JSON.stringify(stored),
    attempt: null,
    completing_at: null,
    version: row.version + 1,
    updated_at: now,
    completed_at: now,
    expires_at: oneTime ? null : (core.expiry(mount.wizard, now) ?? new Date(now.getTime() + REPLAY_MS)),
  };
}

/** Reopens the run after a failure, at the step that asks for what is wrong. @throws the error itself unless the person can fix it */
async function reopenAfterFailure(
  core: EngineCore,
  visit: Visit,
  taken: RunRow,
  sent: string,
  error: unknown,
): Promise<StepResult> {
  const { controller, mount } = visit;
  const { flow } = mount.wizard;
  const refusal = refusalOf(error, translatorOf(controller));
  const staged = core.open(taken, mount.wizard, stepContextOf(visit))?.run.staged ?? {};
  const step = refusal ? stepToFix(flow.visible(staged, stepContextOf(visit)), flow.step(sent)!, refusal) : sent;
  const row = await reopenRun(core, taken, { kind: "failed", step: sent }, controller, step);
  if (!refusal || !row) throw error;
  const isSilent = Object.keys(refusal.errors).length === 0;
  const problems = isSilent ? { base: [controller.t("wizards.notices.not_done")] } : refusal.errors;
  const { run } = core.open(row, mount.wizard, stepContextOf(visit))!;
  return { kind: "invalid", run, step, errors: problems, typed: undefined };
}
