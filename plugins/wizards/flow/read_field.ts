import type { ParamValue } from "framewright/host";
import type { ColumnInfo } from "framewright/plugins/database";
import { coerceColumn, coerceMoney, columnTypes } from "framewright/plugins/resources";
import type { FieldSpec } from "../contract/index.ts";
import type { ModelField } from "./model_fields.ts";
import { choicesOf } from "./values.ts";

/** An answer as it is kept, or the key of what is wrong with it. */
export type Read = { value: unknown } | { problem: string };

/** One answer of a field that is no group, no list and no file. */
export function readField(field: FieldSpec, given: ParamValue): Read {
  if (field.type === "money") return coerceMoney(given);
  const read = coerceColumn(given, columnOf(field));
  if ("problem" in read) return read;
  if (field.type === "boolean") return { value: read.value === true };
  if (read.value instanceof Date) return { value: read.value.toISOString() };
  if (field.type === "json") return { value: cleaned(read.value) };
  return isFitting(field, read.value) ? read : { problem: choicesOf(field) ? "errors.not_a_choice" : "errors.invalid" };
}

export const wrongShape: Read = { problem: "errors.wrong_shape" };

const shapes: Record<string, RegExp> = {
  email: /^[^\s@]+@[^\s@]+$/,
  url: /^https?:\/\/[^\s/]+\S*$/i,
  color: /^#[0-9a-f]{6}$/i,
};

function isFitting(field: FieldSpec, value: unknown): boolean {
  if (value === null || value === "") return true;
  const choices = choicesOf(field);
  if (choices) return choices.some((choice) => choice.value === value);
  return shapes[field.type]?.test(String(value)) ?? true;
}

/** JSON as `__proto__` would have it is left out. */
const cleaned = (value: unknown): unknown =>
  value === null || typeof value !== "object"
    ? value
    : JSON.parse(JSON.stringify(value), (key, entry: unknown) => (forbidden.has(key) ? undefined : entry));
const forbidden = new Set(["__proto__", "constructor", "prototype"]);

/** A field of the model reads as its column; another one as a column of its type would. */
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
