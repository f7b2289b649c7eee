import { messageOf } from "framewright/kernel";
import type { BaseModel } from "framewright/plugins/database";
import type { RunRow, StepContext, SweepReport, WizardClass, WizardFlow, WizardStore } from "../../contract/index.ts";
import { nobody } from "../../flow/read_step.ts";
import type { EngineCore } from "../context.ts";
import { filesOf } from "../files.ts";
import type { RunEvent } from "../history.ts";
import { copyContent, type StoredRun } from "../run.ts";
import { recoverAbandoned } from "./recover.ts";
import { rollBack, startedSteps } from "./rollback.ts";

const DAY_MS = 86_400_000;
/** How long a run is retained that was never started. */
const UNSTARTED_MS = 7 * DAY_MS;
const EVENTS_MS = 90 * DAY_MS;
const BATCH_ROWS = 100;
/** The most rows of a kind that one sweep handles; the next one continues. */
const MAX_ROWS = 5000;
/** Runs that were never started are cheap: one statement deletes a hundred. */
const MAX_UNSTARTED_ROWS = 200_000;
type Due = Parameters<WizardStore["due"]>[0];

/** Deletes expired runs and old events, and reopens abandoned completions. */
export async function sweep(core: EngineCore): Promise<SweepReport> {
  const now = Date.now();
  const at = (age: number) => new Date(now - age);
  const unstarted = await sweepUnstarted(core, at(UNSTARTED_MS));
  const expired = await sweepEach(core, "expired", at(0), (row) => expire(core, row));
  const stale = await sweepEach(core, "stale", at(core.parts.grace), (row) => reopenAbandoned(core, row));
  const completed = await sweepEach(core, "completed", at(0), ({ id }) => core.store.delete(id!));
  return { unstarted, expired, recovered: stale, completed, events: await sweepEvents(core, at(EVENTS_MS)) };
}

/** Works in batches until none is full. Stops when nothing in a batch succeeds, so that failing rows are not retried. */
async function sweepEach(
  core: EngineCore,
  what: Due,
  before: Date,
  work: (row: RunRow) => Promise<boolean>,
): Promise<number> {
  let count = 0;
  for (let seen = 0; seen < MAX_ROWS; ) {
    const rows = await core.store.due(what, before, BATCH_ROWS);
    let done = 0;
    for (const row of rows) if (await work(row)) done++;
    count += done;
    seen += rows.length;
    if (rows.length < BATCH_ROWS || done === 0) break;
  }
  return count;
}

/** Deletes runs that were launched and never started; one that is started at this moment stays. */
async function sweepUnstarted(core: EngineCore, before: Date): Promise<number> {
  let count = 0;
  while (count < MAX_UNSTARTED_ROWS) {
    const rows = await core.store.due("unstarted", before, BATCH_ROWS);
    const removed = await core.store.forget(rows.map(({ id }) => id!));
    count += removed;
    if (rows.length < BATCH_ROWS || removed === 0) break;
  }
  return count;
}

async function reopenAbandoned(core: EngineCore, row: RunRow): Promise<boolean> {
  return (await recoverAbandoned(core, row, undefined))?.state === "in_progress";
}

async function sweepEvents(core: EngineCore, before: Date): Promise<number> {
  let count = 0;
  for (let removed = BATCH_ROWS; removed === BATCH_ROWS && count < MAX_ROWS; count += removed)
    removed = await core.store.sweepEvents(before, BATCH_ROWS);
  return count;
}

const event: RunEvent = { kind: "expired" };

/** Cancels an expired run without a user; a rollback that fails is retried a day later. */
async function expire(core: EngineCore, { id }: RunRow): Promise<boolean> {
  try {
    const gone = await core.store.locked(id!, async (row, transaction) => {
      if (row?.state !== "in_progress" || !row.expires_at || row.expires_at.getTime() > Date.now()) return undefined;
      const keys = await rollBackRow(core, row, transaction);
      if (row.started_at !== null) await core.history.record(row, [event], undefined, transaction);
      await core.store.delete(row.id!, transaction);
      return { row, keys };
    });
    if (gone) await core.afterCommit(gone.row, gone.row.started_at === null ? [] : [event], gone.keys);
    return gone !== undefined;
  } catch (error) {
    core.parts.log.warn({ err: error, run: id }, `the expired run ${id} could not be rolled back: ${messageOf(error)}`);
    await core.store.update(id!, {}, { expires_at: new Date(Date.now() + DAY_MS) });
    return false;
  }
}

/** Rolls back as much of a run as possible: its wizard, or the secret that sealed it, may be unavailable. Returns the keys of its files. */
async function rollBackRow(
  core: EngineCore,
  row: RunRow,
  transaction: Parameters<Parameters<WizardStore["locked"]>[1]>[1],
): Promise<string[]> {
  const stored = core.codec.open(row);
  if (!stored) return [];
  const wizard = core.parts.wizard(row.wizard);
  const context = await contextOfRow(core, row, transaction);
  const flow = wizard?.flow ?? emptyFlow;
  const content = copyContent((wizard && migratedRun(core, row, wizard, context)) ?? stored);
  await rollBack({ database: core.database, flow, transaction }, content, startedSteps(flow, content), context);
  return filesOf(stored).map(({ key }) => key);
}
const emptyFlow: WizardFlow = {
  steps: [],
  schema: {},
  step: () => undefined,
  visible: () => [],
  scope: () => nobody,
  data: () => ({}),
  bind: () => undefined,
};

/** The run on the current steps; undefined where a condition throws because no user is signed in. */
function migratedRun(core: EngineCore, row: RunRow, wizard: WizardClass, context: StepContext): StoredRun | undefined {
  try {
    return core.open(row, wizard, context)?.run;
  } catch {
    return undefined;
  }
}

async function contextOfRow(
  core: EngineCore,
  row: RunRow,
  transaction: Parameters<Parameters<WizardStore["locked"]>[1]>[1],
): Promise<StepContext> {
  const find = async (constant: string | null | undefined, id: string | null | undefined) => {
    const model = core.database.models().find((info) => info.constant === constant);
    if (!model || !id) return undefined;
    return (await model.key.where(model.class.query(transaction), id).first()) as BaseModel | undefined;
  };
  const [scopeType, scopeId] = row.scope_gid?.split("/") ?? [];
  const entity = await find(scopeType, scopeId);
  return {
    place: { portal: undefined, isScoped: scopeType !== undefined, entity },
    currentUser: undefined,
    currentScopedEntity: entity,
    anchor: await find(row.anchor_type, row.anchor_id),
  };
}
