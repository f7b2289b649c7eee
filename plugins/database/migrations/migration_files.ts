import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { errors } from "../errors.ts";
import type { Schema } from "./schema.ts";

/** The table of the migrations that have run. */
export const MIGRATIONS_TABLE = "framewright_migrations";

/** Where migrations are: a folder of the application, or of a plugin. */
export interface MigrationFolder {
  readonly directory: string;
  /** The name of the plugin, as it is listed. */
  readonly plugin?: string;
  /** Whether the application chose that name: the plugin may be listed again under another one. */
  readonly isInstance?: boolean;
}
export interface MigrationFile extends MigrationContext {
  /** `20260131120000_create_posts`; of a plugin under a name of the application's `20260131120000_create_posts.partners` */
  name: string;
  path: string;
}
/** What a migration gets besides the schema: `export async function up(db, { plugin }) { … }`. */
export interface MigrationContext {
  /** The name under which its plugin is listed, for the names of its tables; undefined for one of the application. */
  readonly plugin: string | undefined;
}
export type Direction = "up" | "down";

/** The migrations of several folders, by timestamp. A folder that is not there is empty. */
export function findMigrations(folders: readonly MigrationFolder[]): MigrationFile[] {
  const files = folders.filter(({ directory }) => existsSync(directory)).flatMap(filesIn);
  files.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  files.forEach((file, index) => {
    const previous = files[index - 1];
    if (previous?.name === file.name) throw errors.FW_MIGRATION_DUPLICATE(previous.path, file.path);
  });
  return files;
}

function filesIn({ directory, plugin, isInstance }: MigrationFolder): MigrationFile[] {
  const files = readdirSync(directory).filter((file) => /\.(?:ts|js)$/.test(file) && !file.endsWith(".d.ts"));
  return files.map((file) => {
    if (!/^\d{8,17}_\w+\.(?:ts|js)$/.test(file)) throw errors.FW_MIGRATION_NAME(join(directory, file));
    const name = file.replace(/\.(?:ts|js)$/, "");
    return { name: isInstance ? `${name}.${plugin}` : name, path: join(directory, file), plugin };
  });
}

/** @throws FW_MIGRATION_SHAPE */
export async function loadMigration(
  { path, plugin }: MigrationFile,
  direction: Direction,
): Promise<(db: Schema) => Promise<void>> {
  const module = (await import(pathToFileURL(path).href)) as Partial<Record<Direction, unknown>>;
  const run = module[direction];
  if (typeof run !== "function") throw errors.FW_MIGRATION_SHAPE(path, direction);
  return (db) => (run as (db: Schema, context: MigrationContext) => Promise<void>)(db, { plugin });
}
