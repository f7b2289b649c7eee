import {
  type AttributeName,
  type BaseModel,
  ModelInfo,
  type Query,
  raw,
  refuseEncrypted,
} from "framewright/plugins/database";
import { bucketsOf, dayKey, isCurrent, next, type Period, type Span, startOf, type Unit } from "../period.ts";
import { bare, columnOf, groupByUnit } from "./grouping.ts";

/** Numbers over time: one for each unit, also where there is nothing. */
export interface Series {
  readonly unit: Unit;
  /** `day` is the first day of the unit, as `2026-11-23`. */
  readonly points: readonly { readonly day: string; readonly value: number }[];
}
/** Numbers by the values of a column. */
export interface Categories {
  /** The constant of the model, by which a portal knows how the values are shown. */
  readonly model: string;
  readonly column: string;
  readonly points: readonly { readonly key: unknown; readonly value: number }[];
}
/** A number in a period, in the period before, and on its way. */
export interface Measured {
  readonly value: number;
  readonly before?: number;
  readonly points?: readonly number[];
  /** Whether the last point is of a unit that has not ended yet. */
  readonly isCurrent?: boolean;
}

/** The most categories that are returned, the largest first. */
const MAX_CATEGORIES = 20;

type Plain = Query<BaseModel>;

/**
 * Counts the rows of a query by the day, week or month of a column, in UTC: `countBy(this.query(Post), "created_at",
 * "week", period)`. Without a period the units from the first row to the last are counted.
 */
export function countBy<M extends BaseModel>(
  query: Query<M>,
  column: AttributeName<M>,
  unit: Unit,
  period?: Span,
): Promise<Series> {
  return series(query as unknown as Plain, column, unit, period);
}

/** As `countBy`, with the sum of a column in place of the number of rows. */
export function sumBy<M extends BaseModel>(
  query: Query<M>,
  sum: AttributeName<M>,
  column: AttributeName<M>,
  unit: Unit,
  period?: Span,
): Promise<Series> {
  return series(query as unknown as Plain, column, unit, period, sum);
}

/** The number of rows whose column is in a period, in the period before, and by its units: one query. */
export function countIn<M extends BaseModel>(
  query: Query<M>,
  column: AttributeName<M>,
  period: Period,
): Promise<Measured> {
  return measured(query as unknown as Plain, column, period);
}

/** As `countIn`, with the sum of a column in place of the number of rows. */
export function sumIn<M extends BaseModel>(
  query: Query<M>,
  sum: AttributeName<M>,
  column: AttributeName<M>,
  period: Period,
): Promise<Measured> {
  return measured(query as unknown as Plain, column, period, sum);
}

/** The number of rows by the values of a column; those of an enum in its order, else the largest first. At most 20. */
export async function countByColumn<M extends BaseModel>(
  query: Query<M>,
  column: AttributeName<M>,
): Promise<Categories> {
  const plain = query as unknown as Plain;
  refuseEncrypted(plain, column, "counted by");
  const name = columnOf(plain, column);
  const rows = (await bare(plain)
    .select(`${name} as fw_key`, raw("count(*)").as("fw_total"))
    .groupBy(name)
    .orderBy("fw_total", "desc")
    .limit(MAX_CATEGORIES)) as unknown as { fw_key: unknown; fw_total: unknown }[];
  const points = rows.map((row) => ({ key: row.fw_key, value: Number(row.fw_total) }));
  const info = ModelInfo.of(plain.modelClass() as never);
  const order = info.choices[column];
  const place = ({ key }: { key: unknown }) => order?.indexOf(String(key)) ?? 0;
  return { model: info.constant, column, points: order ? points.sort((a, b) => place(a) - place(b)) : points };
}

async function series(query: Plain, column: string, unit: Unit, span?: Span, sum?: string): Promise<Series> {
  const found = await groupByUnit(query, { column, unit, span, sum });
  const buckets = bucketsOf(unit, span ?? spanOf(found.days, unit));
  const values = found.sums((day) => day);
  return { unit, points: buckets.map((day) => ({ day, value: values.get(day) ?? 0 })) };
}

/** From the first to the last day that was found. */
function spanOf(days: readonly string[], unit: Unit): Span {
  const sorted = [...days].sort();
  if (sorted.length === 0) return { from: new Date(0), to: new Date(0) };
  return { from: new Date(`${sorted[0]}T00:00Z`), to: next(unit, new Date(`${sorted.at(-1)}T00:00Z`)) };
}

async function measured(query: Plain, column: string, period: Period, sum?: string): Promise<Measured> {
  const { before, from, to, unit } = period;
  const days = await groupByUnit(query, { column, unit: "day", span: { from: before.from, to }, sum });
  const isBefore = (at: Date) => at < from;
  const [value, earlier] = [false, true].map(
    (wanted) => days.sums((day) => (isBefore(dateOf(day)) === wanted ? "all" : undefined)).get("all") ?? 0,
  );
  const points = days.sums((day) => (isBefore(dateOf(day)) ? undefined : dayKey(startOf(unit, dateOf(day)))));
  const buckets = bucketsOf(unit, period);
  const last = buckets.at(-1);
  return {
    value: value!,
    before: earlier!,
    points: buckets.map((bucket) => points.get(bucket) ?? 0),
    ...(last !== undefined && isCurrent(unit, last) ? { isCurrent: true } : {}),
  };
}

const dateOf = (day: string): Date => new Date(`${day}T00:00Z`);
