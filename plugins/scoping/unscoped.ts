import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Finding } from "framewright/host";

/** What queries all tenants: neither a model's own query nor the database's is narrowed by the tenant. */
const unscoped: readonly [name: string, pattern: RegExp][] = [
  ["unscopedQuery", /\bunscopedQuery\b/],
  ["Model.query()", /(?<!xists\()\b[A-Z]\w*\.relatedQuery\(|\b[A-Z]\w*\.query\(/], // whereExists() only narrows another query
  ["database.query(Model)", /\b(?:database|db)\b[\w.()!?" ]*\.query\(/],
  ["knex", /\bknex\s*(?:\.raw\s*)?\(/],
];
const folders = ["app", "packages", "lib"];

/** The places in the application's code that query all tenants, as `file:line`. */
export function unscopedQueries(root: string): string[] {
  const found: string[] = [];
  for (const folder of folders) {
    for (const file of sourcesBelow(join(root, folder))) {
      const lines = readFileSync(file, "utf8").split("\n");
      lines.forEach((line, index) => {
        if (!/^\s*(?:\/\/|\/?\*)/.test(line) && unscoped.some(([, pattern]) => pattern.test(line)))
          found.push(`${relative(root, file)}:${index + 1}`);
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
  const looked = `${unscoped.map(([name]) => name).join(", ")} in ${folders.map((name) => `${name}/`).join(", ")}`;
  const detail = found.length === 0 ? `none found; looked for ${looked}` : `${found.join(", ")}; looked for ${looked}`;
  return { what: "queries of all tenants", ok: true, detail };
}
