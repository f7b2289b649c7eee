import type { ColumnInfo } from "../drivers/columns.ts";
import { decimalText, decodeDate, isStorable, significantDigits } from "../models/codec.ts";
import { hasInexactNumber } from "../models/document_text.ts";
import { type MessageKey, problem } from "./messages.ts";
import { isDecimal, lengthOf } from "./rules.ts";
import type { Problem } from "./validation_error.ts";

type Check = (value: unknown, column: ColumnInfo) => Problem | undefined;

const checks: Partial<Record<ColumnInfo["type"], Check>> = {
  string: (value, { maxLength }) =>
    maxLength !== undefined && lengthOf(value) > maxLength ? problem("too_long", { count: maxLength }) : undefined,
  integer: (value, { unsigned }) =>
    whole(value, unsigned ? 0n : -(2n ** 31n), unsigned ? 2n ** 32n - 1n : 2n ** 31n - 1n),
  bigint: (value) => whole(value, -(2n ** 63n), 2n ** 63n - 1n),
  decimal: (value, column) => decimal(decimalText(value), column) ?? tooManyDigits(decimalText(value), column),
  float: (value) =>
    Number.isFinite(typeof value === "string" && value.trim() !== "" ? Number(value) : value)
      ? undefined
      : problem("not_a_number"),
  boolean: (value) => ([true, false, 0, 1].includes(value as number) ? undefined : problem("not_a_boolean")),
  date: (value) =>
    value instanceof Date ? instant(value, "not_a_date") : isDay(value) ? undefined : problem("not_a_date"),
  datetime: (value) => instant(decodeDate(value), "not_a_datetime"),
  json: (value) => (hasInexactNumber(value) ? problem("inexact_number") : undefined),
  time: (value) => (/^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/.test(String(value)) ? undefined : problem("invalid")),
};

/** Why the column would not take the value, in the same texts on every database. */
export function columnProblem(column: ColumnInfo, value: unknown, choices = column.values): Problem | undefined {
  if (choices && !choices.includes(value as string)) return problem("inclusion");
  return checks[column.type]?.(value, column);
}

/** Those of the largest number of a column; reading more of them takes quadratic time. */
const MAX_WHOLE_DIGITS = 19;

function whole(value: unknown, least: bigint, most: bigint): Problem | undefined {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return problem("inexact_number");
  if (Number.isSafeInteger(value))
    return (value as number) < least || (value as number) > most ? problem("out_of_range") : undefined;
  const text = String(value).trim();
  if (!/^[+-]?\d+$/.test(text)) return problem(isDecimal(text) ? "not_an_integer" : "not_a_number");
  if (text.replace(/^[+-]?0*/, "").length > MAX_WHOLE_DIGITS) return problem("out_of_range");
  const number = BigInt(text.replace(/^\+/, ""));
  return number < least || number > most ? problem("out_of_range") : undefined;
}

/** A value that the database would round is refused: the rules would see another value than the one that is stored. */
function decimal(text: string, { precision = 10, scale = 0 }: ColumnInfo): Problem | undefined {
  if (!isDecimal(text)) return problem("not_a_number");
  const [whole = "", fraction = ""] = text.split(".");
  if (whole.replace(/^[+-]?0*/, "").length > precision - scale) return problem("out_of_range");
  if (!/[1-9]/.test(fraction.slice(scale))) return undefined;
  return scale === 0 ? problem("not_an_integer") : problem("too_many_decimals", { count: scale });
}

/** A database that stores doubles would keep another value. A whole number up to 2^63 is stored as an integer. */
function tooManyDigits(text: string, { exactDigits }: ColumnInfo): Problem | undefined {
  if (exactDigits === undefined || significantDigits(text) <= exactDigits) return undefined;
  const [, whole] = /^\+?(-?\d+)(?:\.0*)?$/.exec(text) ?? [];
  if (whole !== undefined && BigInt.asIntN(64, BigInt(whole)) === BigInt(whole)) return undefined;
  return problem("too_many_digits", { count: exactDigits });
}

function isDay(value: unknown): boolean {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

function instant(date: unknown, otherwise: MessageKey): Problem | undefined {
  if (!(date instanceof Date) || Number.isNaN(date.getTime())) return problem(otherwise);
  return isStorable(date) ? undefined : problem("out_of_range");
}
