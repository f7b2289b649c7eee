import { setImmediate } from "node:timers/promises";
import { addToOrigin } from "framewright/host";
import {
  type BackgroundRuns,
  finish,
  mayChunk,
  processedOf,
  type RunContent,
  type RunRow,
  SLICE_MS,
} from "framewright/plugins/background_runs";
import { Refusal } from "framewright/plugins/resources/toolkit";
import { jobActor } from "./actors.ts";
import type { ImportContent, ImportMapping } from "./content.ts";
import type { Imports } from "./contract.ts";
import { readRows } from "./file_rows.ts";
import { importsWith } from "./imports_of.ts";
import { keepWrites } from "./kept_writes.ts";
import { groupLines } from "./lines.ts";
import { planOf } from "./plan.ts";
import type { ImportRow } from "./store.ts";
import { chunksOf, writeChunk } from "./write_chunk.ts";
import { writeAllRows, writeRow } from "./write_rows.ts";

/** Works on the run of an import from its place on, until it ends, or another job is to go on. */
export async function advanceImport(runs: BackgroundRuns, claimed: RunRow, content: RunContent): Promise<void> {
  addToOrigin({ means: "import" });
  const imports = importsWith(runs);
  const found = await findImport(imports, content.import!);
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
async function findImport(imports: Imports, id: number): Promise<FoundImport | undefined> {
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
  const keeper = await keepWrites(runs, stored, actor.base.registration.model);
  const work = { runs, stored, actor, keeper, plan: planOf(actor.base, about, mapping) };
  const open = async (skipped = 0) =>
    groupLines(readRows(await importsWith(runs).storage.stream(about.file.key), about, skipped), work.plan);
  if (mapping.atOnce) return processedOf(claimed) > 0 ? claimed : writeAllRows(work, claimed, open);
  let run = claimed;
  let inChunks = mayChunk(runs, claimed);
  for await (const chunk of chunksOf(await open(processedOf(run))))
    for (let at = 0; at < chunk.length; ) {
      if (runs.isStopping || performance.now() > until) return void (await runs.handOver(run));
      if (inChunks) {
        const { count, isStuck, refusal, ...written } = await writeChunk(work, run, chunk.slice(at));
        run = written.run;
        at += count;
        inChunks = !isStuck;
        moved(run);
        if (refusal) throw refusal;
      } else run = await writeRow(work, run, chunk[at++]!);
      moved(run);
      await setImmediate(); // requests of this process have their turn between two rows
    }
  return run;
}
