import { BoundedCache } from "framewright/host";
import { createInstance } from "i18next";
import type { Catalogue, Texts } from "./contract.ts";
import { errors } from "./errors.ts";

/** Where texts come from, and what a missing one does. */
export interface TextsOptions {
  locale: string;
  /** What people may have, the locale first; by default that one alone. */
  locales?: readonly string[];
  /** The plugin that is being applied, named in the error when two plugins add one key. */
  registrant?(): string | undefined;
  /** Called once per missing key; without it (production) the key itself is shown as readable text. */
  onMissing?(key: string, locale: string): void;
}

/** "shop.save_changes" → "Save changes", for a key without a text. */
function readableKey(key: string): string {
  const words = (key.split(".").pop() ?? key).replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const MAX_CACHED_KEYS = 10_000;
/** A text split at its placeholders: text, name, text, name, … */
type Pattern = readonly string[];
const placeholder = /\{\{\s*(\w+)\s*\}\}/;
/** Nesting, formats and paths are left to i18next. */
const needsI18next = /\$t\(|\{\{(?!\s*\w+\s*\}\})/;

function interpolate(pattern: Pattern, vars: Record<string, unknown>): string {
  let text = pattern[0]!;
  for (let at = 1; at < pattern.length; at += 2) text += String(vars[pattern[at]!] ?? "") + pattern[at + 1]!;
  return text;
}

/** Module-level: a pure function, cached: the rules of a language are the platform's. */
const pluralRules = new Map<string, Intl.PluralRules>();
/** Module-level: a pure function, cached: selecting costs a microsecond, and lists repeat the same totals. */
const pluralForms = new BoundedCache<string>(2000);
/** The plural form of a count, part of the cache key of a text. */
function pluralForm(count: unknown, locale: string): string {
  if (typeof count !== "number") return count === undefined ? "" : "other";
  if (count === 0) return "0"; // may have a text of its own
  return pluralForms.getOrMake(`${count} ${locale}`, () => {
    const rules = pluralRules.get(locale) ?? new Intl.PluralRules(locale);
    pluralRules.set(locale, rules);
    return rules.select(count);
  });
}

function hasAny(vars: object): boolean {
  for (const _ in vars) return true;
  return false;
}

/** The texts of a catalogue by their keys, with dots between the levels. */
const textsOf = (catalogue: Catalogue, prefix = ""): [key: string, text: string][] =>
  Object.entries(catalogue).flatMap(([key, value]) =>
    typeof value === "object" ? textsOf(value, `${prefix}${key}.`) : [[prefix + key, value]],
  );
const keysOf = (catalogue: Catalogue): string[] => textsOf(catalogue).map(([key]) => key);

/** `records_one` and `records_other` are forms of one text, and languages have other forms. */
const withoutForm = (key: string): string => key.replace(/_(?:0|zero|one|two|few|many|other)$/, "");
/** Labels, which are the names of the code where English has no text. */
const LABEL = /^(?:models|portals)\./;
/** What is called the same in every language. */
const NAME = "application.name";
/** "de-AT" reads the texts of "de", too. */
const languagesOf = (locale: string): string[] => [...new Set([locale, locale.split("-", 1)[0]!])];

/** The service of the slot "i18n", from catalogues in memory and on disk. */
export function openTexts({ locale: standard, locales = [standard], onMissing, registrant }: TextsOptions): Texts {
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
    if (!onMissing) return readableKey(key);
    const id = `${locale}:${key}`;
    if (!reported.has(id)) onMissing(key, locale);
    reported.add(id);
    return `[missing: ${key}]`;
  };
  const existing = new Map<string, boolean>();
  const has = (key: string, locale: string): boolean => {
    const id = `${locale}:${key}`;
    let known = existing.get(id);
    if (known === undefined) {
      known = i18n.exists(key, { lng: locale });
      if (existing.size >= MAX_CACHED_KEYS) existing.clear(); // the number of absent keys is unbounded
      existing.set(id, known);
    }
    return known;
  };
  const patterns = new Map<string, Pattern | undefined>();
  const patternOf = (key: string, vars: Record<string, unknown>, locale: string): Pattern | undefined => {
    const id = `${locale}:${key}:${pluralForm(vars.count, locale)}`;
    const exists = () => has(key, locale) || i18n.exists(key, { lng: locale, count: vars.count as number }); // `records` may exist as `records_one` only
    if (!patterns.has(id) && exists()) {
      const text: unknown = i18n.t(key, { ...vars, lng: locale, defaultValue: "", skipInterpolation: true });
      const isPlain = typeof text === "string" && text !== "" && !needsI18next.test(text);
      patterns.set(id, isPlain ? text.split(placeholder) : undefined);
    }
    return patterns.get(id);
  };
  // Fast path: texts without variables, by locale. They are most texts, and i18next takes microseconds for each.
  const plainTexts = new Map<string, Map<string, string>>();
  const lookUp = (key: string, vars: Record<string, unknown> | undefined, locale: string): string => {
    const text: unknown = i18n.t(key, { ...vars, lng: locale, defaultValue: "" });
    return typeof text === "string" && text !== "" ? text : missing(key, locale);
  };
  const lookUpPlain = (key: string, locale: string): string => {
    const text = lookUp(key, undefined, locale);
    if (!has(key, locale)) return text; // existing keys are few; the number of absent keys is unbounded
    const texts = plainTexts.get(locale) ?? new Map<string, string>();
    plainTexts.set(locale, texts.set(key, text));
    return text;
  };
  const add = (locale: string, catalogue: Catalogue): void => {
    const owner = registrant?.();
    for (const key of owner === undefined ? [] : keysOf(catalogue)) {
      const first = owners.get(`${locale}:${key}`);
      if (first !== undefined && first !== owner) throw errors.FW_TEXT_TAKEN(key, locale, first, owner!);
      owners.set(`${locale}:${key}`, owner!);
    }
    for (const cache of [plainTexts, existing, patterns]) cache.clear();
    i18n.addResourceBundle(locale, "translation", catalogue, true, true);
  };
  return {
    locale: standard,
    locales,
    t(key, vars, locale = standard) {
      if (vars !== undefined && hasAny(vars)) {
        const pattern = "context" in vars ? undefined : patternOf(key, vars, locale);
        return pattern ? interpolate(pattern, vars) : lookUp(key, vars, locale);
      }
      const text = plainTexts.get(locale)?.get(key);
      return text ?? lookUpPlain(key, locale);
    },
    missing(locale) {
      const bundles = (name: string) =>
        languagesOf(name).map((language) => (i18n.getResourceBundle(language, "translation") ?? {}) as Catalogue);
      const own = new Set(bundles(locale).flatMap(keysOf).map(withoutForm));
      const derives = languagesOf(locale).includes("en");
      const lacking = [...bundles(standard), ...bundles("en")]
        .flatMap((catalogue) => textsOf(catalogue))
        .filter(([key]) => key !== NAME && !own.has(withoutForm(key)) && !(derives && LABEL.test(key)));
      const isOwn = ([key]: [string, string]) => !owners.has(`${standard}:${key}`) && !owners.has(`en:${key}`);
      const ordered = [...lacking.filter(isOwn), ...lacking.filter((entry) => !isOwn(entry))];
      const texts: Record<string, string> = {};
      for (const [key, text] of ordered) texts[key] ??= text;
      return texts;
    },
    has: (key, locale = standard, count) =>
      has(key, locale) || (count !== undefined && i18n.exists(key, { lng: locale, count })),
    add,
  };
}
