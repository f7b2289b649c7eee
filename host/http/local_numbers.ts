import { badRequest } from "../errors.ts";
import { findLocale, type Locale } from "../support/locale.ts";
import { isParamObject, type ParamObject, type ParamValue } from "./params.ts";

export const NUMBER_PREFIX = "_number_";

/** The name of the hidden field that names the language in which an input has its number: `post[fee]` has `_number_post[fee]`. */
export const numberField = (inputName: string): string => NUMBER_PREFIX + inputName;

/**
 * Writes the numbers of a form with a point before their decimals: `12,5` of a German field becomes `12.5`. One that could be
 * read in two ways, as `1.234`, is marked, so that nothing takes it for a number. Their hidden fields are taken out.
 * @throws HttpError 400 for a language that does not exist
 */
export function readLocalNumbers(values: ParamObject): ParamObject {
  for (const name of Object.keys(values)) {
    if (!name.startsWith(NUMBER_PREFIX)) continue;
    const own = name.slice(NUMBER_PREFIX.length);
    const given = values[own];
    if (given !== undefined) values[own] = plain(given, values[name]!);
    delete values[name];
  }
  return values;
}

function plain(given: ParamValue, language: ParamValue): ParamValue {
  if (typeof given === "string")
    return typeof language === "string" ? localeNamed(language).numbers.read(given) : given;
  if (!isNested(given)) return given;
  const inner =
    typeof language === "string" ? Object.keys(given).map((key) => [key, language] as const) : entriesOf(language);
  for (const [key, one] of inner) if (Object.hasOwn(given, key)) given[key] = plain(given[key]!, one);
  return given;
}

const entriesOf = (language: ParamValue): [string, ParamValue][] =>
  isNested(language) ? Object.entries(language) : [];

/** Lists too, which have their entries by index. */
const isNested = (value: ParamValue): value is ParamObject => Array.isArray(value) || isParamObject(value);

function localeNamed(name: string): Locale {
  const locale = findLocale(name);
  if (!locale) throw badRequest("a form names a language that does not exist.");
  return locale;
}
