import type { ReportedQuery } from "./recording.ts";

/** How many rows a statement read or changed; undefined where the driver does not report it. */
export function rowsOf(response: unknown, { sql, method, first }: ReportedQuery): number | undefined {
  if (/^\s*select json_group_array\(/.test(sql) && first) return packedRows(response);
  if (first) return response === undefined ? 0 : 1;
  if (typeof response === "number") return response;
  const changes = (response as { changes?: unknown } | undefined)?.changes;
  if (typeof changes === "number") return changes;
  if (method === "first") return response === undefined ? 0 : 1;
  const isSelect = method === "select" || /^\s*(?:select|with)\b/i.test(sql);
  return isSelect && Array.isArray(response) ? response.length : undefined;
}

/** Rows that came as one text of JSON. */
function packedRows(response: unknown): number | undefined {
  try {
    return (JSON.parse((response as [string])[0]) as unknown[]).length;
  } catch {
    return undefined;
  }
}
