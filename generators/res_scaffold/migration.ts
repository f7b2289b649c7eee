import type { ApplicationFiles } from "../support/application.ts";
import type { Changes } from "../support/changes.ts";

/** The migration that makes the table: the one that is there, or a new one after all others. */
export function migrationPath(
  app: ApplicationFiles,
  changes: Changes,
  owner: string | undefined,
  table: string,
): string {
  const all = app.migrations();
  const existing = all.find((path) => path.endsWith(`_create_${table}.ts`));
  if (existing !== undefined) return existing;
  const directory = owner === undefined ? "db/migrate" : `packages/${owner}/db/migrate`;
  let stamp = Math.max(Number(timestamp(new Date())), latest(all) + 1);
  while (changes.exists(`${directory}/${stamp}_create_${table}.ts`)) stamp++;
  return `${directory}/${stamp}_create_${table}.ts`;
}

const timestamp = (date: Date) => date.toISOString().replaceAll(/\D/g, "").slice(0, 14);

const latest = (paths: readonly string[]) =>
  Math.max(0, ...paths.map((path) => Number(/\/(\d{14})_[^/]*$/.exec(path)?.[1] ?? 0)));
