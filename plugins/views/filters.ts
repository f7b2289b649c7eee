import type { SafeHtml } from "framewright/host";
import { raw } from "framewright/host";
import type { Texts } from "framewright/plugins/i18n";
import type { Context } from "liquidjs";
import { path } from "./direct.ts";
import { icon, iconOrNothing } from "./icons.ts";
import { unwrap } from "./scope.ts";
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

const localeOf = path(["request", "locale"]);

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

/** The framework's own filters; `strict` makes an unknown icon an error. */
export function standardFilters(texts: Texts, strict: boolean): Record<string, Filter> {
  return {
    t(this: FilterScope, key, ...args) {
      const locale = localeOf(this.context as unknown as Context);
      return texts.t(String(key), variables(args), typeof locale === "string" ? locale : undefined);
    },
    icon: (name) => (strict ? icon(String(name)) : iconOrNothing(String(name))),
    time: (value) => (value === undefined || value === null ? "" : timeTag(value)),
    date: (value) => (value === undefined || value === null ? "" : dateTag(value)),
    json_script: jsonScript,
    label: (value) => labelOf(unwrap(value)),
  } as Record<string, Filter>;
}
