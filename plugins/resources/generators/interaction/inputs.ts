import { usage } from "framewright/generators";
import {
  type Field,
  type FieldWord,
  isReference,
  parseFields,
  rowsOptions,
} from "../../../database/generators/toolkit/index.ts";

/** The entries of an interaction's `static attributes`, by the grammar of fields. @throws FW_FIELD_SHAPE */
export const inputsOf = (texts: readonly string[], words: ReadonlyMap<string, FieldWord> = new Map()): string[] =>
  parseFields(texts, { words }).map(
    (field, index) => `${field.name}: ${inputOf(field, texts[index]!, words.has(field.input ?? ""))}`,
  );

function inputOf(field: Field, text: string, isSized: boolean): string {
  const problem = problemOf(field);
  if (problem !== undefined) throw usage.FW_FIELD_SHAPE(text, problem);
  if (field.rows) return rowsOptions(field.rows, field.nullable, "  ", ['as: "repeated"']);
  const isRequired = !field.nullable && field.type !== "boolean";
  const options = [
    `as: ${JSON.stringify(field.values ? "select" : (field.input ?? field.type))}`,
    field.choices && `choices: ${JSON.stringify(field.choices).replaceAll(",", ", ")}`,
    field.values && `choices: ${JSON.stringify(field.values).replaceAll(",", ", ")}`,
    isRequired && "required: true",
    field.default !== undefined && `default: ${field.default}`,
    field.size.length > 0 && !isSized && `length: { maximum: ${field.size[0]} }`,
  ];
  return `{ ${options.filter(Boolean).join(", ")} }`;
}

/** What columns have and inputs don't. */
function problemOf(field: Field): string | undefined {
  const { type, unique, index, size, default: fallback } = field;
  if (isReference(field)) return "an interaction's input has no association; declare it in the class, with choices";
  if (unique || index) return "an interaction's input has no column: remove :uniq and :index";
  if (type === "decimal" && size.length > 0) return "an interaction's input has no column: remove its digits";
  return type === "money" && fallback !== undefined ? "declare the default of an amount in the class" : undefined;
}
