import { forbidden, notFound, type Reply } from "framewright/host";
import { allows } from "../definition/policy.ts";
import { startInBackground } from "../operations/background.ts";
import { confirmInteraction } from "../operations/confirm_identity.ts";
import { readForm, searchChoices, typedBefore } from "../operations/run_action.ts";
import { renderActionForm } from "../pages/action_page.ts";
import { isHidden, prepareActions } from "../pages/hidden_actions.ts";
import type { ResourceRequest } from "../request.ts";
import { type BulkAction, bulkActionsOf } from "./actions.ts";
import { answerTurns, backToList } from "./answer.ts";
import { type Chosen, MAX_CHOSEN, MAX_CHOSEN_IN_RUN, readChosen, refuseChosen } from "./chosen.ts";
import { isForRequests, mayRunInBackground } from "./limits.ts";
import { performAll } from "./perform_all.ts";
import { performChosen } from "./perform_chosen.ts";
import { renderQuestion, unconfirmedCount } from "./question.ts";

/** Finds the action that a URL names, and asks the policy whether it could allow it. @throws HttpError 404, 403 */
async function findBulk(controller: ResourceRequest): Promise<BulkAction> {
  const { registration, request } = controller;
  const action = bulkActionsOf(registration).find(({ key }) => key === request.routeParams.action_key);
  if (!action) throw notFound();
  const { key, policy = key } = action;
  if (!allows(controller.policyFor(), "index")) throw forbidden();
  await controller.authorizeAction(policy);
  await prepareActions(controller);
  if (isHidden(controller, key, undefined)) throw notFound();
  return action;
}

const isNothing = ({ ids, all }: Chosen): boolean => !all && ids.length === 0;
const asksForValues = ({ interaction }: BulkAction): boolean => Object.keys(interaction.attributes).length > 0;

/** Asks before an action is done to what was selected: for what it needs, or whether it is meant. */
export async function showBulk(controller: ResourceRequest): Promise<Reply> {
  const action = await findBulk(controller);
  const asked = await confirmInteraction(controller, action.interaction);
  if (asked) return asked;
  const searched = controller.request.query.get("_search");
  if (searched !== undefined) return searchChoices(controller, action, searched);
  const chosen = readChosen(controller);
  if (isNothing(chosen)) return answerNothing(controller);
  await checkNumber(controller, action, chosen);
  if (!asksForValues(action)) return renderQuestion(controller, action, chosen);
  return renderActionForm(controller, action, typedBefore(controller), {});
}

/** Does an action to what was selected, record by record; to very many, or all of a list, in the background. */
export async function runBulk(controller: ResourceRequest): Promise<Reply> {
  const action = await findBulk(controller);
  const asked = await confirmInteraction(controller, action.interaction);
  if (asked) return asked;
  const chosen = readChosen(controller);
  if (isNothing(chosen)) return answerNothing(controller);
  await checkNumber(controller, action, chosen);
  if ((await unconfirmedCount(controller, action, chosen)) !== undefined)
    return renderQuestion(controller, action, chosen, true);
  const read = await readForm(controller, action, action.interaction); // once for all records
  if ("reply" in read) return read.reply;
  if (isForJob(action, chosen)) return startInBackground(controller, action, read.values);
  const { values } = read;
  const turns =
    action.interaction.onFailure === "rollback"
      ? await performAll(controller, { action, values, ids: chosen.ids })
      : await performChosen(controller, action, values, chosen.ids);
  return answerTurns(controller, action, turns);
}

const isForJob = ({ interaction }: BulkAction, { ids, all }: Chosen): boolean =>
  all || ids.length > MAX_CHOSEN || interaction.inBackground;

/** @throws HttpError 422 for more than can be done */
async function checkNumber(controller: ResourceRequest, action: BulkAction, chosen: Chosen): Promise<void> {
  if (!chosen.all && chosen.ids.length <= MAX_CHOSEN) return;
  if (chosen.ids.length > MAX_CHOSEN_IN_RUN) refuseChosen(controller, "too_many", { count: MAX_CHOSEN_IN_RUN });
  if (isForRequests(controller, action)) refuseChosen(controller, "too_many", { count: MAX_CHOSEN });
  if (controller.currentUser === undefined) throw forbidden();
  if (!(await mayRunInBackground(controller))) refuseChosen(controller, "no_background", { count: MAX_CHOSEN });
}

function answerNothing(controller: ResourceRequest): Reply {
  if (controller.request.format === "json") refuseChosen(controller, "nothing");
  controller.flash.add("info", controller.t("resource.bulk.nothing"));
  return controller.redirectTo(backToList(controller));
}
