declare module "framewright/kernel" {
  interface Slots {
    i18n: { service: Texts };
  }
}

/** Texts by key; keys nest, and a key with a plural has `_one` and `_other` forms. */
export interface Catalogue {
  [key: string]: string | Catalogue;
}

/**
 * The slot's service: every text that people see is looked up here. A filler also adds the folder `locales/` of each plugin
 * (`hooks.kernel.contribute`) and the catalogues of the application. `framewright/conformance/i18n` tests one.
 */
export interface Texts {
  /**
   * The text of a key, in the locale, else in the application's, else in English; `vars` fill its `{{name}}` placeholders as
   * they are, `count` selects the plural. Nothing is escaped: templates do it. Never throws: a missing text is shown by its
   * key, or by the last words of it.
   */
  t(key: string, vars?: Record<string, unknown>, locale?: string): string;
  /** Whether `t` finds a text; with a count also one that has plural forms alone. */
  has(key: string, locale?: string, count?: number): boolean;
  /** The application's own locale; "en" where a filler does not set it. */
  readonly locale?: string;
  /** The locales that people may have, the application's own first; that one alone where a filler does not set it. */
  readonly locales?: readonly string[];
  /**
   * The texts of the application's own locale and of English that a locale has none for, by key, the application's first; keys of
   * labels that English derives from names are not among those of English.
   */
  missing?(locale: string): Readonly<Record<string, string>>;
  /** Adds texts, at any time; the application's override a plugin's. @throws FW_TEXT_TAKEN when two plugins add one key */
  add(locale: string, catalogue: Catalogue): void;
}
