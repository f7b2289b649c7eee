import { PageDrop } from "../drops.ts";
import { type Place, quote } from "./place.ts";
import { Unsupported } from "./unsupported.ts";

/** The code that reads a variable: from enclosing tags, assigned variables, then the page. */
export function readVariable(name: string, place: Place): string {
  if (name === "toLiquid") throw new Unsupported('a variable named "toLiquid"', place.node);
  const scope = place.scopes.findLast(({ values }) => values.has(name));
  if (scope) return `variable(${scope.values.get(name)?.()})`;
  const { frame } = place;
  const assigned = frame.variables.get(name);
  if (assigned === undefined) return pageVariable(name, place);
  if (frame.given.has(name)) return `variable(${assigned})`;
  return `(${assigned}===UNSET?${pageVariable(name, place)}:variable(${assigned}))`;
}

function pageVariable(name: string, { frame, node }: Place): string {
  if (name in Object.prototype) return "undefined"; // liquidjs finds these in an empty object, and returns nothing
  if (name in PageDrop.prototype) throw new Unsupported(`a variable named ${quote(name)}`, node);
  const ofPage = `page(g,${quote(name)})`;
  return frame.names.counted.has(name) ? `(${quote(name)} in numbers?numbers[${quote(name)}]:${ofPage})` : ofPage;
}

/** The code of all scopes that a filter could read, the outermost first. */

export function scopesCode({ frame, scopes }: Place): string {
  const inner = scopes
    .filter(({ above }) => !above)
    .map(({ values }) => `[${[...values].map(([name, code]) => `${quote(name)},${code()}`).join(",")}]`);
  return `()=>[${[frame.entries(), ...inner].map((entries) => `scope(${entries})`).join(",")}]`;
}
