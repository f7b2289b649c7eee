import {
  type FieldErrors,
  isParamObject,
  localeOf,
  type ParamObject,
  type ParamValue,
  raw,
  readJson,
} from "framewright/host";
import type { BaseModel, Problem } from "framewright/plugins/database";
import {
  applyRowButtons,
  checkTree,
  drawnInput,
  errorTexts,
  type FieldScope,
  type FieldSpec,
  type FieldValues,
  fromDocument,
  kindOf,
  fieldLabel as labelOfField,
  nodesOf,
  prepareNodes,
  readTree,
  type TextOf,
  targetOf,
  toDocument,
} from "framewright/plugins/fields/rows";
import { hidden } from "framewright/plugins/fields/toolkit";
import { type Attribute, fieldLabel, fieldSource, type ResourceRequest } from "framewright/plugins/resources";
import type { AttributeHandler } from "framewright/plugins/resources/toolkit";
import type { HandledForm, HandledInput, HandledView, HandledWrite } from "../handled.ts";
import { isOwnButton, pathOf, pressedWithin } from "../paths.ts";
import { MARK, markOf } from "./marks.ts";
import { keepHidden, labelsOf, referencesIn, withoutKept } from "./references.ts";
import { choicesUrl } from "./search.ts";
import { DocumentValue } from "./value.ts";

/** A handler, and the description of its fields. */
interface DocumentHandler extends AttributeHandler {
  readonly spec: FieldSpec;
}

/** Serves a json column whose value has fields: rows, a group, or names and values. */
export const documentHandler = (spec: FieldSpec): DocumentHandler => ({
  plugin: "nested_records",
  spec,
  async load(entries, controller, attribute) {
    const stored = entries.map((entry) => entry.column(attribute.name));
    const references = stored.flatMap((one) => referencesIn(spec, fromDocument(spec, one)));
    const labels = references.length > 0 ? await labelsOf(controller, references) : new Map<string, string>();
    const textOf = textsOf(controller, attribute);
    return stored.map((one) => new DocumentValue(spec, one, { textOf, labels }));
  },
  isRedrawn: (form) => isOwnButton(form.controller, form.attribute),
  read: (form) => readDocument(spec, form),
  draw: (input) => drawDocument(spec, input),
  rows: (controller, attribute) => rowsInFiles(spec, controller, attribute),
});

/** The fields of rows of one value each, as attributes of a record would be. */
function rowsInFiles(spec: FieldSpec, controller: ResourceRequest, attribute: Attribute) {
  if (spec.type !== "repeated") return undefined;
  const textOf = textsOf(controller, attribute);
  const fields = spec.fields
    .filter((field) => field.type !== "group" && field.type !== "repeated")
    .map((field) => ({ label: labelOfField(field, textOf), attribute: asAttribute(field) }));
  return { controller, fields, areRecords: false };
}
/** A field with what of an attribute decides how a cell is read: what a table would define more of its column is not there. */
function asAttribute(field: FieldSpec): Attribute {
  const kind = kindOf(field);
  const { name, options } = field;
  const target = targetOf(field);
  const input = { ...options, as: field.type as Attribute["input"]["as"] };
  const key = { columns: [name], column: name, of: (row: Record<string, unknown>) => row[name] };
  const related = target && { name, kind: "belongsTo", target, key };
  return {
    name,
    label: name,
    source: related ? "association" : "column",
    column: related ? undefined : ({ name, ...kind.column } as Attribute["column"]),
    association: related as unknown as Attribute["association"],
    polymorphic: undefined,
    isKey: false,
    cents: undefined,
    handler: undefined,
    input,
    display: { as: input.as },
    listed: { as: input.as },
    types: { input: kind, display: kind, listed: kind },
  };
}

const storedOf = (record: BaseModel | undefined, { name }: Attribute): unknown =>
  (record as Record<string, unknown> | undefined)?.[name];
const scopeOf = ({ currentUser, currentScopedEntity }: ResourceRequest, record: BaseModel | undefined): FieldScope => ({
  record,
  currentUser,
  currentScopedEntity,
});

/** The texts of the fields in the catalogue: `models.order.rows.lines.fields.amount`. */
const textsOf =
  ({ request, registration }: ResourceRequest, { name }: Attribute): TextOf =>
  (path, otherwise, key) =>
    request.tOr(
      `models.${registration.key}.rows.${name}.${path}`,
      key === undefined ? otherwise : request.tOr(key, otherwise),
    );

/** What was sent; a text is JSON, as an import has it. */
const given = (sent: ParamValue | undefined): ParamValue | undefined =>
  typeof sent === "string" && sent.trim() !== "" ? fromText(sent) : sent;
function fromText(text: string): ParamValue {
  try {
    return readJson(text);
  } catch {
    return "\0"; // no value of any field
  }
}

