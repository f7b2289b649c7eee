import type { Knex } from "framewright/plugins/database";
import type { AccountContext } from "./core/account_context.ts";

export const SPENT_KEYS_TABLE = "framewright_spent_keys";

/**
 * Marks something as used for `lifetime` milliseconds; false when it was used before, also by a copy of the browser's
 * cookie. Of parallel requests only one gets true.
 */
export async function markSpent(
  { type, knex: own }: Pick<AccountContext, "type" | "knex">,
  name: string,
  lifetime: number,
  knex: Knex = own,
): Promise<boolean> {
  const { digests } = type.services;
  const now = new Date();
  const subject = `spent ${type.name} ${name}`;
  const spender = digests.token();
  await knex(SPENT_KEYS_TABLE).where("deadline", "<", now).delete();
  const row = { key_digest: digests.digest(subject), spender, deadline: new Date(now.getTime() + lifetime) };
  await knex(SPENT_KEYS_TABLE).insert(row).onConflict("key_digest").ignore();
  const [first] = await knex(SPENT_KEYS_TABLE).whereIn("key_digest", digests.all(subject)).orderBy("id").limit(1);
  return first?.spender === spender;
}
