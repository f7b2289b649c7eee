import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_IMPERSONATION_TABLE: () =>
    `the table "framewright_impersonations" does not exist, and plugins.config.ts has impersonation(). Run: fw generate fw:install impersonation, then fw db:migrate`,
});
