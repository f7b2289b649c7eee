import { csrfInput, type FieldErrors, humanize, type Params, type Reply, raw } from "framewright/host";
import { describeTargets, targetsSearch } from "../background/targets.ts";
import { confirmation, type FieldView, form } from "../components/index.ts";
import type { ResourceController } from "../controller.ts";
import type { ResourceAction } from "../definition/actions.ts";
import { versionOf } from "../entry/version.ts";
import { choicesOf, defaultOf, type InteractionInput } from "../operations/interaction_inputs.ts";
import { type FileForm, keepFiles } from "../operations/pending_files.ts";
import { actionPath } from "../registration/urls.ts";
import { actionLabel, chrome, contextOf } from "./chrome.ts";
import { withFile } from "./file_view.ts";
import { inputText, typedText } from "./typed_text.ts";

/** Where an action's pages lead back to: the record, or the list. */
export const baseOf = (controller: ResourceController): string =>
  controller.record ? controller.urlFor(controller.record) : controller.listUrl;

/** Asks whether an action is meant. */
export async function renderConfirmation(
  controller: ResourceController,
  action: ResourceAction,
  method: string,
): Promise<Reply> {
  const base = baseOf(controller);
  const url = action.interaction
    ? actionPath(base, undefined, action.key) + targetsSearch(controller, action)
    : actionPath(base, action.path, action.key);
  const { record } = controller;
  const label = actionLabel(controller, action);
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(key, vars);
  const standard = action.key === "destroy" ? "resource.confirm_destroy" : "resource.confirm_action";
  const name = record?.toLabel() ?? "";
  const asked = controller.request.tOr(`resource.confirmations.${action.key}`, t(standard, { name, action: label }), {
    name,
  });
  const question = typeof action.confirmation === "string" ? action.confirmation : (action.description ?? asked);
  const returnTo = controller.returnTo() ?? (method === "get" ? cameFrom(controller) : undefined);
  const view = {
    title: label,
    text: await describeTargets(controller, action, question),
    action: url,
    method: method as "get" | "post" | "patch" | "delete",
    csrf: method === "get" ? raw("") : csrfInput(controller.request, url, method),
    submitLabel: label,
    isDanger: action.category === "danger",
    download: action.interaction?.download === true,
    cancelUrl: returnTo ?? base,
    ...(returnTo === undefined && method !== "get" ? {} : { returnTo: returnTo ?? base }),
    ...(record && method !== "get" ? { lockVersion: versionOf(record, controller.registration.model) } : {}),
    t,
  };
  return controller.render("destroy_confirm", {
    locals: { ...chrome(controller, { title: label }), confirmation: confirmation(view) },
  });
}

/** The page of this portal that the person came from: what an action leads to is left for it, and not for the question. */
function cameFrom({ request }: ResourceController): string | undefined {
  const { referer, mountPath, path } = request;
  const from = referer?.replace(/[?#].*$/, "");
  const isHere = from === path || !(from === mountPath || from?.startsWith(`${mountPath}/`));
  return isHere ? undefined : referer;
}

/** The form of an interaction's inputs, filled with what was typed, else with its defaults. */
export async function renderActionForm(
  controller: ResourceController,
  action: ResourceAction,
  typed: Params | undefined,
  errors: FieldErrors,
): Promise<Reply> {
  const base = baseOf(controller);
  const url = actionPath(base, undefined, action.key) + targetsSearch(controller, action);
  const label = actionLabel(controller, action);
  const { attributes } = action.interaction!;
  const kept = await keepFiles(controller, fileFormOf(action), errors);
  const fields: FieldView[] = [];
  for (const [name, input] of Object.entries(attributes)) {
    const view = await fieldView(controller, name, input, typed, errors[name] ?? []);
    fields.push(withFile(controller, view, kept.get(name)));
  }
  const others = Object.keys(errors).filter((name) => !Object.hasOwn(attributes, name));
  const returnTo = controller.returnTo();
  const view = form({
    action: url,
    method: "post",
    csrf: csrfInput(controller.request, url, "post"),
    fields,
    errors: others.flatMap((name) =>
      errors[name]!.map((text) => (name === "base" ? text : `${humanize(name)} ${text}`)),
    ),
    submitLabel: label,
    cancelUrl: returnTo ?? base,
    multipart: fields.some(({ as }) => as === "file"),
    download: action.interaction?.download === true,
    ...(returnTo === undefined ? {} : { returnTo }),
    t: (key, vars) => controller.t(key, vars),
  });
  const status = Object.keys(errors).length > 0 ? 422 : 200;
  const subtitle = (await describeTargets(controller, action, action.description ?? "")) || undefined;
  return controller.render("new", {
    status,
    locals: { ...chrome(controller, { title: label }), subtitle, form: view },
  });
}

/** What the form of an action asks for by files. */
export const fileFormOf = ({ key, interaction }: ResourceAction): FileForm => ({
  form: `action ${key}`,
  key: "interaction",
  names: Object.entries(interaction?.attributes ?? {}).flatMap(([name, { as }]) => (as === "file" ? [name] : [])),
});

async function fieldView(
  controller: ResourceController,
  name: string,
  input: InteractionInput,
  typed: Params | undefined,
  errors: readonly string[],
): Promise<FieldView> {
  const context = contextOf(controller);
  const value = typed?.has(name) ? typedText(typed, name) : inputText(defaultOf(input, context));
  const { as, label, hint, placeholder, autocomplete, accept, required, presence } = input;
  const view: FieldView = {
    name,
    as,
    label: label ?? humanize(name),
    id: `interaction_${name}`,
    inputName: `interaction[${name}]`,
    value: as === "file" ? undefined : value,
    required: required ?? (presence !== undefined && presence !== false),
    errors,
  };
  if (hint !== undefined) view.hint = hint;
  if (placeholder !== undefined) view.placeholder = placeholder;
  if (autocomplete !== undefined) view.autocomplete = autocomplete;
  if (as === "boolean") view.checked = value !== undefined && ["1", "true", "on", "yes"].includes(value);
  if (accept) view.attributes = { accept: accept.join(",") };
  const choices = await choicesOf(input, context);
  if (choices) view.choices = choices.map((choice) => ({ ...choice, selected: choice.value === value }));
  return view;
}
