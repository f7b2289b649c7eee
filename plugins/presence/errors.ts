import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_PRESENCE_OPTION: (definition: string, given: string) =>
    `${definition}.presence(…) is given ${given}. Write this.presence(false), so that its forms do not say who has them open.`,
  FW_PRESENCE_TABLE: () =>
    `the table "framewright_presence" does not exist, and plugins.config.ts has presence(). Run: fw generate fw:install presence, then fw db:migrate`,
});
