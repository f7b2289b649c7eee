import { FramewrightError, messageOf } from "framewright/kernel";
import { errors } from "../errors.ts";
import { type DriverFailure, failureOf, noteFailure } from "./failure.ts";

/** The database does not answer, is busy or read-only: the request is answered 503, and may be tried again. */
export interface Unavailable extends FramewrightError {
  /** Seconds. */
  retryAfter: number;
}
const conflicts: ReadonlySet<string> = new Set(["conflict", "locked"]);
/** Another transaction conflicted. */
export const isConflict = (error: unknown): boolean => conflicts.has(failureOf(error)?.kind ?? "");

/** Wraps connection, pool and lock errors as 503; returns every other error unchanged. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof Error) || (error as { status?: number }).status !== undefined) return error;
  if (error.name === "KnexTimeoutError") return unavailable(errors.FW_DATABASE_BUSY(messageOf(error)), error);
  const failure = failureOf(error) ?? (lost.test(error.message) ? closed : undefined);
  const explained = failure && explain(failure);
  return explained ? unavailable(explained, error) : error;
}

const lost = /closed state|Connection lost|pool is (?:destroyed|draining)|Unable to acquire a connection/i;
const closed: DriverFailure = { kind: "unavailable", code: "" };

/** undefined for a failure of the data. */
function explain({ kind, code }: DriverFailure): FramewrightError | undefined {
  if (kind === "unavailable") return errors.FW_DATABASE_AWAY(code || "the connection is closed");
  if (kind === "unwritable") return errors.FW_DATABASE_UNWRITABLE(code);
  if (kind === "slow") return errors.FW_DATABASE_SLOW(code);
  return conflicts.has(kind) ? errors.FW_DATABASE_LOCKED(code) : undefined;
}

export function unavailable(error: FramewrightError, cause: unknown): Unavailable {
  error.status = 503;
  error.cause = cause;
  return Object.assign(error, { retryAfter: 5 });
}

/**
 * As asUnavailable, for the clients that knex is given: the failure of every statement passes here. Knex prepends the SQL
 * to a message: ours stays as it is, the driver's gets it. `failure`: what the driver's error is.
 */
export function clientError(error: unknown, sql = "", failure?: DriverFailure): unknown {
  if (failure && error instanceof Error) noteFailure(error, failure);
  const known = asUnavailable(error);
  if (known === error || !(known instanceof FramewrightError)) return error;
  if (error instanceof Error && sql !== "") error.message = `${sql} - ${error.message}`;
  const { message } = known;
  Object.defineProperty(known, "message", { get: () => message, set: () => undefined });
  return known;
}
