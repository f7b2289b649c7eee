import { join } from "node:path";
import { findLocale } from "framewright/host";
import { checkOptions, definePlugin, option } from "framewright/kernel";
import { localesIn, readCatalogue, readCatalogues } from "./catalogues.ts";
import { commands } from "./commands/index.ts";
import { errors } from "./errors.ts";
import { examineTexts } from "./examine.ts";
import { addLocaleSwitch } from "./locale_switch.ts";
import { openTexts } from "./texts.ts";

export { addCatalogues, readCatalogue, readCatalogues } from "./catalogues.ts";
export type { Catalogue, Texts } from "./contract.ts";
export type { LocaleChoice, LocaleSwitch } from "./locale_switch.ts";
export { openTexts, type TextsOptions } from "./texts.ts";

/** Options of `i18n()`. */
export interface I18nOptions {
  /** The application's own locale: of people whose language is not known, and of what is done for nobody. */
  locale?: string;
  /** The locales that people may have; by default the application's own and those of its catalogues. */
  locales?: readonly string[];
  /** The folder of the application's catalogues, from its root. */
  directory?: string;
}

/** The texts that people see. The framework's are English and German; `config/locales/<locale>.json` adds and overrides. */
export function i18n({ locale = "en", locales, directory = "config/locales", ...rest }: I18nOptions = {}) {
  const given = { locale, directory, ...(locales === undefined ? {} : { locales }), ...rest };
  checkOptions("i18n", given, { locale: option.string, locales: option.strings, directory: option.string });
  for (const name of [locale, ...(locales ?? [])]) if (!findLocale(name)) throw errors.FW_LOCALE_UNKNOWN(name);
  if (locales && !locales.includes(locale)) throw errors.FW_LOCALE_NOT_OFFERED(locale, locales);
  return definePlugin({
    name: "i18n",
    provides: "i18n",
    commands,
    apply({ hooks, settings, registrant }) {
      const report = (key: string, missingIn: string) =>
        console.warn(`FW_TEXT_MISSING: no text for "${key}" in "${missingIn}"`);
      const own = settings.root === undefined ? [] : localesIn(join(settings.root, directory)).filter(findLocale);
      const offered = [...new Set([locale, ...(locales ?? own)])];
      const reporting = settings.env === "production" ? {} : { onMissing: report };
      const texts = openTexts({ locale, locales: offered, registrant, ...reporting });
      const read = new Set(["en", ...offered, ...offered.map((name) => name.split("-", 1)[0]!), ...own]);
      const addAll = (folder: string) => {
        for (const file of readCatalogues(folder, read)) texts.add(file.locale, file.catalogue);
      };
      for (const name of ["en", "de"])
        if (read.has(name)) texts.add(name, readCatalogue(join(import.meta.dirname, `${name}.json`)));
      hooks.kernel.contribute.tap("i18n", (contribution) => {
        const folder = contribution.folder("locales");
        if (folder !== undefined) addAll(folder);
      });
      hooks.kernel.configure.tap("i18n", ({ root }) => {
        if (root !== undefined) addAll(join(root, directory));
      });
      hooks.host?.examine.tapPromise("i18n", async (findings) => void findings.push(...examineTexts(texts)));
      if (offered.length > 1) addLocaleSwitch(hooks, offered);
      return texts;
    },
  });
}
