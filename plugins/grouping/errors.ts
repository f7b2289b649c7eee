import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_GROUPING_SHAPE: (definition: string, what: string) => `${definition}.grouping(…) ${what}.`,
  FW_GROUPING_NAME: (definition: string, name: string, suggestion: string | undefined, fit: string) =>
    `${definition}.grouping(…) names "${name}", which rows can't be grouped by${suggestion ? `. Did you mean "${suggestion}"?` : `. There are: ${fit || "none"}. They are columns with choices, booleans and associations to one record.`}`,
});
