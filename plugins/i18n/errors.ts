import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_TEXT_TAKEN: (key: string, locale: string, first: string, second: string) =>
    `"${first}" and "${second}" both add the text "${key}" (${locale}). Put the plugin's own name before its keys; an application overrides texts in config/locales.`,
  FW_CATALOGUE_INVALID: (file: string, reason: string) =>
    `the catalogue ${file} can't be read: ${reason}. It must be one JSON object of keys and texts.`,
});
