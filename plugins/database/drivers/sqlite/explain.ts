import type { Knex } from "knex";
import type { StatementPlan } from "../statement_plan.ts";

/** `SCAN posts`, `SEARCH posts USING INDEX posts_status (organization_id=? AND status=?)`. */
const READ = /^(?:SCAN|SEARCH) (\S+)(?:.*\(([^()]*)\)$)?/;
const SORT = "USE TEMP B-TREE FOR ORDER BY";
const KEY = "select name from pragma_table_info(?) where pk = 1";

/** How SQLite would run a select: what `explain query plan` prints of it. */
export async function explainSqlite(knex: Knex, sql: string, bindings: readonly unknown[]): Promise<StatementPlan> {
  const lines = (await knex.raw(`explain query plan ${sql}`, bindings as never)) as { detail: string }[];
  const reads = lines.flatMap(({ detail }) => {
    const [, table, narrowed = ""] = READ.exec(detail) ?? [];
    const columns = [...narrowed.matchAll(/(\w+)[=<>]/g)].map(([, column]) => column!);
    return table === undefined ? [] : [{ table, columns: detail.startsWith("SEARCH") ? columns : [] }];
  });
  for (const { table, columns } of reads)
    if (columns.includes("rowid")) columns.push(...((await knex.raw(KEY, [table])) as Named[]).map(({ name }) => name));
  return { reads, sorts: lines.some(({ detail }) => detail === SORT) };
}
interface Named {
  name: string;
}
