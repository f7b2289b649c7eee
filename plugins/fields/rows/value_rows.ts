import { isParamObject, type ParamObject } from "framewright/host";
import { defaultOf, type FieldContext } from "../options.ts";
import type { ValueRows } from "../types/field_type.ts";
import { declaredOf } from "./read_value.ts";
import type { FieldSpec, FieldValues } from "./spec.ts";
import { isValues, valueOfRows } from "./values.ts";

/** Whether an object is a value of a type with rows, and not the rows of a form by their numbers. */
export function isValueOfRows(given: ParamObject): boolean {
  if (Object.hasOwn(given, "_list")) return false;
  const entries = Object.entries(given).filter(([name]) => !name.startsWith("_"));
  return entries.length === 0 || !entries.every(([name, value]) => /^\d{1,4}$/.test(name) && isParamObject(value));
}

/** What a field of a type with rows begins with, as rows; undefined where it declares nothing. */
export function defaultRows(field: FieldSpec, context: FieldContext): FieldValues[] | undefined {
  if (!field.rows || field.options.default === undefined) return undefined;
  return rowsOfValue(field.rows, defaultOf(declaredOf(field), context, { empty: null }));
}

/** A value as the rows that it is entered as; a list of rows as it is. What is no text is shown as JSON. */
export function rowsOfValue(rows: ValueRows, value: unknown): FieldValues[] {
  if (!isValues(value)) return Array.isArray(value) ? value.filter(isValues) : [];
  return rows.toRows(value).map((row) => mapEntries(row, (_, cell) => (isValues(cell) ? JSON.stringify(cell) : cell)));
}

/** What a json column has of a field, as forms and rules have it: values of types with rows are rows. */
export function fromDocument(field: FieldSpec, stored: unknown): unknown {
  if (field.type === "group") return within(field, isValues(stored) ? stored : {}, fromDocument);
  if (field.type !== "repeated") return stored;
  if (field.rows) return rowsOfValue(field.rows, stored);
  return (Array.isArray(stored) ? stored.filter(isValues) : []).map((row) => within(field, row, fromDocument));
}
/** The other way round. */
export function toDocument(field: FieldSpec, values: unknown): unknown {
  if (field.type === "group") return isValues(values) ? within(field, values, toDocument) : values;
  if (field.type !== "repeated" || !Array.isArray(values)) return values;
  return valueOfRows(
    field,
    values.filter(isValues).map((row) => within(field, row, toDocument)),
  );
}

function within(field: FieldSpec, values: FieldValues, change: (field: FieldSpec, value: unknown) => unknown) {
  const inner = field.fields.filter(({ type, name }) => (type === "group" || type === "repeated") && name in values);
  if (inner.length === 0) return values;
  return Object.assign({}, values, ...inner.map((one) => ({ [one.name]: change(one, values[one.name]) })));
}

const mapEntries = (values: FieldValues, change: (name: string, value: unknown) => unknown): FieldValues =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(name, value)]));
