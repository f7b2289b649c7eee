import { filters as known, type Token } from "liquidjs";
import { hintsOf } from "../filter_hints.ts";
import { type Place, quote } from "./place.ts";
import type { FilterShape, Handler, Operand } from "./shapes.ts";
import { readVariable, scopesOf } from "./variables.ts";

/** liquidjs' own filters that look at the page: what they are told to look for is an expression. */
const LOOKS = /_exp$|^(?:where|reject|group_by|has|find|find_index)$/;
/** A function without a `this` of its own. */
const ARROW = /^(?:[\w$]+|\([^()]*\))\s*=>/;
type Code = (token: Operand, place: Place) => string;

/** The code that calls a filter. */
export function applied(filter: FilterShape, value: string, place: Place, code: Code): string {
  const { unit } = place;
  if (filter.handler === unit.liquid.options.outputEscape) return `escaped(${value})`;
  const args = filter.args.map((arg) =>
    Array.isArray(arg) ? `[${quote(arg[0])},${code(arg[1], place)}]` : code(arg as Operand, place),
  );
  const { helper, reads, given } = hintsOf(filter.handler);
  if (helper !== undefined) return `settle(help(g,${quote(helper)},[${[value, ...args].join(",")}]))`;
  if (given) return `settle(${unit.constant(given)}(${[pathOf(reads ?? [], place), value, ...args].join(",")}))`;
  const handler = unit.constant(filter.handler);
  if (ARROW.test(Function.prototype.toString.call(filter.handler)))
    return `settle(${handler}(${[value, ...args].join(",")}))`;
  return `settle(${handler}.call(${[thisOf(filter, place), value, ...args].join(",")}))`;
}

const pathOf = ([name = "", ...rest]: readonly string[], place: Place): string =>
  rest.reduce((value, key) => `read(${value},${quote(key)})`, readVariable(name, place));

/** What a filter is handed as `this`: made once where it can't look at the page, else one that can. */
function thisOf({ name, handler, token, liquid }: FilterShape, place: Place): string {
  const own = (known as Record<string, unknown>)[name];
  const isOwn = own === handler || (own as { handler?: Handler } | undefined)?.handler === handler;
  if (isOwn && !LOOKS.test(name)) return place.unit.constant({ context: place.unit.still, token, liquid });
  return `new call(${place.unit.constant(token)},g,numbers,${scopesOf(place)})`;
}

/** The text of an output that is the same on every page: a literal, and filters that give the same for the same. */
export function folded(content: unknown, filters: readonly FilterShape[], escaper: Handler): string | undefined {
  let value = content;
  for (const { handler, args } of filters) {
    const literal = args.every((arg) => !Array.isArray(arg) && "content" in (arg as Token));
    if (handler !== escaper && !(hintsOf(handler).pure && literal)) return undefined;
    try {
      value = handler(value, ...args.map((arg) => (arg as unknown as { content: unknown }).content));
    } catch {
      return undefined; // it fails on the page, where its line is told
    }
  }
  return typeof value === "string" ? value : undefined;
}
