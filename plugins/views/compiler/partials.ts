import type { Template } from "liquidjs";
import { operand } from "./expressions.ts";
import { givenValue } from "./loops.ts";
import { type Frame, type Place, quote, type Scope } from "./place.ts";
import { type Binding, type Named, type Operand, seen } from "./shapes.ts";
import type { Unit } from "./unit.ts";
import { Unsupported } from "./unsupported.ts";

/** `render`: a function of its own, which sees the page and what it is given, and nothing else. */
export function render(template: Template, place: Place): string {
  const tag = seen(template, "render");
  const { unit, out } = place;
  const templates = unit.load(tag, place.node);
  const given = givenTo(tag.hash, place);
  if (tag.with) {
    const name = tag.with.alias || String(tag.file);
    once(given, name, place);
    given.set(name, operand(tag.with.value, place));
  }
  return `${out}+=${partial(templates, given, place, tag.forBinding)};`;
}

function givenTo(named: Named, place: Place): Map<string, string> {
  return new Map(Object.keys(named.hash).map((name) => [name, givenValue(named, name, place)]));
}

function once(given: ReadonlyMap<string, string>, name: string, { node }: Place): void {
  if (given.has(name)) throw new Unsupported(`${quote(name)} given twice to a partial`, node);
}

function partial(templates: readonly Template[], given: Map<string, string>, place: Place, loop?: Binding): string {
  const { unit } = place;
  const item = String(loop?.alias);
  const names = [...given.keys()];
  if (loop) for (const name of ["forloop", item]) once(given, name, place);
  const key = JSON.stringify([names, loop && [item, loop.value.getText()]]);
  const name = unit.partial(templates, key, (own) => body(own, templates, names, place, loop && { item, loop }));
  const list = loop ? [`list(${operand(loop.value, place)})`] : [];
  return `${name}(${["g", ...given.values(), ...list].join(",")})`;
}

interface Repeated {
  item: string;
  loop: Binding;
}

function body(
  name: string,
  templates: readonly Template[],
  names: readonly string[],
  outer: Place,
  repeated: Repeated | undefined,
): string {
  const { unit } = outer;
  const frame = unit.frame(templates, repeated ? [...names, "forloop", repeated.item] : names);
  if (repeated && (frame.names.assigned.has("forloop") || repeated.item === "forloop"))
    throw new Unsupported('a partial for each of a list that sets "forloop"', outer.node);
  const jump = repeated ? undefined : { break: "break R;", continue: "break R;" };
  const inner = placeOf(unit, frame, { node: outer.node, within: [templates], jump });
  const code = unit.write(templates, inner);
  const parameters = ["g", ...names.map((given) => frame.variables.get(given)), ...(repeated ? ["a"] : [])];
  const run = repeated ? loopOf(frame, repeated, code) : `R:{${code}}`;
  return `function ${name}(${parameters.join(",")}){${frame.opening(code)}${run}return o}`;
}

/** One scope for all turns: what one of them assigns, the next one sees. */
function loopOf(frame: Frame, { item, loop }: Repeated, code: string): string {
  const [drop, each] = [frame.variables.get("forloop"), frame.variables.get(item)];
  const made = `new ForloopDrop(a.length,${quote(loop.value.getText())},${quote(item)})`;
  return `let ${each},${drop}=${made};for(const x of a){${each}=x;${code}${drop}.next();}`;
}

/** Where a frame's code begins: nothing of what stands around it is in sight. */
export const placeOf = (unit: Unit, frame: Frame, rest: Pick<Place, "node" | "within" | "jump">): Place => ({
  ...{ unit, frame, out: "o", scopes: [], blocks: new Map(), top: undefined, storing: false },
  ...rest,
});

/** `include`: stands in the same scope, with the names that it is given in front. */
export function include(template: Template, place: Place): string {
  const tag = seen(template, "include");
  const { unit } = place;
  const templates = unit.load(tag, place.node);
  if (place.within.includes(templates)) throw new Unsupported("a partial that includes itself", place.node);
  const values = new Map<string, () => string>();
  let code = "";
  const set = (name: string, value: string) => {
    const variable = unit.identifier("x");
    code += `const ${variable}=${value};`;
    values.set(name, () => variable);
  };
  for (const [name, value] of givenTo(tag.hash, place)) set(name, value);
  if (tag.withVar) set(String(tag.file), operand(tag.withVar as Operand, place));
  const scope: Scope = { values };
  const inner = { ...place, scopes: [...place.scopes, scope], within: [...place.within, templates] };
  return `{${code}${unit.write(templates, { ...inner, blocks: new Map(), storing: false, top: undefined })}}`;
}
