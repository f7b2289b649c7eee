import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_CALENDAR_SHAPE: (definition: string, what: string) => `${definition}.calendar(…) ${what}.`,
  FW_CALENDAR_COLUMN: (definition: string, column: string | undefined, possible: readonly string[]) => {
    const named = column === undefined ? "names no column in on" : `is by "${column}", which is no day and no time`;
    const hint =
      possible.length > 0 ? `Name one of: ${possible.join(", ")}` : "Add a column of the type date or datetime";
    return `${definition}.calendar(…) ${named}. ${hint}.`;
  },
});
