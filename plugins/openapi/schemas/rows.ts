import type { Schema } from "../contract.ts";

type Declared = Readonly<Record<string, unknown>> & { readonly as: string };
type FieldOf = (name: string, declared: Declared) => Schema;

/** The most rows where nothing else is declared. */
const MAX_ROWS = 200;

/** The schema of rows or a group that are declared with their fields; undefined for any other field. */
export function rowsOf(_name: string, declared: Declared, fieldOf: FieldOf): Schema | undefined {
  const { as, fields, maximum = MAX_ROWS, minimum } = declared;
  if (as !== "repeated" && as !== "group") return undefined;
  const inner = Object.entries((fields ?? {}) as Readonly<Record<string, Declared>>);
  const properties = Object.fromEntries(inner.map(([field, own]) => [field, fieldOf(field, own)]));
  const row: Schema = { type: "object", properties };
  if (as === "group") return row;
  return { type: "array", items: row, maxItems: maximum, ...(minimum === undefined ? {} : { minItems: minimum }) };
}
