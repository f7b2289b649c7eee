import type { Schema } from "../contract.ts";

type Resolve = (schema: Schema) => Schema;
type Row = readonly [name: string, type: string, text: string];

const MAX_DEPTH = 4;
const MAX_VALUES = 12;

/** The type of a value in a few words: `string (date) | null`, `[integer]`. */
export function typeText(given: Schema, at: Resolve): string {
  const schema = at(given);
  const { type, format, enum: values, items, anyOf } = schema;
  if (Array.isArray(values)) {
    const shown = values.slice(0, MAX_VALUES).map((one) => JSON.stringify(one));
    return shown.join(" | ") + (values.length > MAX_VALUES ? " | …" : "");
  }
  if (Array.isArray(anyOf)) return (anyOf as Schema[]).map((one) => typeText(one, at)).join(" | ");
  if (items)
    return `[${typeText(items as Schema, at)}]${Array.isArray(type) && type.includes("null") ? " | null" : ""}`;
  const names = [type ?? "any"].flat().join(" | ");
  return typeof format === "string" ? names.replace("string", `string (${format})`) : names;
}

/** The properties of a schema and of those within it, by their paths: `post.title`, `data[].id`. */
export function fieldRows(given: Schema, at: Resolve, path = "", depth = 0): Row[] {
  const schema = at(given);
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  const entries = Object.entries((schema.properties ?? {}) as Readonly<Record<string, Schema>>);
  return entries.flatMap(([name, one]): Row[] => {
    const own = at(one);
    const list = own.items ? at(own.items as Schema) : undefined;
    const full = `${path}${name}${list ? "[]" : ""}`;
    const inner = list ?? own;
    const example = Array.isArray(own.examples) ? JSON.stringify(own.examples[0]) : "";
    const text = [required.has(name) ? "*" : "", String(own.description ?? ""), example].filter(Boolean).join(" ");
    const below = inner.properties && depth < MAX_DEPTH ? fieldRows(inner, at, `${full}.`, depth + 1) : [];
    return [[full, typeText(one, at), text], ...below];
  });
}
