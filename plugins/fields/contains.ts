import { type BaseModel, driverOf, type Query, refuseEncrypted } from "framewright/plugins/database";

/**
 * Narrows to rows whose column contains the text, or begins or ends with it; taken literally, `%` and `_` stand for
 * themselves, and the case of letters makes no difference: `contains(query, "title", "50%", "start")`.
 * @throws FW_ENCRYPTED_QUERY for a column that is encrypted
 */
export function contains(
  group: Query<BaseModel>,
  column: string,
  text: string,
  at?: "start" | "end",
): Query<BaseModel> {
  refuseEncrypted(group, column, "searched");
  const { sql, any, literal } = driverOf(group.knex()).like?.(text) ?? plainLike(text);
  const pattern = `${at === "start" ? "" : any}${literal}${at === "end" ? "" : any}`;
  return group.whereRaw(sql, [column, pattern]);
}

const plainLike = (text: string) => ({
  sql: "?? like ? escape '!'",
  any: "%",
  literal: text.replace(/[!%_]/g, (sign) => `!${sign}`),
});

/** Narrows to rows whose column has the value; the case of letters makes no difference. */
export function equals(group: Query<BaseModel>, column: string, value: unknown): void {
  const { whereEqual } = driverOf(group.knex());
  if (whereEqual && typeof value === "string") whereEqual(group as never, column, value);
  else group.where(column, value as string);
}
