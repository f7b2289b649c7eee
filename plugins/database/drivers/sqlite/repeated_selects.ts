import { type Preparing, type Query, written } from "./prepared_statements.ts";

/** The values of one select whose rows are kept, a connection. */
const MAX_KEPT = 500;

interface Kept {
  /** Both are as they were before the rows were read: what is written in between is noticed at the next look. */
  readonly writes: number;
  readonly version: unknown;
  readonly response: unknown;
}
/** The kept rows of a connection. */
export interface KeptRows {
  /** By select, then by its values. */
  readonly selects: Map<string, Map<string, Kept>>;
  /** The writes of the connection when such a select was last run. */
  writesSeen: number;
  /** What SQLite said in this turn of the event loop, and the writes of the process by then; undefined after the turn. */
  looked: { readonly version: unknown; readonly written: number } | undefined;
}

/**
 * Runs a select that every request asks again, as for its sign-in, where something was written since it ran: by this
 * connection, which counts its writes, or by another, of this process or not, of which SQLite says that it committed. Rows are
 * kept only while nothing is written here, so that a process that writes all the time does not pay for looking.
 */
export function runRepeated(
  connection: Preparing,
  query: Query,
  run: (connection: Preparing, query: Query) => Query,
): Query {
  connection.repeated ??= { selects: new Map(), writesSeen: -1, looked: undefined };
  const { repeated, writes = 0 } = connection;
  const values = JSON.stringify(query.bindings);
  const rows = rowsOf(repeated, query.sql);
  const kept = rows.get(values);
  if (kept?.writes === writes && kept.version === versionInTurn(connection, repeated)) {
    query.response = kept.response;
    return query;
  }
  const isQuiet = repeated.writesSeen === writes;
  repeated.writesSeen = writes;
  const version = isQuiet ? versionInTurn(connection, repeated) : undefined;
  run(connection, query);
  if (version !== undefined && isPlain(query.response)) {
    if (rows.size >= MAX_KEPT && !kept) rows.delete(rows.keys().next().value!);
    rows.set(values, { writes, version, response: query.response });
  }
  return query;
}

/** A select's text is that of a prepared query: there are few. */
function rowsOf({ selects }: KeptRows, sql: string): Map<string, Kept> {
  let rows = selects.get(sql);
  if (!rows) {
    rows = new Map();
    selects.set(sql, rows);
  }
  return rows;
}

/**
 * Asked once for the requests of one turn of the event loop, until something is written here: they arrived before the turn
 * began, and so see at least what other processes had committed by then.
 */
function versionInTurn(connection: Preparing, repeated: KeptRows): unknown {
  const { looked } = repeated;
  if (looked?.written === written.statements) return looked.version;
  if (!looked) setImmediate(endTurn, repeated);
  repeated.looked = { version: versionOf(connection), written: written.statements };
  return repeated.looked.version;
}

function endTurn(repeated: KeptRows): void {
  repeated.looked = undefined;
}

/** A number that changes when another connection has committed; undefined where the database can't be read, as the select will report. */
function versionOf(connection: Preparing): unknown {
  try {
    connection.version ??= connection.prepare("pragma data_version").raw();
    return (connection.version.get([]) as unknown[])[0];
  } catch {
    return undefined;
  }
}

/** Bytes could be changed by who gets them. */
const isPlain = (rows: unknown): boolean =>
  Array.isArray(rows) &&
  rows.every((row) => Object.values(row as object).every((value) => typeof value !== "object" || value === null));
