import type { Knex } from "knex";
import { isConflict } from "../unavailable.ts";

/**
 * Writes the file anew without what was deleted and overwritten in it, and empties its write-ahead log. False where another
 * connection reads or writes meanwhile, so that something may be left.
 */
export async function eraseFreePages(knex: Knex): Promise<boolean> {
  try {
    await knex.raw("VACUUM");
    const [checkpoint] = (await knex.raw("PRAGMA wal_checkpoint(TRUNCATE)")) as { busy?: number }[];
    return checkpoint?.busy !== 1;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}
