/** The columns that people know a record by, in this order, where a model does not define more with `toLabel()`. */
export const labelColumns: readonly string[] = ["name", "title", "label", "reference", "email"];
