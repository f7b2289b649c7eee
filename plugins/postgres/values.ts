import { encodeDate } from "framewright/plugins/database";
import { arrayParser, elementsOf } from "./arrays.ts";

/** The numbers of PostgreSQL's types. */
const [BOOL, BYTEA, INT8, INT2, INT4, OID, FLOAT4, FLOAT8] = [16, 17, 20, 21, 23, 26, 700, 701];
const [CHARACTER, TIMESTAMP, TIMESTAMPTZ] = [1042, 1114, 1184];

type Parser = (text: string) => unknown;

const whole: Parser = (text) => {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
};
const INSTANT = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?:\.(\d+))?(?:(\+00)|([+-]\d\d)(?::(\d\d))?)?$/;
/** PostgreSQL leaves out the zeros at the end of a fraction: `12:00:00.1` is `12:00:00.100` elsewhere. */
export function instant(text: string): string {
  const [, seconds, fraction = "", , hours, minutes = "00"] = INSTANT.exec(text) ?? [];
  if (seconds === undefined) return text;
  const moment = `${seconds}.${fraction.padEnd(3, "0").slice(0, 3)}`;
  return hours === undefined ? moment : encodeDate(new Date(`${moment.replace(" ", "T")}${hours}:${minutes}`));
}
/** PostgreSQL fills a text of a fixed length with spaces, which count in no comparison: other databases leave them out. */
const unpadded: Parser = (text) => {
  let end = text.length;
  while (text.charCodeAt(end - 1) === 32) end--;
  return text.slice(0, end);
};
const bytes: Parser = (text) => Buffer.from(text.slice(2), "hex");

const parsers: ReadonlyMap<number, Parser> = new Map<number, Parser>([
  [BOOL, (text) => (text === "t" ? 1 : 0)],
  [BYTEA, bytes],
  [INT8, whole],
  ...[INT2, INT4, OID, FLOAT4, FLOAT8].map((type): [number, Parser] => [type, Number]),
  [CHARACTER, unpadded],
  [TIMESTAMP, instant],
  [TIMESTAMPTZ, instant],
  ...[...elementsOf].map(([type, element]): [number, Parser] => [type, arrayParser(element, instant)]),
]);
const asText: Parser = (text) => text;

/** How values are read: as SQLite and MySQL give them, dates, decimals and documents as texts. */
export const types = { getTypeParser: (type: number): Parser => parsers.get(type) ?? asText };

/** A value as it is sent. */
export function sent(value: unknown): unknown {
  if (value instanceof Date) return encodeDate(value);
  if (value instanceof ArrayBuffer) return Buffer.from(value);
  return value;
}
