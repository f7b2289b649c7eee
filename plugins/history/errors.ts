import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_HISTORY_TABLE: () =>
    `the table "framewright_history" does not exist, and plugins.config.ts has history(). Run: fw generate fw:install history, then fw db:migrate`,
  FW_HISTORY_STATIC: (model: string, given: string) =>
    `static history of ${model} is ${given}. Write static history = false to record nothing of its changes, or static history = { keepFor: { days: 90 } }.`,
});
