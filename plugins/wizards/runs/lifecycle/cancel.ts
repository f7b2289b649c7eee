import type { Transaction } from "framewright/plugins/database";
import type { RunRow, StepResult } from "../../contract/index.ts";
import type { RunContext } from "../context.ts";
import { filesOf } from "../files.ts";
import type { RunEvent } from "../history.ts";
import { refusalOf } from "../refusal.ts";
import { copyContent } from "../run.ts";
import { stepContextOf, transactionOptions, translatorOf } from "../run_scope.ts";
import { rollBack, startedSteps } from "../upkeep/rollback.ts";
import { waitForCompletion } from "./wait_for_completion.ts";

interface Cancelled {
  readonly row?: RunRow;
  readonly keys: readonly string[];
}

/** Ends a run as if it had never been started: destroys what its steps persisted, removes its files and its row. */
export async function cancel(context: RunContext): Promise<StepResult> {
  const { core, visit, run } = context;
  try {
    const cancelled = await core.store.locked(
      run.id,
      (row, transaction) => rollBackRun(context, row, transaction),
      transactionOptions(visit),
    );
    if (!cancelled) return waitForCompletion(core, visit, run);
    if (cancelled.row) await core.afterCommit(cancelled.row, [event], cancelled.keys);
    return { kind: "cancelled", returnTo: run.returnTo }; // checked again before the redirect
  } catch (error) {
    const refusal = refusalOf(error, translatorOf(visit.controller));
    if (!refusal) throw error;
    return { kind: "invalid", run, step: run.cursor, errors: refusal.errors, typed: undefined };
  }
}

/** In the transaction; undefined for a run that is completed, or being completed. */
async function rollBackRun(
  { core, visit }: RunContext,
  row: RunRow | undefined,
  transaction: Transaction,
): Promise<Cancelled | undefined> {
  const { wizard } = visit.mount;
  const context = stepContextOf(visit);
  const opened = row && core.open(row, wizard, context);
  if (!opened) return { keys: [] };
  if (opened.run.state !== "in_progress") return undefined;
  const content = copyContent(opened.run);
  const parts = { database: core.database, flow: wizard.flow, transaction };
  await rollBack(parts, content, startedSteps(wizard.flow, content), context);
  if (row.started_at !== null) await core.history.record(row, [event], visit.controller, transaction);
  await core.store.delete(opened.run.id, transaction);
  return { row, keys: filesOf(opened.stored).map(({ key }) => key) };
}
const event: RunEvent = { kind: "cancelled" };
