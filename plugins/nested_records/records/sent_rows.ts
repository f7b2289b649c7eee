import { isParamObject, type ParamObject, type ParamValue, readJson } from "framewright/host";
import { BLANK_ROW, isRemovedRow, rowsOf } from "framewright/plugins/fields/rows";
import type { RecordRows } from "./record_rows.ts";

/** The rows that were sent, in their order; undefined for what is no rows. A text is JSON, as an import has it. */
export function sentRows(sent: ParamValue | undefined, { isOne }: RecordRows): ParamObject[] | undefined {
  const value = typeof sent === "string" && sent.trim() !== "" ? parsed(sent) : sent;
  if (!isOne) return rowsOf(value);
  if (value === undefined || value === null || value === "") return [];
  return isParamObject(value) ? [value] : undefined;
}
function parsed(text: string): ParamValue {
  try {
    return readJson(text);
  } catch {
    return BLANK_ROW; // a text that is no row
  }
}

/** In the order of a form's errors: removed rows are last. */
export const arranged = (rows: readonly ParamObject[]): ParamObject[] => [
  ...rows.filter((row) => !isRemovedRow(row)),
  ...rows.filter(isRemovedRow),
];

/** The id that a row names; undefined for a new one. */
export const idOfRow = ({ id }: ParamObject): string | undefined =>
  typeof id === "number" || (typeof id === "string" && id !== "")
    ? String(id)
    : id === undefined || id === null || id === ""
      ? undefined
      : "";

/** Whether a new row of a form was left as it began: nothing but what its inputs began with. */
export const isLeftBlank = (row: ParamObject): boolean =>
  Object.entries(row).every(([name, value]) => name.startsWith("_") || isBlankValue(value));
const isBlankValue = (value: ParamValue): boolean =>
  value === null ||
  value === "" ||
  value === "0" ||
  (Array.isArray(value) && value.every(isBlankValue)) ||
  (isParamObject(value) && isLeftBlank(value));
