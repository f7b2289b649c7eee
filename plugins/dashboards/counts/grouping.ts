import {
  addDecimals,
  type BaseModel,
  driverOf,
  ExactSum,
  ModelInfo,
  movePoint,
  type Query,
  raw,
  significantDigits,
} from "framewright/plugins/database";
import { errors } from "../errors.ts";
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

/** The numbers of a query by the first day of each unit, in the unit's decimals; units without rows are missing. */
export async function groupByUnit(query: Query<BaseModel>, { column, unit, span, sum }: Grouping): Promise<Grouped> {
  const name = columnOf(query, column);
  const sql = driverOf(query.knex()).firstDay[unit];
  const bucket = raw(sql, sql.match(/\?\?/g)!.map(() => name) as never);
  const total = sum === undefined ? undefined : summed(query, sum);
  const grouped = bare(query)
    .select(bucket.as("fw_bucket"), ...(total?.exact.select(query.knex()) ?? [raw("count(*)").as("fw_total")]))
    .whereNotNull(name)
    .groupBy("fw_bucket");
  // Whole days compare as text with datetime and date columns alike.
  if (span) grouped.where(name, ">=", dayKey(span.from)).where(name, "<", dayKey(span.to));
  const rows = (await grouped) as unknown as Record<string, unknown>[];
  const units = rows.map((row): [string, string] => [String(row.fw_bucket), textOf(row, total?.exact)]);
  return new Grouped(new Map(units), total ?? { scale: 0, isExact: true });
}

/** The sum of a column or of an amount of money, which is stored in cents. */
function summed(query: Query<BaseModel>, sum: string) {
  const model = ModelInfo.of(query.modelClass() as never);
  const { columns } = model;
  const cents = model.money[sum];
  const info = columns.get(cents ?? sum) ?? ({ type: "float" } as const);
  const reference = query
    .knex()
    .ref(columnOf(query, cents ?? sum))
    .toString();
  const exact = new ExactSum(driverOf(query.knex()), info, reference, "fw_total");
  return { exact, scale: cents === undefined ? 0 : model.digitsOf(sum), isExact: info.type !== "float" };
}
/** Digits of a decimal that a number keeps. */
const MAX_DIGITS = 15;

/** @throws FW_SUM_INEXACT */
function textOf(row: Record<string, unknown>, exact: ExactSum | undefined): string {
  const found = exact ? exact.read(row) : String(row.fw_total ?? 0);
  if (found === undefined) throw errors.FW_SUM_INEXACT();
  return found ?? "0";
}

/** Numbers by the first day of their unit. They are added up as decimals, so that a sum has no more digits than they have. */
export class Grouped {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #scale: number;
  readonly #isExact: boolean;

  /** `scale`: places that the point of each number moves to the left; `isExact`: not of floats. */
  constructor(texts: ReadonlyMap<string, string>, { scale, isExact }: { scale: number; isExact: boolean }) {
    this.#texts = texts;
    this.#scale = scale;
    this.#isExact = isExact;
  }

  get days(): readonly string[] {
    return [...this.#texts.keys()];
  }
  /** The sums by what a first day belongs to; undefined for nothing. @throws FW_SUM_INEXACT */
  sums<K>(keyOf: (day: string) => K | undefined): Map<K, number> {
    const texts = new Map<K, string[]>();
    for (const [day, text] of this.#texts) {
      const key = keyOf(day);
      if (key === undefined) continue;
      const list = texts.get(key);
      if (list) list.push(text);
      else texts.set(key, [text]);
    }
    return new Map([...texts].map(([key, list]) => [key, this.#sum(list)]));
  }

  #sum(texts: readonly string[]): number {
    if (!this.#isExact) return texts.reduce((sum, text) => sum + Number(text), 0);
    const sum = movePoint(addDecimals(texts), this.#scale);
    if (significantDigits(sum) > MAX_DIGITS) throw errors.FW_SUM_INEXACT();
    return Number(sum);
  }
}
