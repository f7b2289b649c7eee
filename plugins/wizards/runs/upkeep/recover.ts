import type { BaseController } from "framewright/host";
import type { RunRow } from "../../contract/index.ts";
import type { EngineCore } from "../context.ts";
import type { RunEvent } from "../history.ts";

/** Reopens a run that was being completed, at its step or another one. Undefined when its state changed in between. */
export async function reopenRun(
  core: EngineCore,
  taken: RunRow,
  event: RunEvent,
  by: BaseController | undefined,
  cursor = taken.cursor,
): Promise<RunRow | undefined> {
  const expected = { attempt: taken.attempt, version: taken.version };
  const change = {
    state: "in_progress",
    cursor,
    attempt: null,
    completing_at: null,
    version: taken.version + 1,
    updated_at: new Date(),
  } as const;
  if (!(await core.store.update(taken.id!, expected, change))) return undefined;
  const row = { ...taken, ...change };
  await core.history.record(row, [event], by);
  await core.history.announce(row, [event]);
  return row;
}

/** Whether the completion started more than `grace` milliseconds ago: its process died. */
export const isAbandoned = ({ state, completing_at }: RunRow, grace: number): boolean =>
  state === "completing" && completing_at !== null && Date.now() - completing_at.getTime() > grace;

/** Reopens a run whose completion was abandoned; returns the current row. */
export async function recoverAbandoned(
  core: EngineCore,
  row: RunRow,
  by: BaseController | undefined,
): Promise<RunRow | undefined> {
  if (!isAbandoned(row, core.parts.grace)) return row;
  return (await reopenRun(core, row, { kind: "recovered" }, by)) ?? core.store.byId(row.id!);
}