async function readDocument(
  ofColumn: FieldSpec,
  { controller, attribute, record, sent }: HandledForm,
): Promise<HandledWrite | { errors: FieldErrors } | undefined> {
  const { name } = attribute;
  const spec = named(ofColumn, name);
  if (!sent.has(name) && (record || !spec.options.minimum)) return undefined;
  const isNone = sent.get(name) === null || sent.get(name) === "";
  if (isNone && attribute.column?.nullable && !spec.options.minimum) return { columns: { [name]: null } };
  const stored = fromDocument(spec, storedOf(record, attribute));
  const scope = scopeOf(controller, record);
  const { values, errors } = readTree(
    [spec],
    { [name]: given(sent.get(name))! },
    {
      before: { [name]: stored } as FieldValues,
      translate: controller.request.tOr.bind(controller.request),
      scope,
      keepsBlank: controller.request.format !== "html" || controller.recordWriter !== undefined,
    },
  );
  const mark = markIn(sent.get(name));
  if (mark !== undefined && Object.keys(errors).length === 0 && markOf(spec, values[name]) === mark) return undefined; // as it was
  const found: Record<string, Problem[]> = {};
  await checkTree({ found, scope, source: fieldSource(controller, record) }, [spec], values);
  const all = {
    ...errorTexts(controller, withoutKept(found, spec, values[name], stored)),
    ...errors,
  };
  if (record && mark !== undefined && markOf(spec, stored) !== mark)
    all[name] = [controller.t("nested_records.changed")];
  if (Object.keys(all).length > 0) return { errors: all };
  return { columns: { [name]: toDocument(spec, values[name]) } };
}

const named = (spec: FieldSpec, name: string): FieldSpec => (spec.name === name ? spec : { ...spec, name });
function markIn(value: ParamValue | undefined): string | undefined {
  const mark = isParamObject(value) && Object.hasOwn(value, MARK) ? value[MARK] : undefined;
  return typeof mark === "string" && mark !== "" ? mark : undefined;
}

async function drawDocument(ofColumn: FieldSpec, input: HandledInput): Promise<HandledView> {
  const { controller, attribute, record, pattern, errors, inputName, id } = input;
  const { name } = attribute;
  const path = pathOf(inputName);
  const spec = named(ofColumn, name);
  const kept = storedOf(record ?? pattern, attribute);
  const stored = fromDocument(spec, kept);
  const begun = kept === undefined || kept === null ? undefined : ({ [name]: stored } as FieldValues);
  const sent = typedBy(spec, input, path);
  const scope = scopeOf(controller, record);
  const { timeZone, locale } = controller.request;
  const label = fieldLabel(controller, controller.registration, attribute, "input");
  const shown: FieldSpec = { ...spec, options: { ...spec.options, label } };
  const before = path.slice(0, -name.length);
  const nodes = nodesOf({
    key: inputName.slice(0, -`[${name}]`.length),
    below: { path: before, id: id.slice(0, -name.length) },
    fields: [shown],
    values: begun,
    typed: sent,
    errors: Object.fromEntries(Object.entries(errors).map(([at, list]) => [`${before}${at}`, list])),
    scope,
    timeZone,
    locale: localeOf(locale),
    textOf: textsOf(controller, attribute),
  });
  const searchUrl = (at: string) => choicesUrl(controller, at.slice(before.length));
  await prepareNodes(controller, nodes, { source: fieldSource(controller, record), searchUrl });
  if (record) keepHidden(nodes, controller.t("framework.not_visible"));
  const mark = markShown(spec, input, stored);
  const marked = mark === undefined ? undefined : raw(hidden(`${inputName}[${MARK}]`, mark));
  return drawnInput(controller, nodes, inputName, marked);
}

/** What the form shows in the place of what is stored; undefined where nobody changed what the form began with. */
function typedBy(
  spec: FieldSpec,
  { controller, attribute, typed, record }: HandledInput,
  path: string,
): ParamObject | undefined {
  const { name } = attribute;
  if (!typed?.has(name)) return undefined;
  const value = given(typed.get(name))!;
  const sent: ParamObject = { [name]: value };
  const changed = applyRowButtons([spec], sent, pressedWithin(controller, path));
  if (changed) return changed;
  const mark = markIn(value);
  if (!record || mark === undefined) return sent;
  const { values, errors } = readTree([spec], sent, { scope: scopeOf(controller, record) });
  return Object.keys(errors).length === 0 && markOf(spec, values[name]) === mark ? undefined : sent;
}

/** The mark that the form carries: that of what it began with, until the person was informed that others changed it. */
function markShown(
  spec: FieldSpec,
  { record, typed, errors, attribute: { name } }: HandledInput,
  stored: unknown,
): string | undefined {
  if (!record) return undefined;
  const now = markOf(spec, stored);
  const began = markIn(typed?.get(name));
  return began === undefined || (errors[name] ?? []).length > 0 ? now : began;
}
