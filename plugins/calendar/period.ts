import type { Locale } from "framewright/host";

/** How much of a calendar is shown. */
export const spans = ["month", "week", "agenda"] as const;
export type Span = (typeof spans)[number];

/** The key of the shape: `?shape=calendar`, `calendar.week`, `calendar.month.2026-03-01`. */
export const KEY = "calendar";
/** The shape of a period; of today without the day, so that a saved view moves with it. */
export const shapeOf = (span: Span, at: string, today: string): string =>
  at === today ? `${KEY}.${span}` : `${KEY}.${span}.${at}`;

const AGENDA_DAYS = 30;
const FIRST = "1000-01-01";
const LAST = "9998-12-31";

/** The part of a calendar that is shown, by days as `2026-03-04`. A week begins on Monday. */
export class Period {
  readonly span: Span;
  /** The day that it is around. */
  readonly at: string;
  readonly today: string;
  readonly days: readonly string[];

  constructor(span: Span, at: string, today: string) {
    this.span = span;
    this.at = at;
    this.today = today;
    const [first, last] = boundsOf(span, at);
    const days: string[] = [];
    for (let day = first; day <= last; day = later(day, 1)) days.push(day);
    this.days = days;
  }

  get first(): string {
    return this.days[0]!;
  }
  get last(): string {
    return this.days.at(-1)!;
  }
  /** A day in the period before this one, or after it. */
  beside(step: -1 | 1): string {
    if (this.span === "week") return later(this.at, 7 * step);
    if (this.span === "agenda") return later(this.at, AGENDA_DAYS * step);
    return monthLater(this.at, step);
  }
  /** Whether a day of the weeks of a month is of the month itself. */
  isOutside(day: string): boolean {
    return this.span === "month" && day.slice(0, 7) !== this.at.slice(0, 7);
  }
  title(locale: Locale): string {
    if (this.span === "month") return locale.monthText(dateOf(this.at));
    return `${locale.dayOfYearText(dateOf(this.first))} – ${locale.dayText(dateOf(this.last))}`;
  }
}

function boundsOf(span: Span, at: string): readonly [first: string, last: string] {
  if (span === "agenda") return [at, later(at, AGENDA_DAYS - 1)];
  if (span === "week") return [monday(at), later(monday(at), 6)];
  const first = `${at.slice(0, 7)}-01`;
  return [monday(first), later(monday(later(monthLater(first, 1), -1)), 6)];
}

/** A day as a Date whose UTC fields have it. */
export const dateOf = (day: string): Date => new Date(`${day}T00:00:00Z`);
const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

export function later(day: string, days: number): string {
  const date = dateOf(day);
  date.setUTCDate(date.getUTCDate() + days);
  return dayOf(date);
}
/** The first day of a month before or after that of a day. */
function monthLater(day: string, months: number): string {
  const date = dateOf(`${day.slice(0, 7)}-01`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return dayOf(date);
}
const monday = (day: string): string => later(day, -((dateOf(day).getUTCDay() + 6) % 7));

/** Whether a text is a day of the calendar, of years with four digits. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) &&
  text >= FIRST &&
  text <= LAST &&
  !Number.isNaN(dateOf(text).getTime()) &&
  dayOf(dateOf(text)) === text;
