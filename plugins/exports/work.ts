import { setImmediate } from "node:timers/promises";
import type { Reply } from "framewright/host";
import { messageOf } from "framewright/kernel";
import {
  type BackgroundRuns,
  enter,
  type RunContent,
  RunMovedError,
  type RunRow,
} from "framewright/plugins/background_runs";
import type { ResourceController } from "framewright/plugins/resources";
import { isDenial, Refusal } from "framewright/plugins/resources/toolkit";
import type { StoredFile } from "framewright/plugins/storage";
import { exportFilename } from "./answer_export.ts";
import type { Exports } from "./contract.ts";
import { type ExportFormat, exportMethods } from "./formats.ts";
import { SpoolFile } from "./spool_file.ts";
import { onRowsWritten } from "./written_rows.ts";

/** How often the place of a run is written, at most. */
const PROGRESS_MS = 500;

/** The process ends: another one begins anew. */
class Stopping extends Error {}

/** A run as it was written last. */
interface Moving {
  run: RunRow;
}

/** Makes the file of an export, from its first row on, and ends its run with it. What was written by a process that died is lost. */
export async function advanceExport(service: Exports, claimed: RunRow, content: RunContent): Promise<void> {
  const { runs } = service.background!;
  const format = content.export!;
  const moving: Moving = { run: claimed };
  const spool = await SpoolFile.open();
  try {
    await makeFile(service, moving, { content, format, spool });
  } catch (error) {
    await endWith(runs, moving.run, error);
  } finally {
    await spool.close();
  }
}

interface Making {
  readonly content: RunContent;
  readonly format: ExportFormat;
  readonly spool: SpoolFile;
}

async function makeFile(service: Exports, moving: Moving, { content, format, spool }: Making): Promise<void> {
  const { runs, storage } = service.background!;
  const controller = await enter(runs.parts, moving.run, content);
  let done = 0;
  let writtenAt = performance.now();
  onRowsWritten(controller, async (count) => {
    done += count;
    if (runs.isStopping) throw new Stopping();
    await setImmediate(); // requests of this process have their turn between two batches
    if (performance.now() - writtenAt < PROGRESS_MS) return;
    writtenAt = performance.now();
    // Without `starts`: a process that dies of the file itself is not started again for ever.
    moving.run = await runs.store.write(moving.run, { locked_until: runs.renewed().locked_until, done });
  });
  const reply = await exported(controller, format);
  await spool.write(reply.stream ?? [Buffer.from(reply.body)]);
  const facts = { filename: exportFilename(controller, format), type: String(reply.headers["content-type"]) };
  const { keepHours, keepMs } = service.settings;
  const put = { ...facts, stream: spool.read(), size: spool.size };
  const file = await storage.put(put, { temporary: true, hours: keepHours });
  try {
    await endWithFile(runs, moving.run, { file, content, done, until: new Date(Date.now() + keepMs) });
  } catch (error) {
    // Of another error it is not known whether the run has the file; the storage deletes it later, as this one where it is unavailable.
    if (error instanceof RunMovedError) await storage.delete(file.key).catch(() => undefined);
    throw error;
  }
}

/** What a GET of the same address would be answered. @throws Refusal */
async function exported(controller: ResourceController, format: ExportFormat): Promise<Reply> {
  const reply = await controller[exportMethods[format]]().catch((error: unknown) => {
    throw isDenial(error) && error.status !== 422 ? new Refusal("list") : error;
  });
  if (reply.status !== 200) throw new Refusal("list");
  return reply;
}

interface Made {
  readonly file: StoredFile;
  readonly content: RunContent;
  readonly done: number;
  readonly until: Date;
}

async function endWithFile(runs: BackgroundRuns, run: RunRow, { file, content, done, until }: Made): Promise<void> {
  const made = { file, until: until.toISOString(), place: content };
  const problems = runs.sealer.seal({ ...runs.sealer.problems(run), file: made }, run);
  await runs.end(run, "done", undefined, { done, total: done, problems });
}

/** @throws RunMovedError, and errors after which the job is to try again */
async function endWith(runs: BackgroundRuns, run: RunRow, error: unknown): Promise<void> {
  if (error instanceof RunMovedError) throw error;
  if (error instanceof Stopping) return runs.handOver(run);
  if (error instanceof Refusal)
    return void (await runs.end(run, "failed", `resource.background.reasons.${error.kind}`));
  if ((error as { status?: unknown }).status === 503) {
    await runs.release(run);
    throw error;
  }
  if (isDenial(error)) return void (await runs.end(run, "failed", "resource.export.changed"));
  runs.log.error({ err: error, run: run.id }, `an export failed: ${messageOf(error)}`);
  await runs.end(run, "failed", "resource.background.error");
}
