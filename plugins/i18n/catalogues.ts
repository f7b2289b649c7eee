import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { messageOf } from "framewright/kernel";
import type { Catalogue } from "./contract.ts";
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

/** The locales that the catalogues of a folder are of. */
export const localesIn = (directory: string): string[] => namesIn(directory).map(localeOfFile);

const namesIn = (directory: string): string[] =>
  existsSync(directory)
    ? readdirSync(directory)
        .filter((name) => name.endsWith(".json"))
        .sort()
    : [];
const localeOfFile = (name: string): string => basename(name, ".json").split(".").pop() as string;
