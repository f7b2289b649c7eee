import { hash } from "node:crypto";
import { type FieldSpec, isValues, own } from "framewright/plugins/fields/rows";

/** The hidden input with a mark of what a form began with. */
export const MARK = "_mark";

/** A mark of values as a form has them: enough to know whether they were changed. */
export const markOf = (spec: FieldSpec, values: unknown): string =>
  hash("sha256", JSON.stringify(normal(spec, values)), "base64url").slice(0, 22);

/** Values with all of their fields and no others, so that equal ones are equal texts. */
function normal(spec: FieldSpec, value: unknown): unknown {
  if (spec.type === "repeated") return (Array.isArray(value) ? value : []).map((row) => normalFields(spec.fields, row));
  if (spec.type === "group") return normalFields(spec.fields, value);
  return value === undefined || value === "" ? null : typeof value === "number" ? String(value) : value;
}
const normalFields = (fields: readonly FieldSpec[], value: unknown): unknown[] =>
  fields.map((field) => normal(field, isValues(value) ? own(value, field.name) : undefined));
