import { setTimeout as sleep } from "node:timers/promises";
import type { RunRow, StepResult, Visit } from "../../contract/index.ts";
import type { EngineCore } from "../context.ts";
import { stepContextOf } from "../run_scope.ts";
import { cursorResult, doneResult, goneResult } from "../step_position.ts";
import { recoverAbandoned } from "../upkeep/recover.ts";

/** How long a request waits for the one that completes the run, polling at growing intervals. */
const MAX_WAIT_MS = 10_000;
const FIRST_DELAY_MS = 25;
const MAX_DELAY_MS = 400;

/** Waits for the request that completes the run, and returns the same result. */
export async function waitForCompletion(core: EngineCore, visit: Visit, { id }: { id?: number }): Promise<StepResult> {
  const until = Date.now() + MAX_WAIT_MS;
  let last: RunRow | undefined;
  for (let delay = FIRST_DELAY_MS; Date.now() < until; delay = Math.min(delay * 2, MAX_DELAY_MS)) {
    const row = await readRow(core, visit, id!);
    if (row === "unavailable") {
      await sleep(delay);
      continue;
    }
    last = row;
    const run = row && core.open(row, visit.mount.wizard, stepContextOf(visit))?.run;
    if (!run) return goneResult;
    if (run.state === "completed") return doneResult(run);
    if (run.state === "in_progress") return cursorResult(run, { text: "wizards.notices.not_done" });
    await sleep(delay);
  }
  const run = last && core.open(last, visit.mount.wizard, stepContextOf(visit))?.run;
  return run ? { kind: "busy", run } : goneResult;
}

/** Reads the row, and reopens the run if the request that was completing it died. "unavailable" when the completing request has the only connection. */
async function readRow(
  core: EngineCore,
  { controller }: Visit,
  id: number,
): Promise<RunRow | undefined | "unavailable"> {
  try {
    const row = await core.store.byId(id);
    return row && (await recoverAbandoned(core, row, controller));
  } catch (error) {
    if ((error as { status?: number }).status === 503) return "unavailable";
    throw error;
  }
}
