import { csrfInput, html, type Reply } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import { confirmation } from "framewright/plugins/fields";
import { allows, type ResourceRequest } from "framewright/plugins/resources";
import {
  actionLabel,
  type Chosen,
  chrome,
  countText,
  deletionOfMany,
  listLabel,
  numberText,
  ownText,
  targetsSearch,
} from "framewright/plugins/resources/toolkit";
import { backToList, firstOf } from "./answer.ts";
import type { BulkAction } from "./bulk_action.ts";
import { DestroyRecord } from "./destroy_record.ts";
import { MAX_CHOSEN } from "./selection.ts";

/** The field with the number of records that are to be deleted. */
const COUNT = "_count";

/** Asks to confirm an action on selected records, and shows how many they are. `isWrong`: another number was typed. */
export async function renderQuestion(
  controller: ResourceRequest,
  action: BulkAction,
  chosen: Chosen,
  isWrong = false,
): Promise<Reply> {
  const label = actionLabel(controller, action);
  const count = await chosen.count(controller);
  const number = numberText(controller, count);
  const many = listLabel(controller, controller.about);
  const records = countText(controller, controller.registration, { total: count, capped: false }, many);
  const title = controller.t("resource.bulk.question", { action: label, records });
  const url = `${controller.listUrl}/${chosen.path}${targetsSearch(controller, action)}`;
  const back = backToList(controller);
  const view = confirmation({
    title,
    text: await textOf(controller, action, chosen),
    ...(action.interaction === DestroyRecord && count > MAX_CHOSEN
      ? { typed: typedCount(controller, number, isWrong) }
      : {}),
    action: url,
    method: "post",
    csrf: html`${csrfInput(controller.request, url, "post")}${chosen.fields}`,
    submitLabel: label,
    isDanger: action.category === "danger",
    cancelUrl: back,
    returnTo: back,
    t: (key, vars) => controller.t(key, vars),
  });
  const locals = { ...chrome(controller, { title }), confirmation: view };
  return controller.render("destroy_confirm", { status: isWrong ? 422 : 200, locals });
}

const typedCount = (controller: ResourceRequest, count: string, isWrong: boolean) => ({
  name: COUNT,
  label: controller.t("resource.confirm_count", { count }),
  error: isWrong ? controller.t("resource.wrong_count", { count }) : undefined,
});

/** What is shown of the records of a selection, by what becomes of the others where one can't be done. */
const sentences = { continue: "each", stop: "each_stops", rollback: "all_or_none" } as const;

async function textOf(controller: ResourceRequest, action: BulkAction, chosen: Chosen): Promise<string> {
  const { key, confirmation, description } = action;
  const isDeletion = action.interaction === DestroyRecord;
  const standard = isDeletion ? "" : controller.t(`resource.bulk.${sentences[action.interaction.onFailure]}`);
  const usual = typeof confirmation === "string" ? confirmation : (description ?? standard);
  const own = ownText(controller, controller.registration, `confirmations.${key}`, usual);
  const known = isDeletion ? await describeDeletion(controller, chosen) : [];
  return [...known.slice(0, -1), own, ...known.slice(-1)].filter((sentence) => sentence !== "").join(" ");
}

/** What a deletion can't do, what goes with it, and last whether it can be undone. */
async function describeDeletion(controller: ResourceRequest, chosen: Chosen): Promise<string[]> {
  const query = () => chosen.query(controller);
  const effects = await deletionOfMany(controller, query);
  const final = controller.t("resource.destroy_text");
  if (chosen.all || chosen.ids.length > MAX_CHOSEN) return [...effects, final];
  const { database } = controller.resources;
  const records = await database.read(query(), controller.registration.model.class.labelAssociations);
  const mayDelete = (record: BaseModel) => allows(controller.policyFor(record), "destroy");
  const denied = records.filter((record) => !mayDelete(record));
  const left = records.filter(mayDelete);
  const names = firstOf(controller, denied, (record) => record.toLabel());
  const { destroyQuestion } = controller.resources.hooks;
  const restore = destroyQuestion.isUsed() ? await destroyQuestion.promise(left, controller) : undefined;
  return [
    ...(denied.length > 0 ? [controller.t("resource.deletion.denied", { names })] : []),
    ...effects,
    restore ?? final,
  ];
}

/**
 * What a deletion of more records than a page can undo is confirmed by: their number, typed. Undefined where it was typed, or
 * is not required; a program sends none.
 */
export async function unconfirmedCount(
  controller: ResourceRequest,
  { interaction }: BulkAction,
  chosen: Chosen,
): Promise<number | undefined> {
  if (interaction !== DestroyRecord || controller.request.format === "json") return undefined;
  if (!chosen.all && chosen.ids.length <= MAX_CHOSEN) return undefined;
  const count = await chosen.count(controller);
  const typed = controller.params.string(COUNT)?.replaceAll(/[\s.,'’]/g, "");
  return count <= MAX_CHOSEN || typed === String(count) ? undefined : count;
}
