import { errorTable } from "framewright/kernel";

export const errors = errorTable({
  FW_TRASH_COLUMNS: (constant: string, table: string, missing: string) =>
    `${constant} has static softDelete, and its table "${table}" has no column "${missing}". Run: fw generate fw:trash ${constant}, then fw db:migrate`,
  FW_TRASH_HOOK: (constant: string, hook: string) =>
    `${constant} has static softDelete and ${hook}, which does not run when a record goes to the trash. Listen to hooks.database.changing, or leave one of the two out.`,
  FW_TRASH_CHILD: (constant: string, child: string, columns: readonly string[]) =>
    `${constant} has static softDelete, and its records take those of ${child} with them (${columns.join(", ")}), which has none and could not come back. Write static softDelete = true in ${child} as well, and run fw generate fw:trash ${child}.`,
  FW_TRASH_INDEX: (table: string, index: string) =>
    `The index "${index}" of "${table}" is not one that "create index" made, so that it can't be replaced by one that leaves out the trash. Replace the constraint by an index first.`,
  FW_TRASH_FULL: (table: string, count: number) =>
    `"${table}" has ${count} rows in the trash, which would be in use again. Restore or purge them first.`,
});
