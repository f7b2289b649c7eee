import { join } from "node:path";
import { checkOptions, definePlugin, option } from "framewright/kernel";
import { readCatalogue, readCatalogues } from "./catalogues.ts";
import { openTexts, type Texts } from "./texts.ts";

export { type Catalogue, readCatalogue } from "./catalogues.ts";
export { openTexts, type Texts, type TextsOptions } from "./texts.ts";

declare module "framewright/kernel" {
  interface Slots {
    i18n: { service: Texts };
  }
}

export interface I18nOptions {
  /** The language of everyone who has not chosen one. */
  locale?: string;
  /** Where the application's catalogues are, from its root. */
  directory?: string;
}

/** Every text through one look-up. The framework speaks English; `config/locales/<locale>.json` adds and overrides. */
export function i18n({ locale = "en", directory = "config/locales", ...rest }: I18nOptions = {}) {
  checkOptions("i18n", { locale, directory, ...rest }, { locale: option.string, directory: option.string });
  return definePlugin({
    name: "i18n",
    provides: "i18n",
    apply({ hooks, settings, registrant }) {
      const report = (key: string, asked: string) =>
        console.warn(`FW_TEXT_MISSING: no text for "${key}" in "${asked}"`);
      const texts = openTexts({ locale, registrant, ...(settings.env === "production" ? {} : { onMissing: report }) });
      texts.add("en", readCatalogue(join(import.meta.dirname, "en.json")));
      hooks.kernel.configure.tap("i18n", ({ root }) => {
        if (root === undefined) return;
        for (const own of readCatalogues(join(root, directory))) texts.add(own.locale, own.catalogue);
      });
      return texts;
    },
  });
}
