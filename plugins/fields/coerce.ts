import { AMBIGUOUS, type HttpError, isParamObject, type ParamValue, readJson } from "framewright/host";
import {
  type ColumnInfo,
  decimalText,
  fromCents,
  hasInexactNumber,
  isInexact,
  isLargeInteger,
  moneyProblem,
  type Problem,
  rememberText,
  toCents,
} from "framewright/plugins/database";

/** What was sent, read as the value that a column takes; or what is wrong with it. */
export type Coerced = { value: unknown } | Refused;
/** The key of what is wrong, and what its text needs. */
export interface Refused {
  problem: string;
  vars?: Record<string, unknown>;
}

/** Whether what is wrong is the key of a text, as `errors.invalid`; else it is the text itself. */
export const isTextKey = (problem: string): boolean => /^[\w-]+(\.[\w-]+)+$/.test(problem);

/** What is wrong as a problem, whose text is used where there is none of its key. */
export const problemOf = ({ problem, vars = {} }: Refused): Problem => ({
  key: problem,
  vars,
  message: isTextKey(problem) ? problem.replace("errors.", "").replaceAll("_", " ") : problem,
});

/** An amount as it is stored: exact, with the decimals of its currency, whatever sign divides it. */
export function coerceMoney(given: ParamValue, digits = 2): Coerced {
  if (given === null || given === "") return { value: null };
  if (typeof given !== "string" && typeof given !== "number") return wrongShape;
  if (isAmbiguous(given)) return ambiguous;
  const cents = toCents(given, digits);
  if (cents !== undefined) return { value: fromCents(cents, digits) };
  const { key, vars } = moneyProblem(given, digits);
  return { problem: `errors.${key}`, vars };
}

/** Whether a form had a number that its language could read in two ways. */
const isAmbiguous = (given: ParamValue): boolean => typeof given === "string" && given.endsWith(AMBIGUOUS);
const inexact: Coerced = { problem: "errors.inexact_number" };
const ambiguous: Coerced = { problem: "errors.ambiguous_number" };
export const wrongShape: Coerced = { problem: "errors.wrong_shape" };

/** The id of a record, as it was sent. */
export function coerceReference(given: ParamValue): Coerced {
  if (given === null || given === "") return { value: null };
  const id = idOf(given);
  return typeof id === "string" || typeof id === "number" ? { value: String(id) } : wrongShape;
}

/** An object without an id is of the wrong shape: it must not clear what is stored. */
export const idOf = (given: ParamValue): ParamValue | undefined => (isParamObject(given) ? given.id : given);

/** Reads a value as its column stores it. */
export function coerceColumn(given: ParamValue, column: ColumnInfo): Coerced {
  if (given === null) return { value: null };
  if (column.type === "json") return coerceJson(given);
  const single = Array.isArray(given) && column.type === "boolean" ? given.at(-1)! : given; // a box and its hidden "off"
  if (typeof single === "number" && column.type !== "float" && isInexact(single) && !isRefused(single, column))
    return inexact;
  const sent = typeof single === "number" && column.type === "decimal" ? decimalText(single) : single;
  return text(sent, (value) => coerceText(value, column));
}

/** Whether the column itself refuses a decimal for its places, and reports it better. */
const isRefused = (given: number, { type, scale }: ColumnInfo): boolean =>
  type === "decimal" && scale !== undefined && (decimalText(given).split(".")[1]?.length ?? 0) > scale;

function text(given: ParamValue, read: (value: string) => Coerced): Coerced {
  if (given === null) return { value: null };
  if (typeof given === "string") return read(given.replaceAll("\r\n", "\n"));
  return typeof given === "number" || typeof given === "boolean" ? read(String(given)) : wrongShape;
}

function coerceText(value: string, column: ColumnInfo): Coerced {
  if (value.includes("\0")) return { problem: "errors.wrong_shape" };
  if (value === "") return { value: column.nullable || !isText(column) ? null : "" };
  if ((column.type === "decimal" || column.type === "float") && isAmbiguous(value)) return ambiguous;
  switch (column.type) {
    case "integer":
    case "bigint":
      return coerceInteger(value.trim(), column);
    case "float":
      return Number.isFinite(Number(value)) ? { value: Number(value) } : { problem: "errors.not_a_number" };
    case "decimal":
      return /^\s*[+-]?\d{1,65}(\.\d{1,65})?\s*$/.test(value)
        ? { value: value.trim() }
        : { problem: "errors.not_a_number" };
    case "boolean":
      return coerceBoolean(value);
    case "date":
      return isDate(value) ? { value } : { problem: "errors.not_a_date" };
    case "datetime":
      return coerceDatetime(value);
    case "time":
      return /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?$/.test(value)
        ? { value }
        : { problem: "errors.not_a_time" };
    default:
      return { value };
  }
}

/** A key, and what a number keeps, are numbers; a large integer is its text in its shortest form. */
function coerceInteger(text: string, column: ColumnInfo): Coerced {
  if (!/^[+-]?\d{1,65}$/.test(text)) return { problem: "errors.not_an_integer" };
  const whole = BigInt(text.replace("+", ""));
  if (BigInt.asIntN(64, whole) !== whole) return { problem: "errors.out_of_range" };
  if (isLargeInteger(column)) return { value: String(whole) };
  const number = Number(whole);
  return Number.isSafeInteger(number) ? { value: number } : { problem: "errors.out_of_range" };
}

const isText = ({ type }: ColumnInfo) => type === "string" || type === "text";

function coerceBoolean(value: string): Coerced {
  if (["1", "true", "on", "yes"].includes(value)) return { value: true };
  if (["0", "false", "off", "no"].includes(value)) return { value: false };
  return { problem: "errors.not_a_boolean" };
}

function isDate(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

/** Without a zone a time is UTC: a form that has it in another states it, and it arrives in UTC. */
function coerceDatetime(value: string): Coerced {
  const found = /^(\d{4}-\d\d-\d\d)[T ]((?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:?\d\d)?$/.exec(
    value,
  );
  if (!found || !isDate(found[1]!)) return { problem: "errors.not_a_time" };
  const date = new Date(`${found[1]}T${found[2]}${found[3] ?? "Z"}`);
  return Number.isNaN(date.getTime()) ? { problem: "errors.not_a_time" } : { value: date };
}

function coerceJson(given: ParamValue): Coerced {
  if (typeof given !== "string") return hasInexactNumber(given) ? inexact : { value: given };
  if (given.trim() === "") return { value: null };
  try {
    const value = readJson(given);
    rememberText(value, given);
    return hasInexactNumber(value) ? inexact : { value };
  } catch (error) {
    return { problem: (error as HttpError).status === 413 ? "errors.too_many_values" : "errors.not_json" };
  }
}
