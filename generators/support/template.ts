import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Liquid } from "liquidjs";
import { withFreeNames } from "./free_names.ts";

const engine = new Liquid({ strictVariables: true, strictFilters: true, locale: "en-US" });

/** Renders a template of a generator, without HTML escaping. A line with nothing but a tag leaves no line. */
export const renderTemplate = (directory: string, name: string, locals: object): string =>
  renderFile(join(directory, "templates", `${name}.liquid`), locals);

/** Like renderTemplate, for a file elsewhere, such as a plugin's schema.liquid. */
export function renderFile(path: string, locals: object): string {
  const text = readFileSync(path, "utf8");
  const source = path.endsWith(".ts.liquid") ? withFreeNames(text, locals as Record<string, unknown>) : text;
  const alone = source.replace(/^[ \t]*(\{%-?(?!.*\{%)[^%]*-?%\})[ \t]*\n/gm, "$1");
  return engine.parseAndRenderSync(alone, locals) as string;
}
