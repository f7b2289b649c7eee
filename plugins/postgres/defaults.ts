import type { ColumnType } from "framewright/plugins/database";
import { instant } from "./values.ts";

/** A default as PostgreSQL writes it, `'draft'::citext`, as the value that a model has; undefined for what it computes. */
export function defaultOf(expression: string, type: ColumnType): unknown {
  const text = literalOf(expression);
  if (text === undefined) return undefined;
  if (type === "json") return parsed(text);
  if (type === "boolean") return text === "true" || text === "t";
  if (type === "datetime") return instant(text);
  return type === "integer" || type === "bigint" || type === "float" ? Number(text) : text;
}

function literalOf(expression: string): string | undefined {
  const quoted = /^'((?:[^']|'')*)'(?:::.+)?$/s.exec(expression)?.[1];
  if (quoted !== undefined) return quoted.replaceAll("''", "'");
  const plain = /^\(?(-?\d+(?:\.\d+)?|true|false)\)?(?:::.+)?$/.exec(expression)?.[1];
  return plain;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
