import { csrfInput, html, notFound, type ParamValue, type Reply, unprocessable } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import { confirmation } from "framewright/plugins/fields";
import type { ResourceController } from "framewright/plugins/resources";
import { chrome, confirmActions, numberText } from "framewright/plugins/resources/toolkit";
import { showsTrash } from "./offers.ts";
import { readTrash, renderTrash, trashJson, trashUrl } from "./page.ts";
import { type Done, deletedRecords, type Operation, perform } from "./perform.ts";
import type { TrashService } from "./service.ts";

/** How many records one request restores or purges. */
const MAX_CHOSEN = 100;
const MAX_NAMED = 5;

/** `GET <list>/trash`: what is in the trash, the last deleted first. @throws HttpError 403, 404 */
export async function showTrash(controller: ResourceController): Promise<Reply> {
  await enter(controller);
  const shown = await readTrash(controller);
  return controller.request.format === "json" ? trashJson(controller, shown) : renderTrash(controller, shown);
}

/**
 * `POST <list>/trash`: restores or purges chosen records, by `operation` and `ids`, or by `only`, as a button of a row sends it.
 * @throws HttpError 403, 404, 422
 */
export async function changeTrash(controller: ResourceController, service: TrashService): Promise<Reply> {
  await enter(controller);
  const { operation, ids } = chosenOf(controller);
  const confirmation = await confirmActions(controller, [operation === "restore" ? "create" : "destroy"]);
  if (confirmation) return confirmation;
  const records = await deletedRecords(controller, ids);
  if (records.length === 0) throw notFound();
  const isJson = controller.request.format === "json";
  if (operation === "purge" && !isJson && controller.params.string("confirmed") !== "1")
    return renderQuestion(controller, records, ids);
  const done = await perform(controller, service, operation, records);
  if (isJson) return answerJson(controller, done);
  const left = done.filter(({ reason }) => reason !== undefined);
  if (left.length === done.length)
    return renderTrash(controller, await readTrash(controller), sentencesOf(controller, left));
  report(controller, operation, done);
  return controller.redirectTo(trashUrl(controller));
}

/** `POST <list>/trash/:trash_ids/restore`: the button of the message about a deletion. @throws HttpError 403, 404 */
export async function restoreNamed(controller: ResourceController, service: TrashService): Promise<Reply> {
  await enter(controller);
  if (controller.request.format === "json") throw notFound();
  const ids = (controller.request.routeParams.trash_ids ?? "").split(",").slice(0, MAX_CHOSEN);
  const confirmation = await confirmActions(controller, ["create"]);
  if (confirmation) return confirmation;
  const records = await deletedRecords(controller, ids);
  if (records.length === 0) controller.flash.add("warning", controller.t("resource.trash.late"));
  else report(controller, "restore", await perform(controller, service, "restore", records));
  return controller.redirectTo(controller.returnTo() ?? controller.listUrl);
}

/** @throws HttpError 403 for people who may not see the list, 404 for guests */
async function enter(controller: ResourceController): Promise<void> {
  await controller.authorizeAction("index");
  if (!showsTrash(controller)) throw notFound();
}

function chosenOf({ params }: ResourceController): { operation: Operation; ids: readonly string[] } {
  const [, one, id] = /^(restore|purge) (.+)$/s.exec(params.string("only") ?? "") ?? [];
  const operation = one ?? params.string("operation") ?? "";
  if (operation !== "restore" && operation !== "purge")
    throw unprocessable("operation must be restore or purge.", { operation: ["must be restore or purge"] });
  const ids = id === undefined ? idsOf(params.get("ids")) : [id];
  const problem = ids.length === 0 ? "name no record" : ids.length > MAX_CHOSEN ? `name more than ${MAX_CHOSEN}` : "";
  if (problem !== "") throw unprocessable(`ids ${problem}.`, { ids: [problem] });
  return { operation, ids };
}

function idsOf(sent: ParamValue | undefined): string[] {
  if (sent === undefined || sent === null || sent === "") return [];
  if (!Array.isArray(sent) || !sent.every((id) => typeof id === "string" || typeof id === "number"))
    throw unprocessable("ids must be a list of ids.", { ids: ["must be a list of ids"] });
  return [...new Set(sent.map(String))].filter((id) => id !== "");
}

function renderQuestion(controller: ResourceController, records: readonly BaseModel[], ids: readonly string[]): Reply {
  const count = records.length;
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(`resource.trash.${key}`, vars);
  const title = t("purge_question", { count, number: numberText(controller, count) });
  const url = trashUrl(controller);
  const fields = ids.map((id) => html`<input type="hidden" name="ids[]" value="${id}">`);
  const csrf = html`${csrfInput(controller.request, url, "post")}${fields}<input type="hidden" name="operation" value="purge"><input type="hidden" name="confirmed" value="1">`;
  const view = confirmation({
    ...{ title, text: t("purge_text"), action: url, method: "post", csrf },
    ...{ submitLabel: t("purge"), isDanger: true, cancelUrl: url, returnTo: url },
    t: (key, vars) => controller.t(key, vars),
  });
  return controller.render("destroy_confirm", { locals: { ...chrome(controller, { title }), confirmation: view } });
}

function answerJson(controller: ResourceController, done: readonly Done[]): Reply {
  const left = done.filter(({ reason }) => reason !== undefined);
  const [only] = left;
  if (only && done.length === 1) throw unprocessable(`${only.reason}`, only.errors ?? { base: [only.reason!] });
  return controller.json({
    data: {
      done: done.filter(({ reason }) => reason === undefined).map(({ id }) => id),
      left: left.map(({ id, reason, errors }) => ({ id, reason, errors: errors ?? {} })),
    },
  });
}

const sentencesOf = (controller: ResourceController, left: readonly Done[]): string[] =>
  left.slice(0, MAX_NAMED).map(({ label, reason }) => controller.t("resource.trash.left", { name: label, reason }));

function report(controller: ResourceController, operation: Operation, done: readonly Done[]): void {
  const left = done.filter(({ reason }) => reason !== undefined);
  const count = done.length - left.length;
  const number = numberText(controller, count);
  if (count > 0) controller.flash.add("success", controller.t(`resource.trash.done_${operation}`, { count, number }));
  if (left.length > 0) controller.flash.add("warning", sentencesOf(controller, left).join(" "));
}
