import type { ParamValue } from "framewright/host";
import type { FieldSpec } from "../contract/index.ts";

/** The typed text, unchanged; an empty text for an object. */
export function typedText(typed: ParamValue): string | undefined {
  const last = Array.isArray(typed) ? typed.at(-1) : typed;
  if (last === undefined || last === null) return undefined;
  return typeof last === "object" ? "" : String(last);
}

/** A stored value as the text of an input. */
export function inputText({ type }: FieldSpec, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "boolean") return value ? "1" : "0";
  return type === "json" ? JSON.stringify(value, null, 2) : String(value);
}
