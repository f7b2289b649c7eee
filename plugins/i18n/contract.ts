declare module "framewright/kernel" {
  interface Slots {
    i18n: { service: Texts };
  }
}

/** Texts by key; keys nest, and a key with a plural has `_one` and `_other` forms. */
export interface Catalogue {
  [key: string]: string | Catalogue;
}

/** The slot's service: every text that people see is looked up here. */
export interface Texts {
  /** The text of a key; `vars` fill its `{{name}}` placeholders, `count` selects the plural. Never throws. */
  t(key: string, vars?: Record<string, unknown>, locale?: string): string;
  has(key: string, locale?: string): boolean;
  /** Adds texts; the application's override a plugin's. @throws FW_TEXT_TAKEN when two plugins add one key */
  add(locale: string, catalogue: Catalogue): void;
}
