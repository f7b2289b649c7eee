import { BaseModel, type ModelClass, ModelInfo } from "framewright/plugins/database";

/** What streams follow, as texts: all records of a table, those of one tenant, one record, the bell of an account. */

/** `tenant`: as `tenantKey` has it; without one all records of the table. */
export const listTopic = (table: string, tenant?: string): string =>
  tenant === undefined ? `list ${table}` : `list ${table} ${tenant}`;
export const recordTopic = (table: string, key: string): string => `record ${table} ${key}`;
export const bellTopic = (table: string, id: string): string => `bell ${table} ${id}`;

/** `organizations/7` */
export const tenantKey = (table: string, id: unknown): string => `${table}/${String(id)}`;
export const keyText = (record: BaseModel): string => String(ModelInfo.keyOf(record));

/** An account's table and id; undefined for guests, and for accounts that are no records. */
export function accountOf(user: unknown): { table: string; id: string } | undefined {
  if (!(user instanceof BaseModel)) return undefined;
  return { table: (user.constructor as ModelClass).tableName, id: String(user.$id()) };
}
