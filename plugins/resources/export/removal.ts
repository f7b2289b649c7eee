import { messageOf } from "framewright/kernel";
import type { RunRow } from "../background/run.ts";
import type { BackgroundRuns } from "../background/runs.ts";
import { RunMovedError } from "../background/store.ts";
import { exportActions } from "./run_action.ts";

/** Deletes the files of exports that can't be downloaded any more. It may run on several nodes at once. */
export async function removeExpired(runs: BackgroundRuns, now: number): Promise<void> {
  if (!runs.parts.storage()) return;
  const before = new Date(now - runs.parts.exports.keepMs);
  for (const run of await runs.store.keeping(exportActions, before))
    await remove(runs, run).catch((error: unknown) => {
      if (error instanceof RunMovedError) return; // by another node
      runs.log.error({ err: error, run: run.id }, `the file of an export was not deleted: ${messageOf(error)}`);
    });
}

async function remove(runs: BackgroundRuns, run: RunRow): Promise<void> {
  const { file } = runs.sealer.problems(run);
  if (file) await runs.parts.storage()!.delete(file.file.key);
  await runs.store.write(run, { problems: null });
}
