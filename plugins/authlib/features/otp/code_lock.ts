import { decodeDate } from "framewright/plugins/database";

const MINUTE = 60_000;
const FIRST = 15 * MINUTE;
const LONGEST = 24 * 60 * MINUTE;

type Row = Record<string, unknown>;

/** Until when no code is looked at; undefined where one may be typed. */
export function waitsUntil(row: Row): Date | undefined {
  const until = decodeDate(row.locked_until);
  return until instanceof Date && until > new Date() ? until : undefined;
}

/**
 * What a wrong code changes: the last one that may be wrong begins a wait, and so does each one after it until a code is
 * right. A wait is twice as long as the one before, up to a day.
 */
export function countWrong(row: Row, maxAttempts: number) {
  const failures = Number(row.failures) + 1;
  const waits = failures >= maxAttempts;
  const locks = Number(row.locks) + (waits ? 1 : 0);
  const milliseconds = Math.min(FIRST * 2 ** (locks - 1), LONGEST);
  return { failures, locks, locked_until: waits ? new Date(Date.now() + milliseconds) : null };
}
