import type { ParamObject, ParamValue } from "framewright/host";
import { BaseModel, ModelInfo } from "framewright/plugins/database";

/** The values of code as a program sends them: a moment by its time, a record by its key. What is undefined is not sent. */
export function sentValues(values: Readonly<Record<string, unknown>>): ParamObject {
  const sent = Object.create(null) as ParamObject;
  for (const [name, value] of Object.entries(values)) if (value !== undefined) sent[name] = sentValue(value);
  return sent;
}

function sentValue(value: unknown): ParamValue {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof BaseModel) return String(ModelInfo.keyOf(value));
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map(sentValue);
  if (value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype)
    return sentValues(value as Record<string, unknown>);
  return value as ParamValue;
}
