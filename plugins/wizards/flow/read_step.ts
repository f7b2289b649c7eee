import { type FieldErrors, isParamObject, type ParamObject, type Params, type ParamValue } from "framewright/host";
import { type Coerced, type FieldContext, problemOf } from "framewright/plugins/fields";
import type { FieldScope, FieldSpec, StepReading, StepSpec, StepValues } from "../contract/index.ts";
import { kindOf } from "./field_kind.ts";
import { readInitial, readValue, wrongShape } from "./read_field.ts";
import { hiddenValue, isStagedFile, isValues, own, walkFields } from "./values.ts";

/** Looks a text up, with the English text as the default, like `controller.request.tOr`. */
export type TranslateOr = (key: string, english: string, vars?: Record<string, unknown>) => string;
export const untranslated: TranslateOr = (_, english) => english;
/** Where nothing is known of who answers. */
export const nobody: FieldScope = {
  record: undefined,
  anchor: undefined,
  currentUser: undefined,
  currentScopedEntity: undefined,
  data: {},
};

/** Marks a file that `stageFiles` stored; a request can't forge a symbol. */
export const fromStorage = Symbol.for("framewright.wizards.fromStorage");
/** The maximum of a repeated field that sets none. */
export const DEFAULT_MAX_ENTRIES = 20;

/**
 * Reads the declared fields of a step, and no others, from the parameters under `wizard`; of fields whose condition is
 * false nothing. A stored file stays when none is sent.
 */
export function readStep(
  step: StepSpec,
  params: Params,
  before?: StepValues,
  { translate = untranslated, scope = nobody }: { translate?: TranslateOr; scope?: FieldScope } = {},
): StepReading {
  const reading: Reading = { translate, scope, errors: {} };
  const values = readFields(reading, step.fields, params.toObject(), before ?? {}, "");
  return { values, errors: reading.errors };
}

interface Reading {
  readonly translate: TranslateOr;
  readonly scope: FieldScope;
  readonly errors: FieldErrors;
}

/** The value of one field of what was typed, as it would be stored, whatever is wrong with it. */
export function typedFieldValue(
  field: FieldSpec,
  typed: ParamObject,
  before: StepValues,
  context: FieldContext & FieldScope,
): unknown {
  const reading: Reading = { translate: untranslated, scope: context, errors: {} };
  return readOne(reading, field, { sent: typed, before, context, at: field.name });
}

function readFields(
  reading: Reading,
  fields: readonly FieldSpec[],
  sent: ParamObject,
  before: StepValues,
  path: string,
) {
  const values: StepValues = {};
  walkFields(fields, reading.scope, (field, context, isShown) => {
    const at = `${path}${field.name}`;
    const value = isShown ? readOne(reading, field, { sent, before, context, at }) : hiddenValue(field);
    values[field.name] = value;
    return value;
  });
  return values;
}

interface Sent {
  readonly sent: ParamObject;
  readonly before: StepValues;
  readonly context: FieldContext;
  readonly at: string;
}
function readOne(reading: Reading, field: FieldSpec, { sent, before, context, at }: Sent): unknown {
  const given = Object.hasOwn(sent, field.name) ? sent[field.name] : undefined;
  const kept = own(before, field.name);
  if (field.type === "group") return readGroup(reading, field, given, kept, at);
  if (field.type === "repeated") return readEntries(reading, field, given, kept, at);
  const { isFile, isSecret } = kindOf(field);
  if (isFile) return readFile(reading, field, sent, kept, at);
  if (isSecret && isEmpty(given)) return kept ?? null; // never shown again
  const read = given === undefined ? readInitial(field, context) : readValue(field, given);
  return valueOrError(reading, read, at);
}

function valueOrError({ errors, translate }: Reading, read: Coerced, at: string): unknown {
  if (!("problem" in read)) return read.value;
  const { key, message } = problemOf(read);
  errors[at] = [translate(key, message)];
  return null;
}

