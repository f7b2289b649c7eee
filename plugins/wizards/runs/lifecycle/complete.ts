import { announce } from "framewright/host";
import type { Transaction } from "framewright/plugins/database";
import type { Outcome } from "framewright/plugins/resources";
import type { Move, RunOutcome, RunRow, Visit, WizardObject } from "../../contract/index.ts";
import { errors } from "../../errors.ts";
import type { Core } from "../context.ts";
import { Failed } from "../failure.ts";
import { filesOf } from "../files.ts";
import { refusalOf, stepToFix } from "../refusal.ts";
import { Again } from "../retry_on_conflict.ts";
import { infoOf, type OpenRun } from "../run.ts";
import { contextOf, limitsOf, sayOf } from "../run_scope.ts";
import { done } from "../step_position.ts";
import { putBack } from "../upkeep/recover.ts";
import { persistedRecords } from "./submit_context.ts";
import { awaitEnd } from "./wait_for_completion.ts";

/** Milliseconds that a done run is kept for late posts, where open ones are kept for ever. */
const REPLAYED = 14 * 86_400_000;

interface Done {
  readonly outcome: Outcome;
  /** Keys of the files that `execute` took for the application. */
  readonly kept: ReadonlySet<string>;
}
interface Executed {
  readonly row: RunRow;
  readonly keys: readonly string[];
}

/**
 * Completes a run that this request has taken for itself: `execute`, its outcome and the run's end are one
 * transaction. What fails is undone, and the run is open again.
 */
export async function complete(core: Core, visit: Visit, taken: RunRow, step: string): Promise<Move> {
  const { hooks, log } = core.parts;
  let executed: Executed | undefined;
  try {
    await hooks.completing.promise(infoOf({ row: taken }));
    executed = await core.store.locked(
      taken.id!,
      (row, transaction) => execute(core, visit, taken, row, transaction),
      limitsOf(visit),
    );
  } catch (error) {
    if (error instanceof Again) return awaitEnd(core, visit, taken);
    return putOpen(core, visit, taken, step, error);
  }
  const { row, keys } = executed;
  await core.after(row, [{ kind: "completed" }], keys);
  await announce(hooks.completed, "wizards.completed", infoOf({ row }), { log });
  return done(core.texts.open(row)!);
}

/** In the transaction: only the attempt that holds the run may go on. @throws Again for another, Failed where it can't be done */
async function execute(
  core: Core,
  visit: Visit,
  taken: RunRow,
  row: RunRow | undefined,
  transaction: Transaction,
): Promise<Executed> {
  if (row?.state !== "completing" || row.attempt !== taken.attempt) throw new Again();
  const { hooks } = core.parts;
  const run = core.open(row, visit.mount.wizard, contextOf(visit))!.run;
  await hooks.executing.promise(infoOf(run));
  const { outcome, kept } = await outcomeOf(core, visit, run, transaction);
  const change = ended(core, visit, run, outcome);
  const held = { attempt: taken.attempt, version: row.version };
  if (!(await core.store.update(row.id!, held, change, transaction))) throw new Again();
  await core.trail.record(row, [{ kind: "completed" }], visit.controller, transaction);
  const completed = { ...row, ...change };
  await hooks.executed.promise(infoOf({ row: completed }));
  return { row: completed, keys: filesLeft(run, kept) };
}

async function outcomeOf(core: Core, visit: Visit, run: OpenRun, transaction: Transaction): Promise<Done> {
  const { wizard: Wizard, name } = visit.mount;
  const persisted = await persistedRecords(core.database, run.persisted, transaction);
  const { controller } = visit;
  const context = { ...contextOf(visit), staged: run.staged, persisted, controller, transaction };
  const wizard: WizardObject & { readonly keptFiles?: ReadonlySet<string> } = new Wizard(context);
  const outcome: Outcome | undefined = await wizard.execute();
  if (typeof outcome?.ok !== "boolean") throw errors.FW_WIZARD_OUTCOME(name);
  if (!outcome.ok) throw new Failed(outcome.fields, outcome.message);
  return { outcome, kept: wizard.keptFiles ?? new Set() };
}
const filesLeft = (run: OpenRun, kept: ReadonlySet<string>): string[] =>
  filesOf(run)
    .map(({ key }) => key)
    .filter((key) => !kept.has(key));

/** The row of a run that is done: its answers are gone, its outcome stays, and a one-time claim with it. */
function ended(core: Core, { controller, base, mount }: Visit, { row }: OpenRun, outcome: Outcome): Partial<RunRow> {
  const now = new Date();
  const location = controller.request.safeLocation(outcome.location, base === "" ? [] : [base]);
  const stored: RunOutcome = { location, message: outcome.message };
  const { oneTime } = mount.wizard.facts;
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
    expires_at: oneTime ? null : (core.expiry(mount.wizard, now) ?? new Date(now.getTime() + REPLAYED)),
  };
}

/** After a failure the run is open again, at the step that asks for what is wrong. @throws what is a fault */
async function putOpen(core: Core, visit: Visit, taken: RunRow, sent: string, error: unknown): Promise<Move> {
  const { controller, mount } = visit;
  const { flow } = mount.wizard;
  const refusal = refusalOf(error, sayOf(controller));
  const staged = core.open(taken, mount.wizard, contextOf(visit))?.run.staged ?? {};
  const step = refusal ? stepToFix(flow.visible(staged, contextOf(visit)), flow.step(sent)!, refusal) : sent;
  const row = await putBack(core, taken, { kind: "failed", step: sent }, controller, step);
  if (!refusal || !row) throw error;
  const isSilent = Object.keys(refusal.errors).length === 0;
  const problems = isSilent ? { base: [controller.t("wizards.notices.not_done")] } : refusal.errors;
  const { run } = core.open(row, mount.wizard, contextOf(visit))!;
  return { kind: "invalid", run, step, errors: problems, typed: undefined };
}
