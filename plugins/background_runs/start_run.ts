import { backgroundPlace, forbidden, isUploadedFile, type Reply } from "framewright/host";
import { isUncertain, ModelInfo } from "framewright/plugins/database";
import type { ResourceAction, ResourceController } from "framewright/plugins/resources";
import {
  Chosen,
  countTargets,
  isOnList,
  Refusal,
  rowOwner,
  targetsSearch,
} from "framewright/plugins/resources/toolkit";
import { carryFiles, dropFiles } from "./carried_files.ts";
import { type RunContent, storedValues } from "./content.ts";
import { enter } from "./enter.ts";
import { errors } from "./errors.ts";
import { runsOf } from "./own_run.ts";
import { noteStarted } from "./own_runs.ts";
import type { RunRow } from "./run.ts";
import { answerRun, runUrl } from "./run_page.ts";

type Values = Record<string, unknown>;

/** Stores a run with its job, and leads to its page. @throws HttpError 403 for guests */
export async function startRun(controller: ResourceController, action: ResourceAction, values: Values): Promise<Reply> {
  const background = runsOf(controller);
  const owner = rowOwner(controller);
  const { ids } = contentOf(controller, action, values);
  const onList = controller.record === undefined && (isOnList(action) || Chosen.of(controller) !== undefined);
  const { total, lastId } = onList
    ? await countTargets(controller, action.interaction!, { ids, values })
    : { total: 1, lastId: null };
  const bound = { ...owner, action: action.key };
  const { storage } = background.parts;
  const files = await carryFiles(storage, values);
  const content: RunContent = { ...contentOf(controller, action, values), files };
  const run: Omit<RunRow, "id"> = {
    ...bound,
    ...blank,
    created_at: new Date(),
    heartbeat_at: new Date(),
    content: background.sealer.seal(content, bound),
    total,
    last_id: lastId,
  };
  const stored = await storeRun(controller, action, { run, content }).catch(async (error: unknown) => {
    if (!isUncertain(error)) await dropFiles(storage, files);
    throw error;
  });
  noteStarted(controller);
  if (controller.request.format !== "json") return controller.redirectTo(runUrl(controller, stored));
  const reply = answerRun(controller, stored, 202);
  reply.headers.location = runUrl(controller, stored);
  return reply;
}

async function storeRun(
  controller: ResourceController,
  action: ResourceAction,
  { run, content }: { run: Omit<RunRow, "id">; content: RunContent },
): Promise<RunRow> {
  const background = runsOf(controller);
  await checkEntry(controller, action, { ...run, id: 0 }, content);
  return background.database.transaction(async (transaction) => {
    const inserted = await background.store.insert(run, transaction);
    await background.enqueue(inserted.id, { transaction });
    return inserted;
  });
}

/** The columns of a run that nothing has worked on. */
export const blank = {
  ...({ state: "waiting", version: 0, starts: 0, done: 0, refused: 0, failed: 0 } as const),
  locked_by: null,
  locked_until: null,
  cursor_id: null,
  problems: null,
  finished_at: null,
};

function contentOf(controller: ResourceController, action: ResourceAction, values: Values): RunContent {
  const { request } = controller;
  const place = backgroundPlace(request, targetsSearch(controller, action).replace(/^\?/, ""));
  const { url, host, mountPath, routeParams, route, timeZone, locale } = place;
  const page = runUrl(controller);
  const record = controller.record ? String(ModelInfo.keyOf(controller.record)) : undefined;
  const plain = Object.fromEntries(Object.entries(values).filter(([, value]) => !isUploadedFile(value)));
  const stored = storedValues(plain, action.interaction!.attributes, controller.resources.fieldTypes);
  const chosen = Chosen.of(controller);
  const ids = chosen?.all === false ? chosen.ids : undefined;
  const entry = { verb: route.verb, pattern: route.pattern, url, host, mountPath, routeParams, timeZone, locale };
  return { ...entry, record, ids, values: stored, page };
}

/** Enters as the job will: what can't be entered without the person's browser is refused before anything is stored. @throws HttpError 403, FW_BACKGROUND_ACCOUNT, FW_BACKGROUND_ENTRY */
async function checkEntry(controller: ResourceController, action: ResourceAction, run: RunRow, content: RunContent) {
  try {
    await enter(runsOf(controller).parts, run, content);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.kind === "account") throw forbidden();
    throw errors.FW_BACKGROUND_ENTRY(action.interaction!.name, controller.constructor.name);
  }
}
