import { setImmediate } from "node:timers/promises";
import { CHUNK_MS, type Chunk, chunkDeadline, type RunRow, turnIn } from "framewright/plugins/background_runs";
import { Refusal } from "framewright/plugins/resources/toolkit";
import { type FailedRow, type ImportCounts, noCounts } from "./content.ts";
import type { WriteKeeper } from "./kept_writes.ts";
import { failedLines, type Lines } from "./lines.ts";
import { type KeepWrite, SharedTransaction, type Transact } from "./row_write.ts";
import { problemsOf, readRow } from "./rows.ts";
import { counted, type ImportWork, storeFailures } from "./write_rows.ts";

const MAX_RECORDS = 100;

/** Puts records together, as many as are committed at once at most. */
export async function* chunksOf(rows: AsyncIterable<Lines>): AsyncGenerator<Lines[]> {
  let chunk: Lines[] = [];
  for await (const lines of rows) {
    chunk.push(lines);
    if (chunk.length < MAX_RECORDS) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** What became of records that were committed together. */
interface ChunkResult {
  readonly run: RunRow;
  /** How many had their turn. */
  readonly count: number;
  /** What keeps all that are left from their turns. */
  readonly refusal?: Refusal | undefined;
  /** A record waited for something else: chunks hold it up. */
  readonly isStuck: boolean;
}

/**
 * Writes the first of these records, each as a request of the person for it alone would, and commits them together with the place
 * of the run: the next one sees what the ones before have written, in whatever it reads. What follows a record's commit is done
 * after that of all, in their order.
 * @throws RunMovedError, and errors of a database that is unavailable
 */
export async function writeChunk(work: ImportWork, run: RunRow, records: readonly Lines[]): Promise<ChunkResult> {
  const { runs, actor } = work;
  const attempts: SharedTransaction[] = [];
  const options = { until: chunkDeadline(runs), by: "an import" };
  try {
    const result = await runs.database.inChunk(async (chunk) => {
      await attempts.pop()?.undone(); // it runs again after a conflict
      const shared = new SharedTransaction((write) => chunk.transaction(write));
      attempts.push(shared);
      return writeRecords(work, run, records, { chunk, shared });
    }, options);
    for (const failure of (await attempts.at(-1)?.committed()) ?? [])
      logged(() => problemsOf(runs, actor, { plan: work.plan, lines: records[0]! }, failure));
    return result;
  } catch (error) {
    await attempts.at(-1)?.undone();
    throw error;
  }
}

/** What failed after a commit is logged, and changes nothing. */
function logged(log: () => unknown): void {
  try {
    log();
  } catch {
    // It is about all rows, and the next one meets it.
  }
}

async function writeRecords(
  work: ImportWork,
  run: RunRow,
  records: readonly Lines[],
  { chunk, shared }: { chunk: Chunk; shared: SharedTransaction },
): Promise<ChunkResult> {
  const { runs } = work;
  const until = performance.now() + CHUNK_MS;
  const claimed = await runs.store.write(run, runs.renewed()); // of two processes one writes
  const { counts: before = noCounts, ...rest } = runs.sealer.problems(claimed);
  const failed: FailedRow[] = [];
  const kept: Parameters<WriteKeeper["collect"]>[0] = [];
  let [counts, count, isStuck] = [before, 0, false];
  let refusal: Refusal | undefined;
  for (const lines of records) {
    const own: typeof kept = [];
    const writing = { shared, keep: work.keeper?.collect(own) };
    const turn = await turnIn(chunk, (transact) => writeRecord(work, lines, { ...writing, transact }));
    isStuck = turn === undefined || turn.isLong;
    if (!turn) break;
    const { result } = turn;
    if (result instanceof Refusal) {
      refusal = result;
      break;
    }
    count++;
    if (typeof result === "string") {
      counts = counted(counts, result);
      kept.push(...own);
    } else failed.push(...result);
    if (isStuck || runs.isStopping || performance.now() > until) break;
    await setImmediate(); // requests of this process have their turn between two rows
  }
  if (count === 0) return { run: claimed, count, refusal, isStuck };
  await work.keeper?.store(kept);
  await storeFailures(work, failed);
  const lines = records.slice(0, count).flat();
  const next = {
    cursor_id: String(lines.at(-1)!.row),
    done: run.done + lines.length - failed.length,
    failed: run.failed + failed.length,
    problems: runs.sealer.seal({ ...rest, counts }, run),
  };
  return { run: await runs.store.write(claimed, { ...runs.renewed(), ...next }), count, refusal, isStuck };
}

/** What a record became, or its lines with what is wrong with them. @throws RunMovedError, and errors of a database that is unavailable */
async function writeRecord(
  { runs, plan, actor }: ImportWork,
  lines: Lines,
  { shared, keep, transact }: { shared: SharedTransaction; keep: KeepWrite | undefined; transact: Transact },
): Promise<keyof ImportCounts | readonly FailedRow[] | Refusal> {
  try {
    const { action, controller } = await readRow(actor, plan, lines);
    const { isUnchanged } = await shared.begin(controller, () => controller[action](), keep, transact);
    return isUnchanged ? "unchanged" : action === "create" ? "created" : "updated";
  } catch (error) {
    if (error instanceof Refusal) return error;
    return failedLines(actor.base, lines, problemsOf(runs, actor, { plan, lines }, error));
  }
}
