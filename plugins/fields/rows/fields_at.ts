import type { FieldSpec } from "./spec.ts";

/** The field at a path as it is in a form: `invites.0.owner`. */
export function fieldAt(fields: readonly FieldSpec[], path: string): FieldSpec | undefined {
  const [name, ...rest] = path.split(".").filter((part) => !/^\d+$/.test(part));
  const field = fields.find((one) => one.name === name);
  return field && rest.length > 0 ? fieldAt(field.fields, rest.join(".")) : field;
}
