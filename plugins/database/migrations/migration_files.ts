import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { errors } from "../errors.ts";
import type { Schema } from "./schema.ts";

/** The table of the migrations that have run. */
export const MIGRATIONS_TABLE = "framewright_migrations";

export interface MigrationFile {
  /** `20260131120000_create_posts` */
  name: string;
  path: string;
}
export type Direction = "up" | "down";

/** The migrations of several folders, by timestamp. A folder that is not there is empty. */
export function findMigrations(directories: readonly string[]): MigrationFile[] {
  const files = directories.filter((directory) => existsSync(directory)).flatMap(filesIn);
  files.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  files.forEach((file, index) => {
    const previous = files[index - 1];
    if (previous?.name === file.name) throw errors.FW_MIGRATION_DUPLICATE(previous.path, file.path);
  });
  return files;
}

function filesIn(directory: string): MigrationFile[] {
  const files = readdirSync(directory).filter((file) => /\.(?:ts|js)$/.test(file) && !file.endsWith(".d.ts"));
  return files.map((file) => {
    if (!/^\d{8,17}_\w+\.(?:ts|js)$/.test(file)) throw errors.FW_MIGRATION_NAME(join(directory, file));
    return { name: file.replace(/\.(?:ts|js)$/, ""), path: join(directory, file) };
  });
}

/** @throws FW_MIGRATION_SHAPE */
export async function loadMigration(
  { path }: MigrationFile,
  direction: Direction,
): Promise<(db: Schema) => Promise<void>> {
  const module = (await import(pathToFileURL(path).href)) as Partial<Record<Direction, unknown>>;
  const run = module[direction];
  if (typeof run !== "function") throw errors.FW_MIGRATION_SHAPE(path, direction);
  return run as (db: Schema) => Promise<void>;
}
