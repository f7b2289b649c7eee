import { type FieldErrors, isParamObject, type ParamObject, type ParamValue } from "framewright/host";
import type { Problem } from "framewright/plugins/database";
import { type Coerced, problemOf } from "../coerce.ts";
import type { FieldContext } from "../options.ts";
import type { ValueRows } from "../types/field_type.ts";
import { kindOf } from "./kind.ts";
import { readInitial, readValue, wrongShape } from "./read_value.ts";
import { DEFAULT_MAX_ROWS, type FieldScope, type FieldSpec, type FieldValues, noScope } from "./spec.ts";
import { defaultRows, isValueOfRows, rowsOfValue } from "./value_rows.ts";
import { hiddenValue, isStagedFile, isValues, own, walkFields } from "./values.ts";

/** Looks a text up, with the English text as the default, like `controller.request.tOr`. */
export type TranslateOr = (key: string, english: string, vars?: Record<string, unknown>) => string;
export const untranslated: TranslateOr = (_, english) => english;

/** Marks a file that was stored with the form; a request can't forge a symbol. */
export const fromStorage = Symbol.for("framewright.fields.fromStorage");

/** The values that were read, with their errors by path (`lines.0.amount`). */
export interface TreeReading {
  readonly values: FieldValues;
  readonly errors: FieldErrors;
}
export interface ReadTreeOptions {
  readonly before?: FieldValues | undefined;
  readonly translate?: TranslateOr;
  readonly scope?: FieldScope;
  /** Whether rows without any value are read as well, as programs send them: a form has some that nobody filled in. */
  readonly keepsBlank?: boolean;
}

/**
 * Reads the declared fields, and no others, from what was sent under the key of their form; of fields whose condition is
 * false nothing. A stored file stays when none is sent.
 */
export function readTree(
  fields: readonly FieldSpec[],
  sent: ParamObject,
  { before = {}, translate = untranslated, scope = noScope, keepsBlank = false }: ReadTreeOptions = {},
): TreeReading {
  const reading: Reading = { translate, scope, keepsBlank, errors: {} };
  const values = readFields(reading, fields, sent, before, "");
  return { values, errors: reading.errors };
}

interface Reading {
  readonly translate: TranslateOr;
  readonly scope: FieldScope;
  readonly keepsBlank?: boolean;
  readonly errors: FieldErrors;
}

/** The value of one field of what was typed, as it would be stored, whatever is wrong with it. */
export function typedFieldValue(
  field: FieldSpec,
  typed: ParamObject,
  before: FieldValues,
  context: FieldContext & FieldScope,
): unknown {
  const reading: Reading = { translate: untranslated, scope: context, errors: {} };
  return readOne(reading, field, { sent: typed, before, context, at: field.name });
}

function readFields(
  reading: Reading,
  fields: readonly FieldSpec[],
  sent: ParamObject,
  before: FieldValues,
  path: string,
) {
  const values: FieldValues = {};
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
  readonly before: FieldValues;
  readonly context: FieldContext;
  readonly at: string;
}
function readOne(reading: Reading, field: FieldSpec, { sent, before, context, at }: Sent): unknown {
  const given = Object.hasOwn(sent, field.name) ? sent[field.name] : undefined;
  const kept = own(before, field.name);
  if (field.type === "group") return readGroup(reading, field, given, kept, at);
  if (field.type === "repeated")
    return (given === undefined && defaultRows(field, context)) || readRows(reading, field, given, kept, at);
  const { isFile, isSecret } = kindOf(field);
  if (isFile) return readFile(reading, field, sent, kept, at);
  if (isSecret && isEmpty(given)) return kept ?? null; // never shown again
  const read = given === undefined ? readInitial(field, context) : readValue(field, given);
  return valueOrError(reading, read, at);
}

function valueOrError({ errors, translate }: Reading, read: Coerced, at: string): unknown {
  if (!("problem" in read)) return read.value;
  const { key, message, vars } = problemOf(read);
  errors[at] = [translate(key, message, vars)];
  return null;
}

const isEmpty = (given: unknown): boolean => given === undefined || given === null || given === "";

function readGroup(reading: Reading, field: FieldSpec, given: ParamValue | undefined, before: unknown, at: string) {
  if (!isEmpty(given) && !isParamObject(given)) valueOrError(reading, wrongShape, at);
  return readFields(reading, field.fields, isParamObject(given) ? given : {}, isValues(before) ? before : {}, `${at}.`);
}

