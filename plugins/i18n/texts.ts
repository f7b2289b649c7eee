import { BoundedCache } from "framewright/host";
import { createInstance } from "i18next";
import type { Catalogue } from "./catalogues.ts";
import { errors } from "./errors.ts";

/** The slot's service: every text that people see comes through here. */
export interface Texts {
  /** The text of a key; `vars` fill its `{{name}}` places, `count` picks its plural. Never throws. */
  t(key: string, vars?: Record<string, unknown>, locale?: string): string;
  has(key: string, locale?: string): boolean;
  /** Adds texts; the application's override a plugin's. @throws FW_TEXT_TAKEN where two plugins have one key */
  add(locale: string, catalogue: Catalogue): void;
}

export interface TextsOptions {
  locale: string;
  /** The plugin that is being applied, for the error of two that add one key. */
  registrant?(): string | undefined;
  /** Hears of each missing key once; without it (production) a missing text is silently made from its key. */
  onMissing?(key: string, locale: string): void;
}

/** "shop.save_changes" -> "Save changes": better than nothing on a page. */
function readable(key: string): string {
  const words = (key.split(".").pop() ?? key).replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const MOST = 10_000;
/** A text cut at its places: text, name, text, name, … */
type Pattern = readonly string[];
const place = /\{\{\s*(\w+)\s*\}\}/;
/** Nesting, formats and paths are left to i18next. */
const special = /\$t\(|\{\{(?!\s*\w+\s*\}\})/;

function filled(pattern: Pattern, vars: Record<string, unknown>): string {
  let text = pattern[0]!;
  for (let at = 1; at < pattern.length; at += 2) text += String(vars[pattern[at]!] ?? "") + pattern[at + 1]!;
  return text;
}

const rules = new Map<string, Intl.PluralRules>();
const forms = new BoundedCache<string>(2000); // a rule takes a microsecond, and lists have the same totals again and again
/** What tells the plurals of a text apart. */
function formOf(count: unknown, locale: string): string {
  if (typeof count !== "number") return count === undefined ? "" : "other";
  if (count === 0) return "0"; // may have a text of its own
  return forms.getOrMake(`${count} ${locale}`, () => {
    const plural = rules.get(locale) ?? new Intl.PluralRules(locale);
    rules.set(locale, plural);
    return plural.select(count);
  });
}

function hasAny(vars: object): boolean {
  for (const _ in vars) return true;
  return false;
}

/** The keys of a catalogue's texts, with dots between the levels. */
const keysOf = (catalogue: Catalogue, above = ""): string[] =>
  Object.entries(catalogue).flatMap(([key, value]) =>
    typeof value === "object" ? keysOf(value, `${above}${key}.`) : [above + key],
  );

export function openTexts({ locale: standard, onMissing, registrant }: TextsOptions): Texts {
  const i18n = createInstance();
  void i18n.init({
    initAsync: false,
    lng: standard,
    fallbackLng: standard === "en" ? ["en"] : [standard, "en"],
    resources: {},
    interpolation: { escapeValue: false }, // templates escape
    returnNull: false,
    showSupportNotice: false,
  } as Parameters<typeof i18n.init>[0]);
  const owners = new Map<string, string>();
  const reported = new Set<string>();
  const missing = (key: string, locale: string) => {
    if (!onMissing) return readable(key);
    const seen = `${locale}:${key}`;
    if (!reported.has(seen)) onMissing(key, locale);
    reported.add(seen);
    return `[missing: ${key}]`;
  };
  const existing = new Map<string, boolean>();
  const has = (key: string, locale: string): boolean => {
    const at = `${locale}:${key}`;
    let known = existing.get(at);
    if (known === undefined) {
      known = i18n.exists(key, { lng: locale });
      if (existing.size >= MOST) existing.clear(); // keys that do not exist could be without end
      existing.set(at, known);
    }
    return known;
  };
  const patterns = new Map<string, Pattern | undefined>();
  const patternOf = (key: string, vars: Record<string, unknown>, locale: string): Pattern | undefined => {
    const at = `${locale}:${key}:${formOf(vars.count, locale)}`;
    const exists = () => has(key, locale) || i18n.exists(key, { lng: locale, count: vars.count as number }); // `records` is there as `records_one`
    if (!patterns.has(at) && exists()) {
      const text: unknown = i18n.t(key, { ...vars, lng: locale, defaultValue: "", skipInterpolation: true });
      patterns.set(at, typeof text === "string" && text !== "" && !special.test(text) ? text.split(place) : undefined);
    }
    return patterns.get(at);
  };
  const plain = new Map<string, Map<string, string>>(); // texts without values, by locale: most of them, and i18next takes microseconds for each
  const look = (key: string, vars: Record<string, unknown> | undefined, locale: string): string => {
    const text: unknown = i18n.t(key, { ...vars, lng: locale, defaultValue: "" });
    return typeof text === "string" && text !== "" ? text : missing(key, locale);
  };
  const lookPlain = (key: string, locale: string): string => {
    const text = look(key, undefined, locale);
    if (!has(key, locale)) return text; // keys that exist are few; others could be without end
    const texts = plain.get(locale) ?? new Map<string, string>();
    plain.set(locale, texts.set(key, text));
    return text;
  };
  return {
    t(key, vars, locale = standard) {
      if (vars !== undefined && hasAny(vars)) {
        const pattern = "context" in vars ? undefined : patternOf(key, vars, locale);
        return pattern ? filled(pattern, vars) : look(key, vars, locale);
      }
      const text = plain.get(locale)?.get(key);
      return text ?? lookPlain(key, locale);
    },
    has: (key, locale = standard) => has(key, locale),
    add(locale, catalogue) {
      const owner = registrant?.();
      for (const key of owner === undefined ? [] : keysOf(catalogue)) {
        const first = owners.get(`${locale}:${key}`);
        if (first !== undefined && first !== owner) throw errors.FW_TEXT_TAKEN(key, locale, first, owner!);
        owners.set(`${locale}:${key}`, owner!);
      }
      for (const kept of [plain, existing, patterns]) kept.clear();
      i18n.addResourceBundle(locale, "translation", catalogue, true, true);
    },
  };
}
