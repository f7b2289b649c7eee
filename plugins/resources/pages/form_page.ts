import { csrfInput, type FieldErrors, localeOf, type PageLocals, Params, type Reply } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import {
  addChoices,
  addEditor,
  type ChoicesContext,
  type FieldView,
  type FormView,
  fieldView,
  form,
  type KeptFileView,
  ORIGINALS,
} from "framewright/plugins/fields";
import { textsFor } from "framewright/plugins/fields/rows";
import { hiddenView, isStoredFile, keepFiles, removeName, withFile } from "framewright/plugins/fields/toolkit";
import { type Attribute, isFileField, isSecret } from "../definition/attributes.ts";
import { labelOf } from "../entry/labels.ts";
import { versionOf } from "../entry/version.ts";
import { mayChoose } from "../operations/choices.ts";
import { chosenLinks, isLinks } from "../operations/chosen_links.ts";
import { fieldSource } from "../operations/field_source.ts";
import { writableNames } from "../operations/form_fields.ts";
import { originalMarks } from "../operations/originals.ts";
import { defaultValue, initialValue, type Pattern, recordFields } from "../operations/record_fields.ts";
import { recordForm } from "../operations/record_files.ts";
import { isReferenceHidden, UNCHANGED } from "../operations/unchanged.ts";
import type { Registration } from "../registration/registration.ts";
import {
  fieldLabel,
  fieldsetsFor,
  inSentence,
  labelsFor,
  namedChoices,
  ownText,
  valueLabels,
} from "../registration/resource_texts.ts";
import type { ResourceRequest } from "../request.ts";
import { ADD_ANOTHER, mayAddAnother } from "./add_another.ts";
import { besideView, formLeft, isBeside, returnsToForm } from "./beside.ts";
import { type Chrome, chrome } from "./chrome.ts";
import { isInDialog } from "./saved_in_dialog.ts";
import { inputText, storedText, typedText } from "./typed_text.ts";

/** What a form is filled with: the stored record, and what was typed over it. */
export interface Filling {
  record: BaseModel | undefined;
  typed: Params | undefined;
  errors: FieldErrors;
  /** The version that was being edited, where it is not the stored record's. */
  version?: string | undefined;
  /** What the form began with, where that is not what is stored now. */
  originals?: string | undefined;
  /** Of a new record: the one whose values it begins with. */
  pattern?: Pattern;
}

/** What was being sent when a sign-in came in between, to be looked over and sent again. */
function typedBefore({ request, registration }: ResourceRequest): Pick<Filling, "typed" | "version" | "originals"> {
  const kept = request.typed && new Params(request.typed.take());
  if (!kept) return { typed: undefined };
  const [version, originals] = [kept.string("lock_version"), kept.string(ORIGINALS)];
  return { typed: kept.nested(registration.key), version, originals };
}

export async function renderForm(controller: ResourceRequest, record: BaseModel | undefined): Promise<Reply> {
  const begun = formLeft(controller, record) ?? typedBefore(controller);
  const view = await formView(controller, { record, ...begun, errors: {} });
  return controller.render(record ? "edit" : "new", {
    locals: withForm(controller, formChrome(controller, record), view),
  });
}

/** The variables of a page with its form, and what plugins add to that. */
export function withForm(controller: ResourceRequest, around: Chrome, view: FormView): PageLocals {
  const locals = Object.assign<PageLocals, Chrome>({}, around);
  const { slots } = controller.request.kernel.service("views");
  const beforeFields = slots.render("form.before_fields", locals, controller);
  const afterFields = slots.render("form.after_fields", locals, controller);
  locals.form = form(Object.assign({}, view, { beforeFields, afterFields }));
  return locals;
}

export function formChrome(controller: ResourceRequest, record: BaseModel | undefined) {
  const isNamed = record && !controller.registration.singular; // there is one: "Edit profile"
  const one = inSentence(controller, labelsFor(controller, controller.registration).one);
  const name = isNamed ? labelOf(controller, record) : one;
  const title = controller.t(record ? "resource.edit_title" : "resource.new_title", { name });
  const trail =
    record && !controller.registration.singular
      ? [{ label: labelOf(controller, record), url: controller.urlFor(record) }]
      : [];
  return chrome(controller, { title, trail: [...trail, { label: title }] });
}

