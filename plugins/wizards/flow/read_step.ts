import { type FieldErrors, isParamObject, type ParamObject, type Params, type ParamValue } from "framewright/host";
import type { FieldSpec, StepReading, StepSpec, StepValues } from "../contract/index.ts";
import { type FieldReading, readField, wrongShape } from "./read_field.ts";
import { isStagedFile, isValues, own } from "./values.ts";

/** Looks a text up, with the English text as the default, like `controller.request.tOr`. */
export type TranslateOr = (key: string, english: string, vars?: Record<string, unknown>) => string;
export const untranslated: TranslateOr = (_, english) => english;

/** Marks a file that `stageFiles` stored; a request can't forge a symbol. */
export const fromStorage = Symbol.for("framewright.wizards.fromStorage");
/** The maximum of a repeated field that sets none. */
export const DEFAULT_MAX_ENTRIES = 20;

/**
 * Reads the declared fields of a step, and no others, from the parameters under `wizard`. A stored file stays when none is
 * sent.
 */
export function readStep(
  step: StepSpec,
  params: Params,
  before?: StepValues,
  translate: TranslateOr = untranslated,
): StepReading {
  const reading: Reading = { translate, errors: {} };
  const values = readFields(reading, step.fields, params.toObject(), before ?? {}, "");
  return { values, errors: reading.errors };
}

interface Reading {
  readonly translate: TranslateOr;
  readonly errors: FieldErrors;
}

function readFields(
  reading: Reading,
  fields: readonly FieldSpec[],
  sent: ParamObject,
  before: StepValues,
  path: string,
) {
  const values: StepValues = {};
  for (const field of fields) {
    const at = `${path}${field.name}`;
    const given = Object.hasOwn(sent, field.name) ? sent[field.name] : undefined;
    if (field.type === "group") values[field.name] = readGroup(reading, field, given, own(before, field.name), at);
    else if (field.type === "repeated")
      values[field.name] = readEntries(reading, field, given, own(before, field.name), at);
    else if (field.type === "file") values[field.name] = readFile(reading, field, sent, own(before, field.name), at);
    else if (field.type === "password" && isEmpty(given))
      values[field.name] = own(before, field.name) ?? null; // never shown again
    else values[field.name] = valueOrError(reading, readField(field, given ?? null), at);
  }
  return values;
}

function valueOrError({ errors, translate }: Reading, read: FieldReading, at: string): unknown {
  if (!("problem" in read)) return read.value;
  errors[at] = [translate(read.problem, read.problem.replace("errors.", "").replaceAll("_", " "))];
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
  const kept = sent.filter((entry) => !isBlankEntry(field, entry, before));
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
export function isBlankEntry({ fields }: FieldSpec, entry: ParamObject, before: unknown): boolean {
  const ignored: Reading = { translate: untranslated, errors: {} };
  const values = readFields(ignored, fields, entry, keptEntry(entry, before), "");
  return Object.keys(ignored.errors).length === 0 && fields.every((field) => isUntouched(field, values[field.name]));
}

function isUntouched(field: FieldSpec, value: unknown): boolean {
  if (field.type === "group") return field.fields.every((one) => isUntouched(one, own(value as StepValues, one.name)));
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
