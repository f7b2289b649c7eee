import { backgroundPlace } from "framewright/host";
import { NewRun, type RunContent } from "framewright/plugins/background_runs";
import type { ResourceController } from "framewright/plugins/resources";
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
  const run = new NewRun(controller, action);
  if (!(await run.canEnter(place))) throw errors.FW_IMPORT_ENTRY(controller.constructor.name);
  try {
    await imports.runs.database.transaction(async (transaction) => {
      const { id } = await run.store({ content: place, total }, transaction);
      const changed = { ...change(id), expires_at: new Date(Date.now() + KEPT_MS) };
      if (!(await imports.store.write(stored, changed, transaction))) throw new StartedMeanwhile();
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
