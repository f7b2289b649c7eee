import { BoundedCache } from "./bounded_cache.ts";

const QUARTER = 900_000;
const DAY = 86_400_000;
const MAX_OFFSETS = 5000;
const MAX_NAMES = 1000;
const fields: Intl.DateTimeFormatOptions = {
  ...({ year: "numeric", month: "numeric", day: "numeric" } as const),
  ...({ hour: "numeric", minute: "numeric", second: "numeric" } as const),
};
const NAME = /^[a-z][\w+-]*(?:\/[\w+-]+)*$/i;

/**
 * A time zone of the IANA database, with what its clocks show.
 * @example zoneOf("Europe/Berlin")?.wallTime(new Date("2026-07-01T12:00:00Z")) // "2026-07-01T14:00:00.000"
 */
export class TimeZone {
  /** As the database calls it: "Europe/Berlin". */
  readonly name: string;
  /** Whether nobody chose it: it is the application's own, for a person whose zone is not known. */
  readonly isAssumed: boolean;
  readonly #parts: Intl.DateTimeFormat | undefined;
  /** Milliseconds by the quarter of an hour in which they hold: no zone changes within one. */
  readonly #offsets = new Map<number, number>();

  /** @throws RangeError for a name that is none */
  constructor(name: string, { isAssumed = false }: { isAssumed?: boolean } = {}) {
    // Fast path: the first use of Intl costs a start 10 ms.
    const parts =
      name === "UTC" ? undefined : new Intl.DateTimeFormat("en-US", { timeZone: name, hourCycle: "h23", ...fields });
    this.name = parts?.resolvedOptions().timeZone ?? name;
    this.isAssumed = isAssumed;
    this.#parts = this.isUtc ? undefined : parts;
  }

  get isUtc(): boolean {
    return this.name === "UTC" || this.name === "Etc/UTC";
  }

  /** Milliseconds that its clocks are ahead of UTC at a moment, which is given in milliseconds since 1970. */
  offset(at: number): number {
    if (!this.#parts) return 0;
    const quarter = Math.floor(at / QUARTER);
    let offset = this.#offsets.get(quarter);
    if (offset === undefined) {
      offset = this.#measure(quarter * QUARTER);
      if (this.#offsets.size >= MAX_OFFSETS) this.#offsets.clear();
      this.#offsets.set(quarter, offset);
    }
    return offset;
  }

  #measure(at: number): number {
    const shown: Record<string, number> = {};
    for (const { type, value } of this.#parts!.formatToParts(at)) shown[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = shown;
    return Date.UTC(year, month - 1, day, hour, minute, second) - at;
  }

  /** A Date whose UTC fields are what the zone's clocks and calendars show at a moment. */
  wall(at: Date): Date {
    return new Date(at.getTime() + this.offset(at.getTime()));
  }
  /** What clocks show at a moment, without the zone: "2026-11-20T14:05:00.000". */
  wallTime(at: Date): string {
    return this.wall(at).toISOString().slice(0, -1);
  }

  /** As an input has it, which leaves out seconds that are 0: "2026-11-20T14:05". */
  inputTime(at: Date): string {
    return this.wallTime(at).replace(/:00\.000$|\.000$/, "");
  }

  /**
   * The moment at which clocks show this: of two the first, and of none, where clocks are put forward, as much later. The
   * text has no zone: "2026-11-20T14:05", with seconds and milliseconds or without. Undefined for another text.
   */
  moment(text: string): Date | undefined {
    const date = new Date(`${text.replace(" ", "T")}Z`);
    const shown = date.getTime();
    if (Number.isNaN(shown) || !date.toISOString().startsWith(text.slice(0, 10))) return undefined; // 31 February
    const [before, after] = [this.offset(shown - DAY), this.offset(shown + DAY)];
    const found = [shown - before, shown - after].filter((at) => at + this.offset(at) === shown);
    return new Date(found.length > 0 ? Math.min(...found) : shown - before);
  }

  /** The first moment of a day, "2026-11-20", or of one that is so many days later; undefined for another text. */
  dayStart(day: string, later = 0): Date | undefined {
    const date = new Date(`${day}T00:00:00Z`);
    if (Number.isNaN(date.getTime())) return undefined;
    date.setUTCDate(date.getUTCDate() + later);
    return this.moment(date.toISOString().slice(0, -1));
  }

  /** How far its clocks are from UTC at a moment: "UTC", "UTC+1", "UTC-3:30". */
  offsetText(at: Date): string {
    const minutes = Math.round(this.offset(at.getTime()) / 60_000);
    if (minutes === 0) return "UTC";
    const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
    return `UTC${minutes < 0 ? "-" : "+"}${hours}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}`;
  }
  /** The place that it is named after: "New York". */
  get city(): string {
    const city = this.name.split("/").at(-1)!.replaceAll("_", " ");
    return cities[city] ?? city;
  }
}

/** Cities whose zones still have a former name, in Node as in browsers. */
const cities: Readonly<Record<string, string>> = {
  Calcutta: "Kolkata",
  Godthab: "Nuuk",
  Katmandu: "Kathmandu",
  Kiev: "Kyiv",
  Rangoon: "Yangon",
  Saigon: "Ho Chi Minh City",
};

/** Module-level: a pure function, cached by the name that was given; null for one that is none. */
const known = new BoundedCache<TimeZone | null>(MAX_NAMES);
/** Module-level: one object a zone, which caches its formats. */
const own = new Map<string, TimeZone>();

/** The time zone of a name, which may come from anybody; undefined where there is none. */
export function zoneOf(name: unknown): TimeZone | undefined {
  if (typeof name !== "string" || name.length > 64 || !NAME.test(name)) return undefined;
  return known.getOrMake(name, () => make(name)) ?? undefined;
}

/** One object for all names of a zone, since each remembers offsets. */
function make(name: string): TimeZone | null {
  try {
    const zone = new TimeZone(name);
    if (!own.has(zone.name)) own.set(zone.name, zone);
    return own.get(zone.name)!;
  } catch {
    return null;
  }
}

/** Module-level: a pure function, cached: the zones of languages are few. */
const assumed = new Map<string, TimeZone>();
/** The zone of the application, for those whose own is not known. @throws RangeError for a name that is none */
export function assumedZone(name: string): TimeZone {
  const zone = assumed.get(name) ?? new TimeZone(name, { isAssumed: true });
  assumed.set(name, zone);
  return zone;
}
/** What is assumed where nothing else is configured: UTC. */
export const utc: TimeZone = assumedZone("UTC");
