import { setImmediate } from "node:timers/promises";
import type { BackgroundRuns, RunRow } from "framewright/plugins/background_runs";
import type { Transaction } from "framewright/plugins/database";
import type { RecordWriter } from "framewright/plugins/resources/toolkit";
import { type FailedRow, type ImportCounts, noCounts } from "./content.ts";
import { importsWith } from "./imports_of.ts";
import type { WriteKeeper } from "./kept_writes.ts";
import { failedLines, type Lines } from "./lines.ts";
import type { ImportPlan } from "./plan.ts";
import { ownTransaction, RowsUndone, type SharedTransaction, triedAlone, writeTogether } from "./row_write.ts";
import { problemsOf, type RowActor, readRow } from "./rows.ts";
import type { ImportRow } from "./store.ts";

type FileRows = AsyncIterable<Lines>;
/** What the job of a run writes with. */
export interface ImportWork {
  readonly runs: BackgroundRuns;
  readonly stored: ImportRow;
  readonly plan: ImportPlan;
  readonly actor: RowActor;
  /** Keeps what is needed to undo the import; undefined where there is no table for it. */
  readonly keeper: WriteKeeper | undefined;
}

/** How many records became what, with one more of a kind. */
export const counted = (counts: ImportCounts, kind: keyof ImportCounts): ImportCounts => ({
  ...counts,
  [kind]: counts[kind] + 1,
});

/**
 * Writes the record of a row, or of several lines, by itself, as a request of the person would: the record and the place of the run are committed together, so
 * that a process that is killed leaves each row written once or not yet.
 * @throws RunMovedError, Refusal, and errors of a database that is unavailable
 */
export async function writeRow(work: ImportWork, run: RunRow, lines: Lines): Promise<RunRow> {
  const { runs, plan, actor } = work;
  const moved: RunRow[] = [];
  try {
    const { action, controller } = await readRow(actor, plan, lines);
    const kind = () => (write.isUnchanged ? "unchanged" : action === "create" ? "created" : "updated");
    const mark = (transaction?: Transaction) => runs.store.write(run, advanced(runs, run, lines, kind()), transaction);
    const write: RecordWriter = ownTransaction(runs.database, mark, (next) => moved.push(next), work.keeper?.keep);
    controller.recordWriter = write;
    await controller[action]();
    if (moved[0]) return moved[0];
    write.isUnchanged = true; // the controller has answered without writing
    return await mark();
  } catch (error) {
    const problems = problemsOf(runs, actor, { plan, lines }, error);
    return moved[0] ?? addFailure(work, run, failedLines(actor.base, lines, problems)); // what failed after the commit changes nothing
  }
}

/** What the turn of a row changes of its run. */
function advanced(runs: BackgroundRuns, run: RunRow, lines: Lines, kind: keyof ImportCounts): Partial<RunRow> {
  const { counts = noCounts, ...rest } = runs.sealer.problems(run);
  const problems = runs.sealer.seal({ ...rest, counts: counted(counts, kind) }, run);
  return { ...runs.renewed(), cursor_id: String(lines.at(-1)!.row), done: run.done + lines.length, problems };
}

/** Stores rows that were not written, with what is wrong with them. */
export async function storeFailures(
  { runs, stored }: ImportWork,
  failed: readonly FailedRow[],
  transaction?: Transaction,
): Promise<void> {
  const { sealer, store } = importsWith(runs);
  for (const one of failed) {
    const content = sealer.seal(one, stored);
    await store.addFailure(stored.id, { row_number: one.row, content }, transaction);
  }
}

function addFailure(work: ImportWork, run: RunRow, failed: readonly FailedRow[]): Promise<RunRow> {
  const { runs } = work;
  return runs.database.transaction(async (transaction) => {
    await storeFailures(work, failed, transaction);
    const next = { ...runs.renewed(), cursor_id: String(failed.at(-1)!.row), failed: run.failed + failed.length };
    return runs.store.write(run, next, transaction);
  });
}

/** What rows led to that were tried in one transaction. */
interface Tried {
  readonly counts: ImportCounts;
  readonly failed: readonly FailedRow[];
  /** How many rows were tried. */
  readonly last: number;
}

interface TriedWork extends Pick<ImportWork, "runs" | "plan" | "actor"> {
  /** Called with what a row wrote, in its transaction. */
  readonly keeper?: Pick<WriteKeeper, "keep"> | undefined;
}

async function tryRows(
  { runs, plan, actor, keeper }: TriedWork,
  shared: Pick<SharedTransaction, "begin">,
  rows: FileRows,
): Promise<Tried> {
  const failed: FailedRow[] = [];
  let [counts, last] = [noCounts, 0];
  for await (const lines of rows) {
    last = lines.at(-1)!.place;
    try {
      const { action, controller } = await readRow(actor, plan, lines);
      const { isUnchanged } = await shared.begin(controller, () => controller[action](), keeper?.keep);
      counts = counted(counts, isUnchanged ? "unchanged" : action === "create" ? "created" : "updated");
    } catch (error) {
      failed.push(...failedLines(actor.base, lines, problemsOf(runs, actor, { plan, lines }, error)));
    }
    await setImmediate(); // requests of this process have their turn between two rows
  }
  return { counts, failed, last };
}

/** Tries rows and undoes all that they wrote: nothing that would come after a commit is done. */
export async function checkRows(work: TriedWork, open: () => Promise<FileRows>, until: number): Promise<Tried> {
  const options = { until, by: "the check of an import" };
  const { database } = work.runs;
  if (database.driver.isSingleConnection?.(database.knex))
    return tryRows(work, triedAlone(database, options), await open());
  const tried: Tried[] = [];
  try {
    await writeTogether(
      database,
      async (shared) => {
        tried.push(await tryRows(work, shared, await open()));
        throw new RowsUndone();
      },
      options,
    );
  } catch (error) {
    if (!(error instanceof RowsUndone)) throw error;
  }
  return tried.at(-1)!;
}

const TOGETHER_MS = 300_000;

/** Writes all rows in one transaction, or none of them and what is wrong with them. `open` reads the file from its first row on. */
export async function writeAllRows(work: ImportWork, run: RunRow, open: () => Promise<FileRows>): Promise<RunRow> {
  const { runs } = work;
  let failed: readonly FailedRow[] = [];
  const options = { until: performance.now() + TOGETHER_MS, by: "an import" };
  try {
    return await writeTogether(
      runs.database,
      async (shared, transaction) => {
        const tried = await tryRows(work, shared, await open());
        failed = tried.failed;
        if (failed.length > 0) throw new RowsUndone();
        const { counts, last } = tried;
        const problems = runs.sealer.seal({ ...runs.sealer.problems(run), counts }, run);
        return runs.store.write(run, { ...runs.renewed(), cursor_id: String(last), done: last, problems }, transaction);
      },
      options,
    );
  } catch (error) {
    if (!(error instanceof RowsUndone)) throw error;
  }
  return addFailures(work, run, failed);
}

function addFailures(work: ImportWork, run: RunRow, failed: readonly FailedRow[]): Promise<RunRow> {
  const { runs } = work;
  return runs.database.transaction(async (transaction) => {
    await storeFailures(work, failed, transaction);
    const next = { ...runs.renewed(), cursor_id: String(run.total), failed: failed.length };
    return runs.store.write(run, next, transaction);
  });
}
