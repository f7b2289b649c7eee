import { isParamObject, type Params } from "framewright/host";
import { BaseModel, documentText, layOut, ModelInfo, storedReference } from "framewright/plugins/database";
import type { FieldType } from "framewright/plugins/fields";
import type { Attribute } from "../definition/attributes.ts";

/** What was typed, as it was typed. */
export function typedText(typed: Params, name: string, type?: FieldType): string | undefined {
  const value = typed.get(name);
  if (type?.isList && Array.isArray(value)) return JSON.stringify(typedList(typed, name));
  if (type?.isList && isParamObject(value)) return JSON.stringify(value);
  const last = Array.isArray(value) ? value.at(-1) : value;
  if (last === undefined || last === null) return undefined;
  return isParamObject(last) || typeof last === "object" ? "" : String(last);
}

/** The texts that were chosen, of which there may be several. */
export function typedList(typed: Params, name: string): string[] {
  const texts = [typed.get(name) ?? []].flat() as unknown[];
  return texts.filter((text): text is string => typeof text === "string" && text !== "");
}

/** A default as an input shows it; undefined for none. A text is what would be typed. */
export function inputText(value: unknown, { text }: FieldType): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (text && typeof value !== "string") return text(value);
  if (value instanceof Date) return value.toISOString();
  if (value instanceof BaseModel) return String(ModelInfo.keyOf(value));
  if (typeof value === "boolean") return value ? "1" : "0";
  return typeof value === "object" ? layOut(documentText(value)) : String(value);
}

/** What is stored, as an input shows it. */
export function storedText(attribute: Attribute, record: BaseModel): string | undefined {
  const { name, association, polymorphic, column, types } = attribute;
  if (polymorphic) return storedReference(polymorphic, record);
  const value = association ? association.key.of(record) : (record as unknown as Record<string, unknown>)[name];
  if (value === null || value === undefined) return undefined;
  if (types.input.text && !association) return types.input.text(value);
  if (value instanceof Date) return value.toISOString();
  if (column?.type === "boolean") return value ? "1" : "0";
  return column?.type === "json" ? layOut(documentText(value)) : String(value);
}
