import { createHash } from "node:crypto";

/** Characters of a name that MySQL takes; SQLite takes any. */
export const MAX_NAME_CHARS = 64;

/** A stable name of at most 64 characters: a name that is too long ends in a hash of its whole. */
export function shortName(name: string): string {
  if (name.length <= MAX_NAME_CHARS) return name;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 10);
  return `${name.slice(0, MAX_NAME_CHARS - hash.length - 1)}_${hash}`;
}

/** `posts_title_index`, at most 64 characters. */
export const indexName = (table: string, columns: readonly string[], unique = false): string =>
  shortName(`${table}_${columns.join("_")}_${unique ? "unique" : "index"}`);
export const foreignName = (table: string, column: string): string => shortName(`${table}_${column}_foreign`);
