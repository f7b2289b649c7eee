import type { Driver } from "framewright/plugins/database";
import type { Knex } from "knex";

type StatementPlan = Awaited<ReturnType<NonNullable<Driver["explain"]>>>;

/** A step of what `explain (format json)` returns. */
interface Step {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly Alias?: string;
  readonly "Index Cond"?: string;
  readonly Plans?: readonly Step[];
}

/**
 * How PostgreSQL would run a select if it read no table from end to end and sorted nothing unless it must: of small tables,
 * and for values that most rows have, it takes no index, though there is one.
 */
export async function explainStatement(knex: Knex, sql: string, bindings: readonly unknown[]): Promise<StatementPlan> {
  const plan = await knex.transaction(async (transaction) => {
    await transaction.raw("set local enable_seqscan = off");
    await transaction.raw("set local enable_sort = off");
    const { rows } = await transaction.raw(`explain (format json) ${sql}`, bindings as never);
    const [{ "QUERY PLAN": found }] = rows as [{ "QUERY PLAN": string | readonly [{ Plan: Step }] }];
    return (typeof found === "string" ? JSON.parse(found) : found)[0].Plan as Step;
  });
  const steps = stepsOf(plan);
  const reads = steps.flatMap((step) => {
    const table = step.Alias ?? step["Relation Name"];
    const conditions = stepsOf(step).map((one) => one["Index Cond"] ?? "");
    const columns = conditions.flatMap((condition) => condition.match(/[a-z_]\w*/gi) ?? []);
    return table === undefined ? [] : [{ table, columns: [...new Set(columns)] }];
  });
  return { reads, sorts: steps.some((step) => step["Node Type"] === "Sort") };
}

const stepsOf = (step: Step): Step[] => [step, ...(step.Plans ?? []).flatMap(stepsOf)];
