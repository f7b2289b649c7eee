import type { Knex } from "framewright/plugins/database";
import type { Context } from "./core/account_context.ts";

export const SPENT = "framewright_spent_keys";

/**
 * Marks something as used, for as long as it would be good; false when it was used before, by whatever copy of the
 * browser's cookie. Of parallel requests one is told true.
 */
export async function spendOnce(
  { type, knex: own }: Pick<Context, "type" | "knex">,
  what: string,
  lifetime: number,
  knex: Knex = own,
): Promise<boolean> {
  const { digests } = type.services;
  const now = new Date();
  const subject = `spent ${type.name} ${what}`;
  const spender = digests.token();
  await knex(SPENT).where("deadline", "<", now).delete();
  const row = { key_digest: digests.digest(subject), spender, deadline: new Date(now.getTime() + lifetime) };
  await knex(SPENT).insert(row).onConflict("key_digest").ignore();
  const [first] = await knex(SPENT).whereIn("key_digest", digests.all(subject)).orderBy("id").limit(1);
  return first?.spender === spender;
}
