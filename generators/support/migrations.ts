import { usage } from "../errors.ts";
import type { ApplicationFiles } from "./application.ts";
import type { Changes } from "./changes.ts";

/** The path of a new migration, later than all others, drafted ones included. */
export function newMigration(app: ApplicationFiles, changes: Changes, name: string, directory = "db/migrate"): string {
  const stamps = [...app.migrations(), ...changes.paths()].map((path) => /\/migrate\/(\d{14})_[^/]*$/.exec(path)?.[1]);
  const now = new Date().toISOString().replaceAll(/\D/g, "").slice(0, 14);
  const stamp = Math.max(Number(now), ...stamps.map((known) => Number(known ?? 0) + 1));
  return `${directory}/${stamp}_${name}.ts`;
}

/** The tables that the application's migrations create, by their source text. */
export function createdTables(app: ApplicationFiles): ReadonlySet<string> {
  return new Set(app.migrations().flatMap((path) => tablesOf(app.read(path))));
}

/** What a migration of a table that no migration creates lacks: a database that is empty, as that of tests, has no such table. */
export const absentTableNote = (app: ApplicationFiles, table: string): string | undefined =>
  createdTables(app).has(table)
    ? undefined
    : `\nNo migration creates "${table}", so that this one fails on an empty database, as that of tests. Write one that creates the table where it is missing: node_modules/framewright/docs/how-to/put-it-over-an-existing-database.md, "Tests".`;

/** The createTable calls in a migration's text whose tables do not exist yet. */
export const missingParts = (text: string, made: ReadonlySet<string>): string[] =>
  [...text.matchAll(/^ {2}await db\.createTable\(.*?^ {2}\}\);\n/gms)]
    .map(([part]) => part)
    .filter((part) => tablesOf(part).some((table) => !made.has(table)));

/** The tables that a migration's text creates, in order. */
export const tablesOf = (text: string): string[] =>
  [...text.matchAll(/\bcreateTable\(\s*["'`](\w+)["'`]/g)].map(([, table]) => table!);

/** The columns that a migration's text adds to a table that exists. */
export function addedColumns(text: string, table: string): string[] {
  const calls = text.matchAll(new RegExp(`\\baddColumns\\(\\s*["'\`]${table}["'\`],[\\s\\S]*?\\}\\s*\\)`, "g"));
  const columns = [...calls].flatMap(([call]) => [...call.matchAll(/\bt\.(\w+)\(\s*["'`](\w+)["'`]/g)]);
  const suffixes: Readonly<Record<string, string>> = { money: "_cents", belongsTo: "_id", polymorphic: "_id" };
  return columns.map(([, type, name]) => `${name}${suffixes[type!] ?? ""}`);
}

/** The limit of MySQL and MariaDB; SQLite has none, and would hide the problem until later. */
const MAX_TABLE_CHARS = 64;
/** @throws FW_TABLE_LENGTH */
export function checkTable(table: string): void {
  if (table.length > MAX_TABLE_CHARS) throw usage.FW_TABLE_LENGTH(table, MAX_TABLE_CHARS);
}
