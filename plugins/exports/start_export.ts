import { backgroundPlace, forbidden, type Reply, unprocessable } from "framewright/host";
import {
  answerRun,
  blank,
  enter,
  isOpen,
  noteStarted,
  type RunContent,
  type RunRow,
  runsOf,
  runUrl,
} from "framewright/plugins/background_runs";
import { BaseModel, type ModelClass, type Transaction } from "framewright/plugins/database";
import type { ResourceController } from "framewright/plugins/resources";
import { listQuery, Refusal, type RowOwner, refuseUnknownKeys, rowOwner } from "framewright/plugins/resources/toolkit";
import { errors } from "./errors.ts";
import { exportsOf } from "./exports_of.ts";
import type { ExportFormat } from "./formats.ts";
import { exportAction, exportActions } from "./run_action.ts";

/** Files of one person for one list that are being made, or can be downloaded. */
const MAX_KEPT = 10;

/** `POST <list>/export.csv`: stores a run with its job, and leads to its page; a second one for the same leads to the first. @throws HttpError 403, 422 */
export async function startExport(controller: ResourceController, format: ExportFormat): Promise<Reply> {
  const background = runsOf(controller);
  const { database } = controller.resources;
  refuseUnknownKeys(controller, []);
  const bound = { ...rowOwner(controller), action: exportAction(format) };
  const content = contentOf(controller, format);
  const total = await database.count(listQuery(controller));
  const run: Omit<RunRow, "id"> = {
    ...bound,
    ...blank,
    created_at: new Date(),
    heartbeat_at: new Date(),
    content: background.sealer.seal(content, bound),
    total,
    last_id: null,
  };
  if (!(await canEnter(controller, { ...run, id: 0 }, content)))
    throw errors.FW_EXPORT_ENTRY(controller.constructor.name);
  const stored = await database.transaction(async (transaction) => {
    await lockPerson(controller, transaction);
    const recent = await recentOf(controller, bound, transaction);
    const same = recent.find((one) => isOpen(one) && isSame(background.sealer.content(one), content));
    if (same || recent.length >= MAX_KEPT) return same;
    const inserted = await background.store.insert(run, transaction);
    await background.enqueue(inserted.id, { transaction });
    return inserted;
  });
  if (!stored) return refuse(controller);
  noteStarted(controller);
  if (controller.request.format !== "json") return controller.redirectTo(runUrl(controller, stored));
  const reply = answerRun(controller, stored, 202);
  reply.headers.location = runUrl(controller, stored);
  return reply;
}

/** One export of a person is started after the other, so that two that are asked for at once are one. */
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
export async function canEnter(controller: ResourceController, run: RunRow, content: RunContent): Promise<boolean> {
  try {
    await enter(runsOf(controller).parts, run, content);
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.kind === "account") throw forbidden();
    if (error instanceof Refusal || (error as { code?: unknown }).code === "FW_BACKGROUND_ACCOUNT") return false;
    throw error;
  }
}

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
