import { BoundedCache } from "framewright/host";

/** Module-level: a pure function, cached: it reads the text of a statement. */
const known = new BoundedCache<boolean>(2000);

const NAME = '(?:`[^`]+`|"[^"]+"|[\\w$]+)';
const PLACE = /\bfrom\b/gi;
const TABLE = new RegExp(`\\bfrom\\s+(${NAME}(?:\\.${NAME})?)`, "gi");
const DERIVED = /\bfrom\s*\(\s*select\b/gi;
const JOINED = /\b(?:straight_)?join\b/i;
/** A list of tables with commas, the first of which is a table or a select. */
const LISTED = new RegExp(`\\bfrom\\s+${NAME}(?:\\.${NAME})?(?:\\s+(?:as\\s+)?${NAME})?\\s*,`, "i");
const LISTED_SELECT = new RegExp(`\\bfrom\\s*\\(\\s*select\\b.*\\)\\s*(?:as\\s+)?${NAME}\\s*,`, "is");
const COMMENT = /\/\*|--|#/;
const UNCLEAR = [JOINED, LISTED, LISTED_SELECT, COMMENT];
const READ = /^\s*\(?\s*select\b/i;
const LOCK = /\bfor\s+(?:update|share)\b|\block\s+in\s+share\s+mode\b/i;

/** Whether a statement only reads, without a lock. */
export const isRead = (sql: string): boolean => READ.test(sql) && !LOCK.test(sql);

/**
 * Whether a statement reads one table alone. One that looks into another may decide by it what a person sees, as a policy
 * does with a table of members: a replica may not know yet that somebody is a member no longer.
 */
export const readsOneTable = (sql: string): boolean => known.getOrMake(sql, () => isRead(sql) && namesOneTable(sql));

/** Where a table can't be identified for sure, there is more than one. */
function namesOneTable(sql: string): boolean {
  if (UNCLEAR.some((one) => one.test(sql))) return false;
  const tables = [...sql.matchAll(TABLE)].map(([, table]) => table);
  const places = tables.length + (sql.match(DERIVED)?.length ?? 0);
  return new Set(tables).size === 1 && sql.match(PLACE)?.length === places;
}
