import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { messageOf } from "framewright/kernel";
import type { Catalogue, Texts } from "./contract.ts";
import { errors } from "./errors.ts";

/** @throws FW_CATALOGUE_INVALID naming the file */
export function readCatalogue(file: string): Catalogue {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw errors.FW_CATALOGUE_INVALID(file, messageOf(cause));
  }
  if (typeof content === "object" && content !== null && !Array.isArray(content)) return content as Catalogue;
  throw errors.FW_CATALOGUE_INVALID(file, "it contains no object");
}

/** The catalogues of a folder, `en.json` for "en" and `shop.en.json` too, by name, of these locales; none when the folder is absent. */
export function readCatalogues(
  directory: string,
  locales: ReadonlySet<string>,
): { locale: string; catalogue: Catalogue }[] {
  return namesIn(directory)
    .map((name) => ({ name, locale: localeOfFile(name) }))
    .filter(({ locale }) => locales.has(locale))
    .map(({ name, locale }) => ({ locale, catalogue: readCatalogue(join(directory, name)) }));
}

/**
 * Adds the catalogues of a folder, of the locales that people may have and of English: for texts outside of a plugin's
 * own `locales/`, which is added by itself.
 * @throws FW_CATALOGUE_INVALID, FW_TEXT_TAKEN
 */
export function addCatalogues(texts: Texts, directory: string): void {
  const locales = new Set(["en", ...(texts.locales ?? []).flatMap((name) => [name.split("-", 1)[0]!, name])]);
  for (const { locale, catalogue } of readCatalogues(directory, locales)) texts.add(locale, catalogue);
}

/** The locales that the catalogues of a folder are of. */
export const localesIn = (directory: string): string[] => namesIn(directory).map(localeOfFile);

const namesIn = (directory: string): string[] =>
  existsSync(directory)
    ? readdirSync(directory)
        .filter((name) => name.endsWith(".json"))
        .sort()
    : [];
const localeOfFile = (name: string): string => basename(name, ".json").split(".").pop() as string;