export async function formView(controller: ResourceRequest, filling: Filling): Promise<FormView> {
  const { record, errors, version, pattern, originals } = filling;
  const { registration, request } = controller;
  const shown = registration.definition.withoutOrder(controller.listOf(record ? "Edit" : "New", record));
  const names = writableNames(controller, record);
  const { contexts } = recordFields(controller, record, names, filling.typed, pattern);
  const attributes = names.filter((name) => shown.includes(name)).map((name) => registration.attribute(name));
  const kept = await keepFiles(controller, recordForm(controller, record, attributes), errors);
  const fields: FieldView[] = [];
  for (const attribute of attributes) {
    const view = await attributeView(controller, attribute, filling, contexts.get(attribute.name));
    fields.push(withFile(controller, view, kept.get(view.name) ?? storedFile(attribute, record)));
  }
  const first = fields.find(({ type, readonly, secondary }) => !readonly && !secondary && type?.frame !== "none");
  if (first && !record && filling.typed === undefined)
    first.attributes = Object.assign({}, first.attributes, { autofocus: true });
  const action = record ? controller.urlFor(record) : controller.listUrl;
  const method = record ? "patch" : "post";
  const returnTo = controller.returnTo();
  const cancelTo = record ?? pattern?.record;
  return {
    ...{ action, method, csrf: csrfInput(request, action, method) },
    fields,
    fieldsets: fieldsetsFor(controller, registration),
    errors: errors.base ?? [],
    ...(record
      ? {
          lockVersion: version ?? versionOf(record, registration.model),
          originals: originals ?? (await originalMarks(controller, attributes, record)),
        }
      : {}),
    submitLabel: controller.t(record ? "framework.save" : "resource.create"),
    inDialog: isInDialog(controller) && !returnsToForm(controller),
    ...(!record && !isInDialog(controller) && !isBeside(controller) && mayAddAnother(controller)
      ? { another: { name: ADD_ANOTHER, value: "1", label: controller.t("resource.create_another") } }
      : {}),
    cancelUrl: returnTo ?? (cancelTo ? controller.urlFor(cancelTo) : controller.listUrl),
    multipart: fields.some(({ type, multipart }) => multipart || type?.isFile),
    ...(returnTo === undefined ? {} : { returnTo }),
    t: (key, vars) => controller.t(key, vars),
  };
}

/** An input that the plugin draws which serves the attribute. */
async function handledView(controller: ResourceRequest, attribute: Attribute, filling: Filling): Promise<FieldView> {
  const { registration } = controller;
  const { name, handler } = attribute;
  const { record, typed, errors, pattern } = filling;
  const place = { name, id: `${registration.key}_${name}`, inputName: `${registration.key}[${name}]` };
  const copied = pattern?.names.has(name) ? pattern.record : undefined;
  const input = { controller, attribute, record, typed, pattern: copied, errors, ...place };
  const label = fieldLabel(controller, registration, attribute, "input");
  const declared = Object.assign({}, attribute.input, { label }, hintOf(controller, attribute));
  const stored = Object(Reflect.get(copied ?? record ?? {}, name)) as object;
  const isUsual = () => typed === undefined && Object.keys(stored).length === 0;
  const state = { value: undefined, errors: errors[name] ?? [], isUsual, ...place };
  const view = fieldView(declared, state, attribute.types.input);
  return Object.assign(view, await handler!.draw!(input));
}

/** An input of a form, with its value, its choices, and what is wrong. */
export async function attributeView(
  controller: ResourceRequest,
  attribute: Attribute,
  filling: Filling,
  context: ChoicesContext | undefined,
): Promise<FieldView> {
  const { registration } = controller;
  const texts = context && textsFor(attribute.input, { ...context, t: controller.t.bind(controller) });
  if (attribute.handler?.draw && context)
    return Object.assign(await handledView(controller, attribute, filling), texts);
  const { record, typed, errors, pattern } = filling;
  const { name, association, polymorphic } = attribute;
  const source = pattern?.names.has(name) ? pattern.record : record;
  const label = fieldLabel(controller, registration, attribute, "input");
  const more = [hintOf(controller, attribute), inputChoices(registration, attribute), signOf(attribute)] as const;
  const input = Object.assign({}, attribute.input, { label }, ...more);
  const place = { name, id: `${registration.key}_${name}`, inputName: `${registration.key}[${name}]` };
  if (!context) return hiddenView(input, place, attribute.types.input);
  const isHidden = await isReferenceHidden(controller, attribute, source);
  const stored = () => (!isHidden ? storedText(attribute, source!) : source === record ? UNCHANGED : undefined);
  const begun = () => (source ? stored() : defaultText(controller, attribute, context));
  const value = isLinks(attribute)
    ? await chosenLinks(controller, attribute, { record: source, typed })
    : typed?.has(name)
      ? typedText(typed, name, attribute.types.input)
      : begun();
  const { timeZone, locale } = controller.request;
  const isUsual = () => (value ?? "") === (defaultText(controller, attribute, context) ?? "");
  const filled = { value, errors: errors[name] ?? [], timeZone, locale: localeOf(locale), isUsual, ...place };
  const view = Object.assign(fieldView(input, filled, attribute.types.input), texts);
  view.required = input.required ?? isRequired(controller, attribute);
  if (isLinks(attribute)) view.multiple = true;
  if (!view.required && attribute.types.input.empty === false && registration.model.mayBeNeither(name))
    view.isOptional = true;
  if (isSecret(attribute) && record !== undefined && storedText(attribute, record) !== undefined) {
    Object.assign(view, keptSecret(attribute, view, typed));
    view.hint = [view.hint, controller.t("form.secret_kept")].filter(Boolean).join(" ");
  }
  const fields = fieldSource(controller, record);
  const kept = () => [record && storedText(attribute, record), defaultText(controller, attribute, context)];
  const drawn = polymorphic
    ? await fields.drawPolymorphic(polymorphic, value as string | undefined, kept())
    : await fields.draw(input, association?.target, context, value, await storedKeys(controller, attribute, record));
  const labels = drawn && !association && valueLabels(controller, registration, name);
  if (labels) drawn.choices = namedChoices(drawn.choices, labels);
  addChoices(view, input, drawn, `${controller.listUrl}/typeahead/${name}`);
  if (isHidden && source === record) addUnchanged(controller, view, attribute);
  addEditor(controller, view);
  if (association) view.beside = besideView(controller, attribute, record);
  return view;
}

