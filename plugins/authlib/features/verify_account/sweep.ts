import { randomInt } from "node:crypto";
import type { AuthlibBase } from "../../base.ts";

/** Accounts that a sweep looks at, at most. */
const BATCH = 20;

/**
 * Deletes accounts that were signed up for, and whose last link to verify them was mailed before this. Those that other
 * rows need stay: each is deleted alone, from a random one on, so that they are in nobody's way.
 */
export async function sweepUnverified(authlib: AuthlibBase, before: Date): Promise<void> {
  const { type, knex } = authlib;
  const { table } = type.model;
  const candidates = () =>
    knex(table)
      .where({ account_status: "unverified" })
      .whereIn("id", (keys) => keys.from(type.table("verification_keys")).select("account_id"))
      .whereNotIn("id", (keys) => {
        keys.from(type.table("verification_keys")).where("requested_at", ">=", before).select("account_id");
      });
  const counted = await candidates().count({ number: "*" }).first();
  const count = Number(counted?.number ?? 0);
  if (count === 0) return;
  const offset = randomInt(Math.max(0, count - BATCH) + 1);
  const rows: { id: number }[] = await candidates().orderBy("id").offset(offset).limit(BATCH).select("id");
  const referrers = await type.referrers();
  for (const row of rows) await authlib.deleteUnverified(row, referrers);
}
