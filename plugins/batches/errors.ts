import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_BATCH_SIZE: (count: number, limit: number) =>
    `a batch has ${count} rows or records, and ${limit} at most are done together. Pass them in parts, or { onFailure: "continue" }.`,
  FW_BATCH_PLACE: (constant: string, action: string, portal: string | undefined) =>
    `${constant} has no route that leads to "${action}" in ${portal ?? "the main application"}: it is a singular resource there. Write it through its own page, or another portal.`,
  FW_BATCH_MODEL: (constant: string, served: string, portal: string | undefined) =>
    `${constant} has no resource of its own in ${portal ?? "the main application"}, where ${served} serves its records. Register it there, or create records of ${served}.`,
  FW_BATCH_ACTION: (interaction: string, constant: string, found: readonly string[]) =>
    found.length === 0
      ? `no action of ${constant} on a record has the interaction ${interaction}. Declare one: this.action("…", { interaction: ${interaction} }).`
      : `the actions ${found.join(" and ")} of ${constant} have the interaction ${interaction}. Name one of them: { action: "${found[0]}" }.`,
  FW_BATCH_INPUT: (interaction: string, name: string, suggestion: string | undefined) =>
    `${interaction} has no input "${name}"${suggestion ? `. Did you mean "${suggestion}"?` : "."}`,
});
