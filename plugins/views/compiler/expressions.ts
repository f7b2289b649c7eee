import { type Expression, type PropertyAccessToken, type Token, TypeGuards, type Value } from "liquidjs";
import { filterCall, keptValue } from "./filters.ts";
import { type Place, quote } from "./place.ts";
import type { FilterShape, Operand } from "./shapes.ts";
import { Unsupported } from "./unsupported.ts";
import { readVariable } from "./variables.ts";

/** The code of an expression with its filters. */
export function valueCode({ initial, filters }: Value, place: Place): string {
  const shapes = filters as unknown as readonly FilterShape[];
  const kept = keptValue(initial, shapes, place);
  const start = kept ? place.unit.kept(kept.path, kept.make) : expressionCode(initial, place);
  return shapes
    .slice(kept?.used ?? 0)
    .reduce<string>((value, filter) => filterCall(filter, value, place, operandCode), start);
}

/** The code of an expression, from the postfix order of liquidjs. */
function expressionCode({ postfix }: Expression, place: Place): string {
  const stack: string[] = [];
  for (const token of postfix) {
    if (!TypeGuards.isOperatorToken(token)) {
      stack.push(operandCode(token, place));
      continue;
    }
    const right = stack.pop() ?? "undefined";
    if (token.operator === "not") stack.push(`!truthy(${right})`);
    else stack.push(`${place.unit.operator(token.operator)}(${stack.pop() ?? "undefined"},${right})`);
  }
  return stack.length === 1 ? (stack[0] as string) : `first(${stack.join(",")})`; // the others are evaluated, and unused
}

/** The code of one operand. */
export function operandCode(token: Operand, place: Place): string {
  if (!token) return "undefined";
  if ("content" in token) return constantCode((token as { content: unknown }).content, place);
  if (TypeGuards.isPropertyAccessToken(token)) return withPosition(token, place, accessCode(token, place));
  if (TypeGuards.isRangeToken(token))
    return `range(plain(${operandCode(token.lhs, place)}),plain(${operandCode(token.rhs, place)}))`;
  throw new Unsupported("an unknown kind of expression", token as Token);
}

function constantCode(content: unknown, place: Place): string {
  if (typeof content === "string") return quote(content);
  if (typeof content === "boolean") return String(content);
  if (typeof content === "number" && Number.isFinite(content)) return Object.is(content, -0) ? "-0" : String(content);
  return place.unit.constant(content);
}

/** A variable, or a literal, with properties. */
function accessCode(token: PropertyAccessToken, place: Place): string {
  const keys = token.props.map((prop) => keyOf(prop as Operand, place));
  if (token.variable) return readCode(operandCode(token.variable as Operand, place), keys, place);
  const [first, ...rest] = keys;
  if (typeof first !== "string") throw new Unsupported("a variable whose name is computed while rendering", token);
  const inner = typeof rest[0] === "string" ? loopOrBlockCode(first, rest[0], place) : undefined;
  return inner === undefined
    ? readCode(readVariable(first, place), rest, place)
    : readCode(inner, rest.slice(1), place);
}

/** A property's name, or the code that computes it. */
function keyOf(prop: Operand, place: Place): string | { code: string } {
  const content = prop && "content" in prop ? (prop as { content: unknown }).content : undefined;
  return typeof content === "string" ? content : { code: `plain(${operandCode(prop, place)})` };
}

function readCode(from: string, keys: readonly (string | { code: string })[], place: Place): string {
  if (keys.every((key) => typeof key === "string"))
    return keys.reduce((value, key) => `read(${value},${quote(key)})`, from);
  const names = keys.map((key) => (typeof key === "string" ? quote(key) : place.frame.temporary()));
  const worked = keys.flatMap((key, index) => (typeof key === "string" ? [] : [`${names[index]}=${key.code}`]));
  return `(${worked.join(",")},${names.reduce((value, name) => `read(${value},${name})`, from)})`; // keys are evaluated first
}

/** `forloop.index` and `block.super`, where the name is that of the nearest loop or block. */
function loopOrBlockCode(name: string, property: string, place: Place): string | undefined {
  const scope = place.scopes.findLast(({ values }) => values.has(name));
  if (name === "block" && property === "super" && scope?.above) return scope.above(place);
  return name === "forloop" ? scope?.counters?.get(property) : undefined;
}

/** Error positions: liquidjs reports a variable's own line, which may be below the first line of its node. */
function withPosition(token: PropertyAccessToken, { unit, node }: Place, code: string): string {
  if (token.input !== node.input || !token.input.slice(node.begin, token.begin).includes("\n")) return code;
  return `(at=${unit.position(token, node.file)},t=${code},at=${unit.position(node, node.file)},t)`;
}
