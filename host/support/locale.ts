import { BoundedCache } from "./bounded_cache.ts";
import { NumberForms } from "./number_forms.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const MAX_DAYS = 2000;
const MAX_LOCALES = 200;
/** Scripts that are written from right to left. */
const FROM_RIGHT = new Set(["Adlm", "Arab", "Hebr", "Mand", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"]);
/** Languages that write nouns with a capital letter in the middle of a sentence. */
const CAPITAL_NOUNS = new Set(["de", "lb"]);
const padTwo = (number: number) => (number < 10 ? `0${number}` : String(number));

const day = { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" } as const;
const formats = {
  day,
  time: { ...day, hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  dayOfYear: { day: "numeric", month: "short", timeZone: "UTC" },
  month: { month: "short", year: "numeric", timeZone: "UTC" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;
type Format = keyof typeof formats;

/**
 * A language and how it writes times, numbers and amounts. English has one form, whatever its country: "30 Jun 2026, 14:00"
 * and "1,234.50"; all others have those of `Intl`. Dates are given as their UTC fields show them (`TimeZone.wall`).
 * @example localeOf("de").timeText(new Date("2026-06-30T14:00:00Z")) // "30. Juni 2026, 14:00"
 */
export class Locale {
  /** As BCP 47 writes it: "de", "pt-BR". */
  readonly name: string;
  readonly isEnglish: boolean;
  /** As the attribute `dir` has it. */
  readonly direction: "ltr" | "rtl";
  readonly numbers: NumberForms;
  readonly #keepsCapitals: boolean;
  readonly #formats = new Map<Format, Intl.DateTimeFormat>();
  readonly #days = new BoundedCache<string>(MAX_DAYS);
  #collator: Intl.Collator | undefined;

  /** @throws RangeError for a name that is none */
  constructor(name: string) {
    const locale = new Intl.Locale(name);
    const { language, baseName } = locale;
    this.name = baseName;
    this.isEnglish = language === "en";
    this.direction = FROM_RIGHT.has(locale.maximize().script ?? "") ? "rtl" : "ltr";
    this.numbers = new NumberForms(baseName, this.isEnglish);
    this.#keepsCapitals = CAPITAL_NOUNS.has(language);
  }

  /** "30 Jun 2026" */
  dayText(wall: Date): string {
    if (this.isEnglish) return `${wall.getUTCDate()} ${MONTHS[wall.getUTCMonth()]} ${wall.getUTCFullYear()}`;
    return this.#days.getOrMake(wall.toISOString().slice(0, 10), () => this.#format("day").format(wall));
  }
  /** "30 Jun 2026, 14:00" */
  timeText(wall: Date): string {
    if (!this.isEnglish) return this.#format("time").format(wall);
    return `${this.dayText(wall)}, ${padTwo(wall.getUTCHours())}:${padTwo(wall.getUTCMinutes())}`;
  }
  /** "30 Jun" */
  dayOfYearText(wall: Date): string {
    return this.#format("dayOfYear").format(wall);
  }
  /** "Jun 2026" */
  monthText(wall: Date): string {
    return this.#format("month").format(wall);
  }
  #format(name: Format): Intl.DateTimeFormat {
    const known = this.#formats.get(name);
    if (known) return known;
    const made = new Intl.DateTimeFormat(this.isEnglish ? "en-GB" : this.name, {
      ...formats[name],
      numberingSystem: "latn",
    });
    this.#formats.set(name, made);
    return made;
  }

  /** A label as it is written within a sentence: "New post", but "Beitrag anlegen". */
  inSentence(label: string): string {
    if (this.isEnglish) return /[A-Z]{2}/.test(label) ? withAcronyms(label) : label.toLowerCase();
    return this.#keepsCapitals ? label : label.toLocaleLowerCase(this.name);
  }
  /** Orders labels as people expect them: for `sort`. */
  compare(a: string, b: string): number {
    this.#collator ??= new Intl.Collator(this.name, { numeric: true });
    return this.#collator.compare(a, b);
  }
}

/** "New API user" -> "new API user". */
const withAcronyms = (label: string): string =>
  label.replace(/\S+/g, (word) => (/^\W*[A-Z]{2}/.test(word) ? word : word.toLowerCase()));

/** Module-level: a pure function, cached; null for a name that is none. */
const known = new BoundedCache<Locale | null>(MAX_LOCALES);
/** The application's language where none is named. */
export const english: Locale = new Locale("en");

/** The locale of a name, which may come from anybody; undefined where there is none. One object for each name. */
export function findLocale(name: unknown): Locale | undefined {
  if (name === "en") return english;
  if (typeof name !== "string" || !/^[a-z]{2,8}(?:-[a-z\d]{2,8}){0,4}$/i.test(name)) return undefined;
  return known.getOrMake(name, () => make(name)) ?? undefined;
}
function make(name: string): Locale | null {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(name).length > 0 ? new Locale(name) : null;
  } catch {
    return null;
  }
}
/** The locale of a request or a mail: English where the name is none. */
export const localeOf = (name: string | undefined): Locale => findLocale(name) ?? english;
