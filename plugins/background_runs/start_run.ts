import { backgroundPlace, isUploadedFile, type Reply } from "framewright/host";
import { isUncertain, ModelInfo } from "framewright/plugins/database";
import type { ResourceAction, ResourceController } from "framewright/plugins/resources";
import { Chosen, countTargets, isOnList, targetsSearch } from "framewright/plugins/resources/toolkit";
import { carryFiles, dropFiles } from "./carried_files.ts";
import { type RunContent, storedValues } from "./content.ts";
import { errors } from "./errors.ts";
import { answerStarted, NewRun, type NewRunParts } from "./new_run.ts";
import { runsOf } from "./own_run.ts";
import { runUrl } from "./run_page.ts";

type Values = Record<string, unknown>;

/** Stores a run with its job, and leads to its page. @throws HttpError 403 for guests, FW_BACKGROUND_ACCOUNT, FW_BACKGROUND_ENTRY */
export async function startRun(controller: ResourceController, action: ResourceAction, values: Values): Promise<Reply> {
  const { storage } = runsOf(controller).parts;
  const run = new NewRun(controller, action.key);
  const place = contentOf(controller, action, values);
  const onList = controller.record === undefined && (isOnList(action) || Chosen.of(controller) !== undefined);
  const { total, lastId } = onList
    ? await countTargets(controller, action.interaction!, { ids: place.ids, values })
    : { total: 1, lastId: null };
  const files = await carryFiles(storage, values);
  const content: RunContent = { ...place, files };
  const stored = await storeRun(controller, action, run, { content, total, lastId }).catch(async (error: unknown) => {
    if (!isUncertain(error)) await dropFiles(storage, files);
    throw error;
  });
  return answerStarted(controller, stored);
}

async function storeRun(controller: ResourceController, action: ResourceAction, run: NewRun, parts: NewRunParts) {
  if (!(await run.canEnter(parts.content)))
    throw errors.FW_BACKGROUND_ENTRY(action.interaction!.name, controller.constructor.name);
  return runsOf(controller).database.transaction((transaction) => run.store(parts, transaction));
}

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
