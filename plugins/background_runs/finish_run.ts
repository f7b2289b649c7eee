import type { RefusalKind } from "framewright/plugins/resources";
import type { BackgroundRuns } from "./contract.ts";
import { processedOf, type RunRow } from "./run.ts";

/** How long a job works on a run before it makes room for other jobs. */
export const SLICE_MS = 20_000;

/** Ends a run; records that had no turn are counted as refused. */
export async function finish(runs: BackgroundRuns, run: RunRow, kind: RefusalKind): Promise<void> {
  const left = Math.max(0, run.total - processedOf(run));
  const { reasons, ...rest } = runs.sealer.problems(run);
  const counted = { reasons: { ...reasons, [kind]: (reasons[kind] ?? 0) + left }, ...rest };
  const more = left > 0 ? { refused: run.refused + left, problems: runs.sealer.seal(counted, run) } : {};
  await runs.end(run, "done", undefined, more);
}
