import { type BaseModel, type ColumnInfo, ModelInfo, plainProblems, type Rules } from "framewright/plugins/database";
import type { ScopeRule } from "framewright/plugins/scoping";
import { type Mark, sampleTexts } from "./sample_texts.ts";

export type { Mark } from "./sample_texts.ts";

type Values = Record<string, unknown>;
/** The types of a model's fields by column, where a definition declares one: `{ shade: "color" }`. */
export type FieldTypes = Readonly<Record<string, string>>;

/** The values of a new record, and the columns for which none fits. */
export interface Sample {
  readonly values: Values;
  /** Columns that are left empty, or that have a value which their rules refuse. */
  readonly unfit: readonly string[];
}
/** What of a sample was refused, by how often: another value is tried each time. */
export type Refused = ReadonlyMap<string, number>;

/** Values for the columns of a new record that its types and its rules accept, as far as these can be known. */
export const sampleValues = (model: ModelInfo, mark: Mark, given: Values, types: FieldTypes = {}): Values =>
  sampleOf(model, mark, given, types).values;

/** As `sampleValues`, with what did not fit. */
export function sampleOf(
  model: ModelInfo,
  mark: Mark,
  given: Values,
  types: FieldTypes = {},
  refused: Refused = new Map(),
): Sample {
  const keys = new Set(
    [...model.associations.values()].filter(({ kind }) => kind === "belongsTo").flatMap(({ key }) => key.columns),
  );
  const columns = [...model.columns.values()].filter(
    ({ name, primary }) =>
      !(primary && !model.key.isComposite) &&
      !keys.has(name) &&
      !(name in given) &&
      name !== model.mark?.column && // its rows would be out of use
      !/^(created|updated)_at$/.test(name),
  );
  const markOf = ({ primary }: ColumnInfo): Mark => (primary ? { ...mark, text: "key" } : mark); // keys stand in addresses
  const choices = new Map(
    columns.map((column) => [column, candidates(model, column, markOf(column), types[column.name])]),
  );
  const values: Values = { ...given };
  for (const [{ name }, [first]] of choices) if (first !== undefined) values[name] = first;
  const unfit: string[] = [];
  for (const [column, list] of choices) {
    const { name } = column;
    let passed = refused.get(name) ?? 0;
    const value = list.find((one) => !hasProblem(model, { ...values, [name]: one }, name) && passed-- === 0);
    if (value !== undefined) values[name] = value;
    else if (list.length > 0) {
      unfit.push(name);
      if (!isRequired(model, column)) delete values[name];
    }
  }
  return { values, unfit };
}

function hasProblem(model: ModelInfo, values: Values, name: string): boolean {
  try {
    return (plainProblems(model.class, values, "insert")[name]?.length ?? 0) > 0;
  } catch {
    return false; // the insert says what is wrong
  }
}

const isRequired = ({ class: { validations } }: ModelInfo, { name, nullable }: ColumnInfo): boolean =>
  !nullable || Boolean(validations[name]?.presence);

/** What a column may take, the likeliest first; nothing for one that is better left as it is. */
function candidates(model: ModelInfo, column: ColumnInfo, mark: Mark, as: string | undefined): unknown[] {
  const { enums, class: cls } = model;
  const { name, type, hasDefault } = column;
  if (name === "account_status") return ["verified"];
  const list = enums[name] ?? column.values;
  if (hasDefault || name in cls.defaults) return [];
  if (list) return [...list];
  const rules: Rules = cls.validations[name] ?? {};
  if (rules.inclusion) return [...("in" in rules.inclusion ? rules.inclusion.in : rules.inclusion)];
  if (type === "string" || type === "text") return sampleTexts({ name, maxLength: column.maxLength, as, rules }, mark);
  return isRequired(model, column) ? plainSamples(column, rules, mark) : [];
}

function plainSamples(column: ColumnInfo, rules: Rules, mark: Mark): unknown[] {
  const { type } = column;
  if (type === "integer" || type === "float") return numbers(rules, mark.count);
  if (type === "bigint" || type === "decimal") return numbers(rules, mark.count).map(String); // a number would round them
  return samples[type]?.(mark, column.name) ?? [];
}

/** Numbers within the bounds of a rule, and between them. */
function numbers({ numericality }: Rules, count: number): number[] {
  const bounds = typeof numericality === "object" ? numericality : {};
  const least = bounds.greaterThanOrEqualTo ?? bounds.greaterThan;
  const most = bounds.lessThanOrEqualTo ?? bounds.lessThan;
  const between = least !== undefined && most !== undefined ? [(least + most) / 2, Math.round((least + most) / 2)] : [];
  const above = least === undefined ? [] : [least + count, least, least + 1, least + 0.5];
  const below = most === undefined ? [] : [most, most - 1, most - 0.5];
  return [...above, count, 1, 0, 10, 0.5, ...between, ...below, -1];
}

const samples: Partial<Record<ColumnInfo["type"], (mark: Mark, name: string) => unknown[]>> = {
  boolean: () => [true, false],
  date: () => ["2026-01-31", "2036-01-31"],
  datetime: () => [new Date("2026-01-31T12:00:00Z"), new Date("2036-01-31T12:00:00Z")],
  time: () => ["12:00:00", "12:00"],
  json: ({ text, count }, name) => [{ audit: `${text} ${name} ${count}` }, {}, [], [`${text} ${name} ${count}`]],
  uuid: ({ count }) => [`00000000-0000-4000-8000-${String(count).padStart(12, "0")}`],
  binary: ({ text, count }, name) => [Buffer.from(`${text} ${name} ${count}`)],
};

/** A tenant as a segment of a path. */
export const tenantSegment = ({ paramKey }: ScopeRule, tenant: BaseModel): string =>
  encodeURIComponent(String((tenant as unknown as Values)[paramKey] ?? idOf(tenant)));

/** The id of a record. */
export const idOf = (record: BaseModel): number | string => ModelInfo.keyOf(record)!;
