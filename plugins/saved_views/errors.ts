import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_SAVED_VIEWS_TABLE: () =>
    `the table "framewright_saved_views" does not exist, and plugins.config.ts has savedViews(). Run: fw generate fw:saved_views:install, then fw db:migrate`,
});
