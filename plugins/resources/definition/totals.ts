import type { Attribute } from "./attributes.ts";
import type { TotalKind } from "./total_kinds.ts";

const numbers = new Set(["integer", "bigint", "decimal", "float"]);

/** The column of the table that a total is of; undefined where there can be none. */
export function totalledColumn(
  { name, source, column, association, cents }: Attribute,
  kind: TotalKind,
): string | undefined {
  if (cents !== undefined) return cents;
  if (kind === "count" && association?.kind === "belongsTo") return association.key.column;
  const isFit = column !== undefined && source === "column" && (kind === "count" || numbers.has(column.type));
  return isFit ? name : undefined;
}
