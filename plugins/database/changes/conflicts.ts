import type { Transaction } from "objection";
import { errors } from "../errors.ts";
import type { BaseModel } from "../models/model.ts";
import { ModelInfo } from "../models/model_info.ts";
import { type Inserting, insertOf } from "../queries/insert_many.ts";
import type { Writing } from "./writing.ts";

type Values = Readonly<Record<string, unknown>>;
interface WithArgs {
  readonly name: string;
  readonly args?: readonly unknown[];
}
/** What is used of objection's query builder. */
interface Conflicting extends Writing, Omit<Inserting, "clone"> {
  clone(): { clear(operation: RegExp): Writing };
}

const PARTS = /^(?:onConflict|ignore|merge)$/;

/**
 * Does what `onConflict().merge()` and `.ignore()` of one record do, by statements that plugins hear of: the record that is
 * there is looked for, locked, and changed by its model; else the new one is inserted, and where another transaction was faster that one counts.
 * @throws FW_CHANGE_CONFLICT where the query does not name its columns, or has conditions
 */
export async function writeConflicting(writing: Writing): Promise<unknown> {
  const query = writing as Conflicting;
  const info = ModelInfo.of(query.modelClass());
  const record = insertOf(query)?.models?.[0] as BaseModel & Record<string, unknown>;
  const [columns, merged] = partsOf(query, info);
  const transaction = query.knex() as Transaction;
  const find = () => stored(info, columns, record, transaction);
  const found = await find();
  if (found) return changed(query, record, found, merged, transaction);
  try {
    return await transaction.transaction((inner) => {
      const insert = query.clone().clear(PARTS);
      return insert.transacting(inner as unknown as Transaction).execute();
    });
  } catch (error) {
    const other = await find();
    if (!other) throw error;
    return changed(query, record, other, merged, transaction);
  }
}

/** The columns of the conflict, and of `merge()` what it was given; `ignore()` merges nothing. */
function partsOf({ _operations: operations }: Conflicting, info: ModelInfo): [string[], unknown] {
  const named = (name: string) => (operations as readonly WithArgs[]).find((one) => one.name === name);
  const columns = [named("onConflict")?.args?.[0] ?? []].flat();
  const isPlain = columns.length > 0 && columns.every((name) => typeof name === "string" && info.columns.has(name));
  const merge = named("merge");
  if (!isPlain || !(merge ?? named("ignore"))) throw errors.FW_CHANGE_CONFLICT(info.constant);
  if (operations.some(({ name }) => /where/i.test(name))) throw errors.FW_CHANGE_CONFLICT(info.constant);
  return [columns as string[], merge && (merge.args?.[0] ?? true)];
}

async function stored(info: ModelInfo, columns: readonly string[], record: Values, transaction: Transaction) {
  const values = columns.map((name) => record[name]);
  if (values.some((value) => value === null)) return undefined; // it equals nothing
  if (values.includes(undefined)) throw errors.FW_CHANGE_CONFLICT(info.constant);
  const keys = columns.map((name, at) => [name, info.encoders.get(name)?.(values[at]) ?? values[at]]);
  const query = info.class.query(transaction).where(Object.fromEntries(keys) as never);
  return (await query.first().forUpdate()) as unknown as BaseModel | undefined;
}

/** Merges into the record that is there, and returns what an insert returns. */
async function changed(
  query: Conflicting,
  record: BaseModel,
  found: BaseModel,
  merged: unknown,
  transaction: Transaction,
) {
  const values = valuesOf(record as unknown as Values, merged);
  if (Object.keys(values).length > 0) await found.$query(transaction).patch(values as never);
  const { columns } = ModelInfo.ofRecord(found).key;
  if (merged)
    Object.assign(record, Object.fromEntries(columns.map((name) => [name, (found as unknown as Values)[name]])));
  const fetches = query._operations.some(({ name }) => name === "insertAndFetch");
  return fetches ? found.$query(transaction) : record;
}

function valuesOf(record: Values, merged: unknown): Values {
  if (merged === undefined) return {};
  if (typeof merged === "object" && !Array.isArray(merged)) return merged as Values;
  const names = merged === true ? Object.keys(record) : [merged].flat().map(String);
  return Object.fromEntries(names.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]));
}
