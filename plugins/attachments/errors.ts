import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_ATTACHMENTS_TABLE: () =>
    `the table "framewright_attachments" does not exist, and plugins.config.ts has attachments(). Run: fw generate fw:attachments:install, then fw db:migrate`,
  FW_ATTACHMENT_PATH: (table: string, column: string, path: string) =>
    `"${path}" in the column ${column} of ${table} leads out of the directory that the migration names. Correct it, or set it to null.`,
  FW_ATTACHMENT_OPTION: (definition: string, name: string, option: string, problem: string) =>
    `${definition}: the files of "${name}" have the option ${option}, which ${problem}.`,
});