/** Rows come as a list, or keyed by index; removed and blank ones are dropped. */
function readRows(reading: Reading, field: FieldSpec, given: ParamValue | undefined, before: unknown, at: string) {
  const sent = rowsOf(given, field.rows);
  if (!sent) return valueOrError(reading, wrongShape, at) ?? [];
  const maximum = field.options.maximum ?? DEFAULT_MAX_ROWS;
  const kept = sent
    .slice(0, mostSent(maximum))
    .filter((row) => !isRemovedRow(row) && (reading.keepsBlank || !isBlankRow(field, row, before, reading.scope)));
  if (kept.length > maximum || sent.length > mostSent(maximum)) {
    const { key, message, vars } = countProblem("many", maximum);
    reading.errors[at] = [reading.translate(key, message, vars)];
  }
  return kept
    .slice(0, maximum)
    .map((row, index) => readFields(reading, field.fields, row, keptRow(row, before), `${at}.${index}.`));
}

/** The most rows that are read, with blank and removed ones: what comes in is bounded by what it may become. */
export const mostSent = (maximum: number): number => maximum * 2 + 20;

/** That there are too few or too many rows. */
export const countProblem = (which: "few" | "many", count: number): Problem => ({
  key: `form.rows.too_${which}`,
  vars: { count },
  message: which === "few" ? `requires at least ${count}` : `allows at most ${count}`,
});

/** Whether a row is marked to be removed: it is shown struck out until the form is saved. */
export const isRemovedRow = (row: ParamObject): boolean => {
  const mark = Object.hasOwn(row, DESTROY_MARKER) ? row[DESTROY_MARKER] : undefined;
  return mark === true || mark === 1 || mark === "1" || mark === "true";
};
/** What marks a row to be removed. */
export const DESTROY_MARKER = "_destroy";

/** The input that marks a list as sent, even without entries. */
export const LIST_MARKER = "_list";

/** The number of the empty row, from which scripts make others: programs that fill in pages may send it. */
export const BLANK_ROW = "fw-row";

/** The rows that were sent, in order; undefined for anything but a list of rows, or a value of a type that has some. */
export function rowsOf(given: unknown, rows?: ValueRows): ParamObject[] | undefined {
  if (given === undefined || given === null || given === "") return [];
  if (rows && isParamObject(given) && isValueOfRows(given)) return rows.toRows(given) as ParamObject[];
  const list = Array.isArray(given) ? given : isParamObject(given) ? inIndexOrder(given) : undefined;
  const filled = list?.filter((entry) => entry !== "" && entry !== null);
  return filled?.every(isParamObject) ? filled : undefined;
}

function inIndexOrder(given: ParamObject): ParamValue[] | undefined {
  const keys = Object.keys(given).filter((key) => !key.startsWith("_") && key !== BLANK_ROW); // markers
  if (!keys.every((key) => /^\d{1,4}$/.test(key))) return undefined;
  return keys.sort((a, b) => Number(a) - Number(b)).map((key) => given[key]!);
}

/** The stored row that a row of the form was filled from; the form sends its index as `_was`. */
export function keptRow(entry: ParamObject, before: unknown): FieldValues {
  const number = typeof entry._was === "string" && /^\d{1,4}$/.test(entry._was) ? Number(entry._was) : -1;
  const kept: unknown = Array.isArray(before) ? before[number] : undefined;
  return isValues(kept) ? kept : {};
}

/** Whether nothing was filled in; defaults don't count. */
export function isBlankRow(
  { fields }: FieldSpec,
  entry: ParamObject,
  before: unknown,
  scope: FieldScope = noScope,
): boolean {
  const ignored: Reading = { translate: untranslated, scope, errors: {} };
  const values = readFields(ignored, fields, entry, keptRow(entry, before), "");
  return Object.keys(ignored.errors).length === 0 && fields.every((field) => isUntouched(field, values[field.name]));
}

function isUntouched(field: FieldSpec, value: unknown): boolean {
  if (field.type === "group")
    return !isValues(value) || field.fields.every((one) => isUntouched(one, own(value, one.name)));
  if (Array.isArray(value)) return value.length === 0 || isDefault(field, value);
  return value === null || value === false || value === "" || value === field.options.default;
}

const isDefault = ({ rows, options }: FieldSpec, value: unknown[]): boolean =>
  rows !== undefined && JSON.stringify(rowsOfValue(rows, options.default)) === JSON.stringify(value);

function readFile(reading: Reading, field: FieldSpec, sent: ParamObject, before: unknown, at: string): unknown {
  const given: unknown = Object.hasOwn(sent, field.name) ? sent[field.name] : undefined;
  if (isStagedFile(given) && fromStorage in given) {
    const { key, filename, type, size } = given;
    return { key, filename, type, size };
  }
  if (given !== undefined && given !== null && given !== "") return valueOrError(reading, wrongShape, at);
  return isStagedFile(before) && sent[`_remove_${field.name}`] !== "1" ? before : null;
}
