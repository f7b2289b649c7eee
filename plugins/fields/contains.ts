import { type BaseModel, driverOf, type Query, refuseEncrypted } from "framewright/plugins/database";

/**
 * Narrows to rows whose column contains the text, in any case, taken literally: `%` and `_` stand for themselves.
 * @throws FW_ENCRYPTED_QUERY for a column that is encrypted
 */
export function contains(group: Query<BaseModel>, column: string, text: string): Query<BaseModel> {
  refuseEncrypted(group, column, "searched");
  const like = driverOf(group.knex()).like ?? "like";
  return group.whereRaw(`?? ${like} ? escape '!'`, [column, `%${text.replace(/[!%_]/g, (sign) => `!${sign}`)}%`]);
}
