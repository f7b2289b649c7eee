import type { Knex } from "knex";
import type { Transaction } from "objection";
import type { BaseModel, ModelClass } from "../models/model.ts";
import { ModelInfo } from "../models/model_info.ts";
import type { Change } from "./change.ts";
import { takeSetAside } from "./set_aside.ts";

/** What is used of objection's query builder to learn what a query writes; see private_apis.ts. */
export interface Writing {
  modelClass(): ModelClass;
  knex(): Knex;
  isInsert(): boolean;
  isUpdate(): boolean;
  isDelete(): boolean;
  has(operation: RegExp): boolean;
  transacting(transaction: Transaction | undefined): Writing;
  execute(): Promise<unknown>;
  toFindQuery(): Finding;
}
interface Finding {
  clearSelect(): Finding;
  clearWithGraph(): Finding;
  forUpdate(): PromiseLike<unknown>;
}

/** What a query does to records of its own model; a graph is written by queries of its own. */
export function writeKindOf(query: Writing): Change["kind"] | undefined {
  if (query.has(/graph/i)) return undefined;
  if (query.isInsert()) return "created";
  if (query.isUpdate()) return "updated";
  return query.isDelete() ? "deleted" : undefined;
}

/** Whether a query inserts a record, or does something with the one that is there. */
export const isConflicting = (query: Writing): boolean => query.isInsert() && query.has(/^onConflict$/);

/** The records that a query is about to change, locked. */
export async function storedBefore(query: Writing): Promise<BaseModel[]> {
  const found = await query.toFindQuery().clearSelect().clearWithGraph().forUpdate();
  const records = [found ?? []].flat() as BaseModel[];
  const { table } = ModelInfo.of(query.modelClass());
  for (const record of records) Object.assign(record, takeSetAside(query.knex(), table, ModelInfo.keyOf(record)));
  return records;
}

/** The same records after the change, by their keys. */
export async function storedNow(
  info: ModelInfo,
  before: readonly BaseModel[],
  transaction: Transaction,
): Promise<Map<string, BaseModel>> {
  const found = new Map<string, BaseModel>();
  if (before.length === 0) return found;
  const { class: cls } = info.inheritance?.root ?? info; // its class may have changed
  const keys = before.map((record) => ModelInfo.keyOf(record)!);
  const records = await info.key.whereIn(cls.query(transaction), keys);
  for (const record of records as unknown as BaseModel[]) found.set(String(ModelInfo.keyOf(record)), record);
  return found;
}
