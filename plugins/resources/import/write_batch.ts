import { setImmediate } from "node:timers/promises";
import { asUnavailable, type BaseModel, type Transaction } from "framewright/plugins/database";
import { Refusal } from "../background/enter.ts";
import type { RunRow } from "../background/run.ts";
import { ResourceController } from "../controller.ts";
import { type FailedRow, noCounts } from "./content.ts";
import { noticingStatements, RowTurn, StaleRowError, WrittenTables } from "./row_turn.ts";
import { type SharedTransaction, writeTogether } from "./row_write.ts";
import { problemsOf, readRow } from "./rows.ts";
import type { FileRow, ImportWork } from "./write_rows.ts";

/** How many rows share a transaction at most, and for how long it takes on more: others wait for its locks. */
export const BATCH_ROWS = 25;
const BATCH_MS = 100;
const TOGETHER_MS = 300_000;

/** What came of the rows that were tried together. */
export interface Batch {
  /** The run, once what was written is committed. */
  readonly run: RunRow;
  /** How many rows had their turn. */
  readonly count: number;
  /** Whether the next row is for a transaction of its own, and so those after it. */
  readonly isAlone: boolean;
  /** What ends the run. */
  readonly refusal: Refusal | undefined;
  /** Whether the rows of the next batch are to have savepoints. */
  readonly hasSavepoints: boolean;
}
/** A row without a savepoint has failed, and may have written something: the rows before it have to be undone as well. */
class BatchUndone extends Error {
  constructor() {
    super("a batch of an import was undone");
  }
}

/**
 * Whether rows may share a transaction: those that make records, where the framework's own `create` writes them. One that an
 * application overrides may do something before it that is to be done once.
 */
export const mayShare = ({ plan, actor }: ImportWork): boolean =>
  plan.mapping.mode === "create" && actor.base.create === ResourceController.prototype.create;

/** What rows led to, while nothing of it is committed. */
interface Tried {
  readonly records: BaseModel[];
  readonly failed: FailedRow[];
  count: number;
  created: number;
  last: number;
  isAlone: boolean;
  refusal: Refusal | undefined;
}

/**
 * Writes rows in one transaction, each as it would be by itself, and the place of the run with them: a process that is killed
 * leaves each row written once or not yet. A row that fails is undone alone: it has a savepoint, where one has failed before.
 * @throws RunMovedError, and errors of a database that is unavailable
 */
export async function writeBatch(
  work: ImportWork,
  run: RunRow,
  rows: readonly FileRow[],
  hasSavepoints: boolean,
): Promise<Batch> {
  try {
    return await writeShared(work, run, rows, hasSavepoints);
  } catch (error) {
    if (!(error instanceof BatchUndone)) throw error;
  }
  return writeShared(work, run, rows, true);
}

function writeShared(work: ImportWork, run: RunRow, rows: readonly FileRow[], hasSavepoints: boolean): Promise<Batch> {
  const { database } = work.runs;
  const options = { until: performance.now() + TOGETHER_MS, by: "an import" };
  return noticingStatements(database, () =>
    writeTogether(
      database,
      async (shared, transaction) => {
        const tried = await tryBatch(work, shared, rows, hasSavepoints);
        const { count, isAlone, refusal } = tried;
        const moved = count === 0 ? run : await writePlace(work, run, tried, transaction);
        return { run: moved, count, isAlone, refusal, hasSavepoints };
      },
      options,
    ),
  );
}

async function tryBatch(
  work: ImportWork,
  shared: SharedTransaction,
  rows: readonly FileRow[],
  hasSavepoints: boolean,
): Promise<Tried> {
  const until = performance.now() + BATCH_MS;
  const tables = new WrittenTables();
  const tried: Tried = {
    ...{ records: [], failed: [], count: 0, created: 0, last: 0 },
    ...{ isAlone: false, refusal: undefined },
  };
  for (const one of rows) {
    if (tried.count > 0 && (work.runs.isStopping || performance.now() > until)) break;
    try {
      await tryRow(work, shared, new RowTurn(tables, hasSavepoints), one, tried);
    } catch (error) {
      if (error instanceof StaleRowError) tried.isAlone = true;
      else if (error instanceof Refusal) tried.refusal = error;
      else throw error;
      break;
    }
    tried.count++;
    tried.last = one.row;
    await setImmediate(); // requests of this process have their turn between two rows
  }
  return tried;
}

/** @throws StaleRowError, Refusal, and errors after which the transaction can't go on */
async function tryRow(
  { runs, plan, actor, keep }: ImportWork,
  shared: SharedTransaction,
  turn: RowTurn,
  { row, cells }: FileRow,
  tried: Tried,
): Promise<void> {
  try {
    await turn.run(async () => {
      const { controller } = await readRow(actor, plan, cells);
      const { record } = await shared.begin(controller, () => controller.create(), { turn });
      turn.check();
      if (!record) return; // the controller has answered without writing
      tried.created++;
      if (keep) tried.records.push(record);
    });
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (turn.isWriting && !turn.hasSavepoint) throw new BatchUndone();
    turn.check();
    tried.failed.push({ row, cells, problems: problemsOf(runs, actor, plan, error) });
  }
}

/** Whether an error is the database's and not the row's: a deadlock has undone all, and all is tried again. */
const isUnavailable = (error: unknown): boolean => (asUnavailable(error) as { status?: unknown }).status === 503;

/** Writes what belongs to the records, and how far the run is. */
async function writePlace(
  { runs, stored, keep }: ImportWork,
  run: RunRow,
  { records, failed, count, created, last }: Tried,
  transaction: Transaction,
): Promise<RunRow> {
  const { store, sealer } = runs.parts.imports;
  if (records.length > 0) await keep?.all(records, transaction);
  const failures = failed.map((one) => ({ row_number: one.row, content: sealer.seal(one, stored) }));
  await store.addFailures(stored.id, failures, transaction);
  const done = count - failed.length;
  const { counts = noCounts, ...rest } = runs.sealer.problems(run);
  const unchanged = counts.unchanged + done - created;
  const sum = { ...counts, created: counts.created + created, unchanged };
  const problems = done > 0 ? { problems: runs.sealer.seal({ ...rest, counts: sum }, run) } : {};
  const place = { cursor_id: String(last), done: run.done + done, failed: run.failed + failed.length };
  return runs.store.write(run, { ...runs.renewed(), ...place, ...problems }, transaction);
}
