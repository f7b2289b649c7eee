import { type BaseModel, driverOf, ModelInfo, type Query, raw } from "framewright/plugins/database";
import { dayKey, type Span, type Unit } from "../period.ts";

/** The column with its table, so that a query with joins is not ambiguous. */
export function columnOf(query: Query<BaseModel>, column: string): string {
  return `${query.tableRefFor(query.modelClass())}.${column}`;
}

/** A copy of a query without what it selects and without its order. */
export const bare = (query: Query<BaseModel>): Query<BaseModel> => query.clone().clearSelect().clearOrder() as never;

interface Grouping {
  column: string;
  unit: Unit;
  span: Span | undefined;
  /** The column or the amount of money to sum; undefined counts rows. */
  sum?: string | undefined;
}

/** The numbers of a query by the first day of each unit; units without rows are missing. */
export async function groupByUnit(
  query: Query<BaseModel>,
  { column, unit, span, sum }: Grouping,
): Promise<Map<string, number>> {
  const name = columnOf(query, column);
  const sql = driverOf(query.knex()).firstDay[unit];
  const bucket = raw(sql, sql.match(/\?\?/g)!.map(() => name) as never);
  const cents = sum === undefined ? undefined : ModelInfo.of(query.modelClass() as never).money[sum];
  const total = sum === undefined ? raw("count(*)") : raw("sum(??)", [columnOf(query, cents ?? sum)] as never);
  const grouped = bare(query)
    .select(bucket.as("fw_bucket"), total.as("fw_total"))
    .whereNotNull(name)
    .groupBy("fw_bucket");
  // Whole days compare as text with datetime and date columns alike.
  if (span) grouped.where(name, ">=", dayKey(span.from)).where(name, "<", dayKey(span.to));
  const rows = (await grouped) as unknown as { fw_bucket: unknown; fw_total: unknown }[];
  return new Map(
    rows.map((row) => [String(row.fw_bucket), Number(row.fw_total ?? 0) / (cents === undefined ? 1 : 100)]),
  );
}
