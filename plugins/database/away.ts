import { FramewrightError, messageOf } from "framewright/kernel";
import { errors } from "./errors.ts";

/** The database is away, busy or only readable: the request is answered 503, and may be tried again. */
export interface Unavailable extends FramewrightError {
  /** Seconds. */
  retryAfter: number;
}

const awayCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "PROTOCOL_CONNECTION_LOST",
  "PROTOCOL_SEQUENCE_TIMEOUT",
  "PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR",
  "ENOENT",
  "ER_SERVER_SHUTDOWN",
  "ER_CON_COUNT_ERROR",
  "ER_OPTION_PREVENTS_STATEMENT",
  "ER_READ_ONLY_MODE",
  "ER_CONNECTION_KILLED",
  "SQLITE_READONLY",
  "SQLITE_CANTOPEN",
  "SQLITE_IOERR",
  "SQLITE_FULL",
  "SQLITE_PROTOCOL",
]);
const busyCodes = new Set(["SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_BUSY_SNAPSHOT", "SQLITE_BUSY_RECOVERY"]);
const conflictCodes = new Set(["ER_LOCK_DEADLOCK", "ER_LOCK_WAIT_TIMEOUT", "ER_CHECKREAD", ...busyCodes]);

/**
 * The code that a database's driver gave, however often the error was wrapped. A system's code counts only when the
 * driver says that it lost its connection: what runs inside transaction() may talk to others than the database.
 */
export function driverCode(error: unknown): string | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; depth++) {
    const { code, nativeError, fatal } = at as { code?: unknown; nativeError?: unknown; fatal?: unknown };
    if (typeof code === "string" && (/^(?:ER_|SQLITE_|PROTOCOL_)/.test(code) || fatal === true)) return code;
    at = nativeError ?? at.cause;
  }
  return undefined;
}

/** Another transaction was in the way: trying again helps. */
export const isConflict = (error: unknown): boolean => conflictCodes.has(driverCode(error) ?? "");

/** The error itself, or, when the database can't be used at all, one that is answered 503. */
export function unlessAway(error: unknown): unknown {
  if (error instanceof FramewrightError || !(error instanceof Error)) return error;
  const code = driverCode(error) ?? "";
  if (error.name === "KnexTimeoutError" || busyCodes.has(code))
    return unavailable(errors.FW_DATABASE_BUSY(messageOf(error)), error);
  const primary = /^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code;
  const lost = /closed state|Connection lost|pool is (?:destroyed|draining)|Unable to acquire a connection/i.test(
    error.message,
  );
  if (awayCodes.has(primary) || lost)
    return unavailable(errors.FW_DATABASE_AWAY(code || "the connection is closed"), error);
  return error;
}

export function unavailable(error: FramewrightError, cause: unknown): Unavailable {
  error.status = 503;
  error.cause = cause;
  return Object.assign(error, { retryAfter: 5 });
}
