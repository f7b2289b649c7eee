import type { FieldSpec, StepSpec } from "../contract/index.ts";

/** Throws: what the flow says that can't be, and how to fix it. */
export type Refuse = (what: string, fix: string) => never;
const reserved = ["completed", "runs"];

/** Refuses steps and fields that contradict each other, or that a path or a form can't name. */
export function checkSteps(steps: readonly StepSpec[], refuse: Refuse): void {
  if (steps.every(({ review }) => review))
    refuse("has no step", 'Add one: .step("details", {}, (f) => f.string("name")).');
  if (steps.slice(0, -1).some(({ review }) => review))
    refuse("says review() before another step", "Say review() last.");
  const seen = new Set<string>();
  for (const { key, fields } of steps) {
    if (!isName(key)) refuse(`names a step "${key}"`, "Begin with a-z, and use a-z, 0-9 and _.");
    if (reserved.includes(key)) refuse(`names a step "${key}", which is a path of every wizard`, "Name it otherwise.");
    if (seen.has(key)) refuse(`has two steps named "${key}"`, "Name one of them otherwise.");
    seen.add(key);
    checkFields(`the step "${key}"`, fields, refuse);
  }
}

function checkFields(where: string, fields: readonly FieldSpec[], refuse: Refuse): void {
  const seen = new Set<string>();
  for (const { name, type, options, fields: inner } of fields) {
    if (!isName(name)) refuse(`names a field "${name}" in ${where}`, "Begin with a-z, and use a-z, 0-9 and _.");
    if (seen.has(name)) refuse(`has two fields named "${name}" in ${where}`, "Name one of them otherwise.");
    seen.add(name);
    if (options.uniqueness)
      refuse(`asks "${name}" of ${where} to be unique`, "Only a model's attribute can be: take it over by using.");
    if ((options.minimum ?? 0) > (options.maximum ?? Number.POSITIVE_INFINITY))
      refuse(`asks for a minimum of "${name}" in ${where} above its maximum`, "Turn them round.");
    const isList = type === "group" || type === "repeated";
    if (isList && inner.length === 0) refuse(`has no field in "${name}" of ${where}`, "Add one in its block.");
    checkFields(`"${name}" of ${where}`, inner, refuse);
  }
}

/** Parameters of these two names are dropped with every request. */
const isName = (name: string): boolean => /^(?!(?:constructor|prototype)$)[a-z][a-z0-9_]*$/.test(name);
