import type { ColumnInfo } from "../drivers/columns.ts";
import { errors } from "../errors.ts";
import { documentText, readDocument } from "./document_text.ts";

const FIRST_INSTANT = Date.parse("0000-01-01T00:00:00.000Z");
const LAST_INSTANT = Date.parse("9999-12-31T23:59:59.999Z");
/** Whether both databases keep the instant: its year, in UTC, has four digits. */
export const isStorable = (date: Date): boolean => date.getTime() >= FIRST_INSTANT && date.getTime() <= LAST_INSTANT;

/** An instant as both databases keep it: `2026-01-31 12:00:00.000`, UTC. */
export function encodeDate(date: Date): string {
  if (Number.isNaN(date.getTime())) throw errors.FW_COLUMN_VALUE("a datetime", "a valid Date", "an invalid one");
  if (!isStorable(date)) throw errors.FW_COLUMN_VALUE("a datetime", "a year from 0 to 9999", date.toISOString());
  const text = date.toISOString();
  return `${text.slice(0, 10)} ${text.slice(11, 23)}`;
}

/** Longer texts are no instants: `Date` reads their spaces and comments one after the other. */
const MAX_INSTANT_CHARS = 100;

/** The inverse of `encodeDate`. A text without milliseconds, or one with a zone of its own, is understood too. */
export function decodeDate(value: unknown): unknown {
  if (typeof value === "number") return new Date(value);
  if (typeof value !== "string") return value;
  const stored = storedInstant(value);
  if (stored !== undefined) return new Date(stored);
  if (value.length > MAX_INSTANT_CHARS) return value;
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/.test(value);
  const date = new Date(zoned ? value : `${value.replace(" ", "T")}Z`);
  return Number.isNaN(date.getTime()) ? value : date;
}

/** A stored instant as JSON writes it, without making a Date of it where it is as encodeDate wrote it. */
export function isoInstant(value: unknown): unknown {
  if (typeof value === "string" && storedInstant(value) !== undefined && twoDigits(value, 8) <= 28)
    return `${value.slice(0, 10)}T${value.slice(11)}${value.length === 19 ? ".000Z" : "Z"}`;
  const decoded = decodeDate(value);
  return decoded instanceof Date ? decoded.toJSON() : decoded;
}

/** The digit there; NaN where there is none. */
function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - 48;
  return value >= 0 && value <= 9 ? value : Number.NaN;
}
const twoDigits = (text: string, at: number) => digit(text, at) * 10 + digit(text, at + 1);

/** Milliseconds of `2026-01-31 12:00:00` or `2026-01-31 12:00:00.000`; undefined for any other text. Runs for every date of every row. */
function storedInstant(text: string): number | undefined {
  if ((text.length !== 23 || text[19] !== ".") && text.length !== 19) return undefined;
  if (text[4] !== "-" || text[7] !== "-" || text[10] !== " " || text[13] !== ":" || text[16] !== ":") return undefined;
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  const inRange = month >= 1 && month <= 12 && day >= 1 && day <= 31 && hour <= 23 && minute <= 59 && second <= 59;
  if (!inRange) return undefined; // what is no number is not in range either
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const fraction = text.length === 19 ? 0 : twoDigits(text, 20) * 10 + digit(text, 22);
  const time = daysSince1970(year, month, day) * 86_400_000 + (hour * 3600 + minute * 60 + second) * 1000 + fraction;
  return Number.isNaN(time) ? undefined : time;
}

/** Counts in years that begin in March, so that a leap day comes last, and in spans of 400 years, which are all alike. */
function daysSince1970(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1;
  const span = Math.floor(marchYear / 400);
  const ofSpan = marchYear - span * 400;
  const ofYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return span * 146_097 + ofSpan * 365 + Math.floor(ofSpan / 4) - Math.floor(ofSpan / 100) + ofYear - 719_468;
}

/** Longer texts are no numbers of a column. */
const MAX_DECIMAL_CHARS = 1100;

/** A decimal as text with exactly `scale` places, rounded half away from zero as MySQL does, without floats. */
export function exactDecimal(text: string, scale: number): string {
  const parts = text.length > MAX_DECIMAL_CHARS ? null : /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text.trim());
  if (!parts || (parts[2] === "" && !parts[3])) return text;
  const [, sign, whole = "", fraction = ""] = parts;
  const padded = fraction.padEnd(scale + 1, "0");
  let digits = BigInt(`${whole || "0"}${padded.slice(0, scale)}`);
  if (padded.charCodeAt(scale) >= 53) digits += 1n; // "5" or more: up
  const plain = digits.toString().padStart(scale + 1, "0");
  const point = plain.length - scale;
  const result = scale === 0 ? plain : `${plain.slice(0, point)}.${plain.slice(point)}`;
  return sign === "-" && digits !== 0n ? `-${result}` : result;
}

