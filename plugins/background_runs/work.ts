import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { addToOrigin } from "framewright/host";
import { isDenial, nextTargets, Refusal, targetsQuery } from "framewright/plugins/resources/toolkit";
import { openFiles } from "./carried_files.ts";
import { mayChunk } from "./chunk_turn.ts";
import { valuesOf } from "./content.ts";
import type { BackgroundRuns } from "./contract.ts";
import { actionOf, enter, type RunAction } from "./enter.ts";
import { finish, SLICE_MS } from "./finish_run.ts";
import { performChunk } from "./perform_chunk.ts";
import { performRecord } from "./perform_record.ts";
import { isOpen, type RunRow } from "./run.ts";
import { RunMovedError } from "./store.ts";

/** How many ids are looked up at a time. */
const BATCH = 100;
/** How often a run is taken up without getting past a record. */
const MAX_STARTS = 10;

/** The job: works on a run from its cursor on, until it ends, or another job is to go on. */
export async function workOnRun(runs: BackgroundRuns, id: number): Promise<void> {
  try {
    const run = await claim(runs, id);
    if (run) await advance(runs, run);
  } catch (error) {
    if (!(error instanceof RunMovedError)) throw error; // cancelled, or taken over by another process
  }
}

/** Takes a run for this job alone; undefined where there is nothing to do. @throws RunMovedError */
async function claim(runs: BackgroundRuns, id: number): Promise<RunRow | undefined> {
  const run = await runs.store.find(id);
  if (!run || !isOpen(run)) return undefined;
  if (run.locked_until && run.locked_until.getTime() > Date.now()) {
    await runs.enqueue(id, { runAt: new Date(run.locked_until.getTime() + 100) }); // its process may have died
    return undefined;
  }
  if (run.starts >= MAX_STARTS) return void (await runs.end(run, "failed", "resource.background.stuck"));
  const taken = { ...runs.renewed(), locked_by: `${process.pid}-${randomUUID()}`, starts: run.starts + 1 };
  return runs.store.write(run, { ...taken, state: "running" });
}

async function advance(runs: BackgroundRuns, claimed: RunRow): Promise<void> {
  const content = runs.sealer.content(claimed);
  const kind = runs.kindOf(claimed);
  if (content && kind) return kind.advance(claimed, content);
  const found = content && actionOf(runs.parts.registry, claimed, content);
  const files = found && (await openFiles(runs.parts.storage, content));
  if (found && !files) return void (await runs.end(claimed, "failed", "resource.background.file"));
  const about = found && files && { ...found, files };
  if (!about)
    return void (await runs.end(
      claimed,
      "failed",
      content ? "resource.background.unknown" : "resource.background.sealed",
    ));
  const until = performance.now() + SLICE_MS;
  addToOrigin({ means: about.onList ? "bulk" : "action" });
  let run = claimed;
  let inChunks = about.onList && mayChunk(runs, claimed);
  try {
    for (let ids = await idsOf(runs, run, about); ids.length > 0; ids = await idsOf(runs, run, about)) {
      for (let at = 0; at < ids.length; ) {
        if (runs.isStopping || performance.now() > until) return await runs.handOver(run);
        const before = run;
        if (inChunks) {
          const { isStuck, refusal, ...chunk } = await performChunk(runs, run, about, ids.slice(at));
          run = chunk.run;
          at += chunk.turns.length;
          inChunks = !isStuck;
          if (refusal) throw refusal;
        } else run = await performRecord(runs, run, about, ids[at++]!);
        const isStopped = about.interaction.onFailure === "stop" && problemsOf(run) > problemsOf(before);
        if (isStopped) return await finish(runs, run, "stopped");
        await setImmediate(); // requests of this process have their turn between two records
      }
    }
    await finish(runs, run, "gone");
  } catch (error) {
    if (error instanceof Refusal) return await finish(runs, run, error.kind);
    await runs.release(run);
    throw error;
  }
}

const problemsOf = ({ refused, failed }: RunRow): number => refused + failed;

/** The ids of the next targets. @throws Refusal */
async function idsOf(runs: BackgroundRuns, run: RunRow, about: RunAction): Promise<string[]> {
  const { content, interaction, onList, files } = about;
  if (!onList) return run.cursor_id === null ? [content.record ?? content.routeParams.id ?? "-"] : [];
  const controller = await enter(runs.parts, run, content);
  try {
    const values = { ...valuesOf(content, interaction.attributes, controller.resources.fieldTypes), ...files };
    const query = targetsQuery(controller, interaction, { ids: content.ids, values });
    return await nextTargets(query, controller, run, BATCH);
  } catch (error) {
    throw isDenial(error) ? new Refusal("list") : error;
  }
}
