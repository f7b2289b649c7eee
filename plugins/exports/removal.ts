import { messageOf } from "framewright/kernel";
import { type BackgroundRuns, RunMovedError, type RunRow } from "framewright/plugins/background_runs";
import type { Storage } from "framewright/plugins/storage";
import type { Exports } from "./contract.ts";
import { exportActions } from "./run_action.ts";

/** Deletes the files of exports that can't be downloaded any more. It may run on several nodes at once. */
export async function removeExpired({ background, settings }: Exports, now: number): Promise<void> {
  if (!background) return;
  const { runs, storage } = background;
  const before = new Date(now - settings.keepMs);
  for (const run of await runs.store.keeping(exportActions, before))
    await remove(runs, storage, run).catch((error: unknown) => {
      if (error instanceof RunMovedError) return; // by another node
      runs.log.error({ err: error, run: run.id }, `the file of an export was not deleted: ${messageOf(error)}`);
    });
}

async function remove(runs: BackgroundRuns, storage: Storage, run: RunRow): Promise<void> {
  const { file } = runs.sealer.problems(run);
  if (file) await storage.delete(file.file.key);
  await runs.store.write(run, { problems: null });
}
