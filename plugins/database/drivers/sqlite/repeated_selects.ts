import type { Preparing, Query, Statement } from "./prepared_statements.ts";

/** The values of one select whose rows are kept, a connection. */
const MAX_KEPT = 500;

interface Kept {
  /** Both are as they were before the rows were read: what is written in between is noticed at the next look. */
  readonly writes: number;
  readonly version: unknown;
  readonly response: unknown;
}
interface KeptSelect {
  /** In small letters: it reads no table whose name is not in it. */
  readonly text: string;
  /** By the values of the select. */
  readonly rows: Map<string, Kept>;
  /** The connection wrote one of its tables since it was last run. */
  isWritten: boolean;
}
/** The kept rows of a connection. */
export interface KeptRows {
  readonly selects: Map<string, KeptSelect>;
  /** The selects that may read a table, by its name; emptied when there is another select. */
  readonly reading: Map<string, readonly KeptSelect[]>;
  /** The writes of the connection when such a select was last run. */
  writesSeen: number;
  /** What SQLite said in this turn of the event loop, and the writes of the process by then; undefined after the turn. */
  looked: { readonly version: unknown; written: number } | undefined;
  /** Whether a write of one table stays there, as others had left the schema; looked up when nothing changed for two writes. */
  schema: { readonly version: unknown; isPlain?: boolean } | undefined;
}

/** Statements of all connections of this process that may have written. */
const written = { statements: 0 };

type Write = Pick<Statement, "table" | "delimits" | "defines">;

/** Called before each statement that may write. */
export function noteWrite(connection: Preparing, { table, delimits, defines }: Write): void {
  written.statements++;
  const { repeated } = connection;
  if (repeated?.looked?.written === written.statements - 1) repeated.looked.written++; // it tells what others wrote
  if (delimits) return;
  if (defines && repeated) repeated.schema = undefined;
  if (table === undefined || !repeated || !staysInTable(connection, repeated)) {
    connection.writes = (connection.writes ?? 0) + 1;
    return;
  }
  for (const select of selectsReading(table, repeated)) {
    select.rows.clear();
    select.isWritten = true;
  }
}

function selectsReading(table: string, { selects, reading }: KeptRows): readonly KeptSelect[] {
  let found = reading.get(table);
  if (!found) {
    found = [...selects.values()].filter(({ text }) => text.includes(table));
    reading.set(table, found);
  }
  return found;
}

/**
 * Runs a select that every request asks again, as for its sign-in, where something was written since it ran: by this
 * connection, which knows what it writes, or by another, of this process or not, of which SQLite says that it committed. Rows
 * are kept only while their tables are not written here, so that a process that writes them all the time does not pay for looking.
 */
export function runRepeated(
  connection: Preparing,
  query: Query,
  run: (connection: Preparing, query: Query) => Query,
): Query {
  connection.repeated ??= {
    ...{ selects: new Map(), reading: new Map() },
    ...{ writesSeen: -1, looked: undefined, schema: undefined },
  };
  const { repeated, writes = 0 } = connection;
  const values = JSON.stringify(query.bindings);
  const select = selectOf(repeated, query.sql);
  const { rows } = select;
  const kept = rows.get(values);
  if (kept?.writes === writes && kept.version === versionInTurn(connection, repeated)) {
    query.response = kept.response;
    return query;
  }
  const isQuiet = repeated.writesSeen === writes && !select.isWritten;
  repeated.writesSeen = writes;
  select.isWritten = false;
  const version = isQuiet ? versionInTurn(connection, repeated) : undefined;
  run(connection, query);
  if (version !== undefined && isPlain(query.response)) {
    if (rows.size >= MAX_KEPT && !kept) rows.delete(rows.keys().next().value!);
    rows.set(values, { writes, version, response: query.response });
  }
  return query;
}

/** A select's text is that of a prepared query: there are few. */
function selectOf({ selects, reading }: KeptRows, sql: string): KeptSelect {
  let select = selects.get(sql);
  if (!select) {
    select = { text: sql.toLowerCase(), rows: new Map(), isWritten: false };
    selects.set(sql, select);
    reading.clear();
  }
  return select;
}

/** Whatever makes a write of one table one of another, or lets a select read a table that it does not name. */
const SPREADING = `select 1 from (select type, name from sqlite_master union all select type, name from sqlite_temp_master)
  where type in ('trigger', 'view')
  union all select 1 from sqlite_master, pragma_foreign_key_list(sqlite_master.name)
  where sqlite_master.type = 'table' and on_update <> 'NO ACTION' limit 1`;

function staysInTable(connection: Preparing, repeated: KeptRows): boolean {
  const version = versionInTurn(connection, repeated);
  const { schema } = repeated;
  if (!schema || schema.version !== version) repeated.schema = { version };
  else schema.isPlain ??= version !== undefined && connection.prepare(SPREADING).raw().get([]) === undefined;
  return schema?.isPlain === true && schema.version === version;
}

/**
 * Asked once for the requests of one turn of the event loop, until something is written by another connection of this process:
 * they arrived before the turn began, and so see at least what other processes had committed by then.
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
