import { backgroundPlace, forbidden } from "framewright/host";
import { blank, enter, type RunContent, type RunRow, runsOf } from "framewright/plugins/background_runs";
import type { ResourceController } from "framewright/plugins/resources";
import { Refusal, rowOwner } from "framewright/plugins/resources/toolkit";
import type { ImportContent } from "./content.ts";
import { errors } from "./errors.ts";
import { importsOf } from "./imports_of.ts";
import { KEPT_MS } from "./limits.ts";
import { IMPORT_ACTION, UNDO_ACTION } from "./run_actions.ts";
import type { ImportRow } from "./store.ts";
import { importUrl } from "./urls.ts";

/** Another request has started the import. */
class StartedMeanwhile extends Error {}

/**
 * Stores a run with its job, and names it in the import: of two requests one does. @throws HttpError 403,
 * FW_BACKGROUND_ACCOUNT, FW_IMPORT_ENTRY
 */
export function startImportRun(
  controller: ResourceController,
  stored: ImportRow,
  { total }: ImportContent,
): Promise<void> {
  const place = contentOf(controller, stored);
  return startRunOf(controller, stored, { action: IMPORT_ACTION, place, total, change: (run_id) => ({ run_id }) });
}

/** As `startImportRun`, for a run that takes back the records that the import has written, so many. */
export function startUndoRun(
  controller: ResourceController,
  stored: ImportRow,
  content: ImportContent,
  total: number,
): Promise<void> {
  const { sealer } = importsOf(controller);
  const place = { ...contentOf(controller, stored), undo: true };
  const change = (undo: number) => ({ content: sealer.seal({ ...content, undo }, stored) });
  return startRunOf(controller, stored, { action: UNDO_ACTION, place, total, change });
}

interface StartedRun {
  readonly action: string;
  readonly place: RunContent;
  readonly total: number;
  /** What names the run in the import. */
  change(id: number): Partial<Pick<ImportRow, "run_id" | "content">>;
}

async function startRunOf(
  controller: ResourceController,
  stored: ImportRow,
  { action, place, total, change }: StartedRun,
): Promise<void> {
  const imports = importsOf(controller);
  const background = imports.runs;
  const bound = { ...rowOwner(controller), action };
  const run: Omit<RunRow, "id"> = {
    ...bound,
    ...blank,
    created_at: new Date(),
    heartbeat_at: new Date(),
    content: background.sealer.seal(place, bound),
    total,
    last_id: null,
  };
  await checkEntry(controller, { ...run, id: 0 }, place);
  try {
    await background.database.transaction(async (transaction) => {
      const { id } = await background.store.insert(run, transaction);
      const changed = { ...change(id), expires_at: new Date(Date.now() + KEPT_MS) };
      if (!(await imports.store.write(stored, changed, transaction))) throw new StartedMeanwhile();
      await background.enqueue(id, { transaction });
    });
  } catch (error) {
    if (!(error instanceof StartedMeanwhile)) throw error;
  }
}

function contentOf(controller: ResourceController, { id }: ImportRow): RunContent {
  const { url, host, mountPath, routeParams, route, timeZone } = backgroundPlace(controller.request, "");
  const place = { verb: route.verb, pattern: route.pattern, url, host, mountPath, routeParams, timeZone };
  return { ...place, values: {}, page: importUrl(controller, id), import: id };
}

/** Enters as the job will: what can't be entered without the person's browser is refused before anything is stored. */
async function checkEntry(controller: ResourceController, run: RunRow, content: RunContent): Promise<void> {
  try {
    await enter(runsOf(controller).parts, run, content);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.kind === "account") throw forbidden();
    throw errors.FW_IMPORT_ENTRY(controller.constructor.name);
  }
}
