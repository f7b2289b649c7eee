import type { FieldType } from "framewright/plugins/fields";
import type { Schema } from "../contract.ts";

const byFormat: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00.000Z",
  email: "anna@example.com",
  uri: "https://example.com/",
  uuid: "0f8fad5b-d9cb-469f-a165-70867728950e",
};
const TEXT = "Example";

/** A value that fits a schema; undefined where none is known. */
export function sampleOf(schema: Schema): unknown {
  const { type, enum: values, format, pattern } = schema;
  if (Array.isArray(values)) return values[0];
  const kind = Array.isArray(type) ? type[0] : type;
  if (kind === "boolean") return true;
  if (kind === "integer" || kind === "number") return numberOf(schema, kind === "integer");
  if (kind !== "string") return undefined;
  if (typeof format === "string") return byFormat[format];
  if (typeof pattern === "string")
    return ["12.50", "12.5", "12", "12:00:00", "#1f6feb", TEXT].find((one) => fits(one, pattern));
  const { minLength = 0, maxLength = 255 } = schema as { minLength?: number; maxLength?: number };
  return TEXT.padEnd(minLength, " text").slice(0, maxLength);
}

const fits = (value: string, pattern: string): boolean => {
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return false;
  }
};

function numberOf(
  { minimum, exclusiveMinimum, maximum, exclusiveMaximum }: Schema,
  isWhole: boolean,
): number | undefined {
  const usual = isWhole ? 3 : 1.5;
  const low = (minimum ?? (exclusiveMinimum === undefined ? undefined : (exclusiveMinimum as number) + 1)) as
    | number
    | undefined;
  const high = (maximum ?? (exclusiveMaximum === undefined ? undefined : (exclusiveMaximum as number) - 1)) as
    | number
    | undefined;
  const value = Math.max(low ?? Number.NEGATIVE_INFINITY, Math.min(high ?? Number.POSITIVE_INFINITY, usual));
  return low !== undefined && high !== undefined && low > high ? undefined : value;
}

/** The schema with an example: of the sample of its type, else of what fits the schema. */
export function withExample(schema: Schema, type?: FieldType): Schema {
  if ("$ref" in schema || "examples" in schema) return schema;
  const own: unknown = type?.sample();
  const given = own === undefined || own === null ? undefined : type?.json ? type.json(own) : own;
  const value = given instanceof Date ? given.toISOString() : (given ?? sampleOf(schema));
  return value === undefined ? schema : { ...schema, examples: [value] };
}
