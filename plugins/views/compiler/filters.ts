import { type Expression, filters as known } from "liquidjs";
import { filterHintsOf } from "../filter_hints.ts";
import { type Place, quote } from "./place.ts";
import { escaped } from "./runtime.ts";
import type { FilterShape, Handler, Operand } from "./shapes.ts";
import { readVariable, scopesCode } from "./variables.ts";

/** Filters of liquidjs that read the page, because an argument of theirs is an expression. */
const READS_PAGE = /_exp$|^(?:where|reject|group_by|has|find|find_index)$/;
/** Matches the source of an arrow function, which has no `this`. */
const ARROW = /^(?:[\w$]+|\([^()]*\))\s*=>/;
type Code = (token: Operand, place: Place) => string;

/** The code that calls a filter. */
export function filterCall(filter: FilterShape, value: string, place: Place, code: Code): string {
  const { unit } = place;
  if (filter.handler === unit.liquid.options.outputEscape) return `escaped(${value})`;
  const args = filter.args.map((arg) =>
    Array.isArray(arg) ? `[${quote(arg[0])},${code(arg[1], place)}]` : code(arg as Operand, place),
  );
  const { helper, reads, given } = filterHintsOf(filter.handler);
  if (helper !== undefined) return `settle(help(g,${quote(helper)},[${[value, ...args].join(",")}]))`;
  if (given) return `settle(${unit.constant(given)}(${[pathCode(reads ?? [], place), value, ...args].join(",")}))`;
  const handler = unit.constant(filter.handler);
  if (ARROW.test(Function.prototype.toString.call(filter.handler)))
    return `settle(${handler}(${[value, ...args].join(",")}))`;
  return `settle(${handler}.call(${[thisArgument(filter, place), value, ...args].join(",")}))`;
}

const pathCode = ([name = "", ...rest]: readonly string[], place: Place): string =>
  rest.reduce((value, key) => `read(${value},${quote(key)})`, readVariable(name, place));

/** The `this` of a filter: a constant where it can't read the page, else an object that can. */
function thisArgument({ name, handler, token, liquid }: FilterShape, place: Place): string {
  const own = (known as Record<string, unknown>)[name];
  const isOwn = own === handler || (own as { handler?: Handler } | undefined)?.handler === handler;
  if (isOwn && !READS_PAGE.test(name)) return place.unit.constant({ context: place.unit.still, token, liquid });
  return `new call(${place.unit.constant(token)},g,numbers,${scopesCode(place)})`;
}

/** A value that is computed once for each value that is read at a path of the page. */
export interface KeptValue {
  readonly path: readonly string[];
  readonly make: (read: unknown) => unknown;
  /** The filters that it takes in; the last of them may be the one that escapes. */
  readonly used: number;
}

/** A literal after a steady filter. */
export function keptValue(
  { postfix }: Expression,
  [filter, next]: readonly FilterShape[],
  place: Place,
): KeptValue | undefined {
  const { steady, reads, given } = filterHintsOf(filter?.handler ?? {});
  const literals = [postfix.length === 1 ? postfix[0] : undefined, ...(filter?.args ?? [])];
  const [name = ""] = reads ?? [];
  if (!steady || !reads || !given || !literals.every(isLiteral) || isShadowed(name, place)) return undefined;
  const values = literals.map((token) => (token as unknown as { content: unknown }).content);
  const make = (read: unknown) => given(read, ...(values as [unknown, ...unknown[]]));
  if (next?.handler !== place.unit.liquid.options.outputEscape) return { path: reads, make, used: 1 };
  return { path: reads, make: (read) => escaped(make(read)), used: 2 };
}

const isLiteral = (token: unknown): boolean => typeof token === "object" && token !== null && "content" in token;
const isShadowed = (name: string, { scopes, frame }: Place): boolean =>
  frame.variables.has(name) || frame.names.counted.has(name) || scopes.some(({ values }) => values.has(name));

/** The text of a constant output, a literal with pure filters; undefined for any other. */
export function foldConstant(content: unknown, filters: readonly FilterShape[], escaper: Handler): string | undefined {
  let value = content;
  for (const { handler, args } of filters) {
    const literal = args.every(isLiteral);
    if (handler !== escaper && !(filterHintsOf(handler).pure && literal)) return undefined;
    try {
      value = handler(value, ...args.map((arg) => (arg as unknown as { content: unknown }).content));
    } catch {
      return undefined; // let it fail while rendering, which reports the line
    }
  }
  return typeof value === "string" ? value : undefined;
}
