import { addToOrigin, forbidden, notFound, type Reply } from "framewright/host";
import { allows, type ResourceRequest } from "framewright/plugins/resources";
import { ActionForm, type Chosen } from "framewright/plugins/resources/toolkit";
import { answerTurns, backToList } from "./answer.ts";
import { type BulkAction, bulkActionsOf } from "./bulk_action.ts";
import { isForRequests, mayRunInBackground } from "./limits.ts";
import { performAll, performChosen } from "./perform.ts";
import { renderQuestion, unconfirmedCount } from "./question.ts";
import { MAX_CHOSEN, MAX_CHOSEN_IN_RUN, readChosen, refuseChosen } from "./selection.ts";

/** Finds the action that a URL names, and checks whether the policy could allow it. @throws HttpError 404, 403 */
async function findBulk(controller: ResourceRequest): Promise<{ action: BulkAction; form: ActionForm }> {
  const { registration, request } = controller;
  const action = bulkActionsOf(registration).find(({ key }) => key === request.routeParams.action_key);
  if (!action) throw notFound();
  const { key, policy = key } = action;
  if (!allows(controller.policyFor(), "index")) throw forbidden();
  await controller.authorizeAction(policy);
  const form = new ActionForm(controller, action);
  await form.enter();
  return { action, form };
}

const isNothing = ({ ids, all }: Chosen): boolean => !all && ids.length === 0;

/** Asks before an action is done to what was selected: for what it needs, or for a confirmation. */
export async function showBulk(controller: ResourceRequest): Promise<Reply> {
  const { action, form } = await findBulk(controller);
  const asked = (await form.confirm()) ?? (await form.search());
  if (asked) return asked;
  const chosen = readChosen(controller, action.key);
  if (isNothing(chosen)) return answerNothing(controller);
  await checkNumber(controller, action, chosen);
  return form.hasInputs ? form.draw() : renderQuestion(controller, action, chosen);
}

/** Does an action to what was selected, record by record; to very many, or all of a list, in the background. */
export async function runBulk(controller: ResourceRequest): Promise<Reply> {
  addToOrigin({ means: "bulk" });
  const { action, form } = await findBulk(controller);
  const asked = await form.confirm();
  if (asked) return asked;
  const chosen = readChosen(controller, action.key);
  if (isNothing(chosen)) return answerNothing(controller);
  await checkNumber(controller, action, chosen);
  if ((await unconfirmedCount(controller, action, chosen)) !== undefined)
    return renderQuestion(controller, action, chosen, true);
  const read = await form.read(); // once for all records
  if ("reply" in read) return read.reply;
  const { values } = read;
  if (isForJob(action, chosen)) return controller.resources.background!.start(controller, action, values); // the check is above, or at boot
  const perform = action.interaction.onFailure === "rollback" ? performAll : performChosen;
  return answerTurns(controller, action, await perform(controller, { action, values, ids: chosen.ids }));
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
