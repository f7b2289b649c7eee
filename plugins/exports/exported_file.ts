import { notFound, type Reply, streamReply } from "framewright/host";
import {
  apart,
  type BackgroundRuns,
  enter,
  findOwnRun,
  type RunContent,
  type RunRow,
} from "framewright/plugins/background_runs";
import type { ResourceController } from "framewright/plugins/resources";
import { Refusal } from "framewright/plugins/resources/toolkit";
import type { StoredFile } from "framewright/plugins/storage";
import { exportsOf } from "./exports_of.ts";

/** The file that a run in the background has created; sealed with its run. */
export interface ExportedFile {
  readonly file: StoredFile;
  /** Until when it can be downloaded, in ISO 8601. */
  readonly until: string;
  /** Where it was requested: the person who downloads it may still need the rights for that. */
  readonly place: RunContent;
}

/** The file of a run, as long as it can be downloaded. */
export function exportedFile(runs: BackgroundRuns, run: RunRow): ExportedFile | undefined {
  const { file } = runs.sealer.problems(run);
  return file && Date.parse(file.until) > Date.now() ? file : undefined;
}

/** `GET <list>/background_runs/:run_id/file`: to the person who requested it alone, while they may export that list. @throws HttpError 403, 404 */
export async function downloadExport(controller: ResourceController): Promise<Reply> {
  const { background } = exportsOf(controller);
  if (!background) throw notFound();
  const { runs, storage } = background;
  const run = await findOwnRun(controller);
  const found = exportedFile(runs, run);
  if (!found) throw notFound();
  const { file, place } = found;
  await apart(controller, () => authorizeAt(runs, run, place));
  if (!(await storage.exists(file.key))) throw notFound();
  const chunks = async function* () {
    yield* await storage.stream(file.key);
  };
  return controller.answer(streamReply({ filename: file.filename, type: file.type, chunks: chunks() }));
}

/** Repeats the checks of the request for the file: the parent of its list and the policy may deny it by now. @throws HttpError 403, 404 */
async function authorizeAt({ parts }: BackgroundRuns, run: RunRow, place: RunContent): Promise<void> {
  const controller = await enter(parts, run, place).catch((error: unknown) => {
    throw error instanceof Refusal ? notFound() : error;
  });
  await controller.authorizeAction("index");
  await controller.authorizeAction("export");
}
