import { isParamObject, type ParamValue } from "framewright/host";
import { fromStored } from "../read_field.ts";
import { kindOf } from "./kind.ts";
import type { FieldSpec } from "./spec.ts";

/** The typed text, unchanged; an empty text for an object. */
export function typedText(typed: ParamValue, isList = false): string | undefined {
  if (isList && Array.isArray(typed))
    return JSON.stringify(typed.filter((one) => typeof one === "string" && one !== ""));
  if (isList && isParamObject(typed)) return JSON.stringify(typed);
  const last = Array.isArray(typed) ? typed.at(-1) : typed;
  if (last === undefined || last === null) return undefined;
  return typeof last === "object" ? "" : String(last);
}

/** A stored value as the text of an input. */
export function inputText(field: FieldSpec, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  const kind = kindOf(field);
  if (kind.text) return kind.text(fromStored(kind, value));
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "boolean") return value ? "1" : "0";
  return kind.column.type === "json" ? JSON.stringify(value, null, 2) : String(value);
}
