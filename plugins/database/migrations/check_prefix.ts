import type { Knex } from "knex";
import { driverOf } from "../drivers/drivers.ts";
import { isFrameworkTable, storedName } from "../drivers/framework_names.ts";
import { renamingOf } from "../drivers/framework_tables.ts";
import { errors } from "../errors.ts";
import { findMigrations, MIGRATIONS_TABLE, type MigrationFolder } from "./migration_files.ts";

/** What a driver creates for itself, before it migrates. */
const LOCK_TABLE = "framewright_migration_lock";

/**
 * Before the first migration under a prefix: a table that begins so would be taken for one of the framework's, and those of the
 * same application from before would not be found. @throws FW_TABLE_PREFIX_TAKEN, FW_TABLE_PREFIX_CHANGED
 */
export async function checkPrefix(knex: Knex, folders: readonly MigrationFolder[]): Promise<void> {
  const renamed = renamingOf(knex);
  if (!renamed) return;
  const { prefix, stored } = renamed;
  const tables = await driverOf(knex).tables.tables(knex);
  if (tables.includes(MIGRATIONS_TABLE)) return;
  const taken = tables.filter((name) => isFrameworkTable(name) && name !== LOCK_TABLE);
  if (taken.length > 0)
    throw errors.FW_TABLE_PREFIX_TAKEN(
      prefix,
      taken.map((name) => storedName(name, prefix)),
    );
  const own = new Set(findMigrations(folders).map(({ name }) => name));
  if (
    (await stored.tables(knex)).includes(MIGRATIONS_TABLE) &&
    (await appliedBefore(knex)).some((name) => own.has(name))
  )
    throw errors.FW_TABLE_PREFIX_CHANGED(prefix);
}

/** The migrations in the table of the default name: another application's, or those of this one. */
async function appliedBefore(knex: Knex): Promise<string[]> {
  const answer: unknown = await knex.raw(`select name from ${MIGRATIONS_TABLE}`);
  const rows = (answer as { rows?: unknown }).rows ?? (answer as unknown[]);
  return ([rows].flat(2) as { name?: string }[]).flatMap(({ name }) => name ?? []);
}
