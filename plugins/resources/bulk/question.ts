import { csrfInput, html, type Reply } from "framewright/host";
import { countChosen, targetsSearch } from "../background/targets.ts";
import { confirmation } from "../components/index.ts";
import type { ResourceController } from "../controller.ts";
import { UNDO_MINUTES } from "../deletions/deletions.ts";
import { mayOfferUndo } from "../deletions/keep.ts";
import { actionLabel, chrome } from "../pages/chrome.ts";
import { inSentence, labelsFor, listLabel, numberText, ownText } from "../registration/resource_texts.ts";
import type { BulkAction } from "./actions.ts";
import { backToList } from "./answer.ts";
import { bulkPath, type Chosen, chosenFields } from "./chosen.ts";

/** Asks whether an action on selected records is meant, and says how many they are. */
export async function renderQuestion(
  controller: ResourceController,
  action: BulkAction,
  chosen: Chosen,
): Promise<Reply> {
  const label = actionLabel(controller, action);
  const count = await countChosen(controller, chosen);
  const { one } = labelsFor(controller, controller.registration);
  const name = inSentence(controller, count === 1 ? one : listLabel(controller, controller.about));
  const number = numberText(controller, count);
  const title = controller.t("resource.bulk.question", { action: label, count: number, name });
  const url = bulkPath(controller.listUrl, action.key) + targetsSearch(controller, action);
  const back = backToList(controller);
  const view = confirmation({
    title,
    text: textOf(controller, action),
    action: url,
    method: "post",
    csrf: html`${csrfInput(controller.request, url, "post")}${chosenFields(chosen)}`,
    submitLabel: label,
    isDanger: action.category === "danger",
    cancelUrl: back,
    returnTo: back,
    t: (key, vars) => controller.t(key, vars),
  });
  return controller.render("destroy_confirm", { locals: { ...chrome(controller, { title }), confirmation: view } });
}

const destroyText = (controller: ResourceController): string =>
  mayOfferUndo(controller)
    ? controller.t("resource.undo.text", { count: UNDO_MINUTES })
    : controller.t("resource.destroy_text");

function textOf(controller: ResourceController, { key, confirmation, description }: BulkAction): string {
  const standard = key === "destroy" ? destroyText(controller) : controller.t("resource.bulk.each");
  const usual = typeof confirmation === "string" ? confirmation : (description ?? standard);
  return ownText(controller, controller.registration, `confirmations.${key}`, usual);
}
