import { usage } from "../errors.ts";
import type { ApplicationFiles } from "./application.ts";
import type { Changes } from "./changes.ts";

/** A new migration of the application, after all others, also those that are drafted. */
export function newMigration(app: ApplicationFiles, changes: Changes, name: string, directory = "db/migrate"): string {
  const stamps = [...app.migrations(), ...changes.paths()].map((path) => /\/migrate\/(\d{14})_[^/]*$/.exec(path)?.[1]);
  const now = new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14);
  const stamp = Math.max(Number(now), ...stamps.map((known) => Number(known ?? 0) + 1));
  return `${directory}/${stamp}_${name}.ts`;
}

/** The tables that migrations of the application make, as their text says. */
export function tablesMade(app: ApplicationFiles): ReadonlySet<string> {
  return new Set(app.migrations().flatMap((path) => tablesOf(app.read(path))));
}

/** The parts of a text of a migration that make tables which are not made yet: what a release adds comes alone. */
export const missingParts = (text: string, made: ReadonlySet<string>): string[] =>
  [...text.matchAll(/^ {2}await db\.createTable\(.*?^ {2}\}\);\n/gms)]
    .map(([part]) => part)
    .filter((part) => tablesOf(part).some((table) => !made.has(table)));

/** The tables that a text of a migration makes, in its order. */
export const tablesOf = (text: string): string[] =>
  [...text.matchAll(/\bcreateTable\(\s*["'`](\w+)["'`]/g)].map(([, table]) => table!);

/** What MySQL and MariaDB take for a table's name; SQLite takes any, and would hide it until later. */
const MAX_TABLE = 64;
/** @throws FW_TABLE_LENGTH */
export function checkTable(table: string): void {
  if (table.length > MAX_TABLE) throw usage.FW_TABLE_LENGTH(table, MAX_TABLE);
}
