import type { BaseController } from "framewright/host";
import type { RunRow } from "../../contract/index.ts";
import type { Core } from "../context.ts";
import type { Happening } from "../history.ts";

/** Opens a run again that somebody was completing, at its step or another. Undefined when it went on in between. */
export async function putBack(
  core: Core,
  taken: RunRow,
  happening: Happening,
  by: BaseController | undefined,
  cursor = taken.cursor,
): Promise<RunRow | undefined> {
  const held = { attempt: taken.attempt, version: taken.version };
  const change = {
    state: "in_progress",
    cursor,
    attempt: null,
    completing_at: null,
    version: taken.version + 1,
    updated_at: new Date(),
  } as const;
  if (!(await core.store.update(taken.id!, held, change))) return undefined;
  const row = { ...taken, ...change };
  await core.trail.record(row, [happening], by);
  await core.trail.announce(row, [happening]);
  return row;
}

/** Whether the request that completed it has been silent for too long: it died. */
export const isLeftBehind = ({ state, completing_at }: RunRow, grace: number): boolean =>
  state === "completing" && completing_at !== null && Date.now() - completing_at.getTime() > grace;

/** Puts a run back that nobody completes any more. */
export async function recovered(core: Core, row: RunRow, by: BaseController | undefined): Promise<RunRow | undefined> {
  if (!isLeftBehind(row, core.parts.grace)) return row;
  return (await putBack(core, row, { kind: "recovered" }, by)) ?? core.store.byId(row.id!);
}
