import type { Knex } from "knex";
import type { QueryContext, Transaction } from "objection";
import { BaseModel, type ModelClass } from "../models/model.ts";
import { ModelInfo } from "../models/model_info.ts";
import { isPlainInsert, isUsualInsert } from "../models/plain_insert.ts";
import { throwMapped } from "../validation/constraint_errors.ts";
import { refersToMarked } from "../validation/references.ts";
import { insertedId } from "./write_statements.ts";

/** True when one statement is the whole insert. */
export const needsNoTransaction = (cls: ModelClass): boolean =>
  isPlainInsert(cls, BaseModel) && !refersToMarked(ModelInfo.of(cls)); // what it refers to is locked until it is stored

/** True when one statement is the insert, after those by which its rules look at other rows in the same transaction. */
export const isOneInsert = (cls: ModelClass): boolean => isUsualInsert(cls, BaseModel);

/** Fast path: inserts a record of such a model as objection would: stamped, validated, and with its new id. */
export async function insertRecord(cls: ModelClass, values: object, knex: Knex): Promise<BaseModel> {
  const record = cls.fromJson(values) as unknown as BaseModel;
  const context = { transaction: knex } as unknown as QueryContext;
  try {
    await record.$beforeInsert(context);
    const id = await insertedId(knex, cls.tableName, record.$toDatabaseJson());
    (record as unknown as Record<string, unknown>)[ModelInfo.of(cls).primaryKey] ??= id;
    return record;
  } catch (error) {
    const query = {
      modelClass: () => cls,
      context: () => context,
      knex: () => knex as Transaction,
      isDelete: () => false,
    };
    return throwMapped(error, query);
  }
}
