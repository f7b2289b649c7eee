import { csrfInput, type FieldErrors, humanize, localeOf, type Params, type Reply, raw } from "framewright/host";
import {
  addChoices,
  addEditor,
  confirmation,
  type DeclaredField,
  defaultOf,
  type FieldSource,
  type FieldView,
  fieldView,
  form,
} from "framewright/plugins/fields";
import { rowsInputView, type TextOf, textsFor } from "framewright/plugins/fields/rows";
import { type FileForm, hiddenView, keepFiles, withFile } from "framewright/plugins/fields/toolkit";
import type { ResourceAction } from "../definition/actions.ts";
import { labelOf } from "../entry/labels.ts";
import { versionOf } from "../entry/version.ts";
import { Chosen, describeTargets, targetsSearch } from "../operations/chosen.ts";
import { restoreText } from "../operations/deletion_notice.ts";
import { fieldSource } from "../operations/field_source.ts";
import { type ShownInput, walkInputs } from "../operations/interaction_inputs.ts";
import { commonLabel, namedChoices, ownText, valueLabels } from "../registration/resource_texts.ts";
import { actionPath } from "../registration/urls.ts";
import type { ResourceRequest } from "../request.ts";
import { actionLabel, chrome } from "./chrome.ts";
import { deletionOf } from "./deletion.ts";
import { isInDialog } from "./saved_in_dialog.ts";
import { inputText, typedText } from "./typed_text.ts";

/** Where an action's pages lead back to: the record, or the list. */
export const baseOf = (controller: ResourceRequest): string =>
  controller.record ? controller.urlFor(controller.record) : controller.listUrl;

/** Where an action is sent to: with the list that it is for, where it is for one. */
function addressOf(controller: ResourceRequest, action: ResourceAction): string {
  const chosen = Chosen.of(controller);
  const path = chosen ? `${controller.listUrl}/${chosen.path}` : actionPath(baseOf(controller), undefined, action.key);
  return path + targetsSearch(controller, action);
}

/** Asks for a confirmation of an action. */
export async function renderConfirmation(
  controller: ResourceRequest,
  action: ResourceAction,
  method: string,
): Promise<Reply> {
  const base = baseOf(controller);
  const url = action.interaction ? addressOf(controller, action) : actionPath(base, action.path, action.key);
  const { record } = controller;
  const label = actionLabel(controller, action);
  const t = (key: string, vars?: Record<string, unknown>) => controller.t(key, vars);
  const standard = action.key === "destroy" ? "resource.confirm_destroy" : "resource.confirm_action";
  const name = record ? labelOf(controller, record) : "";
  const restore = record && action.key === "destroy" ? await restoreText(controller, [record]) : undefined;
  const usualText =
    restore !== undefined ? `${t("resource.will_destroy", { name })} ${restore}` : t(standard, { name, action: label });
  const asked = controller.request.tOr(`resource.confirmations.${action.key}`, usualText, {
    name,
  });
  const usual = typeof action.confirmation === "string" ? action.confirmation : (action.description ?? asked);
  const question = ownText(controller, controller.registration, `confirmations.${action.key}`, usual, { name });
  const isLed = method === "get" || action.key === "destroy";
  const returnTo = controller.returnTo() ?? (isLed ? cameFrom(controller) : undefined);
  const deletion =
    record && action.key === "destroy" && !action.interaction ? await deletionOf(controller, record) : undefined;
  const told = deletion?.blocked ?? [...(deletion?.effects ?? []), question].join(" ");
  const view = {
    title: deletion ? t("resource.destroy_title", { record: name }) : titleOf(controller, label),
    isBlocked: deletion?.blocked !== undefined,
    text: await describeTargets(controller, action, told),
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
    locals: { ...chrome(controller, { title: titleOf(controller, label) }), confirmation: confirmation(view) },
  });
}

/** "Reject: Permit 12": an action with the record that it is about. */
const titleOf = (controller: ResourceRequest, action: string): string =>
  controller.record
    ? controller.t("resource.action_of", { action, record: labelOf(controller, controller.record) })
    : action;

