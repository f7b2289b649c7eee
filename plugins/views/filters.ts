import type { SafeHtml } from "framewright/host";
import { raw } from "framewright/host";
import type { Texts } from "framewright/plugins/i18n";
import { unwrap } from "./drops.ts";
import { hinted } from "./filter_hints.ts";
import { icon, iconOrNothing } from "./icons.ts";
import { dateTag, timeTag } from "./times.ts";

export type Filter = (value: unknown, ...args: unknown[]) => unknown;
/** What liquidjs hands a filter as `this`. */
export interface FilterScope {
  context: { getSync(path: string[]): unknown };
}

/** `t: model: "Post", count: 2` reaches a filter as pairs. */
function variables(args: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(args.filter((arg): arg is [string, unknown] => Array.isArray(arg)));
}

const LOCALE = ["request", "locale"];

/** JSON for `<script type="application/json">`: nothing in it can end the script or open a comment. */
function jsonScript(value: unknown): SafeHtml {
  const json = JSON.stringify(unwrap(value) ?? null);
  return raw(json.replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`));
}

/** What a person calls a thing: its label, name, title or email, whichever it has first. */
function labelOf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const thing = value as Record<string, unknown> & { toLabel?(): string };
  return thing.toLabel?.() ?? thing.label ?? thing.name ?? thing.title ?? thing.email ?? "";
}

/** The text of a key, in the locale that the page is read in. */
function textFilter(texts: Texts): Filter {
  const given = (locale: unknown, key: unknown, ...args: unknown[]): string =>
    texts.t(
      String(key),
      args.length > 0 ? variables(args) : undefined,
      typeof locale === "string" ? locale : undefined,
    );
  const t = function (this: FilterScope, key: unknown, ...args: unknown[]) {
    return given(this.context.getSync(LOCALE), key, ...args);
  };
  return hinted(t as Filter, { reads: LOCALE, given });
}

/** The framework's own filters; `strict` makes an unknown icon an error. */
export function standardFilters(texts: Texts, strict: boolean): Record<string, Filter> {
  return {
    t: textFilter(texts),
    icon: hinted((name: unknown) => (strict ? icon(String(name)) : iconOrNothing(String(name))), { pure: true }),
    time: (value) => (value === undefined || value === null ? "" : timeTag(value)),
    date: (value) => (value === undefined || value === null ? "" : dateTag(value)),
    json_script: (value) => jsonScript(value),
    label: (value) => labelOf(unwrap(value)),
  };
}
