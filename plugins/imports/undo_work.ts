import { setImmediate } from "node:timers/promises";
import { addToOrigin } from "framewright/host";
import { messageOf } from "framewright/kernel";
import {
  type BackgroundRuns,
  enter,
  finish,
  type RunContent,
  RunMovedError,
  type RunRow,
  SLICE_MS,
} from "framewright/plugins/background_runs";
import { ValidationError } from "framewright/plugins/database";
import type { ResourceController } from "framewright/plugins/resources";
import { isDenial, Refusal, removeFilesOf, report } from "framewright/plugins/resources/toolkit";
import { type ImportMapping, noCounts } from "./content.ts";
import { importsWith } from "./imports_of.ts";
import type { ImportRow, WriteRow } from "./store.ts";
import { LeftAsItIs, type TakenBack, takeBack } from "./take_back.ts";

const BATCH = 100;
const MAX_NAMED = 50;
const MAX_LABEL_CHARS = 80;

/** An import that is undone. */
interface Undoing {
  readonly stored: ImportRow;
  readonly mapping: ImportMapping;
  readonly content: RunContent;
}

/** Takes back what an import wrote, from the last record to the first: one that it wrote twice has its first values again. */
export async function advanceUndo(runs: BackgroundRuns, claimed: RunRow, content: RunContent): Promise<void> {
  addToOrigin({ means: "undo" });
  const id = content.import!;
  const imports = importsWith(runs);
  const { store } = imports;
  const stored = await store.find(id);
  const mapping = stored && imports.content(stored)?.mapping;
  if (!stored || !mapping) return void (await runs.end(claimed, "failed", "resource.import.gone"));
  const until = performance.now() + SLICE_MS;
  let run = claimed;
  const next = () => store.writes(id, run.cursor_id === null ? undefined : Number(run.cursor_id), BATCH);
  try {
    for (let writes = await next(); writes.length > 0; writes = await next())
      for (const write of writes) {
        if (runs.isStopping || performance.now() > until) return await runs.handOver(run);
        run = await undoWrite(runs, run, { stored, mapping, content }, write);
        await setImmediate(); // requests of this process have their turn between two records
      }
    await runs.end(run, "done");
  } catch (error) {
    if (error instanceof Refusal) return await finish(runs, run, error.kind);
    await runs.release(run);
    throw error;
  }
}

/** One record: what is done to it and the place of the run are committed together. @throws RunMovedError, Refusal, 503 */
async function undoWrite(runs: BackgroundRuns, run: RunRow, about: Undoing, write: WriteRow): Promise<RunRow> {
  const controller = await enter(runs.parts, run, about.content);
  await controller.authorizeAction("import").catch((error: unknown) => {
    throw isDenial(error) ? new Refusal("policy") : error;
  });
  const known = importsWith(runs).sealer.keptWrite(write.content, about.stored);
  let done: readonly [RunRow, TakenBack];
  try {
    if (!known) throw new LeftAsItIs("unknown");
    const written = { id: write.record_id, write: known, mapping: about.mapping };
    done = await runs.database.transaction(async (transaction) => {
      const taken = await takeBack(controller, written, transaction);
      const counted = { ...countedBy(runs, run, taken), cursor_id: String(write.id), done: run.done + 1 };
      return [await runs.store.write(run, { ...runs.renewed(), ...counted }, transaction), taken] as const;
    });
  } catch (error) {
    if (error instanceof RunMovedError) throw error;
    return leave(runs, run, write, { controller, left: leftBy(runs, error) });
  }
  for (const taken of [...done[1].rows, done[1]]) await afterCommit(runs, taken);
  return done[0];
}

function countedBy(runs: BackgroundRuns, run: RunRow, { kind }: TakenBack): Pick<RunRow, "problems"> {
  const { counts = noCounts, ...rest } = runs.sealer.problems(run);
  const name = kind === "destroyed" ? "created" : "updated";
  return { problems: runs.sealer.seal({ ...rest, counts: { ...counts, [name]: counts[name] + 1 } }, run) };
}

/** Why a record stays; errors of an unavailable database are thrown on. */
function leftBy(runs: BackgroundRuns, error: unknown): LeftAsItIs {
  if (error instanceof LeftAsItIs) return error;
  if (error instanceof ValidationError) return new LeftAsItIs("used");
  if (isDenial(error)) return new LeftAsItIs("refused");
  if ((error as { status?: unknown }).status === 503) throw error;
  runs.log.error({ err: error }, `a record of an import was not taken back: ${messageOf(error)}`);
  return new LeftAsItIs("error");
}

interface Leaving {
  readonly controller: ResourceController;
  readonly left: LeftAsItIs;
}

/** Moves the run past a record that stays, and names it. */
function leave(runs: BackgroundRuns, run: RunRow, write: WriteRow, { controller, left }: Leaving): Promise<RunRow> {
  const { problems, ...rest } = runs.sealer.problems(run);
  const label = [...(left.label ?? write.record_id)].slice(0, MAX_LABEL_CHARS).join("");
  const text = `${label}: ${controller.t(`resource.import.undo.left.${left.reason}`)}`;
  const named = problems.length < MAX_NAMED ? [...problems, { record: write.record_id, text }] : problems;
  const sealed = runs.sealer.seal({ ...rest, problems: named }, run);
  const next = { ...runs.renewed(), cursor_id: String(write.id), failed: run.failed + 1, problems: sealed };
  return runs.store.write(run, next);
}

async function afterCommit(runs: BackgroundRuns, { kind, record, controller }: TakenBack): Promise<void> {
  try {
    if (kind === "destroyed") await removeFilesOf(controller, record);
    await report(controller, kind, record);
  } catch (error) {
    runs.log.error({ err: error }, `what follows a record that was taken back failed: ${messageOf(error)}`);
  }
}
