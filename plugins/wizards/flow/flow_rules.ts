import type { FieldSpec, StepSpec } from "../contract/index.ts";

/** Throws an error with what is wrong about the flow, and how to fix it. */
export type Refuse = (what: string, fix: string) => never;
const reserved = ["completed", "runs"];

/** Refuses steps and fields that contradict each other, or whose names can't be used in a path or a form. */
export function checkSteps(steps: readonly StepSpec[], refuse: Refuse): void {
  if (steps.every(({ review }) => review))
    refuse("has no step", 'Add one: .step("details", {}, (f) => f.string("name")).');
  if (steps.slice(0, -1).some(({ review }) => review))
    refuse("calls review() before another step", "Call review() last.");
  const seen = new Set<string>();
  for (const { key, fields } of steps) {
    if (!isName(key)) refuse(`names a step "${key}"`, "Start with a-z, and use a-z, 0-9 and _.");
    if (reserved.includes(key)) refuse(`names a step "${key}", which is a path of every wizard`, "Rename it.");
    if (seen.has(key)) refuse(`has two steps named "${key}"`, "Rename one of them.");
    seen.add(key);
    checkFields(`the step "${key}"`, fields, refuse);
  }
}

function checkFields(where: string, fields: readonly FieldSpec[], refuse: Refuse, inList = false): void {
  const seen = new Set<string>();
  for (const { name, type, options, fields: inner } of fields) {
    if (!isName(name)) refuse(`names a field "${name}" in ${where}`, "Start with a-z, and use a-z, 0-9 and _.");
    if (seen.has(name)) refuse(`has two fields named "${name}" in ${where}`, "Rename one of them.");
    seen.add(name);
    if (options.uniqueness)
      refuse(`requires "${name}" of ${where} to be unique`, "Only a model's attribute can be: import it with using.");
    if ((options.minimum ?? 0) > (options.maximum ?? Number.POSITIVE_INFINITY))
      refuse(`sets a minimum of "${name}" in ${where} above its maximum`, "Swap them.");
    if (inList && typeof options.default === "function")
      refuse(`has a function as the default of "${name}" in ${where}`, "In a list write the value itself.");
    const isList = type === "group" || type === "repeated";
    if (isList && inner.length === 0) refuse(`has no field in "${name}" of ${where}`, "Add one in its block.");
    checkFields(`"${name}" of ${where}`, inner, refuse, inList || type === "repeated");
  }
}

/** Requests drop parameters named "constructor" and "prototype". */
const isName = (name: string): boolean => /^(?!(?:constructor|prototype)$)[a-z][a-z0-9_]*$/.test(name);