const isEmpty = (given: unknown): boolean => given === undefined || given === null || given === "";

function readGroup(reading: Reading, field: FieldSpec, given: ParamValue | undefined, before: unknown, at: string) {
  if (!isEmpty(given) && !isParamObject(given)) valueOrError(reading, wrongShape, at);
  return readFields(reading, field.fields, isParamObject(given) ? given : {}, isValues(before) ? before : {}, `${at}.`);
}

/** Entries come as a list, or keyed by index; blank ones are dropped. */
function readEntries(reading: Reading, field: FieldSpec, given: ParamValue | undefined, before: unknown, at: string) {
  const sent = entriesOf(given);
  if (!sent) return valueOrError(reading, wrongShape, at) ?? [];
  const kept = sent.filter((entry) => !isBlankEntry(field, entry, before, reading.scope));
  const maximum = field.options.maximum ?? DEFAULT_MAX_ENTRIES;
  if (kept.length > maximum)
    reading.errors[at] = [
      reading.translate("wizards.fields.too_many", `allows at most ${maximum}`, { count: maximum }),
    ];
  return kept
    .slice(0, maximum)
    .map((entry, index) => readFields(reading, field.fields, entry, keptEntry(entry, before), `${at}.${index}.`));
}

/** The input that marks a list as sent, even without entries. */
export const LIST_MARKER = "_list";

/** The entries that were sent, in order; undefined for anything but a list of entries. */
export function entriesOf(given: unknown): ParamObject[] | undefined {
  if (given === undefined || given === null || given === "") return [];
  const list = Array.isArray(given) ? given : isParamObject(given) ? inIndexOrder(given) : undefined;
  const filled = list?.filter((entry) => entry !== "" && entry !== null);
  return filled?.every(isParamObject) ? filled : undefined;
}

function inIndexOrder(given: ParamObject): ParamValue[] | undefined {
  const keys = Object.keys(given).filter((key) => key !== LIST_MARKER);
  if (!keys.every((key) => /^\d{1,4}$/.test(key))) return undefined;
  return keys.sort((a, b) => Number(a) - Number(b)).map((key) => given[key]!);
}

/** The stored entry that an entry of the form was filled from; the form sends its index as `_was`. */
export function keptEntry(entry: ParamObject, before: unknown): StepValues {
  const number = typeof entry._was === "string" && /^\d{1,4}$/.test(entry._was) ? Number(entry._was) : -1;
  const kept: unknown = Array.isArray(before) ? before[number] : undefined;
  return isValues(kept) ? kept : {};
}

/** Whether nothing was filled in; defaults don't count. */
export function isBlankEntry(
  { fields }: FieldSpec,
  entry: ParamObject,
  before: unknown,
  scope: FieldScope = nobody,
): boolean {
  const ignored: Reading = { translate: untranslated, scope, errors: {} };
  const values = readFields(ignored, fields, entry, keptEntry(entry, before), "");
  return Object.keys(ignored.errors).length === 0 && fields.every((field) => isUntouched(field, values[field.name]));
}

function isUntouched(field: FieldSpec, value: unknown): boolean {
  if (field.type === "group")
    return !isValues(value) || field.fields.every((one) => isUntouched(one, own(value, one.name)));
  if (Array.isArray(value)) return value.length === 0;
  return value === null || value === false || value === "" || value === field.options.default;
}

function readFile(reading: Reading, field: FieldSpec, sent: ParamObject, before: unknown, at: string): unknown {
  const given: unknown = Object.hasOwn(sent, field.name) ? sent[field.name] : undefined;
  if (isStagedFile(given) && fromStorage in given) {
    const { key, filename, type, size } = given;
    return { key, filename, type, size };
  }
  if (given !== undefined && given !== null && given !== "") return valueOrError(reading, wrongShape, at);
  return isStagedFile(before) && sent[`_remove_${field.name}`] !== "1" ? before : null;
}
