import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_LIST_SETTINGS_TABLE: () =>
    `the table "framewright_list_settings" does not exist, and plugins.config.ts has listSettings(). Run: fw generate fw:install list_settings, then fw db:migrate`,
});
