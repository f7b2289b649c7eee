import { csrfInput, type FieldErrors, notFound, type ParamValue, type Reply, raw, unprocessable } from "framewright";
import type { BaseModel } from "framewright/plugins/database";
import type { ResourceAction } from "./actions.ts";
import { confirmation, type FieldView, form } from "./components/index.ts";
import type { ResourceController } from "./controller.ts";
import { Entry } from "./entries.ts";
import type { InteractionClass } from "./interaction.ts";
import type { Outcome } from "./outcome.ts";
import { actionLabel, chrome } from "./pages/chrome.ts";
import { isHidden, prepareActions } from "./showing.ts";
import { actionPath } from "./urls.ts";
import { versionOf } from "./version.ts";

type Reach = "record" | "collection";

/** Finds the declared action that a URL names, and asks the policy. @throws HttpError 404, 403 */
async function enter(controller: ResourceController, reach: Reach): Promise<ResourceAction> {
  const key = controller.request.routeParams.action_key ?? "";
  const action = controller.registration.definition.actions.get(key);
  const isCollection = action?.resourceAction === true;
  if (!action || isCollection !== (reach === "collection")) throw notFound();
  if (reach === "record") controller.record = await controller.findRecord();
  await controller.authorizeAction(action.policy ?? key, controller.record);
  const { currentUser, currentScopedEntity, record } = controller;
  if (action.condition && !action.condition({ record, currentUser, currentScopedEntity })) throw notFound();
  const entry = record && new Entry(record);
  await prepareActions(controller, entry ? [entry] : []);
  if (isHidden(controller, key, entry)) throw notFound();
  return action;
}

const baseOf = (controller: ResourceController): string =>
  controller.record ? controller.urlFor(controller.record) : controller.listUrl;

/** Asks before an action is done: for what it needs, or whether it is meant. */
export async function showAction(controller: ResourceController, reach: Reach): Promise<Reply> {
  const action = await enter(controller, reach);
  if (action.interaction && Object.keys(action.interaction.attributes).length > 0)
    return renderActionForm(controller, action, {}, {});
  return renderConfirmation(controller, action);
}

function renderConfirmation(controller: ResourceController, action: ResourceAction): Reply {
  const base = baseOf(controller);
  const method = action.interaction ? "post" : (action.method ?? (action.confirmation ? "get" : "post"));
  if (method === "get" && !action.confirmation) throw notFound();
  const url = action.interaction ? actionPath(base, undefined, action.key) : actionPath(base, action.path, action.key);
  const { record } = controller;
  const name = record?.toLabel() ?? "";
  const label = actionLabel(controller, action);
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(key, vars);
  const destroys = action.key === "destroy";
  const asked = t(destroys ? "resource.confirm_destroy" : "resource.confirm_action", { name, action: label });
  const view = {
    title: label,
    text: typeof action.confirmation === "string" ? action.confirmation : asked,
    action: url,
    method,
    csrf: method === "get" ? raw("") : csrfInput(controller.request, url, method),
    submitLabel: label,
    cancelUrl: controller.returnTo() ?? base,
    ...(record && method !== "get" ? { lockVersion: versionOf(record, controller.registration.model) } : {}),
    t,
  };
  return controller.render("destroy_confirm", {
    locals: { ...chrome(controller, { title: label }), confirmation: confirmation(view) },
  });
}

function renderActionForm(
  controller: ResourceController,
  action: ResourceAction,
  typed: Record<string, ParamValue>,
  errors: FieldErrors,
): Reply {
  const base = baseOf(controller);
  const url = actionPath(base, undefined, action.key);
  const label = actionLabel(controller, action);
  const view = form({
    action: url,
    method: "post",
    csrf: csrfInput(controller.request, url, "post"),
    fields: Object.entries(action.interaction!.attributes).map(([name, options]) => ({
      ...options,
      name,
      id: `interaction_${name}`,
      inputName: `interaction[${name}]`,
      label: options.label ?? name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " "),
      value: typed[name] === undefined ? undefined : String(typed[name]),
      required: options.required === true,
      errors: errors[name] ?? [],
      choices: (options.choices ?? []).map((choice) => {
        const one = typeof choice === "string" ? { value: choice, label: choice } : choice;
        return { ...one, selected: one.value === typed[name] };
      }),
    })) as FieldView[],
    errors: errors.base ?? [],
    submitLabel: label,
    cancelUrl: base,
    t: (key, vars) => controller.t(key, vars),
  });
  const status = Object.keys(errors).length > 0 ? 422 : 200;
  return controller.render("new", { status, locals: { ...chrome(controller, { title: label }), form: view } });
}

/** Does an action that is an interaction: in a transaction, which a failed outcome undoes. */
export async function runAction(controller: ResourceController, reach: Reach): Promise<Reply> {
  const action = await enter(controller, reach);
  if (!action.interaction) throw notFound();
  const values = interactionValues(controller, action.interaction);
  const missing = missingValues(controller, action.interaction, values);
  if (Object.keys(missing).length > 0)
    return refuse(controller, action, values, { ok: false, fields: missing, message: undefined });
  const outcome = await execute(controller, action.interaction, values);
  if (!outcome.ok) return refuse(controller, action, values, outcome);
  if (controller.request.format === "json")
    return controller.json({ data: { ok: true, message: outcome.message ?? null } });
  controller.flash.add(
    "success",
    outcome.message ?? controller.t("resource.done", { action: actionLabel(controller, action) }),
  );
  return controller.redirectTo(outcome.location ?? controller.returnTo() ?? baseOf(controller));
}

function interactionValues(controller: ResourceController, interaction: InteractionClass): Record<string, ParamValue> {
  const given = controller.params.nested("interaction");
  const values: Record<string, ParamValue> = {};
  for (const name of Object.keys(interaction.attributes)) if (given.has(name)) values[name] = given.get(name)!;
  return values;
}

function missingValues(
  controller: ResourceController,
  { attributes }: InteractionClass,
  values: Record<string, ParamValue>,
): FieldErrors {
  const names = Object.keys(attributes).filter((name) => attributes[name]!.required && (values[name] ?? "") === "");
  return Object.fromEntries(names.map((name) => [name, [controller.t("errors.presence")]]));
}

class Undone extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super("the interaction failed");
    this.outcome = outcome;
  }
}

async function execute(
  controller: ResourceController,
  Interaction: InteractionClass,
  values: Record<string, ParamValue>,
): Promise<Outcome> {
  const { resources } = controller;
  try {
    return await resources.database.transaction(async (transaction) => {
      const context = {
        record: controller.record as BaseModel,
        controller,
        values,
        transaction,
        database: resources.database,
      };
      const outcome = await new Interaction(context).execute();
      if (!outcome.ok) throw new Undone(outcome);
      return outcome;
    });
  } catch (error) {
    if (error instanceof Undone) return error.outcome;
    throw error;
  }
}

function refuse(
  controller: ResourceController,
  action: ResourceAction,
  values: Record<string, ParamValue>,
  outcome: Pick<Outcome, "ok" | "fields" | "message">,
): Reply {
  const { fields, message } = outcome;
  if (controller.request.format === "json") throw unprocessable(message ?? controller.t("resource.invalid"), fields);
  const errors = message === undefined ? fields : { ...fields, base: [message, ...(fields.base ?? [])] };
  return renderActionForm(controller, action, values, errors);
}
