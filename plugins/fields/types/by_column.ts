import type { ColumnType } from "framewright/plugins/database";
import { coerceColumn } from "../coerce.ts";
import type { FieldTypeOptions } from "./field_type.ts";

/** A value without a column of its own is checked by a column's type, and by nothing else of a column. */
const plainColumn = { name: "", nullable: true, default: undefined, hasDefault: false, primary: false, unique: false };

/** Reads a value as its column stores it; without one as a column of this type would. */
export const byColumn = (type: ColumnType): Required<Pick<FieldTypeOptions, "read">> => {
  const own = { ...plainColumn, type };
  return { read: (given, { column = own }) => coerceColumn(given, column) };
};

/** What the framework's types share: lists are filtered by few of them, and those that nobody scaffolds have no word. */
export const standard = { filter: false, scaffold: false } as const;
