import pluralizeWord from "pluralize";
import { BoundedCache } from "./bounded_cache.ts";

// What pluralize gets wrong, as plural/singular pairs.
for (const [single, plural] of [
  ["cookie", "cookies"],
  ["movie", "movies"],
  ["axis", "axes"],
  ["virus", "viruses"],
  ["cache", "caches"],
  ["canvas", "canvases"],
  ["lens", "lenses"],
  ["schema", "schemas"],
]) {
  pluralizeWord.addIrregularRule(single!, plural!);
}
for (const same of ["metadata", "feedback", "staff", "sms", "gps", "os"]) pluralizeWord.addUncountableRule(same);

/** `BlogPost` → `blog_post`, `Blogging::Post` → `blogging/post`, `HTMLPage` → `html_page`. */
export function underscore(name: string): string {
  return name
    .replaceAll("::", "/")
    .replace(/([A-Z\d]+)([A-Z][a-z])/g, "$1_$2")
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
}

/** `blog_post` → `BlogPost`, `blogging/post` → `Blogging::Post`. */
export function camelize(name: string): string {
  const word = (part: string) => part.replace(/(?:^|[_-])([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
  return name.replaceAll("::", "/").split("/").map(word).join("::");
}

/** `blog_post` → `blogPost`. */
export function lowerCamel(name: string): string {
  const whole = camelize(name);
  return whole.charAt(0).toLowerCase() + whole.slice(1);
}

const lastWord = (name: string, change: (word: string) => string) => name.replace(/[^_/]+$/, (word) => change(word));
/** Module-level: a pure function, cached. Fast path: a boot needs the same names many times, and each goes through some hundred rules. */
const plurals = new BoundedCache<string>(2000);
/** The plural of the last word: `blog_post` → `blog_posts`. */
export const pluralize = (name: string): string =>
  plurals.getOrMake(name, () => lastWord(name, (word) => pluralizeWord.plural(word)));
/** The singular of the last word: `blog_posts` → `blog_post`. */
export const singularize = (name: string): string => lastWord(name, (word) => pluralizeWord.singular(word));

/** The table of a class: `Blogging::Post` → `blogging_posts`. */
export const tableize = (constant: string): string => pluralize(underscore(constant)).replaceAll("/", "_");
/** The path of a resource: `Blogging::Post` → `blogging/posts`. */
export const routePath = (constant: string): string => pluralize(underscore(constant));
/** The form key of a resource: `Blogging::Post` → `blogging_post`. */
export const paramKey = (constant: string): string => underscore(constant).replaceAll("/", "_");
/** The last part of a constant: `Blogging::Post` → `Post`. */
export const demodulize = (constant: string): string => constant.slice(constant.lastIndexOf(":") + 1);
/** The part before the last one: `Blogging::Post` → `Blogging`, `Post` → ``. */
export const moduleOf = (constant: string): string => constant.slice(0, Math.max(0, constant.lastIndexOf("::")));
/** The path that a constant is found at, without its ending: `Blogging::Post` → `blogging/post`. */
export const pathOf = underscore;
/** The constant that a file below `app/<kind>/` defines: `blogging/post.ts` → `Blogging::Post`. */
export const constantOf = (path: string): string => camelize(path.replace(/\.[a-z]+$/, ""));

const ACRONYMS =
  /\b(?:api|bic|cpu|crm|css|csv|ean|faq|gdpr|gps|html|http|https|iban|id|ip|isbn|json|jwt|otp|pdf|qr|ram|seo|sku|sms|sql|ssl|url|uuid|vat|xml)(?=s?\b)/g;

/** `published_at` → `Published at`, `author_id` → `Author`, `tracking_url` → `Tracking URL`; `Größe in Tonnen`, which has spaces, as it is. */
export function humanize(name: string): string {
  const isWritten = name.includes(" ") && name !== name.toUpperCase();
  const text = (isWritten ? name : underscore(name))
    .replace(/.*\//, "")
    .replace(/_id$/, "")
    .replaceAll("_", " ")
    .trim();
  const words = text.replace(ACRONYMS, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
/** `blog_post` → `Blog Post`. */
export const titleize = (name: string): string => humanize(name).replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
/** `BlogPost` → `blog-post`. */
export const dasherize = (name: string): string => underscore(name).replaceAll("_", "-");

/** Letters that no accent is taken from. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ı: "i",
};

/** A text without accents, and with other Latin letters as they are spelled in ASCII: `Straße` is Strasse. */
export const withoutAccents = (text: string): string =>
  text
    .replace(/[ßæœøđðþłı]/gi, (letter) => LETTERS[letter.toLowerCase()]!)
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "");
