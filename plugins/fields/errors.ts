import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_INPUT_UNKNOWN: (field: string, as: string, known: readonly string[]) =>
    `the field "${field}" is to be shown as "${as}", and there is no such input. Choose one of: ${known.join(", ")}.`,
});
