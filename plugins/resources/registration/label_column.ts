import { labelColumns, type ModelInfo } from "framewright/plugins/database";

/** The column that people know a record by, which a search looks in. */
export const labelColumn = ({ columns, encrypted }: ModelInfo): string | undefined =>
  labelColumns.find((name) => columns.has(name) && !encrypted.has(name));
