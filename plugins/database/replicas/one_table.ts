import { BoundedCache } from "framewright/host";

const known = new BoundedCache<boolean>(2000);

const TABLE = /\b(?:from|join)\s+((?:`[^`]+`|[\w$]+)(?:\.(?:`[^`]+`|[\w$]+))?)/gi;
const LISTED = /\bfrom\s+(?:`[^`]+`|[\w$.]+)(?:\s+(?:as\s+)?(?:`[^`]+`|[\w$]+))?\s*,/i;
const READ = /^\s*\(?\s*select\b/i;
const LOCK = /\bfor\s+(?:update|share)\b|\block\s+in\s+share\s+mode\b/i;

/** Whether a statement only reads, without a lock. */
export const isRead = (sql: string): boolean => READ.test(sql) && !LOCK.test(sql);

/**
 * Whether a statement reads one table alone. One that looks into another may decide by it what a person sees, as a policy
 * does with a table of members: a replica may not know yet that somebody is a member no longer.
 */
export const readsOneTable = (sql: string): boolean => known.getOrMake(sql, () => isRead(sql) && namesOneTable(sql));

function namesOneTable(sql: string): boolean {
  if (LISTED.test(sql)) return false;
  const tables = new Set([...sql.matchAll(TABLE)].map(([, table]) => table));
  return tables.size === 1;
}
