import type { ColumnInfo } from "../drivers/columns.ts";

/**
 * The id that a segment of a URL represents, or undefined when it is not exactly one: `1abc`, `01`, `1e0`, `+1`, ` 1` and
 * 2^53 + 1 are none. A text id is taken as it is, up to its column's length.
 */
export function parseId(text: string, column: Pick<ColumnInfo, "type" | "maxLength">): number | string | undefined {
  if (column.type === "integer" || column.type === "bigint") return parseNumber(text);
  if (column.type === "uuid") return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) ? text : undefined;
  if (!isText(column) || text === "" || text.length > (column.maxLength ?? 255)) return undefined;
  return text.includes("\0") ? undefined : text;
}

const isText = ({ type }: Pick<ColumnInfo, "type">): boolean => type === "string" || type === "text";

function parseNumber(text: string): number | undefined {
  if (!/^[1-9]\d{0,15}$/.test(text)) return undefined;
  return Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
}
