import type { DriverFailure, FailureKind } from "../failure.ts";

/** Of the connection, as Node and the driver call them. */
const unavailable = new Set([
  ...[
    "ECONNREFUSED",
    "ECONNRESET",
    "EPIPE",
    "ETIMEDOUT",
    "ENOTFOUND",
    "EAI_AGAIN",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "ENOENT",
  ],
  ...["PROTOCOL_CONNECTION_LOST", "PROTOCOL_SEQUENCE_TIMEOUT"],
  ...["PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR", "PROTOCOL_ENQUEUE_AFTER_QUIT"],
]);

/** By the number of MySQL's and MariaDB's own errors: the driver has no names for the newer ones. */
const byNumber: ReadonlyMap<number, FailureKind> = new Map([
  ...of("unavailable", [
    1040, // too many connections
    1041, // out of memory
    1047, // a cluster without quorum: the node takes no commands
    1053, // it is being shut down
    1077, // it was shut down
    ...[1158, 1159, 1160, 1161], // its network
    1180, // it failed at the commit, as a node that is parted from its cluster
    1203, // too many connections of this user
    1226, // this user has used up what it may
    1927, // the connection was killed
  ]),
  ...of("unwritable", [
    1021, // the disk is full
    1026, // it can't be written to
    1114, // the table, or its disk, is full
    1290, // it is read-only
    1792, // the transaction is read-only
    1836, // it is in read-only mode
  ]),
  ...of("slow", [
    1317, // the statement was interrupted
    1969, // MariaDB: the statement took too long
    3024, // MySQL: the statement took too long
  ]),
  ...of("conflict", [
    1020, // the row was changed since it was read
    1213, // a deadlock
    1614, // a deadlock of a distributed transaction
    3101, // MySQL's groups: another node changed the row first
  ]),
  ...of("locked", [
    1205, // it waited too long for a lock
    1206, // too many locks
    1637, // too many transactions
  ]),
  ...of("unique", [1062]),
  ...of("referenced", [1451, 1217]),
  ...of("missing_reference", [1452, 1216]),
  ...of("blank", [1048, 1364]),
  ...of("too_long", [1406]),
  ...of("out_of_range", [1264]),
  ...of("inclusion", [1265]),
  ...of("invalid", [1366, 1292, 4025]),
  ...of("refused", [1644]), // by `signal`, as in a trigger
  ...of("no_table", [1146]),
]);
/** Where an error has no number, as one that a test or a proxy created. */
const byCode: ReadonlyMap<string, FailureKind> = new Map([
  ["ER_LOCK_DEADLOCK", "conflict"],
  ["ER_CHECKREAD", "conflict"],
  ["ER_LOCK_WAIT_TIMEOUT", "locked"],
  ["ER_DUP_ENTRY", "unique"],
  ["ER_NO_SUCH_TABLE", "no_table"],
]);

function of(kind: FailureKind, numbers: readonly number[]): [number, FailureKind][] {
  return numbers.map((number) => [number, kind]);
}

/** What an error of MySQL or MariaDB is. */
export function mysqlFailure(error: Error): DriverFailure | undefined {
  const { code = "", errno, sqlState, fatal } = error as Error & Record<string, unknown>;
  const name = typeof code === "string" ? code : "";
  const isServer = typeof sqlState === "string" || /^ER_/.test(name);
  if (!isServer && !/^PROTOCOL_/.test(name) && fatal !== true) return undefined;
  const number = isServer && typeof errno === "number" ? errno : undefined;
  const kind = (number !== undefined && byNumber.get(number)) || byCode.get(name) || connectionKind(name, isServer);
  if (!kind) return undefined;
  return {
    kind,
    code: /^(?:UNKNOWN.*)?$/.test(name) && number !== undefined ? `error ${number}` : name,
    ...where(kind, error),
  };
}

/** A connection that ended before the statement was sent has no code. */
const connectionKind = (code: string, isServer: boolean): FailureKind | undefined =>
  unavailable.has(code) || (code === "" && !isServer) ? "unavailable" : undefined;

/** `Duplicate entry 'x' for key 'posts_slug_unique'`, `Column 'title' cannot be null`, `Data too long for column 'title' at row 1` */
function where(kind: FailureKind, { message }: Error): Pick<DriverFailure, "columns" | "constraint"> {
  if (kind === "unique") {
    const constraint = /for key '(?:[^'.]+\.)?([^']+)'$/.exec(message)?.[1];
    return constraint === undefined ? {} : { constraint };
  }
  const column = /(?:[Cc]olumn|Field) (?:`[^`]+`\.`[^`]+`\.)?[`']([^`']+)[`']/.exec(message)?.[1];
  return column === undefined ? {} : { columns: [column] };
}
