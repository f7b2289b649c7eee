import type { ParamValue } from "framewright/host";
import type { ColumnInfo } from "framewright/plugins/database";
import { coerceColumn, coerceMoney, columnTypes } from "framewright/plugins/resources";
import type { FieldSpec } from "../contract/index.ts";
import type { ModelField } from "./model_fields.ts";
import { choicesOf } from "./values.ts";

/** A value as stored, or the text key of its error. */
export type FieldReading = { value: unknown } | { problem: string };

/** Reads the value of a field that is not a group, a list or a file. */
export function readField(field: FieldSpec, given: ParamValue): FieldReading {
  if (field.type === "money") return coerceMoney(given);
  const read = coerceColumn(given, columnOf(field));
  if ("problem" in read) return read;
  if (field.type === "boolean") return { value: read.value === true };
  if (read.value instanceof Date) return { value: read.value.toISOString() };
  if (field.type === "json") return { value: withoutForbiddenKeys(read.value) };
  return matchesType(field, read.value)
    ? read
    : { problem: choicesOf(field) ? "errors.not_a_choice" : "errors.invalid" };
}

export const wrongShape: FieldReading = { problem: "errors.wrong_shape" };

const patterns: Record<string, RegExp> = {
  email: /^[^\s@]+@[^\s@]+$/,
  url: /^https?:\/\/[^\s/]+\S*$/i,
  color: /^#[0-9a-f]{6}$/i,
};

function matchesType(field: FieldSpec, value: unknown): boolean {
  if (value === null || value === "") return true;
  const choices = choicesOf(field);
  if (choices) return choices.some((choice) => choice.value === value);
  return patterns[field.type]?.test(String(value)) ?? true;
}

/** Removes keys that could change a prototype. */
const withoutForbiddenKeys = (value: unknown): unknown =>
  value === null || typeof value !== "object"
    ? value
    : JSON.parse(JSON.stringify(value), (key, entry: unknown) => (forbidden.has(key) ? undefined : entry));
const forbidden = new Set(["__proto__", "constructor", "prototype"]);

/** The column that a field is read as: the model's own, else one of the field's type. */
function columnOf(field: FieldSpec): ColumnInfo {
  const { column } = field as Partial<ModelField>;
  const type = columnTypes[field.type] ?? "string";
  return (
    column ?? {
      name: field.name,
      type,
      nullable: true,
      default: undefined,
      hasDefault: false,
      primary: false,
      unique: false,
    }
  );
}
