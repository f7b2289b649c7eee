import { type FieldErrors, isParamObject, type ParamObject, type Params, type ParamValue } from "framewright/host";
import type { FieldSpec, StepRead, StepSpec, StepValues } from "../contract/index.ts";
import { type Read, readField, wrongShape } from "./read_field.ts";
import { isStagedFile, isValues, own } from "./values.ts";

/** Looks a text up; the English one stands in for it, as in `controller.request.tOr`. */
export type Say = (key: string, english: string, vars?: Record<string, unknown>) => string;
export const inEnglish: Say = (_, english) => english;

/** Marks a file that `stageFiles` stored: no request can bring one of its own. */
export const fromStorage = Symbol.for("framewright.wizards.fromStorage");
/** A repeated field without a maximum takes this many entries. */
export const MOST_ENTRIES = 20;

/**
 * Reads what was sent for a step: the declared fields and no other, from the parameters under `wizard`. A file that
 * was kept before stays when none is sent.
 */
export function readStep(step: StepSpec, params: Params, before?: StepValues, say: Say = inEnglish): StepRead {
  const reading: Reading = { say, errors: {} };
  const values = readFields(reading, step.fields, params.toObject(), before ?? {}, "");
  return { values, errors: reading.errors };
}

interface Reading {
  readonly say: Say;
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
    else values[field.name] = taken(reading, readField(field, given ?? null), at);
  }
  return values;
}

function taken({ errors, say }: Reading, read: Read, at: string): unknown {
  if (!("problem" in read)) return read.value;
  errors[at] = [say(read.problem, read.problem.replace("errors.", "").replaceAll("_", " "))];
  return null;
}

const isEmpty = (given: unknown): boolean => given === undefined || given === null || given === "";

function readGroup(reading: Reading, field: FieldSpec, given: ParamValue | undefined, before: unknown, at: string) {
  if (!isEmpty(given) && !isParamObject(given)) taken(reading, wrongShape, at);
  return readFields(reading, field.fields, isParamObject(given) ? given : {}, isValues(before) ? before : {}, `${at}.`);
}

/** Entries come as a list, or by number; those in which nothing stands are left out. */
function readEntries(reading: Reading, field: FieldSpec, given: ParamValue | undefined, before: unknown, at: string) {
  const sent = entriesOf(given);
  if (!sent) return taken(reading, wrongShape, at) ?? [];
  const kept = sent.filter((entry) => !isBlankEntry(field, entry, before));
  const most = field.options.maximum ?? MOST_ENTRIES;
  if (kept.length > most)
    reading.errors[at] = [reading.say("wizards.fields.too_many", `takes at most ${most}`, { count: most })];
  return kept
    .slice(0, most)
    .map((entry, index) => readFields(reading, field.fields, entry, entryBefore(entry, before), `${at}.${index}.`));
}

/** Says in a form that the list was sent, empty as it may be. */
export const LIST = "_list";

/** The entries that were sent, in their order; undefined for what is no list of them. */
export function entriesOf(given: unknown): ParamObject[] | undefined {
  if (given === undefined || given === null || given === "") return [];
  const list = Array.isArray(given) ? given : isParamObject(given) ? byNumber(given) : undefined;
  const filled = list?.filter((entry) => entry !== "" && entry !== null);
  return filled?.every(isParamObject) ? filled : undefined;
}

function byNumber(given: ParamObject): ParamValue[] | undefined {
  const keys = Object.keys(given).filter((key) => key !== LIST);
  if (!keys.every((key) => /^\d{1,4}$/.test(key))) return undefined;
  return keys.sort((a, b) => Number(a) - Number(b)).map((key) => given[key]!);
}

/** The kept entry that an entry of the form was filled with: the form says its number. */
export function entryBefore(entry: ParamObject, before: unknown): StepValues {
  const number = typeof entry._was === "string" && /^\d{1,4}$/.test(entry._was) ? Number(entry._was) : -1;
  const kept: unknown = Array.isArray(before) ? before[number] : undefined;
  return isValues(kept) ? kept : {};
}

/** Whether nothing was filled in: what stands there by itself does not count. */
export function isBlankEntry({ fields }: FieldSpec, entry: ParamObject, before: unknown): boolean {
  const ignored: Reading = { say: inEnglish, errors: {} };
  const values = readFields(ignored, fields, entry, entryBefore(entry, before), "");
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
  if (given !== undefined && given !== null && given !== "") return taken(reading, wrongShape, at);
  return isStagedFile(before) && sent[`_remove_${field.name}`] !== "1" ? before : null;
}
