import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_CATALOGUE_INVALID: (file: string, reason: string) =>
    `the catalogue ${file} can't be read: ${reason}. It must be one JSON object of keys and texts.`,
});
