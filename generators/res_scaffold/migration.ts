import type { ApplicationFiles } from "../support/application.ts";
import type { Changes } from "../support/changes.ts";
import { newMigration } from "../support/migrations.ts";

/** The migration that makes the table: the one that is there, or a new one after all others. */
export function migrationPath(
  app: ApplicationFiles,
  changes: Changes,
  owner: string | undefined,
  table: string,
): string {
  const existing = app.migrations().find((path) => path.endsWith(`_create_${table}.ts`));
  const directory = owner === undefined ? "db/migrate" : `packages/${owner}/db/migrate`;
  return existing ?? newMigration(app, changes, `create_${table}`, directory);
}
