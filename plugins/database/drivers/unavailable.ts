import { FramewrightError, messageOf } from "framewright/kernel";
import { errors } from "../errors.ts";

/** The database does not answer, is busy or read-only: the request is answered 503, and may be tried again. */
export interface Unavailable extends FramewrightError {
  /** Seconds. */
  retryAfter: number;
}
type Kind = "unavailable" | "unwritable" | "slow" | "conflict" | "locked";

/** By the driver's code; SQLite's by its primary one. A conflict is worth another try; who waited for a lock has waited enough. */
const byCode: Readonly<Record<string, Kind>> = {
  ...kinds("unavailable", [
    "ECONNREFUSED",
    "ECONNRESET",
    "EPIPE",
    "ETIMEDOUT",
    "ENOTFOUND",
    "EAI_AGAIN",
    "EHOSTUNREACH",
  ]),
  ...kinds("unavailable", ["ENETUNREACH", "ENOENT", "PROTOCOL_CONNECTION_LOST", "PROTOCOL_SEQUENCE_TIMEOUT"]),
  ...kinds("unavailable", ["PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR", "PROTOCOL_ENQUEUE_AFTER_QUIT"]),
  ...kinds("unavailable", ["SQLITE_CANTOPEN", "SQLITE_IOERR", "SQLITE_PROTOCOL", "SQLITE_NOMEM"]),
  ...kinds("unwritable", ["SQLITE_READONLY", "SQLITE_FULL"]),
  ...kinds("slow", ["SQLITE_INTERRUPT"]),
  ...kinds("conflict", ["SQLITE_BUSY", "SQLITE_LOCKED"]),
  ...kinds("conflict", ["ER_LOCK_DEADLOCK", "ER_CHECKREAD"]),
  ...kinds("locked", ["ER_LOCK_WAIT_TIMEOUT"]),
};
/** By the number of MySQL's and MariaDB's own errors: the driver has no names for the newer ones. */
const byNumber: Readonly<Record<number, Kind>> = {
  ...kinds("unavailable", [
    1040, // too many connections
    1041, // out of memory
    1047, // a cluster without quorum: the node takes no commands
    1053, // it is being shut down
    1077, // it was shut down
    1203, // too many connections of this user
    1226, // this user has used up what it may
    1927, // the connection was killed
  ]),
  ...kinds("unwritable", [
    1021, // the disk is full
    1026, // it can't be written to
    1114, // the table, or its disk, is full
    1290, // it is read-only
    1792, // the transaction is read-only
    1836, // it is in read-only mode
  ]),
  ...kinds("slow", [
    1317, // the statement was interrupted
    1969, // MariaDB: the statement took too long
    3024, // MySQL: the statement took too long
  ]),
  ...kinds("conflict", [
    1020, // the row was changed since it was read
    1213, // a deadlock
    1614, // a deadlock of a distributed transaction
  ]),
  ...kinds("locked", [
    1205, // it waited too long for a lock
    1206, // too many locks
    1637, // too many transactions
  ]),
};

function kinds(kind: Kind, codes: readonly (string | number)[]): Record<string | number, Kind> {
  return Object.fromEntries(codes.map((code) => [code, kind]));
}

interface Failure {
  code: string;
  number: number | undefined;
}

/**
 * The code of the database's driver, however often the error was wrapped. A system's code counts only when the
 * driver says that it lost its connection: what runs inside transaction() may talk to other services.
 */
function failureOf(error: unknown): Failure | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 6; depth++) {
    const { code, errno, sqlState, fatal, nativeError } = at as unknown as Record<string, unknown>;
    const number = typeof sqlState === "string" && typeof errno === "number" ? errno : undefined;
    const isDriver = typeof code === "string" && (/^(?:ER_|SQLITE_|PROTOCOL_)/.test(code) || fatal === true);
    if (isDriver || number !== undefined) return { code: typeof code === "string" ? code : "", number };
    at = nativeError ?? at.cause;
  }
  return undefined;
}

export const driverCode = (error: unknown): string | undefined => failureOf(error)?.code;

function kindOf(error: unknown): Kind | undefined {
  const failure = failureOf(error);
  if (!failure) return undefined;
  const { code, number } = failure;
  return (number !== undefined && byNumber[number]) || byCode[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? code];
}

/** Another transaction conflicted. */
export const isConflict = (error: unknown): boolean => ["conflict", "locked"].includes(kindOf(error) ?? "");
/** Another transaction conflicted, and trying again helps. */
export const isWorthRetry = (error: unknown): boolean => kindOf(error) === "conflict";

/** Wraps connection, pool and lock errors as 503; returns every other error unchanged. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || (error as { status?: number }).status !== undefined) return error;
  if (error.name === "KnexTimeoutError") return unavailable(errors.FW_DATABASE_BUSY(messageOf(error)), error);
  const kind = kindOf(error) ?? (lost.test(error.message) ? "unavailable" : undefined);
  return kind ? unavailable(explained(kind, error), error) : error;
}

const lost = /closed state|Connection lost|pool is (?:destroyed|draining)|Unable to acquire a connection/i;

function explained(kind: Kind, error: Error): FramewrightError {
  const { code = "", number } = failureOf(error) ?? {};
  const name = /^(?:UNKNOWN.*)?$/.test(code) ? (number === undefined ? "" : `error ${number}`) : code;
  if (kind === "unavailable") return errors.FW_DATABASE_AWAY(name || "the connection is closed");
  if (kind === "unwritable") return errors.FW_DATABASE_UNWRITABLE(name);
  return kind === "slow" ? errors.FW_DATABASE_SLOW(name) : errors.FW_DATABASE_LOCKED(name);
}

export function unavailable(error: FramewrightError, cause: unknown): Unavailable {
  error.status = 503;
  error.cause = cause;
  return Object.assign(error, { retryAfter: 5 });
}

/**
 * As asUnavailable, for the clients that knex is given: the failure of every statement passes here. Knex prepends the SQL
 * to a message: ours stays as it is, the driver's gets it.
 */
export function clientError(error: unknown, sql = ""): unknown {
  const known = asUnavailable(error);
  if (known === error || !(known instanceof FramewrightError)) return error;
  if (error instanceof Error && sql !== "") error.message = `${sql} - ${error.message}`;
  const { message } = known;
  Object.defineProperty(known, "message", { get: () => message, set: () => undefined });
  return known;
}

/** @deprecated Use `asUnavailable`. */
export const unlessAway = asUnavailable;
