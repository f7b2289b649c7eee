import type { Knex } from "knex";
import type { ColumnInfo } from "../drivers/columns.ts";
import type { Driver } from "../drivers/driver.ts";
import { exactDecimal } from "../models/codec.ts";

/** What is selected for a sum: expressions with the names that they are read by. */
type Parts = readonly (readonly [name: string, sql: string, scale: number])[];
type Row = Readonly<Record<string, unknown>>;

/** Sums of less than this many rows of parts below 10^9 fit a whole number of 64 bits. */
const PART = "1000000000";
const PART_DIGITS = 9;
/** Digits after the point that a fraction may have as a whole number of 64 bits. */
const MAX_SCALE = 18;
/** Decimals of at most this precision are whole numbers without rounding once they are multiplied. */
const DOUBLE_DIGITS = 15;

/**
 * The sum of a column to the digit, whatever the database adds in. `select` has what a query of the rows has to select, `read`
 * gives the sum of the row that it returned: a text, null where no row has a value, undefined where it is not known exactly.
 */
export class ExactSum {
  readonly #column: Pick<ColumnInfo, "type" | "precision" | "scale">;
  readonly #name: string;
  readonly #parts: Parts | undefined;
  readonly #isPlain: boolean;

  /** `reference`: the column in the query, `name`: the beginning of the names of what is selected. */
  constructor(
    driver: Driver,
    column: Pick<ColumnInfo, "type" | "precision" | "scale">,
    reference: string,
    name: string,
  ) {
    this.#column = column;
    this.#name = name;
    this.#isPlain = driver.addsInDoubles !== true || column.type === "float";
    this.#parts = this.#isPlain ? [[name, `sum(${reference})`, 0]] : partsOf(column, reference, name);
  }

  /** Expressions of SQL, each with its name. */
  select(knex: Knex): Knex.Raw[] {
    return (this.#parts ?? [[this.#name, "null", 0]]).map(([name, sql]) => knex.raw(`${sql} as ??`, [name]));
  }

  read(row: Row): string | null | undefined {
    const { scale = 0, type } = this.#column;
    const whole = type === "decimal" ? scale : 0;
    if (!this.#parts || Number(row[`${this.#name}_beyond`] ?? 0) > 0) return undefined;
    const first = row[this.#parts[0]![0]];
    if (first === null || first === undefined) return null;
    if (this.#isPlain) return type === "float" ? String(first) : exactDecimal(String(first), whole);
    let sum = 0n;
    for (const [name, , zeros] of this.#parts) if (zeros >= 0) sum += BigInt(String(row[name])) * 10n ** BigInt(zeros);
    return scaled(sum, whole);
  }
}

/** A whole number of units of 10^-scale as a decimal. */
function scaled(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, "0");
  const point = digits.length - scale;
  const text = scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return units < 0n ? `-${text}` : text;
}

/** The sum of decimals, with as many places as the longest of them. */
export function addDecimals(texts: readonly string[]): string {
  const places = Math.max(0, ...texts.map((text) => text.split(".")[1]?.length ?? 0));
  const units = texts.map((text) => BigInt(exactDecimal(text, places).replace(".", "")));
  return scaled(
    units.reduce((sum, one) => sum + one, 0n),
    places,
  );
}

/** A decimal whose point moves to the left: `("1234", 2)` is `12.34`. */
export const movePoint = (text: string, places: number): string =>
  scaled(BigInt(text.replace(".", "")), (text.split(".")[1]?.length ?? 0) + places);

/** The average of values with this sum, with so many places, rounded half away from zero. */
export function exactAverage(sum: string, count: number, places: number): string {
  const [, sign = "", whole = "0", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(sum) ?? [];
  const shift = Math.max(0, places + 1 - fraction.length);
  const units = BigInt(whole + fraction) * 10n ** BigInt(shift);
  return exactDecimal(sign + scaled(units / BigInt(count), fraction.length + shift), places);
}

/** Whole numbers in two parts each, so that no sum passes 64 bits; undefined for a scale that has no such parts. */
function partsOf(
  { type, precision = 10, scale = 0 }: ColumnPrecision,
  column: string,
  name: string,
): Parts | undefined {
  if (type !== "decimal") return halves(column, name, 0);
  if (precision <= DOUBLE_DIGITS) return halves(`cast(round(${column} * 1e${scale}) as integer)`, name, 0);
  if (scale > MAX_SCALE) return undefined;
  const whole = `cast(${column} as integer)`;
  const fraction = `cast(round((${column} - ${whole}) * 1e${scale}) as integer)`;
  const beyond = `sum(typeof(${column}) = 'real' and abs(${column}) >= 9.2e18)`;
  return [...halves(whole, name, scale), ...halves(fraction, `${name}_fraction`, 0), [`${name}_beyond`, beyond, -1]];
}
type ColumnPrecision = Pick<ColumnInfo, "type" | "precision" | "scale">;

const halves = (expression: string, name: string, zeros: number): Parts => [
  [`${name}_high`, `sum(${expression} / ${PART})`, zeros + PART_DIGITS],
  [`${name}_low`, `sum(${expression} % ${PART})`, zeros],
];
