import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_TEXT_TAKEN: (key: string, locale: string, first: string, second: string) =>
    `"${first}" and "${second}" both add the text "${key}" (${locale}). Put the plugin's own name before its keys; an application overrides texts in config/locales.`,
  FW_LOCALE_UNKNOWN: (name: string) =>
    `i18n() names the locale ${JSON.stringify(name)}, which is none. Write it as BCP 47 does: "en", "de", "pt-BR".`,
  FW_LOCALE_NOT_OFFERED: (locale: string, locales: readonly string[]) =>
    `i18n() offers ${locales.map((one) => JSON.stringify(one)).join(", ")}, and not its own locale "${locale}". Add it to the option locales.`,
  FW_CATALOGUE_INVALID: (file: string, reason: string) =>
    `the catalogue ${file} can't be read: ${reason}. It must be one JSON object of keys and texts.`,
});
