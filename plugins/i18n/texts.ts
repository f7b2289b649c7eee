import { createInstance } from "i18next";
import type { Catalogue } from "./catalogues.ts";

/** The slot's service: every text that people see comes through here. */
export interface Texts {
  /** The text of a key; `vars` fill its `{{name}}` places, `count` picks its plural. Never throws. */
  t(key: string, vars?: Record<string, unknown>, locale?: string): string;
  has(key: string, locale?: string): boolean;
  /** Adds texts; what an earlier catalogue says under the same key is overridden. */
  add(locale: string, catalogue: Catalogue): void;
}

export interface TextsOptions {
  locale: string;
  /** Hears of each missing key once; without it (production) a missing text is silently made from its key. */
  onMissing?(key: string, locale: string): void;
}

/** "shop.save_changes" -> "Save changes": better than nothing on a page. */
function readable(key: string): string {
  const words = (key.split(".").pop() ?? key).replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function openTexts({ locale: standard, onMissing }: TextsOptions): Texts {
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
  const reported = new Set<string>();
  const missing = (key: string, locale: string) => {
    if (!onMissing) return readable(key);
    const seen = `${locale}:${key}`;
    if (!reported.has(seen)) onMissing(key, locale);
    reported.add(seen);
    return `[missing: ${key}]`;
  };
  const plain = new Map<string, string>(); // texts without values: most of them, and i18next takes microseconds for each
  const look = (key: string, vars: Record<string, unknown> | undefined, locale: string): string => {
    const text: unknown = i18n.t(key, { ...vars, lng: locale, defaultValue: "" });
    return typeof text === "string" && text !== "" ? text : missing(key, locale);
  };
  return {
    t(key, vars, locale = standard) {
      if (vars !== undefined && Object.keys(vars).length > 0) return look(key, vars, locale);
      const at = `${locale}:${key}`;
      let text = plain.get(at);
      if (text === undefined) {
        text = look(key, undefined, locale);
        if (i18n.exists(key, { lng: locale })) plain.set(at, text); // keys that exist are few; others could be without end
      }
      return text;
    },
    has: (key, locale = standard) => i18n.exists(key, { lng: locale }),
    add(locale, catalogue) {
      plain.clear();
      i18n.addResourceBundle(locale, "translation", catalogue, true, true);
    },
  };
}
