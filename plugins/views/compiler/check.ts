import { Liquid, type Template } from "liquidjs";
import { errors } from "../errors.ts";
import type { Shapes } from "./shapes.ts";

/** For each kind of parsed node: a template that begins with one, and the private properties that the compiler reads. */
const samples: {
  readonly [K in Exclude<keyof Shapes, "filter">]: readonly [text: string, ...(keyof Shapes[K] & string)[]];
} = {
  assign: ["{% assign a = 1 %}", "key", "value"],
  capture: ["{% capture a %}{% endcapture %}", "variable", "templates"],
  count: ["{% increment a %}", "variable"],
  cycle: ["{% cycle 'a', 'b' %}", "candidates"],
  echo: ["{{ a }}", "value"],
  branches: ["{% if a %}b{% else %}c{% endif %}", "branches", "elseTemplates"],
  case: ["{% case a %}{% when 1 %}b{% endcase %}", "value", "branches", "elseTemplates"],
  loop: ["{% for a in b %}{% endfor %}", "variable", "collection", "templates", "hash", "elseTemplates"],
  tablerow: ["{% tablerow a in b %}{% endtablerow %}", "variable", "collection", "templates", "args"],
  render: ["{% render 'a' for b as c %}", "file", "hash", "forBinding"],
  include: ["{% include 'a' with b %}", "file", "hash", "withVar"],
  layout: ["{% layout 'a' %}", "file", "args", "templates"],
  block: ["{% block a %}{% endblock %}", "block", "templates"],
  liquid: ["{% liquid echo a %}", "templates"],
  raw: ["{% raw %}a{% endraw %}", "tokens"],
};
const filterParts = [
  "name",
  "raw",
  "args",
  "handler",
  "token",
  "liquid",
] as const satisfies readonly (keyof Shapes["filter"])[];

/** Checks that every private property exists: a renamed one would silently drop content. @throws FW_VIEW_PRIVATE */
export function checkParser(): void {
  const liquid = new Liquid({ locale: "en-US" }); // as in the engine: the machine's own takes long to find
  for (const [kind, [text, ...parts]] of Object.entries(samples)) checkParts(liquid.parse(text)[0], kind, parts);
  const [echo] = liquid.parse("{{ a | upcase }}") as (Template & Partial<Shapes["echo"]>)[];
  checkParts(echo?.value?.filters?.[0], "filter", filterParts);
}

function checkParts(thing: object | undefined, kind: string, parts: readonly string[]): void {
  const missing = parts.find((part) => (thing as Record<string, unknown> | undefined)?.[part] === undefined);
  if (missing !== undefined) throw errors.FW_VIEW_PRIVATE(kind, missing);
}
