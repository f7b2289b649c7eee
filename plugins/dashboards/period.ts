/** What a series is counted by. Weeks begin on Monday. */
export type Unit = "day" | "week" | "month";

/** A span of whole days in UTC: from the first day until before the second. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

/** The period that a person chose, and the one of equal length before it. */
export interface Period extends Span {
  /** As in the address: `30d`. */
  readonly key: string;
  readonly count: number;
  readonly length: "d" | "w" | "m";
  /** What a series of this period is counted by, unless a card sets another. */
  readonly unit: Unit;
  readonly before: Span;
}

const SHAPE = /^([1-9]\d{0,2})([dwm])$/;
const DAYS: Readonly<Record<string, number>> = { d: 1, w: 7, m: 30 };

/** Whether a text is a period: `7d`, `12w`, `12m`. */
export const isPeriod = (key: string): boolean => SHAPE.test(key);

/** The period with this key that ends today. */
export function periodOf(key: string, now: Date = new Date()): Period {
  const [, digits, length = "d"] = SHAPE.exec(key)!;
  const count = Number(digits);
  const to = addDays(startOf("day", now), 1);
  const from = back(to, count, length);
  const days = count * DAYS[length]!;
  const unit = days <= 31 ? "day" : days <= 200 ? "week" : "month";
  return {
    key,
    count,
    length: length as Period["length"],
    from,
    to,
    unit,
    before: { from: back(from, count, length), to: from },
  };
}

const back = (date: Date, count: number, length: string): Date =>
  length === "m" ? addMonths(date, -count) : addDays(date, -count * DAYS[length]!);

export function addDays(date: Date, days: number): Date {
  const moved = new Date(date);
  moved.setUTCDate(moved.getUTCDate() + days);
  return moved;
}

/** The same day of another month, or its last day where it is shorter. */
export function addMonths(date: Date, months: number): Date {
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
  const last = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  first.setUTCDate(Math.min(date.getUTCDate(), last));
  return first;
}

/** The first day of the unit that a day is in, in UTC. */
export function startOf(unit: Unit, date: Date): Date {
  const day = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()));
  if (unit === "week") return addDays(day, -((day.getUTCDay() + 6) % 7));
  if (unit === "month") day.setUTCDate(1);
  return day;
}

export const next = (unit: Unit, date: Date): Date =>
  unit === "month" ? addMonths(date, 1) : addDays(date, unit === "week" ? 7 : 1);

/** Whether a unit that begins on a day has not ended yet. */
export const isCurrent = (unit: Unit, day: string, now: Date = new Date()): boolean =>
  next(unit, new Date(`${day}T00:00Z`)) > now;

/** `2026-11-23` */
export const dayKey = (date: Date): string => date.toISOString().slice(0, 10);

/** The first days of the units that begin in a span. */
export function bucketsOf(unit: Unit, { from, to }: Span): string[] {
  const buckets: string[] = [];
  let at = startOf(unit, from);
  if (at < from) at = next(unit, at); // a unit that began before the span is not whole
  for (; at < to; at = next(unit, at)) buckets.push(dayKey(at));
  return buckets;
}
