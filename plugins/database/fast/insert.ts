import type { Knex } from "knex";
import type { QueryContext, Transaction } from "objection";
import { BaseModel, type ModelClass } from "../models/model.ts";
import { throwMapped } from "../validation/constraint_errors.ts";
import { insertedId } from "./write_statements.ts";

/** True when the model has no uniqueness or custom rule, no slug and no insert hook: one statement is the whole insert. */
export function needsNoTransaction({ prototype, beforeInsert, afterInsert, validations, slug }: ModelClass): boolean {
  const asks = Object.values(validations).some(
    ({ uniqueness, custom }) => uniqueness !== undefined || custom !== undefined,
  );
  const { $beforeInsert, $afterInsert } = BaseModel.prototype;
  const hooked = prototype.$beforeInsert !== $beforeInsert || prototype.$afterInsert !== $afterInsert;
  return (
    !asks &&
    !hooked &&
    slug === undefined &&
    beforeInsert === BaseModel.beforeInsert &&
    afterInsert === BaseModel.afterInsert
  );
}

/** Fast path: inserts a record of such a model as objection would: stamped, validated, and with its new id. */
export async function insertWithoutTransaction(cls: ModelClass, values: object, knex: Knex): Promise<BaseModel> {
  const record = cls.fromJson(values) as unknown as BaseModel;
  const context = { transaction: knex } as unknown as QueryContext;
  try {
    await record.$beforeInsert(context);
    const id = await insertedId(knex, cls.tableName, record.$toDatabaseJson());
    (record as unknown as { id: unknown }).id ??= id;
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
