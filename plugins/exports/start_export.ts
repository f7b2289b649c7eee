import { backgroundPlace, type Reply, unprocessable } from "framewright/host";
import {
  answerStarted,
  isOpen,
  NewRun,
  type RunContent,
  type RunRow,
  runsOf,
  runUrl,
} from "framewright/plugins/background_runs";
import { BaseModel, type ModelClass, type Transaction } from "framewright/plugins/database";
import type { RowOwner } from "framewright/plugins/portals";
import type { ResourceController } from "framewright/plugins/resources";
import { listQuery, refuseUnknownKeys } from "framewright/plugins/resources/toolkit";
import { errors } from "./errors.ts";
import { exportsOf } from "./exports_of.ts";
import type { ExportFormat } from "./formats.ts";
import { exportAction, exportActions } from "./run_action.ts";

/** Files of one person for one list that are being created, or can be downloaded. */
const MAX_KEPT = 10;

/** `POST <list>/export.csv`: stores a run with its job, and leads to its page; a second one for the same leads to the first. @throws HttpError 403, 422 */
export async function startExport(controller: ResourceController, format: ExportFormat): Promise<Reply> {
  const { sealer } = runsOf(controller);
  const { database } = controller.resources;
  refuseUnknownKeys(controller, []);
  const run = new NewRun(controller, exportAction(format));
  const content = contentOf(controller, format);
  const total = await database.count(listQuery(controller));
  if (!(await canEnter(run, content))) throw errors.FW_EXPORT_ENTRY(controller.constructor.name);
  const stored = await database.transaction(async (transaction) => {
    await lockPerson(controller, transaction);
    const recent = await recentOf(controller, run.owner, transaction);
    const same = recent.find((one) => isOpen(one) && isSame(sealer.content(one), content));
    return same || recent.length >= MAX_KEPT ? same : run.store({ content, total }, transaction);
  });
  return stored ? answerStarted(controller, stored) : refuse(controller);
}

/** One export of a person is started after the other, so that two that are requested at once are one. */
async function lockPerson({ currentUser, resources }: ResourceController, transaction: Transaction): Promise<void> {
  if (!(currentUser instanceof BaseModel)) return;
  const cls = currentUser.constructor as ModelClass;
  await resources.database
    .query(cls, transaction)
    .findById(currentUser.$id() as number)
    .forUpdate();
}

/** The job acts as a program that gets the same address. */
export function contentOf(controller: ResourceController, format: ExportFormat): RunContent {
  const { url, host, mountPath, routeParams, route, timeZone, locale } = backgroundPlace(controller.request);
  const place = { verb: "GET", pattern: route.pattern, url, host, mountPath, routeParams, timeZone, locale };
  return { ...place, values: {}, page: runUrl(controller), export: format };
}

/** Whether a job can enter as the person did; where accounts are not found without a browser it can't. @throws HttpError 403 */
export const canEnter = (run: NewRun, content: RunContent): Promise<boolean> =>
  run.canEnter(content).catch((error: { code?: unknown }) => {
    if (error.code !== "FW_BACKGROUND_ACCOUNT") throw error;
    return false;
  });

function recentOf(controller: ResourceController, owner: RowOwner, transaction: Transaction): Promise<RunRow[]> {
  const since = new Date(Date.now() - exportsOf(controller).settings.keepMs);
  return runsOf(controller).store.recent(owner, exportActions, since, transaction);
}

const isSame = (one: RunContent | undefined, { url, export: format }: RunContent): boolean =>
  one?.url === url && one.export === format;

function refuse(controller: ResourceController): Reply {
  const text = controller.t("resource.export.too_many", { count: MAX_KEPT });
  if (controller.request.format === "json") throw unprocessable(text, { base: [text] });
  controller.flash.add("warning", text);
  return controller.redirectTo(controller.listUrl);
}
