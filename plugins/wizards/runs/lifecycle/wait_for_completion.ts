import { setTimeout as sleep } from "node:timers/promises";
import type { Move, RunRow, Visit } from "../../contract/index.ts";
import type { Core } from "../context.ts";
import { contextOf } from "../run_scope.ts";
import { done, gone, toCursor } from "../step_position.ts";
import { recovered } from "../upkeep/recover.ts";

/** Milliseconds that a request waits for the one that completes the run. */
const PATIENCE = 10_000;
const FIRST_LOOK = 25;
const LONGEST_REST = 400;

/** Waits for the request that completes the run, and answers as it does. */
export async function awaitEnd(core: Core, visit: Visit, { id }: { id?: number }): Promise<Move> {
  const until = Date.now() + PATIENCE;
  let last: RunRow | undefined;
  for (let rest = FIRST_LOOK; Date.now() < until; rest = Math.min(rest * 2, LONGEST_REST)) {
    const row = await look(core, visit, id!);
    if (row === "away") {
      await sleep(rest);
      continue;
    }
    last = row;
    const run = row && core.open(row, visit.mount.wizard, contextOf(visit))?.run;
    if (!run) return gone;
    if (run.state === "completed") return done(run);
    if (run.state === "in_progress") return toCursor(run, { text: "wizards.notices.not_done" });
    await sleep(rest);
  }
  const run = last && core.open(last, visit.mount.wizard, contextOf(visit))?.run;
  return run ? { kind: "busy", run } : gone;
}

/** A run whose request died meanwhile is open again. The only connection may be the one that the other request works on. */
async function look(core: Core, { controller }: Visit, id: number): Promise<RunRow | undefined | "away"> {
  try {
    const row = await core.store.byId(id);
    return row && (await recovered(core, row, controller));
  } catch (error) {
    if ((error as { status?: number }).status === 503) return "away";
    throw error;
  }
}
