import { decodeDate, encodeDate, isDuplicate, mapTableErrors, retried } from "framewright/plugins/database";
import type { EventRow, RunRow } from "../contract/index.ts";
import { errors } from "../errors.ts";

export const RUNS = "framewright_wizard_runs";
export const EVENTS = "framewright_wizard_events";
export const LEASES = "framewright_wizard_leases";
export const tables = [RUNS, EVENTS, LEASES] as const;

export type Row = Record<string, unknown>;
/** The columns of a run: reading named columns takes half the time. */
export const RUN_COLUMNS = [
  "id",
  "wizard",
  "kind",
  "state",
  "identity",
  "claim",
  "token",
  "owner_type",
  "owner_id",
  "anchor_type",
  "anchor_id",
  "scope_gid",
  "portal",
  "base",
  "cursor",
  "visited",
  "data",
  "drafts",
  "persisted",
  "schema_map",
  "return_to",
  "outcome",
  "attempt",
  "completing_at",
  "version",
  "started_at",
  "expires_at",
  "created_at",
  "updated_at",
  "completed_at",
] as const satisfies readonly (keyof RunRow)[];
const dates = ["completing_at", "started_at", "expires_at", "created_at", "updated_at", "completed_at", "at"];
const numbers = ["id", "version", "run_id"];

/** Encodes a row, or part of one, for the tables. */
export function encodeRow(values: object): Row {
  const encoded: Row = { ...values };
  for (const name in encoded) if (encoded[name] instanceof Date) encoded[name] = encodeDate(encoded[name]);
  return encoded;
}

/** Null, and what was not selected, stays as it is. */
function decode<T>(row: Row): T {
  const decoded: Row = { ...row };
  for (const name of dates) if (decoded[name] != null) decoded[name] = decodeDate(decoded[name]);
  for (const name of numbers) if (decoded[name] != null) decoded[name] = Number(decoded[name]);
  return decoded as T;
}
export const runOf = (row: Row): RunRow => decode<RunRow>(row);
export const eventOf = (row: Row): EventRow => decode<EventRow>(row);

/** Awaits a query of one of the tables. @throws FW_WIZARDS_TABLE; 503 when the database is unavailable */
export const runQuery = mapTableErrors(errors.FW_WIZARDS_TABLE);

/** Runs a single statement outside of a transaction; retried after a lock conflict. */
export const runStatement = <T>(query: () => PromiseLike<T>): Promise<T> => runQuery(retried(query));

/** Like runStatement; false where a unique index refuses the row. */

export async function runUnlessTaken<T>(query: () => PromiseLike<T>): Promise<T | false> {
  try {
    return await runStatement(query);
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}