/** The page of this portal that the person came from: what an action leads to is left for it, and not for the question. */
function cameFrom({ request }: ResourceRequest): string | undefined {
  const { referer, mountPath, path } = request;
  const from = referer?.replace(/[?#].*$/, "");
  const isHere = from === path || !(from === mountPath || from?.startsWith(`${mountPath}/`));
  return isHere ? undefined : referer;
}

/** The form of an interaction's inputs, filled with what was typed, else with its defaults. */
export async function renderActionForm(
  controller: ResourceRequest,
  action: ResourceAction,
  typed: Params | undefined,
  errors: FieldErrors,
  isRefreshed = false,
): Promise<Reply> {
  const base = baseOf(controller);
  const url = addressOf(controller, action);
  const label = actionLabel(controller, action);
  const { attributes } = action.interaction!;
  const kept = await keepFiles(controller, fileFormOf(controller, action), errors);
  const views = await inputViews(controller, action, { typed, errors });
  const fields = views.map((view) => withFile(controller, view, kept.get(view.name)));
  const isPart = (path: string) => views.some(({ name, parts }) => parts && path.startsWith(`${name}.`));
  const others = Object.keys(errors).filter((name) => !Object.hasOwn(attributes, name) && !isPart(name));
  const returnTo = controller.returnTo();
  const view = form({
    action: url,
    method: "post",
    csrf: csrfInput(controller.request, url, "post"),
    fields,
    beforeFields: Chosen.of(controller)?.fields,
    errors: others.flatMap((name) =>
      errors[name]!.map((text) => (name === "base" ? text : `${humanize(name)} ${text}`)),
    ),
    submitLabel: label,
    isDanger: action.category === "danger",
    cancelUrl: returnTo ?? base,
    inDialog: isInDialog(controller),
    multipart: fields.some(({ type }) => type?.isFile),
    download: action.interaction?.download === true,
    ...(returnTo === undefined ? {} : { returnTo }),
    t: (key, vars) => controller.t(key, vars),
  });
  const status = isRefreshed || Object.keys(errors).length > 0 ? 422 : 200;
  const subtitle = (await describeTargets(controller, action, action.description ?? "")) || undefined;
  return controller.render("new", {
    status,
    locals: { ...chrome(controller, { title: titleOf(controller, label) }), subtitle, form: view },
  });
}

/** The files that the form of an action asks for. */
export const fileFormOf = (
  { resources, registration: { owner, constant } }: ResourceRequest,
  { key, interaction }: ResourceAction,
): FileForm => ({
  form: [owner, constant, "action", key].join(" "),
  key: "interaction",
  names: Object.entries(interaction?.attributes ?? {}).flatMap(([name, { as }]) =>
    resources.fieldTypes.get(as)?.isFile ? [name] : [],
  ),
});

/** The inputs of an action as its form shows them; of those that are not shown, their places. */
async function inputViews(
  controller: ResourceRequest,
  action: ResourceAction,
  { typed, errors }: { typed: Params | undefined; errors: FieldErrors },
): Promise<FieldView[]> {
  const { attributes } = action.interaction!;
  const source = fieldSource(controller, controller.record);
  const { shown } = walkInputs(attributes, typed, { source, own: controller.registration.model });
  const views: FieldView[] = [];
  for (const [name, field] of Object.entries(attributes) as [string, DeclaredField][]) {
    const place = { name, id: `interaction_${name}`, inputName: `interaction[${name}]` };
    const input = shown.find((one) => one.name === name);
    if (input?.rows) {
      const label = inputLabel(controller, action, input);
      const textOf: TextOf = (path, otherwise, key) => {
        const usual = key === undefined ? otherwise : controller.request.tOr(key, otherwise);
        return ownText(controller, controller.registration, `inputs.${action.key}.${name}.${path}`, usual);
      };
      const searchUrl = (path: string) => searchUrlOf(controller, action, path);
      const drawing = { key: "interaction", typed, errors, source, label, textOf, searchUrl };
      views.push(await rowsInputView(controller, input.rows.spec, drawing));
    } else if (!input) views.push(hiddenView(field, place, source.typeOf(field.as)));
    else {
      const { type } = input;
      const begun = () => inputText(defaultOf(field, input.context, type), type);
      const value = typed?.has(name) ? typedText(typed, name, type) : begun();
      const { timeZone, locale } = controller.request;
      const isUsual = () => (value ?? "") === (begun() ?? "");
      const filled = { ...place, value, errors: errors[name] ?? [], timeZone, locale: localeOf(locale), isUsual };
      const view = fieldView({ ...input.field, label: inputLabel(controller, action, input) }, filled, type);
      Object.assign(view, textsFor(input.field, { ...input.context, t: controller.t.bind(controller) }));
      addEditor(controller, view);
      await addInputChoices(controller, action, { view, input, value, source });
      views.push(view);
    }
  }
  return views;
}

/** What an input of an action is called: by the catalogue, by itself, else by its name. */
function inputLabel(controller: ResourceRequest, { key }: ResourceAction, { name, field }: ShownInput): string {
  const { registration } = controller;
  return registration.onceWithTexts(controller, `label of ${name} of ${key}`, () =>
    ownText(controller, registration, `inputs.${key}.${name}`, field.label ?? commonLabel(controller, name)),
  );
}

/** Where the choices of an input are searched, or of a field of its rows. */
function searchUrlOf(controller: ResourceRequest, action: ResourceAction, path: string): string {
  const own = addressOf(controller, action);
  return `${own}${own.includes("?") ? "&" : "?"}_search=${path}`;
}

interface Drawing {
  view: FieldView;
  input: ShownInput;
  value: string | undefined;
  source: FieldSource;
}

async function addInputChoices(
  controller: ResourceRequest,
  action: ResourceAction,
  { view, input: { name, field, target, context }, value, source }: Drawing,
): Promise<void> {
  const drawn = await source.draw(field, target, context, value);
  const labels = target ? undefined : valueLabels(controller, controller.registration, name);
  if (drawn) drawn.choices = namedChoices(drawn.choices, labels);
  addChoices(view, field, drawn, searchUrlOf(controller, action, name));
}
