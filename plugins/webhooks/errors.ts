import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_WEBHOOKS_TABLE: () =>
    `a table of webhooks does not exist, and plugins.config.ts has webhooks(). Run: fw generate fw:install webhooks, then fw db:migrate`,
  FW_WEBHOOKS_STATIC: (model: string, given: string) =>
    `static webhooks of ${model} is ${given}. Write static webhooks = false to send no events of it, or leave it out.`,
  FW_WEBHOOK_SIGNATURE: (problem: string) => `the webhook is refused: ${problem}.`,
});
