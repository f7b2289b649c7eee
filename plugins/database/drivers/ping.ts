import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import { errors } from "../errors.ts";
import { asUnavailable, unavailable } from "./unavailable.ts";

const PING_TIMEOUT_MS = 2000;

/**
 * Resolves when the database answers. It reads a table, where there is one: a node without its cluster still answers what
 * needs none. @throws Unavailable (503), also when no answer comes in time
 */
export async function pingDatabase(open: () => Knex, table: string | undefined): Promise<void> {
  const timer = new AbortController();
  const late = sleep(PING_TIMEOUT_MS, undefined, { signal: timer.signal, ref: false }).then(() => {
    throw unavailable(errors.FW_DATABASE_AWAY(`no answer within ${PING_TIMEOUT_MS} ms`), undefined);
  });
  try {
    const knex = open();
    await Promise.race([
      table === undefined ? knex.raw("select 1") : knex.raw("select 1 from ?? limit 1", [table]),
      late,
    ]);
  } catch (error) {
    throw asUnavailable(error);
  } finally {
    late.catch(() => undefined);
    timer.abort();
  }
}
