import type { ColumnView } from "framewright/plugins/fields";
import type { Entry } from "../entry/entry.ts";

/** A column of a list, compiled. */
export interface ListColumn extends Omit<ColumnView, "render"> {
  sortable: boolean;
  /** Whether links in its cells are those of the definition. */
  keepsLinks: boolean;
  /** Draws the content of its cells: safe HTML. */
  cell: (entry: Entry) => string;
}
