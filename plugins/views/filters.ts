import type { Locale, SafeHtml } from "framewright/host";
import { localeOf, raw, TimeZone } from "framewright/host";
import type { Texts } from "framewright/plugins/i18n";
import { unwrap } from "./drops.ts";
import { withFilterHints } from "./filter_hints.ts";
import { hasIcon, icon, iconOrNothing } from "./icons.ts";
import { dateTag, timeTag, zonedText } from "./times.ts";

/** A filter of templates: its value, then its arguments. */
export type Filter = (value: unknown, ...args: unknown[]) => unknown;
/** A filter's `this` in liquidjs. */
export interface FilterScope {
  context: { getSync(path: string[]): unknown };
}

/** liquidjs passes named arguments (`t: model: "Post", count: 2`) as pairs. */
function variables(args: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(args.filter((arg): arg is [string, unknown] => Array.isArray(arg)));
}

const LOCALE_PATH = ["request", "locale"];

/** JSON for `<script type="application/json">`, escaped so that it can't end the script or open a comment. */
function jsonScript(value: unknown): SafeHtml {
  const json = JSON.stringify(unwrap(value) ?? null);
  return raw(json.replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`));
}

/** The label of a value for people: label, name, title or email, whichever comes first. */
function labelText(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const thing = value as Record<string, unknown> & { toLabel?(): string };
  return thing.toLabel?.() ?? thing.label ?? thing.name ?? thing.title ?? thing.email ?? "";
}

/** The filter `t`: the text of a key, in the locale of the request. */
function textFilter(texts: Texts): Filter {
  const given = (locale: unknown, key: unknown, ...args: unknown[]): string =>
    texts.t(
      String(key),
      args.length > 0 ? variables(args) : undefined,
      typeof locale === "string" ? locale : undefined,
    );
  const t = function (this: FilterScope, key: unknown, ...args: unknown[]) {
    return given(this.context.getSync(LOCALE_PATH), key, ...args);
  };
  return withFilterHints(t as Filter, { reads: LOCALE_PATH, steady: true, given });
}

const REQUEST_PATH = ["request"];
type Reader = { readonly time_zone?: unknown; readonly locale?: unknown } | null | undefined;

/** A filter of a value that depends on the time zone and the language of the request. */
function readerFilter(show: (value: unknown, zone: TimeZone | undefined, locale: Locale) => SafeHtml): Filter {
  const given = (reader: unknown, value: unknown) => {
    if (value === undefined || value === null) return "";
    const { time_zone: zone, locale } = (reader as Reader) ?? {};
    return show(value, zone instanceof TimeZone ? zone : undefined, localeOf(locale as string | undefined));
  };
  const filter = function (this: FilterScope, value: unknown) {
    return given(this.context.getSync(REQUEST_PATH), value);
  };
  return withFilterHints(filter as Filter, { reads: REQUEST_PATH, given });
}

/** An icon, with `draw` for names that exist: nothing for others, or an error where `strict`. */
function iconFilter(strict: boolean, draw: (name: string) => SafeHtml): Filter {
  const iconOf = (given: unknown) => {
    const name = String(given);
    return strict && !hasIcon(name) ? icon(name) : draw(name);
  };
  return withFilterHints(iconOf, { pure: true });
}

/** The framework's filters; with `strict`, an unknown icon is an error. */
export function standardFilters(texts: Texts, strict: boolean): Record<string, Filter> {
  return {
    t: textFilter(texts),
    icon: iconFilter(strict, (name) => (hasIcon(name) ? icon(name) : raw(""))),
    icon_use: iconFilter(strict, iconOrNothing),
    time: readerFilter(timeTag),
    time_text: readerFilter(zonedText),
    date: readerFilter((value, _, locale) => dateTag(value, locale)),
    direction: withFilterHints((locale: unknown) => localeOf(String(locale)).direction, { pure: true }),
    json_script: (value) => jsonScript(value),
    label: (value) => labelText(unwrap(value)),
  };
}
