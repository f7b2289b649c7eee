import { randomInt } from "node:crypto";
import type { AuthlibBase } from "../../base.ts";

/** The most accounts per sweep. */
const BATCH_ROWS = 20;

/**
 * Deletes unverified accounts of sign-ups whose last link was mailed before this time. Those that other rows refer to
 * stay: each account is deleted separately, starting at a random one, so that they do not block the others.
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
  const offset = randomInt(Math.max(0, count - BATCH_ROWS) + 1);
  const rows: { id: number }[] = await candidates().orderBy("id").offset(offset).limit(BATCH_ROWS).select("id");
  const referrers = await type.referrers();
  for (const row of rows) await authlib.deleteUnverified(row, referrers);
}
