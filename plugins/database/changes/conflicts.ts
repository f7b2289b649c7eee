import type { Transaction } from "objection";
import { errors } from "../errors.ts";

type Values = Readonly<Record<string, unknown>>;
interface Operation {
  readonly name: string;
  readonly args?: readonly unknown[];
}
interface Executing {
  transacting(transaction: Transaction): Executing;
  execute(): Promise<unknown>;
}
/** What is used of objection's query builder, and of a model: to import them would close a circle of types. */
interface Conflicting {
  readonly _operations: readonly Operation[];
  knex(): unknown;
  clone(): { clear(operation: RegExp): Executing };
}
interface Finding {
  where(values: Values): Finding;
  first(): Finding;
  forUpdate(): PromiseLike<unknown>;
}
interface Stored {
  $query(transaction: Transaction): { patch(values: Values): PromiseLike<unknown> } & PromiseLike<unknown>;
}
interface ConflictModel {
  readonly constant: string;
  readonly columns: { has(name: string): boolean };
  readonly key: { readonly columns: readonly string[] };
  readonly encoders: { get(name: string): ((value: unknown) => unknown) | undefined };
  readonly class: { query(transaction: Transaction): unknown };
}

const PARTS = /^(?:onConflict|ignore|merge)$/;

/**
 * Does what `onConflict().merge()` and `.ignore()` of one record do, by statements that plugins hear of: the record that is
 * there is looked for, locked, and changed by its model; else the new one is inserted, and where another transaction was faster that one counts.
 * @throws FW_CHANGE_CONFLICT where the query does not name its columns, or has conditions
 */
export async function writeConflicting(
  writing: object,
  info: ConflictModel,
  given: object | undefined,
): Promise<unknown> {
  const query = writing as Conflicting;
  const record = (given ?? {}) as Record<string, unknown>;
  const [columns, merged] = partsOf(query, info);
  const transaction = query.knex() as Transaction;
  const find = () => stored(info, columns, record, transaction);
  const found = await find();
  if (found) return changed({ query, info, record }, found, merged, transaction);
  try {
    return await transaction.transaction((inner) => {
      const insert = query.clone().clear(PARTS);
      return insert.transacting(inner as unknown as Transaction).execute();
    });
  } catch (error) {
    const other = await find();
    if (!other) throw error;
    return changed({ query, info, record }, other, merged, transaction);
  }
}

/** The columns of the conflict, and of `merge()` what it was given; `ignore()` merges nothing. */
function partsOf({ _operations: operations }: Conflicting, info: ConflictModel): [string[], unknown] {
  const named = (name: string) => operations.find((one) => one.name === name);
  const columns = [named("onConflict")?.args?.[0] ?? []].flat();
  const isPlain = columns.length > 0 && columns.every((name) => typeof name === "string" && info.columns.has(name));
  const merge = named("merge");
  if (!isPlain || !(merge ?? named("ignore"))) throw errors.FW_CHANGE_CONFLICT(info.constant);
  if (operations.some(({ name }) => /where/i.test(name))) throw errors.FW_CHANGE_CONFLICT(info.constant);
  return [columns as string[], merge && (merge.args?.[0] ?? true)];
}

async function stored(info: ConflictModel, columns: readonly string[], record: Values, transaction: Transaction) {
  const values = columns.map((name) => record[name]);
  if (values.some((value) => value === null)) return undefined; // it equals nothing
  if (values.includes(undefined)) throw errors.FW_CHANGE_CONFLICT(info.constant);
  const keys = columns.map((name, at) => [name, info.encoders.get(name)?.(values[at]) ?? values[at]]);
  const query = info.class.query(transaction) as Finding;
  return (await query.where(Object.fromEntries(keys)).first().forUpdate()) as Stored | undefined;
}

/** Merges into the record that is there, and returns what an insert returns. */
async function changed(
  { query, info, record }: { query: Conflicting; info: ConflictModel; record: Values },
  found: Stored,
  merged: unknown,
  transaction: Transaction,
) {
  const values = valuesIn(record, merged);
  if (Object.keys(values).length > 0) await found.$query(transaction).patch(values);
  for (const name of merged ? info.key.columns : [])
    Object.assign(record, { [name]: Reflect.get(found, name) as unknown });
  const fetches = query._operations.some(({ name }) => name === "insertAndFetch");
  return fetches ? found.$query(transaction) : record;
}

function valuesIn(record: Values, merged: unknown): Values {
  if (merged === undefined) return {};
  if (typeof merged === "object" && !Array.isArray(merged)) return merged as Values;
  const names = merged === true ? Object.keys(record) : [merged].flat().map(String);
  return Object.fromEntries(names.filter((name) => record[name] !== undefined).map((name) => [name, record[name]]));
}
