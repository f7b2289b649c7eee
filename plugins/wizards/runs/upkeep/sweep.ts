import { messageOf } from "framewright/kernel";
import type { BaseModel } from "framewright/plugins/database";
import type { FlowFace, RunRow, StepContext, SweepReport, WizardClass, WizardStore } from "../../contract/index.ts";
import type { Core } from "../context.ts";
import { filesOf } from "../files.ts";
import type { Happening } from "../history.ts";
import { contentOf, type OpenRun } from "../run.ts";
import { recovered } from "./recover.ts";
import { rollBack, stepsBegun } from "./rollback.ts";

const DAY = 86_400_000;
/** Milliseconds that a run is kept which nobody began. */
const UNSTARTED = 7 * DAY;
const EVENTS = 90 * DAY;
const BATCH = 100;
/** The most rows of a kind that one sweep removes; the next one goes on. */
const MOST = 5000;
/** Of those that nobody began, which cost a statement for a hundred. */
const MOST_UNSTARTED = 200_000;
type Due = Parameters<WizardStore["due"]>[0];

/** Removes what nobody needs any more, and opens runs again that were left behind. */
export async function sweep(core: Core): Promise<SweepReport> {
  const now = Date.now();
  const at = (age: number) => new Date(now - age);
  const unstarted = await forgotten(core, at(UNSTARTED));
  const expired = await each(core, "expired", at(0), (row) => expire(core, row));
  const stale = await each(core, "stale", at(core.parts.grace), (row) => openAgain(core, row));
  const completed = await each(core, "completed", at(0), ({ id }) => core.store.delete(id!));
  return { unstarted, expired, recovered: stale, completed, events: await events(core, at(EVENTS)) };
}

/** In batches, as long as there are more: what could not be done is left, and not tried twice. */
async function each(core: Core, what: Due, before: Date, work: (row: RunRow) => Promise<boolean>): Promise<number> {
  let count = 0;
  for (let seen = 0; seen < MOST; ) {
    const rows = await core.store.due(what, before, BATCH);
    let done = 0;
    for (const row of rows) if (await work(row)) done++;
    count += done;
    seen += rows.length;
    if (rows.length < BATCH || done === 0) break;
  }
  return count;
}

/** Those that were launched and never begun; one that somebody begins at this moment stays. */
async function forgotten(core: Core, before: Date): Promise<number> {
  let count = 0;
  while (count < MOST_UNSTARTED) {
    const rows = await core.store.due("unstarted", before, BATCH);
    const removed = await core.store.forget(rows.map(({ id }) => id!));
    count += removed;
    if (rows.length < BATCH || removed === 0) break;
  }
  return count;
}

async function openAgain(core: Core, row: RunRow): Promise<boolean> {
  return (await recovered(core, row, undefined))?.state === "in_progress";
}

async function events(core: Core, before: Date): Promise<number> {
  let count = 0;
  for (let removed = BATCH; removed === BATCH && count < MOST; count += removed)
    removed = await core.store.sweepEvents(before, BATCH);
  return count;
}

const happening: Happening = { kind: "expired" };

/** As a cancel that nobody asked for: nobody is signed in, and a rollback that fails is tried again a day later. */
async function expire(core: Core, { id }: RunRow): Promise<boolean> {
  try {
    const gone = await core.store.locked(id!, async (row, transaction) => {
      if (row?.state !== "in_progress" || !row.expires_at || row.expires_at.getTime() > Date.now()) return undefined;
      const keys = await rolledBack(core, row, transaction);
      if (row.started_at !== null) await core.trail.record(row, [happening], undefined, transaction);
      await core.store.delete(row.id!, transaction);
      return { row, keys };
    });
    if (gone) await core.after(gone.row, gone.row.started_at === null ? [] : [happening], gone.keys);
    return gone !== undefined;
  } catch (error) {
    core.parts.log.warn({ err: error, run: id }, `the expired run ${id} could not be rolled back: ${messageOf(error)}`);
    await core.store.update(id!, {}, { expires_at: new Date(Date.now() + DAY) });
    return false;
  }
}

/** What can be undone of a run: its wizard may be gone, and what it was sealed under. Gives the keys of its files. */
async function rolledBack(
  core: Core,
  row: RunRow,
  transaction: Parameters<Parameters<WizardStore["locked"]>[1]>[1],
): Promise<string[]> {
  const stored = core.texts.open(row);
  if (!stored) return [];
  const wizard = core.parts.wizard(row.wizard);
  const context = await contextOfRow(core, row, transaction);
  const flow = wizard?.flow ?? noFlow;
  const content = contentOf((wizard && onTodaysSteps(core, row, wizard, context)) ?? stored);
  await rollBack({ database: core.database, flow, transaction }, content, stepsBegun(flow, content), context);
  return filesOf(stored).map(({ key }) => key);
}
const noFlow: FlowFace = { steps: [], schema: {}, step: () => undefined, visible: () => [], data: () => ({}) };

/** Under the names that steps have now; undefined where a condition can't do without the person. */
function onTodaysSteps(core: Core, row: RunRow, wizard: WizardClass, context: StepContext): OpenRun | undefined {
  try {
    return core.open(row, wizard, context)?.run;
  } catch {
    return undefined;
  }
}

async function contextOfRow(
  core: Core,
  row: RunRow,
  transaction: Parameters<Parameters<WizardStore["locked"]>[1]>[1],
): Promise<StepContext> {
  const find = async (constant: string | null | undefined, id: string | null | undefined) => {
    const model = core.database.models().find((info) => info.constant === constant);
    if (!model || !id) return undefined;
    return (await model.class.query(transaction).findById(id)) as BaseModel | undefined;
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
