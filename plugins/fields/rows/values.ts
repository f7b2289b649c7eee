import { type FieldContext, isShown, readsOthers } from "../options.ts";
import { fromStored } from "../read_field.ts";
import { kindOf } from "./kind.ts";
import type { FieldScope, FieldSpec, FieldValues, StagedFile } from "./spec.ts";

/** Stored answers as the application reads them: dates as Date, empty fields as null. */
export function readable(fields: readonly FieldSpec[], values: FieldValues): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field.name, readableField(field, own(values, field.name))]));
}

export function readableField(field: FieldSpec, value: unknown): unknown {
  if (field.type === "group") return value === null ? null : readable(field.fields, isValues(value) ? value : {});
  if (field.type === "repeated")
    return valueOfRows(
      field,
      Array.isArray(value) ? value.filter(isValues).map((entry) => readable(field.fields, entry)) : [],
    );
  const kind = kindOf(field);
  return fromStored(kind, value) ?? kind.empty;
}

/** The rows of a field as its value: of a type with rows as that has it, else as they are. */
export const valueOfRows = ({ rows }: FieldSpec, values: FieldValues[]): unknown =>
  rows ? rows.fromRows(values) : values;

/** An own property's value, never a prototype's. */
export const own = (values: FieldValues, name: string): unknown =>
  Object.hasOwn(values, name) ? values[name] : undefined;

export const isValues = (value: unknown): value is FieldValues =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isStagedFile = (value: unknown): value is StagedFile =>
  isValues(value) && typeof value.key === "string" && typeof value.filename === "string";

/** The stored value of a field that is not shown. */
export const hiddenValue = (field: FieldSpec): unknown => (field.type === "repeated" ? [] : kindOf(field).empty);

/** Calls a function with each field of a form, in order, and the context of its functions; it returns the field's value. */
export function walkFields(
  fields: readonly FieldSpec[],
  scope: FieldScope,
  visit: (field: FieldSpec, context: FieldContext, isShown: boolean) => unknown,
): void {
  const values: Record<string, unknown> = {};
  const plain = Object.assign({}, scope, { values: {} });
  for (const field of fields) {
    const context = readsOthers(field.options) ? Object.assign({}, scope, { values: { ...values } }) : plain;
    values[field.name] = readableField(field, visit(field, context, isShown(field.options, context)));
  }
}

/** Whether one of the fields has a function that is given the values of others, at any depth. */
export const haveFunctions = (fields: readonly FieldSpec[]): boolean =>
  fields.some((field) => readsOthers(field.options) || haveFunctions(field.fields));
