import { type FieldErrors, notFound, Params, type Reply, unprocessable } from "framewright/host";
import { ModelInfo, type Problem, ValidationError } from "framewright/plugins/database";
import { isRedrawn, unseenFields } from "framewright/plugins/fields";
import { isRowButtonPressed } from "framewright/plugins/fields/rows";
import { restoreFiles } from "framewright/plugins/fields/toolkit";
import { isOnList } from "../bulk/targets.ts";
import type { ResourceAction } from "../definition/actions.ts";
import type { InteractionClass } from "../definition/interaction.ts";
import type { Outcome } from "../definition/outcome.ts";
import { recordEntry } from "../entry/record_entry.ts";
import { fileFormOf, renderActionForm, renderConfirmation } from "../pages/action_page.ts";
import { actionLabel, chrome, contextOf } from "../pages/chrome.ts";
import { isHidden, prepareActions } from "../pages/hidden_actions.ts";
import { closeDialog, isInDialog, leaveDialog } from "../pages/saved_in_dialog.ts";
import { isSingle } from "../registration/registration.ts";
import type { ResourceRequest } from "../request.ts";
import { startInBackground } from "./background.ts";
import { confirmInteraction } from "./confirm_identity.ts";
import { executeIn, FailedInteraction } from "./execute_interaction.ts";
import { fieldSource } from "./field_source.ts";
import { type InputsRead, readInputs, targetOf } from "./interaction_inputs.ts";
import { rowTarget } from "./interaction_rows.ts";
import { refuseUnknownKeys } from "./known_keys.ts";
import { fallbackLocation, isVisible, returnLocationWithout } from "./return_location.ts";
import { answerSearch } from "./typeahead.ts";

type ActionTarget = "record" | "collection";

/** Finds the declared action that a URL names, and asks the policy. @throws HttpError 404, 403 */
async function findAction(controller: ResourceRequest, reach: ActionTarget): Promise<ResourceAction> {
  const key = controller.request.routeParams.action_key ?? "";
  const action = controller.registration.definition.actions.get(key);
  const isCollection = action?.resourceAction === true;
  if (action?.url !== undefined) throw notFound(); // it leads elsewhere
  if (!action || (isCollection !== (reach === "collection") && !isSingle(controller.about))) throw notFound();
  if (!isCollection) controller.record = await controller.findRecord();
  await controller.authorizeAction(action.policy ?? key, controller.record);
  if (action.condition && !action.condition(contextOf(controller))) throw notFound();
  const entry = controller.record && recordEntry(controller, controller.record);
  await prepareActions(controller, entry ? [entry] : []);
  if (isHidden(controller, key, entry)) throw notFound();
  return action;
}

/** Asks before an action is done: for what it needs, or whether it is meant. */
export async function showAction(controller: ResourceRequest, reach: ActionTarget): Promise<Reply> {
  const action = await findAction(controller, reach);
  const asked = await confirmInteraction(controller, action.interaction);
  if (asked) return asked;
  const searched = controller.request.query.get("_search");
  if (searched !== undefined) return searchChoices(controller, action, searched);
  if (action.interaction && Object.keys(action.interaction.attributes).length > 0)
    return renderActionForm(controller, action, typedBefore(controller), {});
  const method = action.interaction ? "post" : (action.method ?? (action.confirmation ? "get" : "post"));
  if (method === "get" && !action.confirmation) throw notFound();
  return renderConfirmation(controller, action, method);
}

/** The choices of an input that are found by `q`. @throws HttpError 404 for an input that chooses no record */
export function searchChoices(
  controller: ResourceRequest,
  { interaction }: ResourceAction,
  name: unknown,
): Promise<Reply> {
  const { attributes = {} } = interaction ?? {};
  const input = typeof name === "string" && Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  const own = input && !input.choices ? targetOf(String(name), input, controller.registration.model) : undefined;
  const target = own ?? rowTarget(attributes, String(name), controller.resources.fieldTypes);
  if (!target) throw notFound();
  return answerSearch(controller, target);
}

/** What was being sent when a sign-in came in between. */
export function typedBefore({ request }: ResourceRequest): Params | undefined {
  return request.typed && new Params(request.typed.take()).nested("interaction");
}

/** Does an action that is an interaction: in a transaction, which a failed outcome undoes. */
export async function runAction(controller: ResourceRequest, reach: ActionTarget): Promise<Reply> {
  const action = await findAction(controller, reach);
  if (!action.interaction) throw notFound();
  if (isOnList(action)) refuseUnknownKeys(controller, ["interaction"]);
  const asked = await confirmInteraction(controller, action.interaction);
  if (asked) return asked;
  const read = await readForm(controller, action, action.interaction);
  if ("reply" in read) return read.reply;
  if (action.interaction.inBackground)
    return leaveDialog(controller, await startInBackground(controller, action, read.values));
  const outcome = await execute(controller, action.interaction, read.values);
  if (!outcome.ok) return refuse(controller, action, outcome.fields, outcome.message);
  if (controller.reply) return leaveDialog(controller, controller.reply); // afterCommit has answered
  return answerOutcome(controller, action, outcome as Outcome);
}

/** The values of the inputs of an action; else the form again. */
export async function readForm(
  controller: ResourceRequest,
  action: ResourceAction,
  interaction: InteractionClass,
): Promise<{ values: Record<string, unknown> } | { reply: Reply }> {
  const isHtml = controller.request.format !== "json";
  const gone = await restoreFiles(controller, fileFormOf(controller, action));
  const sent = controller.params.nested("interaction");
  if (isHtml && (isRedrawn(controller.params) || isRowButtonPressed(controller.params)))
    return { reply: await renderActionForm(controller, action, sent, {}, true) };
  const read = await readSent(controller, interaction, sent);
  const problems = { ...read.errors, ...gone };
  const unseen = isHtml ? unseenFields(sent, () => read.dynamic) : [];
  for (const name of unseen) delete problems[name];
  if (unseen.length > 0) problems.base = [controller.t("form.more_fields")];
  if (Object.keys(problems).length > 0) return { reply: await refuse(controller, action, problems) };
  return { values: read.values };
}

export function readSent(
  controller: ResourceRequest,
  { attributes }: InteractionClass,
  sent: Params,
): Promise<InputsRead> {
  const source = fieldSource(controller, controller.record);
  const say = controller.request.tOr.bind(controller.request);
  return readInputs(attributes, sent, { source, own: controller.registration.model }, say);
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
export function textsOf(controller: ResourceRequest, problems: Record<string, readonly Problem[]>): FieldErrors {
  const texts = (list: readonly Problem[]) =>
    list.map(({ key, vars, message }) => controller.request.tOr(key, message, vars));
  return Object.fromEntries(Object.entries(problems).map(([name, list]) => [name, texts(list)]));
}

/** The form again, with what is wrong. @throws HttpError 422 for programs */
export function refuse(
  controller: ResourceRequest,
  action: ResourceAction,
  fields: FieldErrors,
  message?: string,
): Promise<Reply> {
  if (controller.request.format === "json") throw unprocessable(message ?? controller.t("resource.invalid"), fields);
  const all = message === undefined ? fields : { ...fields, base: [message, ...(fields.base ?? [])] };
  const found = Object.keys(all).length > 0 ? all : { base: [controller.t("resource.invalid")] };
  return renderActionForm(controller, action, controller.params.nested("interaction"), found);
}
