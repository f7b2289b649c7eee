/** A column of what a statement gives, as far as the driver knows it. */
export interface ReadColumn {
  name: string;
  /** As its table declares it; null for an expression. */
  type: string | null;
}
type Row = Record<string, unknown>;

/** The indexes of the columns that may have whole numbers beyond 2^53, which a number would round. */
export const largeColumns = (columns: readonly ReadColumn[]): number[] =>
  columns.flatMap(({ type }, index) => (type === null || /int|dec|num/i.test(type) ? index : []));

/** Whether one of these values was rounded: its row has to be read again. */
export const hasLarge = (values: readonly unknown[], columns: readonly number[]): boolean =>
  columns.some((index) => isLarge(values[index]));

/** As hasLarge, of rows as objects; `names`: the columns. */
export function haveLarge(rows: readonly Row[], names: readonly string[]): boolean {
  for (const row of rows) for (const name of names) if (isLarge(row[name])) return true;
  return false;
}

const isLarge = (value: unknown): boolean =>
  typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);

/** Whole numbers as drivers give them: a text beyond 2^53. Changes a list or a row in place. */
export function wholeNumbers<T extends unknown[] | Row>(values: T): T {
  const given = values as Row;
  for (const key in given) {
    const value = given[key];
    if (typeof value === "bigint") given[key] = wholeNumber(value);
  }
  return values;
}

/** A text beyond 2^53. */
export function wholeNumber(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}
