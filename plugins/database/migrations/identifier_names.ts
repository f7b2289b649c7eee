import { createHash } from "node:crypto";

/** Characters of a name that MySQL takes; a driver that takes fewer declares it. */
export const MAX_NAME_CHARS = 64;

/** A stable name of at most so many characters (64): a name that is too long ends in a hash of its whole. */
export function shortName(name: string, most = MAX_NAME_CHARS): string {
  if (name.length <= most) return name;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 10);
  return `${name.slice(0, most - hash.length - 1)}_${hash}`;
}

/** `posts_title_index`, at most 64 characters, or as many as the database takes. */
export const indexName = (
  table: string,
  columns: readonly string[],
  unique = false,
  most: number = MAX_NAME_CHARS,
): string => shortName(`${table}_${columns.join("_")}_${unique ? "unique" : "index"}`, most);
export const foreignName = ({ maxNameChars }: { maxNameChars: number }, table: string, column: string): string =>
  shortName(`${table}_${column}_foreign`, maxNameChars);
