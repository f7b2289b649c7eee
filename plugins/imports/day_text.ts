import type { DayOrder } from "./inspected_file.ts";

/** A day as programs write it, with the time and the zone that stood behind it; empty texts where there was none. */
export interface DayText {
  readonly day: string;
  /** `14:30` or `14:30:00.5`. */
  readonly time: string;
  /** `Z` or `+02:00`. */
  readonly zone: string;
}

const PARTS = /^(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})(?:[T ,]\s*(\d\S.*))?$/;
/** `20260331` */
const DIGITS = /^(\d{4})(\d\d)(\d\d)$/;
const TIME = /^(\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?(?:\s*([ap])\.?m\.?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;
const MAX_CHARS = 60;

/**
 * Reads `2026-03-31`, `20260331`, `31.03.2026`, `3/31/2026` and the like, with a time or without; undefined for another text, and for one
 * whose day could be its month where no order determines which it is.
 */
export function readDay(text: string, order: DayOrder | undefined): DayText | undefined {
  const [, year, month, day] = DIGITS.exec(text) ?? [];
  if (year !== undefined) return { day: dayOf(year, month!, day!), time: "", zone: "" };
  const [, first = "", sign, second = "", third = "", rest] = text.length > MAX_CHARS ? [] : (PARTS.exec(text) ?? []);
  const time = rest === undefined ? { time: "", zone: "" } : readTime(rest);
  if (sign === undefined || !time) return undefined;
  if (first.length === 4) return third.length <= 2 ? { day: dayOf(first, second, third), ...time } : undefined;
  if (third.length !== 4 || first.length > 2) return undefined;
  const used = sign === "." ? "dmy" : (order ?? shownOrder(Number(first), Number(second)));
  if (used === undefined) return undefined;
  return { day: used === "dmy" ? dayOf(third, second, first) : dayOf(third, first, second), ...time };
}

const dayOf = (year: string, month: string, day: string): string =>
  `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;

/** The order that a day shows by itself. */
function shownOrder(first: number, second: number): DayOrder | undefined {
  if (first > 12 || first === second) return "dmy";
  return second > 12 ? "mdy" : undefined;
}

/** Reads `8:00`, `14:30:05.5`, `2:30 PM`, with a zone or without; undefined for another text. */
export function readTime(text: string): Pick<DayText, "time" | "zone"> | undefined {
  const [, hours, minutes, seconds, fraction, half, zone = ""] = TIME.exec(text) ?? [];
  if (hours === undefined) return undefined;
  const hour = half === undefined ? Number(hours) : hourOf(Number(hours), half.toLowerCase());
  if (hour === undefined) return undefined;
  const parts = fraction === undefined || Number(fraction) === 0 ? "" : `.${fraction.replace(/0+$/, "")}`;
  const end = seconds === undefined ? "" : `:${seconds}${parts}`;
  return { time: `${String(hour).padStart(2, "0")}:${minutes}${end}`, zone: zone.toUpperCase() };
}

/** Of a clock that counts to twelve. */
const hourOf = (hour: number, half: string): number | undefined =>
  hour >= 1 && hour <= 12 ? (hour % 12) + (half === "p" ? 12 : 0) : undefined;

/** Whether a day is without a time, or with the midnight that programs write behind it. */
export const isWholeDay = ({ time, zone }: DayText): boolean =>
  /^(?:00:00(?::00)?)?$/.test(time) && (zone === "" || zone === "Z");
