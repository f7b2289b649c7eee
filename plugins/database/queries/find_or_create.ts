import type { QueryBuilder, Transaction } from "objection";
import type { BaseModel, ModelClass } from "../models/model.ts";

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
  const find = () => query().findOne(keys as object);
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
