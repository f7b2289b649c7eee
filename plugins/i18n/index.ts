import { join } from "node:path";
import { checkOptions, definePlugin, option } from "framewright/kernel";
import { readCatalogue, readCatalogues } from "./catalogues.ts";
import type { Texts } from "./contract.ts";
import { openTexts } from "./texts.ts";

export { readCatalogue } from "./catalogues.ts";
export type { Catalogue, Texts } from "./contract.ts";
export { openTexts, type TextsOptions } from "./texts.ts";

/**
 * Adds a plugin's `en.json`: `addPluginTexts(services.i18n, import.meta.dirname)`.
 * @deprecated Use `directory` of `definePlugin`, with `locales/en.json` in it.
 * @throws FW_CATALOGUE_INVALID, FW_TEXT_TAKEN
 */
export function addPluginTexts(texts: Texts, pluginDirectory: string): void {
  texts.add("en", readCatalogue(join(pluginDirectory, "en.json")));
}

/** Options of `i18n()`. */
export interface I18nOptions {
  /** The locale of every text. */
  locale?: string;
  /** The folder of the application's catalogues, from its root. */
  directory?: string;
}

/** The texts that people see. The framework's are English; `config/locales/<locale>.json` adds and overrides. */
export function i18n({ locale = "en", directory = "config/locales", ...rest }: I18nOptions = {}) {
  checkOptions("i18n", { locale, directory, ...rest }, { locale: option.string, directory: option.string });
  return definePlugin({
    name: "i18n",
    provides: "i18n",
    apply({ hooks, settings, registrant }) {
      const report = (key: string, missingIn: string) =>
        console.warn(`FW_TEXT_MISSING: no text for "${key}" in "${missingIn}"`);
      const texts = openTexts({ locale, registrant, ...(settings.env === "production" ? {} : { onMissing: report }) });
      texts.add("en", readCatalogue(join(import.meta.dirname, "en.json")));
      const addAll = (folder: string) => {
        for (const file of readCatalogues(folder)) texts.add(file.locale, file.catalogue);
      };
      hooks.kernel.contribute.tap("i18n", (contribution) => {
        const folder = contribution.folder("locales");
        if (folder !== undefined) addAll(folder);
      });
      hooks.kernel.configure.tap("i18n", ({ root }) => {
        if (root !== undefined) addAll(join(root, directory));
      });
      return texts;
    },
  });
}
