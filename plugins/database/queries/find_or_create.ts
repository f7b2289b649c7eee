import type { QueryBuilder, Transaction } from "objection";
import { whereEncrypted } from "../encryption/where_encrypted.ts";
import type { BaseModel, ModelClass } from "../models/model.ts";
import { ModelInfo } from "../models/model_info.ts";

/** Narrows to the records with these values. */
function keyed<M extends BaseModel>(query: QueryBuilder<M>, keys: Readonly<Record<string, unknown>>): QueryBuilder<M> {
  const { encrypted } = ModelInfo.of(query.modelClass());
  for (const [name, value] of Object.entries(keys)) {
    if (encrypted.has(name)) whereEncrypted(query as never, name, value as string);
    else query.where({ [name]: value });
  }
  return query;
}

/**
 * The record with these keys, created with `values` if there is none. Parallel calls return the same record where a unique
 * index covers the keys: `await findOrCreate(Profile, { user_id: user.id })`.
 * @throws ValidationError if the new record is invalid
 */
export async function findOrCreate<M extends BaseModel>(
  cls: { new (): M },
  keys: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, unknown>> = {},
  transaction?: Transaction,
): Promise<M> {
  const query = () => (cls as unknown as ModelClass).query(transaction) as unknown as QueryBuilder<M>;
  const find = () => keyed(query(), keys).first();
  const found = await find();
  if (found) return found as unknown as M;
  try {
    return (await query().insertAndFetch({ ...values, ...keys } as never)) as unknown as M;
  } catch (error) {
    // Another request created it; a transaction reads it with a lock, past its own snapshot.
    const other = await (transaction ? find().forUpdate() : find());
    if (!other) throw error;
    return other as unknown as M;
  }
}
