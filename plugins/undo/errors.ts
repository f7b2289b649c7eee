import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_DELETIONS_TABLE: () =>
    `the table "framewright_deletions" does not exist, and plugins.config.ts has undo(). Run: fw generate fw:deletions:install, then fw db:migrate`,
});
