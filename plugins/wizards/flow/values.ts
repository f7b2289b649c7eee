import type { FieldSpec, StagedFile, StepValues } from "../contract/index.ts";

/** Stored answers as the application reads them: dates as Date, empty fields as null. */
export function readable(fields: readonly FieldSpec[], values: StepValues): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field.name, readableField(field, own(values, field.name))]));
}

export function readableField(field: FieldSpec, value: unknown): unknown {
  switch (field.type) {
    case "group":
      return readable(field.fields, isValues(value) ? value : {});
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

/** Whether the field has to be filled in. */
export const isRequired = ({ options }: FieldSpec): boolean => Boolean(options.required || options.presence);

/** The choices of a field with their labels; undefined for a field without choices. */

export const choicesOf = ({ options }: FieldSpec): { value: string; label: string }[] | undefined =>
  options.choices?.map((choice) => (typeof choice === "string" ? { value: choice, label: choice } : choice));
