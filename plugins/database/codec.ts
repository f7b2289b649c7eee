import type { ColumnInfo } from "./columns.ts";
import { errors } from "./errors.ts";

/** An instant as both databases keep it: `2026-01-31 12:00:00.000`, UTC. */
export function encodeDate(date: Date): string {
  if (Number.isNaN(date.getTime())) throw errors.FW_COLUMN_VALUE("a datetime", "a valid Date", "an invalid one");
  return date.toISOString().replace("T", " ").slice(0, 23);
}

/** The way back. A text without milliseconds, or one with a zone of its own, is understood too. */
export function decodeDate(value: unknown): unknown {
  if (typeof value === "number") return new Date(value);
  if (typeof value !== "string") return value;
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/.test(value);
  const date = new Date(zoned ? value : `${value.replace(" ", "T")}Z`);
  return Number.isNaN(date.getTime()) ? value : date;
}

/** A decimal as text with exactly `scale` places, rounded half away from zero as MySQL does, without floats. */
export function exactDecimal(text: string, scale: number): string {
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text.trim());
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

const day = (value: unknown) =>
  value instanceof Date ? encodeDate(value).slice(0, 10) : typeof value === "string" ? value.slice(0, 10) : value;
const plain = (number: number) => (Number.isInteger(number) ? BigInt(number).toString() : number.toString());

/** From the database to the model; undefined for a type that comes as it is. Never called with null. */
export function decoder({ type, scale = 0 }: ColumnInfo): Convert | undefined {
  switch (type) {
    case "boolean":
      return (value) => value === true || value === 1 || value === "1";
    case "datetime":
      return decodeDate;
    case "date":
      return day;
    case "decimal":
      return (value) => exactDecimal(typeof value === "number" ? plainDecimal(value, scale) : String(value), scale);
    case "json":
      return (value) => (typeof value === "string" ? JSON.parse(value) : value);
    case "binary":
      return (value) => (value instanceof ArrayBuffer ? Buffer.from(value) : value);
    default:
      return undefined;
  }
}

const plainDecimal = (value: number, scale: number) => (Math.abs(value) < 1e15 ? value.toFixed(scale) : plain(value));

/** From the model to the database; undefined for a type that goes as it is. Never called with null. */
export function encoder({ name, type, scale = 0 }: ColumnInfo): Convert | undefined {
  switch (type) {
    case "boolean":
      return (value) => (typeof value === "boolean" ? Number(value) : value);
    case "datetime":
      return (value) => instant(name, value);
    case "date":
      return day;
    case "decimal":
      return (value) =>
        typeof value === "number" || typeof value === "string" ? exactDecimal(String(value), scale) : value;
    case "json":
      return (value) => JSON.stringify(value);
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
