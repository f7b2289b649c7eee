import type { TimeZone } from "framewright/host";

/** Days that move with the calendar. */
export const relativeDayNames = [
  ...["today", "yesterday", "before_today", "this_week", "last_7_days", "last_30_days", "next_7_days"],
  ...["this_month", "last_month", "this_year"],
] as const;

/** The first, where there is one, and the last of them in a zone, `2026-11-25`; a week begins on Monday. Undefined for an unknown name. */
export function relativeDays(name: string, now: Date, zone: TimeZone): { from?: string; to: string } | undefined {
  const today = zone.wall(now);
  const [year, month, day] = [today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()];
  const at = (...[y, m, d]: [number, number, number]): string => new Date(Date.UTC(y, m, d)).toISOString().slice(0, 10);
  const between = (first: number, last: number) => ({
    from: at(year, month, day + first),
    to: at(year, month, day + last),
  });
  const weekday = (today.getUTCDay() + 6) % 7;
  switch (name) {
    case "today":
      return between(0, 0);
    case "yesterday":
      return between(-1, -1);
    case "before_today":
      return { to: at(year, month, day - 1) };
    case "this_week":
      return between(-weekday, 6 - weekday);
    case "last_7_days":
      return between(-6, 0);
    case "last_30_days":
      return between(-29, 0);
    case "next_7_days":
      return between(0, 6);
    case "this_month":
      return { from: at(year, month, 1), to: at(year, month + 1, 0) };
    case "last_month":
      return { from: at(year, month - 1, 1), to: at(year, month, 0) };
    case "this_year":
      return { from: at(year, 0, 1), to: at(year, 11, 31) };
    default:
      return undefined;
  }
}
