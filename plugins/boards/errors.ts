import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_BOARD_SHAPE: (definition: string, what: string) => `${definition}.board(…) ${what}.`,
  FW_BOARD_COLUMN: (definition: string, column: string | undefined, possible: readonly string[]) => {
    const named =
      column === undefined ? "names no column in by" : `has the columns of "${column}", which has no choices`;
    const hint =
      possible.length > 0
        ? `Name one of: ${possible.join(", ")}`
        : "Give a column choices in static enums of the model, or declare static states";
    return `${definition}.board(…) ${named}. ${hint}.`;
  },
  FW_BOARD_LIMIT: (definition: string, column: string, value: string, suggestion: string | undefined) =>
    `${definition}.board(…) has a limit for "${value}", which is no value of "${column}"${suggestion ? `. Did you mean "${suggestion}"?` : "."}`,
});
