// What plugins take rows of models out of use with: rows that are stored, and that nothing which is read has.
export type { RowMark } from "../models/row_mark.ts";
export { takeIntoUse, takeOutOfUse } from "./mark_changes.ts";
export { markRows } from "./mark_rows.ts";
