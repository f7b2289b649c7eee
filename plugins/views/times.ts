import { english, escapeHtml, type Locale, raw, type SafeHtml, type TimeZone, utc } from "framewright/host";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** A date or time as stored (UTC, with or without "T" and "Z") or as a Date; undefined when it is neither. */
export function toInstant(value: unknown): Date | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value;
  if (typeof value === "number") return toInstant(new Date(value));
  if (typeof value !== "string") return undefined;
  const hasZone = /(?:Z|[+-]\d\d:?\d\d)$/i.test(value);
  const iso = value.length <= 10 || hasZone ? value : `${value.replace(" ", "T")}Z`;
  return toInstant(new Date(iso));
}

/** Fast path, in English: the framework's stored format, on a day that every month has, is sliced instead of parsed as a Date. */
const STORED_FORMAT = /^[1-9]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8]) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}$/;

function storedTag(text: string): SafeHtml {
  const month = MONTHS[Number(text.slice(5, 7)) - 1];
  const day = `${Number(text.slice(8, 10))} ${month} ${text.slice(0, 4)}`;
  const shown = `${day}${`, ${text.slice(11, 16)}`} UTC</time>`; // short pieces first: the engine copies those, and links long ones
  return raw(`<time datetime="${text.slice(0, 10)}${`T${text.slice(11)}`}Z" data-local>${shown}`);
}

/** A moment as text, as the clocks of a zone show it: "20 Nov 2026, 14:05", or as the language writes it. */
export const timeText = (at: Date, zone: TimeZone, locale: Locale = english): string => locale.timeText(zone.wall(at));

/**
 * A moment in a time zone and a language, as those of the request; its offset from UTC is in the title. Of a zone that is assumed, as
 * without one, the offset is in the text, and the browser shows the reader's own.
 */
export function timeTag(value: unknown, zone: TimeZone = utc, locale: Locale = english): SafeHtml {
  if (zone === utc && locale === english && typeof value === "string" && STORED_FORMAT.test(value))
    return storedTag(value);
  const at = toInstant(value);
  if (!at) return raw(escapeHtml(value));
  const [text, offset] = [timeText(at, zone, locale), zone.offsetText(at)];
  const [datetime, more] = [`datetime="${at.toISOString()}"`, zone.isAssumed ? " data-local" : ` title="${offset}"`];
  return raw(`<time ${datetime}${more}>${zone.isAssumed ? `${text} ${offset}` : text}</time>`);
}

/** A moment as text with what its clocks are ahead of UTC, as for mails: "20 Nov 2026, 14:05 (UTC+1)". */
export function zonedText(value: unknown, zone: TimeZone = utc, locale: Locale = english): SafeHtml {
  const at = toInstant(value);
  return raw(escapeHtml(at ? `${timeText(at, zone, locale)} (${zone.offsetText(at)})` : value));
}

/** A calendar day, the same in every time zone. */
export function dateTag(value: unknown, locale: Locale = english): SafeHtml {
  const at = toInstant(value);
  return raw(at ? `<time datetime="${at.toISOString().slice(0, 10)}">${locale.dayText(at)}</time>` : escapeHtml(value));
}
