import type { QueryBuilder } from "objection";
import { errors } from "../errors.ts";
import type { BaseModel } from "../models/model.ts";
import { ModelInfo } from "../models/model_info.ts";

/**
 * Refuses a column of a query's model that is encrypted, where it would be compared otherwise than for equality.
 * @throws FW_ENCRYPTED_QUERY
 */
export function refuseEncrypted<Q extends QueryBuilder<BaseModel>>(query: Q, column: string, what: string): void {
  const { encrypted, table, constant } = ModelInfo.of(query.modelClass());
  if (encrypted.size === 0) return;
  const name = column.startsWith(`${table}.`) ? column.slice(table.length + 1) : column;
  if (encrypted.has(name)) throw errors.FW_ENCRYPTED_QUERY(constant, name, what);
}

/**
 * Narrows a query to records whose encrypted attribute has this value: `whereEncrypted(query(Person), "email", "ada@x.test")`.
 * @throws FW_ENCRYPTED_QUERY for an attribute that is not declared `{ searchable: true }`
 */
export function whereEncrypted<Q extends QueryBuilder<BaseModel>>(query: Q, name: string, value: string | null): Q {
  const info = ModelInfo.of(query.modelClass());
  const cipher = info.encrypted.get(name);
  if (!cipher?.searchable) throw errors.FW_ENCRYPTED_QUERY(info.constant, name, "looked for");
  const column = `${query.tableRefFor(query.modelClass())}.${name}`;
  if (value === null) query.whereNull(column);
  else query.whereIn(column, cipher.candidates(value) as string[]);
  return query;
}
