import type { ApplicationFiles, Changes } from "framewright/generators";
import { newMigration, tablesOf } from "../../../../generators/toolkit/index.ts";

/** The path of the migration that creates the table: the scaffold's existing one, or a new one; undefined if another migration creates it. */
export function migrationPath(
  app: ApplicationFiles,
  changes: Changes,
  owner: string | undefined,
  table: string,
): string | undefined {
  const existing = app.migrations().find((path) => path.endsWith(`_create_${table}.ts`));
  const directory = owner === undefined ? "db/migrate" : `packages/${owner}/db/migrate`;
  if (existing === undefined && app.migrations().some((path) => tablesOf(app.read(path)).includes(table)))
    return undefined;
  return existing ?? newMigration(app, changes, `create_${table}`, directory);
}
