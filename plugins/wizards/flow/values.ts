import { emptyValue, type FieldContext, isShown, readsOthers } from "framewright/plugins/resources";
import type { FieldScope, FieldSpec, StagedFile, StepValues } from "../contract/index.ts";

/** Stored answers as the application reads them: dates as Date, empty fields as null. */
export function readable(fields: readonly FieldSpec[], values: StepValues): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field.name, readableField(field, own(values, field.name))]));
}

export function readableField(field: FieldSpec, value: unknown): unknown {
  switch (field.type) {
    case "group":
      return value === null ? null : readable(field.fields, isValues(value) ? value : {});
    case "repeated":
      return Array.isArray(value) ? value.filter(isValues).map((entry) => readable(field.fields, entry)) : [];
    case "boolean":
      return value === true;
    case "datetime":
      return typeof value === "string" ? new Date(value) : null;
    default:
      return value ?? null;
  }
}

/** An own property's value, never a prototype's. */
export const own = (values: StepValues, name: string): unknown =>
  Object.hasOwn(values, name) ? values[name] : undefined;

export const isValues = (value: unknown): value is StepValues =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isStagedFile = (value: unknown): value is StagedFile =>
  isValues(value) && typeof value.key === "string" && typeof value.filename === "string";

/** The stored value of a field that is not shown. */
export const hiddenValue = ({ type }: FieldSpec): unknown => (type === "repeated" ? [] : emptyValue(type));

/** Calls a function with each field of a form, in order, and the context of its functions; it returns the field's value. */
export function walkFields(
  fields: readonly FieldSpec[],
  scope: FieldScope,
  visit: (field: FieldSpec, context: FieldContext, isShown: boolean) => unknown,
): void {
  const values: Record<string, unknown> = {};
  const plain = { ...scope, values: {} };
  for (const field of fields) {
    const context = readsOthers(field.options) ? { ...scope, values: { ...values } } : plain;
    values[field.name] = readableField(field, visit(field, context, isShown(field.options, context)));
  }
}

/** Whether one of the fields has a function that is given the values of others, at any depth. */
export const haveFunctions = (fields: readonly FieldSpec[]): boolean =>
  fields.some((field) => readsOthers(field.options) || haveFunctions(field.fields));
