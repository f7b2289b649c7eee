import type { BaseModel, Database, ModelInfo } from "framewright/plugins/database";
import type { TenantPath } from "./tenant_path.ts";

type Id = number | string;
type Values = Readonly<Record<string, unknown>>;
const GROUP = 500;

/** The keys of the tenants at the end of a path, from what the records refer to; undefined where a scope is at its end. */
export async function tenantsOfRecords(
  { knex }: Database,
  { hops, scoped }: TenantPath,
  { primaryKey }: ModelInfo,
  records: readonly BaseModel[],
): Promise<readonly Id[] | undefined> {
  if (scoped) return undefined;
  const own = hops[0]?.from.columns ?? [primaryKey];
  let found = distinct(records as unknown as Values[], own);
  for (const [at, { to, toKey, mark }] of hops.entries()) {
    const next = hops[at + 1];
    if (!next && toKey) break; // the key of the tenant itself
    const wanted = [...(next?.from.columns ?? [primaryKey])];
    const rows: Values[] = [];
    for (let from = 0; from < found.length; from += GROUP) {
      const some = found.slice(from, from + GROUP);
      const query = knex(to.table).distinct(wanted);
      if (mark !== undefined && !toKey) query.whereNull(mark);
      if (to.columns.length === 1) query.whereIn(to.columns[0]!, some.map(([value]) => value) as never);
      else query.whereIn([...to.columns], some as never);
      rows.push(...((await query) as Values[]));
    }
    found = distinct(rows, wanted);
  }
  return found.map(([id]) => id as Id);
}

/** What rows have in columns, each once; those without a value are left out. */
function distinct(rows: readonly Values[], columns: readonly string[]): unknown[][] {
  const found = new Map<string, unknown[]>();
  for (const row of rows) {
    const values = columns.map((column) => row[column]);
    if (values.every((value) => value !== null && value !== undefined))
      found.set(values.map(String).join("\0"), values);
  }
  return [...found.values()];
}
