import type { Template } from "liquidjs";
import { operandCode } from "./expressions.ts";
import { argumentCode } from "./loops.ts";
import { type Frame, type Place, quote, type Scope } from "./place.ts";
import { type Binding, type NamedArguments, type Operand, shapeOf } from "./shapes.ts";
import type { CompilationUnit } from "./unit.ts";
import { Unsupported } from "./unsupported.ts";

/** `render`: a function of its own, which reads the page and its arguments, and nothing else. */
export function renderTag(template: Template, place: Place): string {
  const tag = shapeOf(template, "render");
  const { unit, out } = place;
  const templates = unit.load(tag, place.node);
  const given = argumentCodes(tag.hash, place);
  if (tag.with) {
    const name = tag.with.alias || String(tag.file);
    refuseTwice(given, name, place);
    given.set(name, operandCode(tag.with.value, place));
  }
  return `${out}+=${partialCall(templates, given, place, tag.forBinding)};`;
}

function argumentCodes(named: NamedArguments, place: Place): Map<string, string> {
  return new Map(Object.keys(named.hash).map((name) => [name, argumentCode(named, name, place)]));
}

function refuseTwice(given: ReadonlyMap<string, string>, name: string, { node }: Place): void {
  if (given.has(name)) throw new Unsupported(`${quote(name)} passed twice to a partial`, node);
}

function partialCall(templates: readonly Template[], given: Map<string, string>, place: Place, loop?: Binding): string {
  const { unit } = place;
  const item = String(loop?.alias);
  const names = [...given.keys()];
  if (loop) for (const name of ["forloop", item]) refuseTwice(given, name, place);
  const key = JSON.stringify([names, loop && [item, loop.value.getText()]]);
  const name = unit.partial(templates, key, (own) =>
    partialFunction(own, templates, names, place, loop && { item, loop }),
  );
  const list = loop ? [`list(${operandCode(loop.value, place)})`] : [];
  return `${name}(${["g", ...given.values(), ...list].join(",")})`;
}

interface Repeated {
  item: string;
  loop: Binding;
}

function partialFunction(
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
  const inner = startOf(unit, frame, { node: outer.node, within: [templates], jump });
  const code = unit.write(templates, inner);
  const parameters = ["g", ...names.map((given) => frame.variables.get(given)), ...(repeated ? ["a"] : [])];
  const run = repeated ? repeatedBody(frame, repeated, code) : `R:{${code}}`;
  return `function ${name}(${parameters.join(",")}){${frame.opening(code)}${run}return o}`;
}

/** One scope for all iterations: variables assigned in one are visible in the next. */
function repeatedBody(frame: Frame, { item, loop }: Repeated, code: string): string {
  const [drop, each] = [frame.variables.get("forloop"), frame.variables.get(item)];
  const made = `new ForloopDrop(a.length,${quote(loop.value.getText())},${quote(item)})`;
  return `let ${each},${drop}=${made};for(const x of a){${each}=x;${code}${drop}.next();}`;
}

/** The start of a frame's code, without any outer scope. */
export const startOf = (unit: CompilationUnit, frame: Frame, rest: Pick<Place, "node" | "within" | "jump">): Place => ({
  unit,
  frame,
  out: "o",
  scopes: [],
  blocks: new Map(),
  top: undefined,
  isStoring: false,
  ...rest,
});

/** `include`: rendered in the same scope, with its arguments first. */
export function includeTag(template: Template, place: Place): string {
  const tag = shapeOf(template, "include");
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
  for (const [name, value] of argumentCodes(tag.hash, place)) set(name, value);
  if (tag.withVar) set(String(tag.file), operandCode(tag.withVar as Operand, place));
  const scope: Scope = { values };
  const inner = { ...place, scopes: [...place.scopes, scope], within: [...place.within, templates] };
  return `{${code}${unit.write(templates, { ...inner, blocks: new Map(), isStoring: false, top: undefined })}}`;
}
