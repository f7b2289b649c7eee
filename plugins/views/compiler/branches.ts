import type { Template } from "liquidjs";
import { operandCode, valueCode } from "./expressions.ts";
import type { Place } from "./place.ts";
import { type Operand, shapeOf, type WhenBranch } from "./shapes.ts";
import { Unsupported } from "./unsupported.ts";

/** `if` and `unless` with their branches: the first true one is rendered. */
export function branches(template: Template, place: Place, negated: boolean): string {
  const tag = shapeOf(template, "branches");
  const code = tag.branches.map(({ value, templates }, index) => {
    const test = `truthy(${valueCode(value, place)})`;
    return `if(${negated && index === 0 ? `!${test}` : test}){${place.unit.write(templates, place)}}`;
  });
  return `${code.join("else ")}else{${place.unit.write(tag.elseTemplates ?? [], place)}}`;
}

/** `case`: every matching branch is rendered, as in liquidjs. */
export function caseTag(template: Template, place: Place): string {
  const tag = shapeOf(template, "case");
  const { unit, node } = place;
  const [target, hit] = [unit.identifier("c"), unit.identifier("h")];
  const before = unit.jumps;
  const code = tag.branches.map(({ values, templates }) => {
    const tests = values.map((value) => `${unit.operator("==")}(${target},${operandCode(value, place)})`).join("||");
    return `at=${unit.position(node, node.file)};if(${tests || "false"}){${hit}=true;${unit.write(templates, place)}}`;
  });
  if (unit.jumps !== before && !areDistinct(tag.branches))
    throw new Unsupported("a break or continue inside a case whose branches may both match", node);
  const otherwise = unit.write(tag.elseTemplates, place);
  return `{const ${target}=plain(${valueCode(tag.value, place)});let ${hit}=false;${code.join("")}if(!${hit}){${otherwise}}}`;
}

/** Whether no two branches can match one value. */
function areDistinct(all: readonly WhenBranch[]): boolean {
  const values = all.flatMap(({ values }) => values.map(literal));
  return values.every((value) => value !== undefined) && new Set(values).size === values.length;
}

function literal(token: Operand): unknown {
  const content = token && "content" in token ? (token as { content: unknown }).content : undefined;
  return typeof content === "object" ? undefined : content;
}
