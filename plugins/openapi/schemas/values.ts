import { type ColumnInfo, isLargeInteger, type ModelInfo } from "framewright/plugins/database";
import type { Schema } from "../contract.ts";

/** The same values, or null. */
export function nullable(schema: Schema): Schema {
  const { type, enum: values } = schema;
  if (Object.keys(schema).length === 0) return schema;
  if (Array.isArray(type)) return type.includes("null") ? schema : { ...schema, type: [...type, "null"] };
  if (typeof type !== "string") return { anyOf: [schema, { type: "null" }] };
  if (type === "null") return schema;
  return { ...schema, type: [type, "null"], ...(Array.isArray(values) ? { enum: [...values, null] } : {}) };
}

export const text: Schema = { type: "string" };
export const anything: Schema = {};
/** Digits as a text, with as many of them after the point as there may be. */
export const decimalText = (digits?: number): Schema => ({
  type: "string",
  pattern: digits === 0 ? "^-?\\d+$" : `^-?\\d+(\\.\\d${digits === undefined ? "+" : `{1,${digits}}`})?$`,
});
export const wholeText: Schema = { type: "string", pattern: "^-?\\d+$" };
export const day: Schema = { type: "string", format: "date" };
export const instant: Schema = { type: "string", format: "date-time" };
export const timeOfDay: Schema = { type: "string", pattern: "^\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,6})?)?$" };

/** A value of a column, as answers have it. */
export function storedSchema(column: ColumnInfo, choices: readonly string[] | undefined): Schema {
  switch (column.type) {
    case "integer":
      return { type: "integer" };
    case "bigint":
      return isLargeInteger(column) ? wholeText : { type: "integer" };
    case "float":
      return { type: "number" };
    case "boolean":
      return { type: "boolean" };
    case "decimal":
      return decimalText();
    case "date":
      return day;
    case "datetime":
      return instant;
    case "time":
      return timeOfDay;
    case "json":
    case "binary":
      return anything;
    default:
      return choices ? { type: "string", enum: choices } : text;
  }
}

/** The key of a record in answers and bodies. */
export function keySchema({ key, columns }: ModelInfo): Schema {
  if (key.isMissing) return anything;
  const type = key.isComposite ? undefined : columns.get(key.columns[0]!)?.type;
  return type === "integer" || type === "bigint" ? { type: "integer" } : text;
}

/** A record that another one refers to. */
export const referenceSchema = (id: Schema, more: Readonly<Record<string, Schema>> = {}): Schema => ({
  type: "object",
  required: [...Object.keys(more), "id", "label"],
  properties: { ...more, id, label: text },
});
