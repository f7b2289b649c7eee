import { backgroundPlace, forbidden } from "framewright/host";
import type { RunContent } from "../background/content.ts";
import { enter, Refusal } from "../background/enter.ts";
import { ownerOf } from "../background/owner.ts";
import type { RunRow } from "../background/run.ts";
import { blank } from "../background/start_run.ts";
import type { ResourceController } from "../controller.ts";
import { errors } from "../errors.ts";
import type { ImportContent } from "./content.ts";
import { KEPT_MS } from "./limits.ts";
import type { ImportRow } from "./store.ts";
import { importUrl } from "./urls.ts";

/** By what the runs of imports are known. */
export const IMPORT_ACTION = "import";

/** Another request has started the import. */
class StartedMeanwhile extends Error {}

/**
 * Stores a run with its job, and names it in the import: of two requests one does. @throws HttpError 403,
 * FW_BACKGROUND_ACCOUNT, FW_IMPORT_ENTRY
 */
export async function startImportRun(
  controller: ResourceController,
  stored: ImportRow,
  { total }: ImportContent,
): Promise<void> {
  const { background, imports } = controller.resources;
  const bound = { ...ownerOf(controller), action: IMPORT_ACTION };
  const content = contentOf(controller, stored);
  const run: Omit<RunRow, "id"> = {
    ...bound,
    ...{ ...blank, created_at: new Date(), heartbeat_at: new Date() },
    ...{ content: background.sealer.seal(content, bound), total, last_id: null },
  };
  await checkEntry(controller, { ...run, id: 0 }, content);
  try {
    await background.database.transaction(async (transaction) => {
      const { id } = await background.store.insert(run, transaction);
      const change = { run_id: id, expires_at: new Date(Date.now() + KEPT_MS) };
      if (!(await imports.store.write(stored, change, transaction))) throw new StartedMeanwhile();
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
    await enter(controller.resources.background.parts, run, content);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.kind === "account") throw forbidden();
    throw errors.FW_IMPORT_ENTRY(controller.constructor.name);
  }
}
