import { type BaseModel, type ColumnInfo, type ModelInfo, plainProblems } from "framewright/plugins/database";
import type { ScopeRule } from "framewright/plugins/scoping";

type Values = Record<string, unknown>;

/** What texts of a record are made of: the mark of its tenant, and a number that keeps unique values apart. */
export interface Mark {
  readonly text: string;
  readonly count: number;
}

/** Values for the columns of a new record that its types and its rules accept, as far as these can be known. */
export function sampleValues(model: ModelInfo, mark: Mark, given: Values): Values {
  const keys = new Set(
    [...model.associations.values()].filter(({ kind }) => kind === "belongsTo").map((one) => one.foreignKey),
  );
  const columns = [...model.columns.values()].filter(
    ({ name, primary }) => !primary && !keys.has(name) && !(name in given) && !/^(created|updated)_at$/.test(name),
  );
  const choices = new Map(columns.map((column) => [column.name, candidates(model, column, mark)]));
  const values: Values = { ...given };
  for (const [name, [first]] of choices) if (first !== undefined) values[name] = first;
  for (const [name, list] of choices) {
    const fitting = list.find((value) => !hasProblem(model, { ...values, [name]: value }, name));
    if (fitting !== undefined) values[name] = fitting;
  }
  return values;
}

function hasProblem(model: ModelInfo, values: Values, name: string): boolean {
  try {
    return (plainProblems(model.class, values, "insert")[name]?.length ?? 0) > 0;
  } catch {
    return false; // the insert says what is wrong
  }
}

/** What a column may take, the likeliest first; nothing for one that is better left as it is. */
function candidates({ enums, class: cls }: ModelInfo, column: ColumnInfo, { text, count }: Mark): unknown[] {
  const { name, type, nullable, hasDefault } = column;
  if (name === "account_status") return ["verified"];
  const list = enums[name] ?? column.values;
  if (hasDefault || name in cls.defaults) return [];
  if (list) return [...list];
  const inclusion = cls.validations[name]?.inclusion;
  if (inclusion) return [...("in" in inclusion ? inclusion.in : inclusion)];
  const isRequired = !nullable || cls.validations[name]?.presence;
  if (type === "string" || type === "text") return texts(column, text, count);
  return isRequired ? (samples[type]?.(count) ?? []) : [];
}

/** Texts with the mark, each within the column's length. */
function texts({ name, maxLength = 255 }: ColumnInfo, mark: string, count: number): string[] {
  const email = `${mark}.${count}@audit.test`;
  const url = `https://audit.test/${mark}/${count}`;
  const first = /email/.test(name) ? [email] : /url|website/.test(name) ? [url] : [];
  const all = [
    ...first,
    `${mark} ${name} ${count}`,
    `${mark}${count}`,
    email,
    url,
    mark.toUpperCase(),
    digits(count),
    "x",
  ];
  return [...all.filter((text) => text.length <= maxLength), `${mark}${count}`.slice(-maxLength)];
}

const digits = (count: number) => String(7_000_000 + count);

const samples: Partial<Record<ColumnInfo["type"], (count: number) => unknown[]>> = {
  integer: (count) => [count, 1, 0, 10],
  bigint: (count) => [count, 1, 0, 10],
  float: () => [1, 0, 10],
  decimal: () => ["1", "0", "0.5"],
  boolean: () => [true, false],
  date: () => ["2026-01-31", "2036-01-31"],
  datetime: () => [new Date("2026-01-31T12:00:00Z"), new Date("2036-01-31T12:00:00Z")],
  time: () => ["12:00:00"],
  json: () => [{}, []],
  uuid: (count) => [`00000000-0000-4000-8000-${String(count).padStart(12, "0")}`],
  binary: () => [Buffer.from("audit")],
};

/** The id of a record. */
/** A tenant as a segment of a path. */
export const tenantSegment = ({ paramKey }: ScopeRule, tenant: BaseModel): string =>
  encodeURIComponent(String((tenant as unknown as Values)[paramKey] ?? idOf(tenant)));

export const idOf = (record: BaseModel): number | string => record.$id() as number | string;
