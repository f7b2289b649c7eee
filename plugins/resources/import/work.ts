import { setImmediate } from "node:timers/promises";
import type { RunContent } from "../background/content.ts";
import { Refusal } from "../background/enter.ts";
import { finish, SLICE_MS } from "../background/finish_run.ts";
import { processedOf, type RunRow } from "../background/run.ts";
import type { BackgroundRuns } from "../background/runs.ts";
import { jobActor } from "./actors.ts";
import type { ImportContent, ImportMapping } from "./content.ts";
import { readRows } from "./csv_file.ts";
import { keepWrites } from "./kept_writes.ts";
import { planOf } from "./plan.ts";
import type { ImportRow } from "./store.ts";
import { BATCH_ROWS, mayShare, writeBatch } from "./write_batch.ts";
import { type FileRow, writeAllRows, writeRow } from "./write_rows.ts";

/** Works on the run of an import from its place on, until it ends, or another job is to go on. */
export async function advanceImport(runs: BackgroundRuns, claimed: RunRow, content: RunContent): Promise<void> {
  const { imports } = runs.parts;
  const found = await findImport(runs, content.import!);
  if (!found) return void (await runs.end(claimed, "failed", "resource.import.gone"));
  let run = claimed;
  try {
    const next = await writeRows(runs, run, content, found, (moved) => {
      run = moved;
    });
    if (!next) return;
    await runs.end(next, "done");
  } catch (error) {
    if (!(error instanceof Refusal)) {
      await runs.release(run);
      throw error;
    }
    await finish(runs, run, error.kind);
  }
  await imports.finish(found.stored.id);
}

interface FoundImport {
  readonly stored: ImportRow;
  readonly about: ImportContent;
  readonly mapping: ImportMapping;
}

/** The import of a run, as long as there is its file. */
async function findImport({ parts: { imports } }: BackgroundRuns, id: number): Promise<FoundImport | undefined> {
  const stored = await imports.store.find(id);
  const about = stored && imports.content(stored);
  if (!stored || !about?.mapping || !(await imports.storage.exists(about.file.key))) return undefined;
  return { stored, about, mapping: about.mapping };
}

/** The run when all rows had their turn; undefined where another job goes on. */
async function writeRows(
  runs: BackgroundRuns,
  claimed: RunRow,
  content: RunContent,
  { stored, about, mapping }: FoundImport,
  moved: (run: RunRow) => void,
): Promise<RunRow | undefined> {
  const until = performance.now() + SLICE_MS;
  const actor = await jobActor(runs, claimed, content);
  const keep = await keepWrites(runs, stored, actor.base.registration.model);
  const planned = () => planOf(actor.base, about, mapping);
  const work = { runs, stored, actor, keep, plan: planned() };
  const open = async (skipped = 0) =>
    readRows(await runs.parts.imports.storage.stream(about.file.key), about.delimiter, skipped);
  if (mapping.atOnce) return processedOf(claimed) > 0 ? claimed : writeAllRows(work, claimed, open);
  let run = claimed;
  let [isAlone, hasSavepoints] = [!mayShare(work), false];
  const rows = new WaitingRows(await open(processedOf(run)));
  try {
    for (;;) {
      const next = await rows.next(isAlone ? 1 : BATCH_ROWS);
      if (next.length === 0) return run;
      if (runs.isStopping || performance.now() > until) return void (await runs.handOver(run));
      const batch = isAlone
        ? { run: await writeRow(work, run, next[0]!), count: 1, isAlone, refusal: undefined, hasSavepoints }
        : await writeBatch(work, run, next, hasSavepoints);
      if (batch.isAlone && !isAlone) work.plan = planned(); // what it has looked up may be of before the batch
      ({ run, isAlone, hasSavepoints } = batch);
      moved(run);
      if (batch.refusal) throw batch.refusal;
      rows.done(batch.count);
      await setImmediate(); // requests of this process have their turn between two rows
    }
  } finally {
    await rows.close();
  }
}

/** The rows of a file that had no turn yet. */
class WaitingRows {
  readonly #rows: AsyncIterator<FileRow>;
  #waiting: FileRow[] = [];

  constructor(rows: AsyncIterable<FileRow>) {
    this.#rows = rows[Symbol.asyncIterator]();
  }
  /** At most so many; none at the end of the file. */
  async next(count: number): Promise<readonly FileRow[]> {
    while (this.#waiting.length < count) {
      const { value, done } = await this.#rows.next();
      if (done) break;
      this.#waiting.push(value);
    }
    return this.#waiting.slice(0, count);
  }
  done(count: number): void {
    this.#waiting = this.#waiting.slice(count);
  }
  async close(): Promise<void> {
    await this.#rows.return?.();
  }
}
