import type { Template } from "liquidjs";
import { filtered, operand } from "./expressions.ts";
import type { Place } from "./place.ts";
import { type Operand, seen, type When } from "./shapes.ts";
import { Unsupported } from "./unsupported.ts";

/** `if` and `unless` with what follows: the first branch that holds. */
export function branches(template: Template, place: Place, negated: boolean): string {
  const tag = seen(template, "branches");
  const code = tag.branches.map(({ value, templates }, index) => {
    const test = `truthy(${filtered(value, place)})`;
    return `if(${negated && index === 0 ? `!${test}` : test}){${place.unit.write(templates, place)}}`;
  });
  return `${code.join("else ")}else{${place.unit.write(tag.elseTemplates ?? [], place)}}`;
}

/** `case`: every branch that holds is rendered, as liquidjs has it. */
export function caseTag(template: Template, place: Place): string {
  const tag = seen(template, "case");
  const { unit, node } = place;
  const [target, hit] = [unit.identifier("c"), unit.identifier("h")];
  const before = unit.jumps;
  const code = tag.branches.map(({ values, templates }) => {
    const tests = values.map((value) => `${unit.operator("==")}(${target},${operand(value, place)})`).join("||");
    return `at=${unit.position(node, node.file)};if(${tests || "false"}){${hit}=true;${unit.write(templates, place)}}`;
  });
  if (unit.jumps !== before && !areApart(tag.branches))
    throw new Unsupported("a loop that is left inside a case whose branches may hold together", node);
  const otherwise = unit.write(tag.elseTemplates, place);
  return `{const ${target}=plain(${filtered(tag.value, place)});let ${hit}=false;${code.join("")}if(!${hit}){${otherwise}}}`;
}

/** Whether no two branches can hold for one value. */
function areApart(all: readonly When[]): boolean {
  const values = all.flatMap(({ values }) => values.map(literal));
  return values.every((value) => value !== undefined) && new Set(values).size === values.length;
}

function literal(token: Operand): unknown {
  const content = token && "content" in token ? (token as { content: unknown }).content : undefined;
  return typeof content === "object" ? undefined : content;
}
