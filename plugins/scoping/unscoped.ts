import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Finding } from "framewright/host";

/** The places in the application's code that query all tenants, as `file:line`. */
export function unscopedQueries(root: string): string[] {
  const found: string[] = [];
  for (const folder of ["app", "packages", "lib"]) {
    for (const file of sourcesBelow(join(root, folder))) {
      const lines = readFileSync(file, "utf8").split("\n");
      lines.forEach((line, index) => {
        if (/\bunscopedQuery\b/.test(line)) found.push(`${relative(root, file)}:${index + 1}`);
      });
    }
  }
  return found;
}

function sourcesBelow(directory: string): string[] {
  try {
    const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
    return names
      .filter((name) => /\.[jt]s$/.test(name) && !name.includes("node_modules"))
      .map((name) => join(directory, name))
      .sort();
  } catch {
    return []; // the application has no such folder
  }
}

export function examineUnscoped(root: string): Finding {
  const found = unscopedQueries(root);
  const detail = found.length === 0 ? "no code queries all tenants" : `unscopedQuery in ${found.join(", ")}`;
  return { what: "queries of all tenants", ok: true, detail };
}
