import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const folders = ["app", "packages", "lib"];
const MAX_NAMED = 20;
/** What writes rows past the models: `knex("posts").update(…)`, also of a transaction, and SQL. */
const patterns = [
  /\b(?:knex|trx|transaction)\s*(?:<[^>;]*>)?\(\s*["'`][\w.]+["'`]\s*\)[^;]*?\.(?:insert|update|delete|del|increment|decrement|truncate)\(/g,
  /\.raw\(\s*["'`]\s*(?:insert|update|delete|replace|truncate|merge)\b/gi,
  /\.batchInsert\(/g,
];

/** The places of an application's code that write past its models, as `file:line`: no history has what they change. */
export function rawWrites(root: string): string[] {
  return folders.flatMap((folder) =>
    sourcesBelow(join(root, folder)).flatMap((file) => {
      const text = readFileSync(file, "utf8");
      const found = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(({ index }) => index));
      const lines = new Set(found.map((index) => text.slice(0, index).split("\n").length));
      return [...lines].sort((a, b) => a - b).map((line) => `${relative(root, file)}:${line}`);
    }),
  );
}

/** What `fw doctor` reports about them. */
export function rawWritesText(found: readonly string[]): string {
  if (found.length === 0) return "its table is there, and no code was found that writes past the models";
  const more = found.length > MAX_NAMED ? ` and ${found.length - MAX_NAMED} more` : "";
  return `its table is there; ${found.length} places write past the models, of which it has nothing: ${found.slice(0, MAX_NAMED).join(", ")}${more}`;
}

function sourcesBelow(directory: string): string[] {
  try {
    const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
    const sources = names.filter((name) => /\.[jt]s$/.test(name) && !name.includes("node_modules"));
    return sources.map((name) => join(directory, name)).sort();
  } catch {
    return []; // the application has no such folder
  }
}
