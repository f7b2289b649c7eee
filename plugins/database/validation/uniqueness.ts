import type { Knex } from "knex";
import type { Transaction } from "objection";
import type { BaseModel } from "../models/model.ts";
import type { ModelInfo } from "../models/model_info.ts";
import { whereInUse } from "../models/row_mark.ts";
import { whereEqualIgnoringCase } from "../queries/case_insensitive.ts";
import { uniqueColumns } from "./column_names.ts";
import type { Rules } from "./declared_rules.ts";
import { problem } from "./messages.ts";
import { isBlank, messageOf } from "./rules.ts";
import type { Problem } from "./validation_error.ts";

type Values = Record<string, unknown>;
/** The write that rules which look at the whole record check. */
export interface Write {
  info: ModelInfo;
  what: "insert" | "update";
  /** What is written. */
  values: Values;
  /** The record as it will be. */
  whole: BaseModel;
  /** The record as it is stored; undefined for a new one. */
  stored: BaseModel | undefined;
  transaction: Transaction;
}

/** Looks whether another row has what is written. */
export async function uniqueProblem(
  write: Write,
  name: string,
  rule: NonNullable<Rules["uniqueness"]>,
): Promise<Problem | undefined> {
  const { info, whole, stored, transaction } = write;
  const [column, ...scope] = uniqueColumns(info, name, rule) as [string, ...string[]];
  if (write.what === "update" && ![column, ...scope].some((one) => write.values[one] !== undefined)) return undefined;
  const values = whole as unknown as Values;
  if (info.columnsOf(name).some((one) => isBlank(values[one]))) return undefined;
  const query = whereInUse(transaction(info.table), info);
  for (const one of [column, ...scope]) {
    if (values[one] === null || values[one] === undefined) query.whereNull(one);
    else whereStored(query, info, one, values[one], transaction);
  }
  const own = info.key.of(write.values) ?? (stored && info.key.of(stored));
  if (own !== undefined && own !== null) query.whereNot((record) => void info.key.where(record, own));
  return (await query.first(info.primaryKey)) ? problem("taken", {}, messageOf(rule)) : undefined;
}

/** Narrows to the rows that have a value, as its column stores it. */
function whereStored(query: Knex.QueryBuilder, info: ModelInfo, column: string, value: unknown, knex: Knex): void {
  const cipher = info.encrypted.get(column);
  if (cipher) query.whereIn(column, [...cipher.candidates(value)]);
  else whereEqualIgnoringCase(query, column, (info.encoders.get(column)?.(value) ?? value) as string | number, knex);
}

/**
 * The uniqueness that these columns of an index are held to, whatever their order: the attribute that declares it, and its own
 * text. Where no rule names all of them, one that names some, or that names more.
 */
export function uniquenessOf(
  info: ModelInfo,
  columns: readonly string[],
): { name: string; message?: string } | undefined {
  const rules = Object.entries(info.class.validations).flatMap(([name, { uniqueness }]) => {
    if (!uniqueness) return [];
    const own = uniqueColumns(info, name, uniqueness);
    const common = own.filter((column) => columns.includes(column)).length;
    const [fewer, more] = [own.length, columns.length].sort((a, b) => a - b);
    return common === fewer ? [{ name, message: messageOf(uniqueness), distance: more! - common }] : [];
  });
  const [nearest] = rules.sort((a, b) => a.distance - b.distance);
  return nearest && { name: nearest.name, ...(nearest.message === undefined ? {} : { message: nearest.message }) };
}
