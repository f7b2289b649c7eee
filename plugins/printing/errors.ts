import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_PRINT_PAGE: (definition: string, key: string, what: string) => `${definition}.printPage("${key}") ${what}.`,
});
