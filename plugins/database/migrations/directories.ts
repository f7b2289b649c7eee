import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Where an application keeps its migrations: its own, then those of its packages. */
export function migrationDirectories(root: string): string[] {
  const packages = join(root, "packages");
  const names = existsSync(packages) ? readdirSync(packages).sort() : [];
  return [join(root, "db", "migrate"), ...names.map((name) => join(packages, name, "db", "migrate"))];
}
