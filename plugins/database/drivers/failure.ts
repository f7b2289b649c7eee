import { mysqlFailure } from "./mysql/failure.ts";
import { sqliteFailure } from "./sqlite/failure.ts";

/**
 * What a failed statement failed by. The first five are answered 503, and a conflict is tried again; the others are of the
 * data, and become errors of fields (`refused` by a trigger, of the whole record): `foreign_key` where the database does not distinguish `referenced` from `missing_reference`.
 */
export type FailureKind =
  | "unavailable"
  | "unwritable"
  | "slow"
  | "conflict"
  | "locked"
  | "unique"
  | "foreign_key"
  | "referenced"
  | "missing_reference"
  | "blank"
  | "too_long"
  | "out_of_range"
  | "inclusion"
  | "invalid"
  | "refused"
  | "no_table";

/** A failure of a database, in the same words for all of them. */
export interface DriverFailure {
  readonly kind: FailureKind;
  /** The driver's code, for logs. */
  readonly code: string;
  /** The columns, where the database names them. */
  readonly columns?: readonly string[];
  /** The constraint, where it names that alone. */
  readonly constraint?: string;
  /** Whether the database has waited for its lock already, so that a few more attempts are enough. */
  readonly hasWaited?: boolean;
}

/** Module-level: found by an error, and freed with it. */
const noted = new WeakMap<Error, DriverFailure>();

/** Remembers what a driver's error is. */
export const noteFailure = (error: Error, failure: DriverFailure): unknown => noted.set(error, failure);

/** What a driver's error is, or the one that objection wrapped; undefined for what a model or the framework made of it. */
export function nativeFailure(error: unknown): DriverFailure | undefined {
  const native = (error as { nativeError?: unknown } | undefined)?.nativeError ?? error;
  return native instanceof Error ? (noted.get(native) ?? mysqlFailure(native) ?? sqliteFailure(native)) : undefined;
}

/**
 * What an error failed by, however often it was wrapped. A system's code counts only when the driver says that it lost
 * its connection: what runs inside transaction() may talk to other services.
 */
export function failureOf(error: unknown): DriverFailure | undefined {
  for (let at = error, depth = 0; at instanceof Error && depth < 6; depth++) {
    const failure = nativeFailure(at);
    if (failure) return failure;
    at = at.cause;
  }
  return undefined;
}