/** What comes first among the choices for a stored record that the person may not see; a key that has no choices is not entered then. */
function addUnchanged(controller: ResourceRequest, view: FieldView, { isKey }: Attribute): void {
  const kept = { value: UNCHANGED, label: controller.t("framework.not_visible"), selected: view.value === UNCHANGED };
  view.choices = [kept, ...(view.choices ?? [])];
  const select = controller.registration.types.get("select");
  if (isKey && select) view.type = select;
}

/** The currency and the unit of an input are those that its value is shown with, where it declares none. */
const signOf = ({ input, display }: Attribute): Pick<typeof input, "currency" | "unit"> => {
  const { currency = display.currency, unit = display.unit } = input;
  return { ...(currency === undefined ? {} : { currency }), ...(unit === undefined ? {} : { unit }) };
};

/** The catalogue's text below an input, where it has one. */
function hintOf(controller: ResourceRequest, { name, input }: Attribute): Pick<FieldView, "hint"> {
  const { registration } = controller;
  const hint = registration.onceWithTexts(controller, `hint of ${name}`, () =>
    ownText(controller, registration, `hints.${name}`, input.hint ?? ""),
  );
  return hint === "" ? {} : { hint };
}

/** What a record has in an association, which may stay whatever else may be chosen. */
async function storedKeys(controller: ResourceRequest, attribute: Attribute, record: BaseModel | undefined) {
  const { association } = attribute;
  if (!association || !record || mayChoose(controller, association.target)) return [];
  if (isLinks(attribute)) return chosenLinks(controller, attribute, { record, typed: undefined });
  return [association.key.of(record)];
}

/** A stored secret need not be typed again; one that isn't required may be removed. */
function keptSecret({ name, column }: Attribute, { required, inputName }: FieldView, typed: Params | undefined) {
  if (required || column?.nullable !== true) return { required: false };
  const removed = removeName(name);
  const isRemoved = typed?.get(removed) === "1";
  return { required: false, removeName: inputName.replace(/\[[^[\]]*\]$/, `[${removed}]`), isRemoved };
}

/** The choices of an attribute: its definition's, else those of its model. */
function inputChoices({ model }: Registration, { name, input, column }: Attribute): Pick<typeof input, "choices"> {
  const choices = input.choices ?? model.choices[name] ?? column?.values;
  return choices ? { choices } : {};
}

function storedFile(attribute: Attribute, record: BaseModel | undefined): KeptFileView | undefined {
  const value = isFileField(attribute) ? (record as Record<string, unknown> | undefined)?.[attribute.name] : undefined;
  return isStoredFile(value) ? { filename: value.filename, size: value.size } : undefined;
}

function isRequired({ registration }: ResourceRequest, attribute: Attribute): boolean {
  const { name, column, association, polymorphic } = attribute;
  const { validations } = registration.model.class;
  if (validations[name]?.presence) return true;
  if (registration.model.class.slug && name === registration.model.paramKey) return false;
  if (polymorphic) return !polymorphic.optional;
  if (association) return !association.optional;
  return column !== undefined && !column.nullable && !column.hasDefault && column.type !== "boolean";
}

function defaultText(controller: ResourceRequest, attribute: Attribute, context: ChoicesContext): string | undefined {
  const own = defaultValue(attribute, context);
  return inputText(own !== undefined ? own : initialValue(controller, attribute), attribute.types.input);
}
