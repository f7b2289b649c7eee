import { type FieldErrors, notFound, type Reply } from "framewright/host";
import { ModelInfo, type Problem, ValidationError } from "framewright/plugins/database";
import type { ResourceAction } from "../definition/actions.ts";
import type { InteractionClass } from "../definition/interaction.ts";
import type { Outcome } from "../definition/outcome.ts";
import { recordEntry } from "../entry/record_entry.ts";
import { renderConfirmation } from "../pages/action_page.ts";
import { actionLabel, chrome, contextOf } from "../pages/chrome.ts";
import { closeDialog, isInDialog, leaveDialog } from "../pages/saved_in_dialog.ts";
import { isSingle } from "../registration/registration.ts";
import type { ResourceRequest } from "../request.ts";
import { ActionForm } from "./action_form.ts";
import { startInBackground } from "./background.ts";
import { executeIn, FailedInteraction } from "./execute_interaction.ts";
import { refuseUnknownKeys } from "./known_keys.ts";
import { fallbackLocation, isVisible, returnLocationWithout } from "./return_location.ts";
import { isOnList } from "./targets.ts";

type ActionTarget = "record" | "collection";

/** Finds the declared action that a URL names, and checks the policy. @throws HttpError 404, 403 */
async function findAction(
  controller: ResourceRequest,
  reach: ActionTarget,
): Promise<{ action: ResourceAction; form: ActionForm }> {
  const key = controller.request.routeParams.action_key ?? "";
  const action = controller.registration.definition.actions.get(key);
  const isCollection = action?.resourceAction === true;
  if (action?.url !== undefined) throw notFound(); // it leads elsewhere
  if (!action || (isCollection !== (reach === "collection") && !isSingle(controller.about))) throw notFound();
  if (!isCollection) controller.record = await controller.findRecord();
  await controller.authorizeAction(action.policy ?? key, controller.record);
  if (action.condition && !action.condition(contextOf(controller))) throw notFound();
  const form = new ActionForm(controller, action);
  await form.enter(controller.record && recordEntry(controller, controller.record));
  return { action, form };
}

/** Asks before an action is done: for what it needs, or for a confirmation. */
export async function showAction(controller: ResourceRequest, reach: ActionTarget): Promise<Reply> {
  const { action, form } = await findAction(controller, reach);
  const asked = (await form.confirm()) ?? (await form.search());
  if (asked) return asked;
  if (form.hasInputs) return form.draw();
  const method = action.interaction ? "post" : (action.method ?? (action.confirmation ? "get" : "post"));
  if (method === "get" && !action.confirmation) throw notFound();
  return renderConfirmation(controller, action, method);
}

/** Does an action that is an interaction: in a transaction, which a failed outcome undoes. */
export async function runAction(controller: ResourceRequest, reach: ActionTarget): Promise<Reply> {
  const { action, form } = await findAction(controller, reach);
  if (!action.interaction) throw notFound();
  if (isOnList(action)) refuseUnknownKeys(controller, ["interaction"]);
  const asked = await form.confirm();
  if (asked) return asked;
  const read = await form.read();
  if ("reply" in read) return read.reply;
  if (action.interaction.inBackground)
    return leaveDialog(controller, await startInBackground(controller, action, read.values));
  const outcome = await execute(controller, action.interaction, read.values);
  if (!outcome.ok) return form.refuse(outcome.fields, outcome.message);
  if (controller.reply) return leaveDialog(controller, controller.reply); // afterCommit has answered
  return answerOutcome(controller, action, outcome as Outcome);
}

async function answerOutcome(
  controller: ResourceRequest,
  action: ResourceAction,
  { message, messageKind = "success", location, file, page }: Outcome,
): Promise<Reply> {
  if (file) {
    if (message !== undefined) controller.flash.add(messageKind, message);
    return controller.sendFile(file);
  }
  if (controller.request.format === "json") return controller.json({ data: { ok: true, message: message ?? null } });
  if (page) {
    if (message !== undefined) controller.flash.now(messageKind, message);
    return controller.render(page.view, {
      locals: { ...chrome(controller, { title: actionLabel(controller, action) }), ...page.locals },
    });
  }
  const text = message ?? controller.t("resource.done", { action: actionLabel(controller, action) });
  controller.flash.add(messageKind, text);
  const after = location ?? (await locationAfter(controller));
  if (!isInDialog(controller)) return controller.redirectTo(after);
  const from = controller.record && controller.request.path.replace(/\/actions\/[^/]*$/, "");
  return closeDialog(text, { location, ...(from === undefined ? {} : { from, to: after }) });
}

/** Where an action leads without a location of its own; its record may be deleted, or out of sight. */
async function locationAfter(controller: ResourceRequest): Promise<string> {
  const { record } = controller;
  if (!record) return controller.returnTo() ?? controller.listUrl;
  const { model } = controller.registration;
  const isThere = await controller.resources.database.has(model, ModelInfo.keyOf(record)!);
  if (isThere && (await isVisible(controller, record))) return controller.returnTo() ?? controller.urlFor(record);
  return returnLocationWithout(controller, record) ?? fallbackLocation(controller);
}

/** Why an action was not done. */
interface Failed {
  ok: false;
  fields: FieldErrors;
  message?: string | undefined;
}

async function execute(
  controller: ResourceRequest,
  Interaction: InteractionClass,
  values: Record<string, unknown>,
): Promise<Outcome | Failed> {
  const { database } = controller.resources;
  const limits = { until: controller.request.deadline, by: `the interaction "${Interaction.name}"` };
  try {
    const [done, interaction] = await database.transaction(
      (transaction) => executeIn(transaction, Interaction, { controller, values }),
      limits,
    );
    await interaction.afterCommit();
    return done;
  } catch (error) {
    if (error instanceof FailedInteraction) return error.outcome;
    if (error instanceof ValidationError) return { ok: false, fields: textsOf(controller, error.problems) };
    throw error;
  }
}

/** What a record that `execute` wrote is refused for, under the names of the model's own fields. */
function textsOf(controller: ResourceRequest, problems: Record<string, readonly Problem[]>): FieldErrors {
  const texts = (list: readonly Problem[]) =>
    list.map(({ key, vars, message }) => controller.request.tOr(key, message, vars));
  return Object.fromEntries(Object.entries(problems).map(([name, list]) => [name, texts(list)]));
}
