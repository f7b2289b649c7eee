import { isParamObject, type Params } from "framewright/host";
import { BaseModel } from "framewright/plugins/database";

/** What was typed, as it was typed. */
export function typedText(typed: Params, name: string): string | undefined {
  const value = typed.get(name);
  const last = Array.isArray(value) ? value.at(-1) : value;
  if (last === undefined || last === null) return undefined;
  return isParamObject(last) || typeof last === "object" ? "" : String(last);
}

/** A value as an input shows it; undefined for none. */
export function inputText(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof BaseModel) return String(value.$id());
  if (typeof value === "boolean") return value ? "1" : "0";
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
}
