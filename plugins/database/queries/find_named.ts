import type { ColumnInfo } from "../drivers/columns.ts";
import type { BaseModel } from "../models/model.ts";
import type { ModelInfo } from "../models/model_info.ts";
import { parseId } from "./parse_id.ts";

type Key = number | string;

/** What a segment of a path may name. */
export interface Named<T> {
  model: ModelInfo;
  /** The column by which paths name its records. */
  paramKey: string;
  /** Finds what is in sight by the value of a column. */
  read(column: string, value: Key): Promise<T | undefined>;
  /** The value of a column of what was found. */
  valueOf(found: T, column: string): unknown;
}

const columnOf = ({ columns }: ModelInfo, name: string): Pick<ColumnInfo, "type" | "maxLength"> =>
  columns.get(name) ?? { type: "integer" };

/**
 * What a segment of a path names: by the column of its addresses, and by its id as long as that column is empty. A value
 * that the database takes for equal, but is written otherwise, names nothing.
 */
export function findNamed<T>(named: Named<T>, text: string | undefined): Promise<T | undefined> {
  const { model, paramKey } = named;
  return paramKey === model.primaryKey ? findByKey(named, text) : findByColumn(named, text);
}

function findByKey<T>(named: Named<T>, text: string | undefined): Promise<T | undefined> {
  const { key, primaryKey } = named.model;
  const wanted = key.parseParam(text ?? "");
  if (wanted === undefined) return Promise.resolve(undefined);
  const found = named.read(primaryKey, wanted);
  return typeof wanted === "number" ? found : found.then((one) => one && exactly(named, one, wanted));
}

/** A database may take other texts for equal. */
function exactly<T>({ model: { key }, valueOf: valueIn }: Named<T>, found: T, wanted: Key): T | undefined {
  const stored = key.of(Object.fromEntries(key.columns.map((column) => [column, valueIn(found, column)])));
  return String(stored) === wanted ? found : undefined;
}

async function findByColumn<T>(named: Named<T>, text: string | undefined): Promise<T | undefined> {
  const { model, paramKey, read } = named;
  const key = parseId(text ?? "", columnOf(model, paramKey));
  const found = key === undefined ? undefined : await read(paramKey, key);
  if (found !== undefined && String(named.valueOf(found, paramKey)) === text) return found;
  if (!model.columns.get(paramKey)?.nullable) return undefined;
  const id = model.key.parseParam(text ?? "");
  const unnamed = id === undefined ? undefined : await read(model.primaryKey, id);
  const isUnnamed = unnamed !== undefined && (named.valueOf(unnamed, paramKey) ?? null) === null;
  return isUnnamed ? unnamed : undefined;
}

/** As findNamed, by a slug that a record in sight had: the same two queries, whether any record had it or not. */
export async function findFormer<T>(
  { model, read }: Pick<Named<T>, "model" | "read">,
  idOf: (slug: string) => Promise<string | undefined>,
  text: string | undefined,
): Promise<T | undefined> {
  const former = model.key.parse((await idOf(text ?? "")) ?? "");
  const isNumber =
    model.columns.get(model.primaryKey)?.type !== "uuid" && model.columns.get(model.primaryKey)?.type !== "string";
  const found = await read(model.primaryKey, former ?? (isNumber ? 0 : ""));
  return former === undefined ? undefined : found;
}

/** Narrows a query to what a column names; the key's column represents the whole key. */
export function whereNamed<Q extends object>(query: Q, model: ModelInfo, column: string, value: Key): Q {
  if (column === model.primaryKey) return model.key.where(query, value);
  return (query as { where(column: string, value: Key): Q }).where(`${model.table}.${column}`, value);
}

/** The value of a column of any model's record: `valueOfRecord(change.record, "place")`. */
export const valueOfRecord = (record: BaseModel, column: string): unknown =>
  (record as unknown as Record<string, unknown>)[column];
