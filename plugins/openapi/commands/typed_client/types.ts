import type { Schema } from "../../contract.ts";
import { property, typeName } from "./names.ts";

const MAX_INLINE = 100;

/** The type of what a schema allows, as TypeScript has it. Rules of values, as lengths and patterns, have no types. */
export function typeOf(schema: Schema): string {
  const { $ref, const: only, enum: values, anyOf, oneOf, allOf, type } = schema;
  if (typeof $ref === "string") return typeName(nameOf($ref));
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(values)) return union(values.map((value) => JSON.stringify(value)));
  const either = (anyOf ?? oneOf) as Schema[] | undefined;
  if (either) return union(either.map(typeOf));
  if (Array.isArray(allOf) && allOf.length > 0) return (allOf as Schema[]).map(typeOf).join(" & ");
  if (Array.isArray(type)) return union((type as string[]).map((one) => typeOf({ ...schema, type: one })));
  switch (type) {
    case "null":
    case "boolean":
      return type;
    case "integer":
    case "number":
      return "number";
    case "string":
      return schema.format === "binary" ? "Blob" : "string";
    case "array":
      return `readonly ${grouped(typeOf((schema.items ?? {}) as Schema))}[]`;
    case "object":
      return objectType(schema);
    default:
      return "unknown";
  }
}

/** Different types, `null` last. */
export function union(types: readonly string[]): string {
  if (types.includes("unknown")) return "unknown";
  if (types.length === 0) return "never";
  const distinct = [...new Set(types)];
  return [...distinct.filter((one) => one !== "null"), ...distinct.filter((one) => one === "null")].join(" | ");
}
const grouped = (type: string): string => (/[|&]| /.test(type) && !type.startsWith("{") ? `(${type})` : type);

function objectType({ properties = {}, required = [], additionalProperties }: Schema): string {
  const own = Object.entries(properties as Record<string, Schema>);
  const needed = new Set(required as string[]);
  if (own.length === 0) {
    const isTyped = typeof additionalProperties === "object" && additionalProperties !== null;
    return `{ readonly [name: string]: ${isTyped ? typeOf(additionalProperties as Schema) : "unknown"} }`;
  }
  const members = own.map(
    ([name, schema]) =>
      `${commentOf(schema)}readonly ${property(name)}${needed.has(name) ? "" : "?"}: ${typeOf(schema)};`,
  );
  return block(members);
}

/** Members in braces: on one line where they are short. */
export function block(members: readonly string[]): string {
  const line = `{ ${members.join(" ").replace(/;$/, "")} }`;
  if (line.length <= MAX_INLINE && !line.includes("\n")) return line;
  return `{\n${members.map(indented).join("\n")}\n}`;
}
/** A text two spaces further in. */
export const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, "  ");

/** A schema's description as a comment, with the format of a text. */
function commentOf({ description, format, pattern }: Schema): string {
  const shape = typeof format === "string" && format !== "binary" ? format : undefined;
  const isNumber = typeof pattern === "string" && pattern.startsWith("^-?\\d+");
  const texts = [description, shape ? `Format: ${shape}.` : undefined, isNumber ? "A number as a text." : undefined];
  return comment(texts.filter((text) => typeof text === "string").join(" "));
}
/** A text as a comment on a line of its own; nothing for none. */
export const comment = (text: string): string => (text === "" ? "" : `/** ${commented(text)} */\n`);
/** A text as a comment has it: on one line, and without the end of a comment. */
export const commented = (text: unknown): string =>
  String(text).replaceAll("*/", "*\\/").replaceAll(/\s+/g, " ").trim();

/** The name of a component that a reference leads to. */
export function nameOf(ref: string): string {
  const name = ref.split("/").at(-1)!;
  try {
    return decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return name; // it is encoded wrongly
  }
}
