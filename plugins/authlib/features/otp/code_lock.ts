import { decodeDate } from "framewright/plugins/database";

const MINUTE_MS = 60_000;
const FIRST_LOCK_MS = 15 * MINUTE_MS;
const MAX_LOCK_MS = 24 * 60 * MINUTE_MS;

type Row = Record<string, unknown>;

/** When the lock of codes ends; undefined where codes are accepted. */
export function codesLockedUntil(row: Row): Date | undefined {
  const until = decodeDate(row.locked_until);
  return until instanceof Date && until > new Date() ? until : undefined;
}

/**
 * The columns after a wrong code: the last allowed one locks codes, and so does each further one until a code is right.
 * Each lock is twice as long as the one before, up to a day.
 */
export function countWrong(row: Row, maxAttempts: number) {
  const failures = Number(row.failures) + 1;
  const isLocked = failures >= maxAttempts;
  const locks = Number(row.locks) + (isLocked ? 1 : 0);
  const milliseconds = Math.min(FIRST_LOCK_MS * 2 ** (locks - 1), MAX_LOCK_MS);
  return { failures, locks, locked_until: isLocked ? new Date(Date.now() + milliseconds) : null };
}
