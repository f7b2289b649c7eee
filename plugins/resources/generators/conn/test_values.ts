import type { ColumnInfo, ModelInfo } from "framewright/plugins/database";

/** What a form sends for an attribute; `shown` where a page shows the value as it was sent. */
export interface TestValue {
  name: string;
  value: string;
  shown: boolean;
}

const WRITTEN_BY_MODEL = new Set(["id", "created_at", "updated_at", "lock_version"]);
/** Tried in turn for a text with a pattern. */
const texts = ["ann@example.com", "https://example.com", "+41 31 000 00 00", "#aabbcc"];
const byType: Readonly<Partial<Record<ColumnInfo["type"], string>>> = {
  integer: "1",
  bigint: "1",
  float: "1",
  decimal: "1",
  boolean: "1",
  date: "2026-01-31",
  datetime: "2026-01-31T12:00",
  time: "12:00",
};

/** The least that a form must send to create a record, and a text to read again; undefined where that can't be known. */
export function testValues(info: ModelInfo, permitted: readonly string[]): TestValue[] | undefined {
  const filled = filledByPlugins(info.class);
  const columns = [...info.columns.values()].filter(({ name }) => !WRITTEN_BY_MODEL.has(name) && !filled.has(name));
  const required = columns.filter((column) => isRequired(info, column));
  const values = required.map((column) => sampleValue(info, column));
  if (values.some((value) => value === undefined || !permitted.includes(value.name))) return undefined;
  const found = values as TestValue[];
  if (found.some(({ shown }) => shown)) return found;
  const more = columns.filter(({ name, type }) => type === "string" && permitted.includes(name));
  const text = more.map((column) => sampleValue(info, column)).find((value) => value?.shown);
  return text && [...found, text];
}

/** The columns that plugins write in each new record, as a number or a state. */
export const filledByPlugins = (model: object): ReadonlySet<string> =>
  new Set(
    Object.values(model).flatMap((value: unknown) =>
      typeof value === "object" && value !== null && "neededPlugin" in value && "fills" in value
        ? String(value.fills)
        : [],
    ),
  );

/** Whether a record without a value for the column is refused. */
export function isRequired(
  { class: cls, associations }: ModelInfo,
  { name, nullable, hasDefault }: ColumnInfo,
): boolean {
  if (cls.slug && name === cls.paramKey) return false; // written by the model
  const link = [...associations.values()].find((one) => one.kind === "belongsTo" && one.key.column === name);
  const rules = cls.validations[link?.name ?? name] ?? cls.validations[name];
  return (!nullable && !hasDefault) || rules?.presence !== undefined;
}

/** Undefined for what only other records, files or rules of the application's own decide. */
export function sampleValue(info: ModelInfo, column: ColumnInfo): TestValue | undefined {
  const { name, type } = column;
  const [money] = Object.entries(info.money).find(([, cents]) => cents === name) ?? [];
  if (money !== undefined) return { name: money, value: "1", shown: false };
  if (isReference(info, name)) return undefined;
  const { presence: _, uniqueness: __, length, format, inclusion: ___, ...others } = info.class.validations[name] ?? {};
  if (Object.keys(others).length > 0) return undefined;
  const [choice] = info.choices[name] ?? column.values ?? [];
  if (choice !== undefined) return { name, value: choice, shown: false };
  if (type !== "string" && type !== "text") return plain(name, byType[type]);
  const { minimum = 0, maximum = column.maxLength ?? 255 } = (length ?? {}) as { minimum?: number; maximum?: number };
  const fits = (text: string) =>
    text.length >= minimum &&
    text.length <= Math.min(maximum, column.maxLength ?? maximum) &&
    format?.with.test(text) !== false;
  const words = [`First ${name}`, name];
  const value = [...words, ...texts].find(fits);
  return value === undefined ? undefined : { name, value, shown: words.includes(value) };
}

const plain = (name: string, value: string | undefined): TestValue | undefined =>
  value === undefined ? undefined : { name, value, shown: false };

function isReference({ associations, polymorphic, encrypted }: ModelInfo, name: string): boolean {
  const keys = [...associations.values()].filter(({ kind }) => kind === "belongsTo").flatMap(({ key }) => key.columns);
  const others = [...polymorphic.values()].flatMap(({ keyColumn, typeColumn }) => [keyColumn, typeColumn]);
  return encrypted.has(name) || [...keys, ...others].includes(name);
}
