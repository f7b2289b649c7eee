import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_CARD_NAME: (where: string, option: string, name: string, suggestion: string | undefined) =>
    `${where} names "${name}" as ${option}, which is no attribute of the model${suggestion ? `. Did you mean "${suggestion}"?` : "."}`,
  FW_CARDS_SHAPE: (definition: string, what: string) => `${definition}.cards(…) ${what}.`,
});
