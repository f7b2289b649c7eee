import type { Transaction } from "framewright/plugins/database";
import type { Move, RunRow, Visit } from "../../contract/index.ts";
import type { Core } from "../context.ts";
import { filesOf } from "../files.ts";
import type { Happening } from "../history.ts";
import { refusalOf } from "../refusal.ts";
import { contentOf, type OpenRun } from "../run.ts";
import { contextOf, limitsOf, sayOf } from "../run_scope.ts";
import type { Migrated } from "../upkeep/migrate_steps.ts";
import { rollBack, stepsBegun } from "../upkeep/rollback.ts";
import { awaitEnd } from "./wait_for_completion.ts";

interface Cancelled {
  readonly row?: RunRow;
  readonly keys: readonly string[];
}

/** Ends a run as if it had not been begun: what its steps persisted is destroyed, its files and its row are removed. */
export async function cancel(core: Core, visit: Visit, run: OpenRun): Promise<Move> {
  const undo = (row: RunRow | undefined, transaction: Transaction) => undone(core, visit, row, transaction);
  try {
    const cancelled = await core.store.locked(run.id, undo, limitsOf(visit));
    if (!cancelled) return awaitEnd(core, visit, run);
    if (cancelled.row) await core.after(cancelled.row, [happening], cancelled.keys);
    return { kind: "cancelled", returnTo: run.returnTo }; // checked again where it is followed
  } catch (error) {
    const refusal = refusalOf(error, sayOf(visit.controller));
    if (!refusal) throw error;
    return { kind: "invalid", run, step: run.cursor, errors: refusal.errors, typed: undefined };
  }
}

/** In the transaction; undefined for a run that is completed, or about to be. */
async function undone(
  core: Core,
  visit: Visit,
  row: RunRow | undefined,
  transaction: Transaction,
): Promise<Cancelled | undefined> {
  const { wizard } = visit.mount;
  const context = contextOf(visit);
  const opened = row && core.open(row, wizard, context);
  if (!opened) return { keys: [] };
  if (opened.run.state !== "in_progress") return undefined;
  const content = contentOf(opened.run);
  const parts = { database: core.database, flow: wizard.flow, transaction };
  await rollBack(parts, content, stepsBegun(wizard.flow, content), context);
  if (row.started_at !== null) await core.trail.record(row, [happening], visit.controller, transaction);
  await core.store.delete(opened.run.id, transaction);
  return { row, keys: keysOf(opened) };
}
const happening: Happening = { kind: "cancelled" };

const keysOf = ({ stored }: Migrated): string[] => filesOf(stored).map(({ key }) => key);
