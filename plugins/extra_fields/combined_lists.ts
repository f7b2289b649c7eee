import type { BaseModel, ModelInfo, Query } from "framewright/plugins/database";
import { relativeDays } from "framewright/plugins/fields/toolkit";
import type { AttributeHandler } from "framewright/plugins/resources/toolkit";
import { placeChoices } from "./places.ts";

type Filter = NonNullable<AttributeHandler["filter"]>;
type Given = Parameters<Filter["apply"]>[1];
type Columns = Readonly<Record<string, string>>;
type Rows = Query<BaseModel>;

const numbers: ReadonlySet<string | undefined> = new Set(["decimal", "integer", "bigint", "float"]);
/** How many words of what an address contains are looked for. */
const MAX_WORDS = 8;

/** Whether rows can be ordered, and looked for, by a column. */
function isComparable({ columns, encrypted }: ModelInfo, column: string): boolean {
  const { type, isOpaque } = columns.get(column) ?? {};
  return type !== undefined && !encrypted.has(column) && !isOpaque && !["json", "binary", "text"].includes(type);
}

/** The columns of the parts that a list is ordered by, in turn. */
export const orderOf = (model: ModelInfo, columns: Columns, keys: readonly string[]): string[] =>
  keys.map((key) => columns[key]!).filter((column) => isComparable(model, column));

/** How lists are filtered by several columns as one; undefined where a column is encrypted, or of another type. */
export const combinedFilters: Readonly<Record<string, (model: ModelInfo, columns: Columns) => Filter | undefined>> = {
  period: periodFilter,
  amount: amountFilter,
  address: addressFilter,
};

/** A day finds the periods that it is in, days those that they overlap; an open end goes on. */
function periodFilter(model: ModelInfo, { from, to }: Columns): Filter | undefined {
  const ends = [from!, to!] as const;
  const isDay = (column: string) => isComparable(model, column) && model.columns.get(column)!.type === "date";
  if (!ends.every(isDay)) return undefined;
  const [first, last] = ends.map((column) => `${model.table}.${column}`) as [string, string];
  const filled = (rows: Rows) => rows.where((one) => void one.whereNotNull(first).orWhereNotNull(last));
  return {
    kind: "date",
    column: ends[0],
    apply(group, given, { compare, timeZone }) {
      const { is, empty, in: days, ...range } = given as Record<string, string>;
      const overlap = ({ from: begin, to: end }: { from?: string; to?: string }) => {
        filled(group);
        const open = (column: string, name: string, by: Given) =>
          group.where((one) => {
            compare(one as unknown as Rows, name, by);
            one.orWhereNull(column);
          });
        if (end !== undefined) open(first, ends[0], { to: end });
        if (begin !== undefined) open(last, ends[1], { from: begin });
      };
      if (is !== undefined) overlap({ from: is, to: is });
      if (range.from !== undefined || range.to !== undefined) overlap(range);
      if (days !== undefined) overlap(relativeDays(days, new Date(), timeZone)!);
      if (empty === "1") group.whereNull(first).whereNull(last);
      if (empty === "0") filled(group);
    },
  };
}

function amountFilter(model: ModelInfo, { amount, currency }: Columns): Filter | undefined {
  const column = amount!;
  if (!isComparable(model, column) || !numbers.has(model.columns.get(column)!.type)) return undefined;
  return {
    kind: "number",
    column,
    ...chosenBy("amount", "currency", isComparable(model, currency!)),
    apply(group, { currency: chosen, ...given }, { compare }) {
      if (Object.keys(given).length > 0) compare(group, column, given);
      if (chosen !== undefined) compare(group, currency!, { any: chosen });
    },
  };
}

/** Each word has to be in one of the texts; all else is compared with each of them. */
function addressFilter(model: ModelInfo, { country, ...others }: Columns): Filter | undefined {
  const texts = Object.values(others).filter((column) => isComparable(model, column));
  const hasCountry = isComparable(model, country!);
  if (texts.length === 0) return undefined;
  const all = hasCountry ? [...texts, country!] : texts;
  return {
    kind: "text",
    column: texts[0]!,
    ...chosenBy("address", "country", hasCountry),
    apply(group, { country: chosen, contains, not, empty, ...given }, { compare }) {
      const inOne = (columns: readonly string[], by: Given) =>
        group.where((one) => {
          for (const column of columns) one.orWhere((part) => compare(part as unknown as Rows, column, by));
        });
      for (const word of wordsOf(contains)) inOne(texts, { contains: word });
      for (const [operator, value] of Object.entries(given)) inOne(texts, { [operator]: value! });
      for (const column of not === undefined ? [] : texts) compare(group, column, { not: not! });
      if (chosen !== undefined) compare(group, country!, { any: chosen });
      if (empty === "1") for (const column of all) compare(group, column, { empty });
      if (empty === "0") inOne(all, { empty });
    },
  };
}
const wordsOf = (text: Given[string] | undefined): string[] =>
  String(text ?? "")
    .split(/\s+/)
    .filter((word) => word !== "")
    .slice(0, MAX_WORDS);

/** An operator by which a part is chosen. */
const chosenBy = (as: string, operator: "currency" | "country", isOffered: boolean): Pick<Filter, "choice"> => ({
  ...(isOffered && {
    choice: {
      operator,
      label: (t) => t(`extra_fields.${as}.${operator}`),
      choices: (t) => placeChoices(operator, t),
    },
  }),
});
