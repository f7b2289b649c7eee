import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_BRANDING_TABLE: () =>
    `the table "framewright_branding" does not exist, and plugins.config.ts has branding(). Run: fw generate fw:install branding, then fw db:migrate`,
});