export type Convert = (value: unknown) => unknown;
/** As Convert, from the database: with the row that the value is of, which an error names. */
export type Decode = (value: unknown, row: Readonly<Record<string, unknown>>) => unknown;

const day = (value: unknown) =>
  value instanceof Date ? encodeDate(value).slice(0, 10) : typeof value === "string" ? value.slice(0, 10) : value;

/** The shortest text of a number, without an exponent: `1.5e-7` → `0.00000015`, `1.5e+21` → `1500000000000000000000`. */
function plain(number: number): string {
  const text = String(number);
  const parts = /^(-?)(\d)(?:\.(\d+))?e([+-])(\d+)$/.exec(text);
  if (!parts) return text;
  const [, sign, first, rest = "", direction, exponent] = parts;
  if (direction === "+") return `${sign}${first}${rest.padEnd(Number(exponent), "0")}`;
  return `${sign}0.${"0".repeat(Number(exponent) - 1)}${first}${rest}`;
}

/** A decimal without the zeros at the end of its fraction: a database that stores doubles takes a whole one for an integer. */
const withoutZeros = (text: string): string => (text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text);

/** The digits of a decimal that count: without zeros before it, and at the end of its fraction. */
export const significantDigits = (text: string): number =>
  withoutZeros(text)
    .replace(/^[+-]?0*\.?0*/, "")
    .replace(".", "").length;

/** Whether a number of JSON may represent another one, which had more digits than a double keeps. */
export const isInexact = (value: number): boolean =>
  Number.isInteger(value) ? !Number.isSafeInteger(value) : significantDigits(plain(value)) > 15;

/** A decimal as it was given, without spaces around it; a number without an exponent. */
export const decimalText = (value: unknown): string =>
  typeof value === "number" ? plain(value) : String(value).trim();

/** Whether a column has whole numbers up to 2^63 that are no keys: its values are texts, since a number would round them. */
export const isLargeInteger = ({ type, primary, references, asNumber }: ColumnInfo): boolean =>
  type === "bigint" && !primary && references === undefined && asNumber !== true;

/** From the database to the model; undefined for a type that comes as it is. Never called with null. */
export function decoder(column: ColumnInfo): Convert | undefined {
  const { type, scale = 0 } = column;
  switch (type) {
    case "bigint":
      return isLargeInteger(column) ? String : undefined;
    case "boolean":
      return (value) => value === true || value === 1 || value === "1";
    case "datetime":
      return decodeDate;
    case "date":
      return day;
    case "decimal":
      return (value) => (typeof value === "number" ? shortDecimal(value, scale) : exactDecimal(String(value), scale));
    case "json":
      return (value) => (typeof value === "string" ? readDocument(value) : value);
    case "binary":
      return (value) => (value instanceof ArrayBuffer ? Buffer.from(value) : value);
    default:
      return undefined;
  }
}

/** The shortest decimal that represents a double. Up to 15 digits `toFixed` finds it, faster. */
const shortDecimal = (value: number, scale: number): string =>
  Math.abs(value) * 10 ** scale < 1e15 ? withoutSignOfZero(value.toFixed(scale)) : exactDecimal(plain(value), scale);
const withoutSignOfZero = (text: string): string => (text[0] === "-" && Number(text) === 0 ? text.slice(1) : text);

/** From the model to the database; undefined for a type that goes as it is. Never called with null. */
export function encoder({ name, type, scale = 0, exactDigits }: ColumnInfo): Convert | undefined {
  switch (type) {
    case "bigint":
      return (value) => (typeof value === "bigint" ? String(value) : value);
    case "boolean":
      return (value) => (typeof value === "boolean" ? Number(value) : value);
    case "datetime":
      return (value) => instant(name, value);
    case "date":
      return day;
    case "decimal": {
      const stored = exactDigits === undefined ? (text: string) => text : withoutZeros;
      return (value) =>
        typeof value === "number" || typeof value === "string"
          ? stored(exactDecimal(decimalText(value), scale))
          : value;
    }
    case "json":
      return documentText;
    default:
      return undefined;
  }
}

function instant(column: string, value: unknown): unknown {
  if (value instanceof Date) return encodeDate(value);
  if (typeof value !== "string") return value;
  const date = decodeDate(value);
  if (!(date instanceof Date)) throw errors.FW_COLUMN_VALUE(column, "a Date or a date's text", `"${value}"`);
  return encodeDate(date);
}
