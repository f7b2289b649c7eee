import type { DriverFailure, FailureKind } from "framewright/plugins/database";

/** By SQLSTATE, whole or by its class of two letters. */
const byState: Readonly<Record<string, FailureKind>> = {
  "08": "unavailable", // the connection
  "53": "unavailable", // out of memory, or of connections
  "57P": "unavailable", // shutting down, or starting
  "53100": "unwritable", // the disk is full
  "25006": "unwritable", // a read-only transaction
  "57014": "slow", // cancelled, as by statement_timeout
  "40001": "conflict",
  "40P01": "conflict", // a deadlock
  "55P03": "conflict", // lock_timeout, which may end before a deadlock is recognized
  "23505": "unique",
  "23001": "referenced", // of "on delete restrict", from PostgreSQL 18 on
  "23503": "foreign_key",
  "23502": "blank",
  "22001": "too_long",
  "22003": "out_of_range",
  "22007": "invalid",
  "22008": "out_of_range", // of dates
  "22021": "invalid", // a NUL in a text
  "22P02": "invalid",
  "22P05": "invalid",
  "22026": "invalid", // a text of bits of another length
  "2200M": "invalid", // an XML document
  "2200N": "invalid", // XML content
  "23P01": "unique", // an exclusion constraint
  P0001: "refused", // by `raise` in a trigger
  "42P01": "no_table",
};
const byConstraint: readonly [end: string, kind: FailureKind][] = [
  ["_length", "too_long"],
  ["_values", "inclusion"],
];
const system = /^(?:ECONN(?:REFUSED|RESET)|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT)$/;
const lost = /^Connection terminated|not queryable|timeout expired|Client was closed/;

interface ServerError extends Error {
  code?: string;
  constraint?: string;
  column?: string;
}

/** What an error of a statement is, or of its connection; undefined for one of the SQL itself. */
export function failureOf(error: unknown): DriverFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = "", constraint, column, message } = error as ServerError;
  if (system.test(code) || lost.test(message)) return { kind: "unavailable", code: code || message };
  const kind = kindOf(code, constraint);
  return (
    kind && {
      ...{ kind, code },
      ...(code === "55P03" ? { hasWaited: true } : {}),
      ...(column === undefined ? {} : { columns: [column] }),
      ...(constraint === undefined ? {} : { constraint }),
    }
  );
}

function kindOf(state: string, constraint = ""): FailureKind | undefined {
  if (state === "23514") return byConstraint.find(([end]) => constraint.endsWith(end))?.[1] ?? "invalid";
  return byState[state] ?? byState[state.slice(0, 3)] ?? (state.length === 5 ? byState[state.slice(0, 2)] : undefined);
}
