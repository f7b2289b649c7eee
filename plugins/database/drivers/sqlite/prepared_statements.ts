import { encodeDate } from "../../models/codec.ts";
import { hasLarge, haveLarge, largeColumns, type ReadColumn, wholeNumbers } from "./large_integers.ts";
import { isLocked, retryLocked } from "./lock_wait.ts";

/** SQL texts whose prepared statements are cached by connection: preparing costs more than running most of them. */
const MAX_STATEMENTS = 500;

type Row = Record<string, unknown>;
type Values = readonly unknown[];

export interface Query {
  sql: string;
  bindings?: Values;
  /** The response is the first row alone, as a list of values. */
  first?: boolean;
  /** The response is all rows, each as a list of values. */
  lists?: boolean;
  response?: unknown;
  context?: unknown;
}
export interface DriverStatement {
  readonly reader: boolean;
  /** Whether whole numbers beyond 2^53 come as texts by themselves. */
  readonly exact?: boolean;
  raw(): DriverStatement;
  columns(): readonly ReadColumn[];
  /** Whether whole numbers come as bigint. */
  safeIntegers(toggle: boolean): DriverStatement;
  all(bindings: Values): unknown[];
  get(bindings: Values): unknown;
  run(bindings: Values): { lastInsertRowid: number | string; changes: number };
}
/** A statement, with values whose lookup in the driver each time would cost as much as running it. */
export interface Statement {
  readonly driver: DriverStatement;
  readonly reads: boolean;
  /** The columns that may have whole numbers beyond 2^53. */
  readonly large: readonly number[];
  readonly largeNames: readonly string[];
  /** Also of one that gives rows, as an insert that returns them. */
  readonly mayWrite: boolean;
  /** It may change the schema that cached statements were prepared for. */
  readonly defines: boolean;
  /** Makes a row of its values, of a statement that gives those alone. */
  readonly row: (values: Values) => Row;
}
/** One SQL, as it gives rows as objects and the first row's values alone: a driver's statement gives one or the other. */
interface Forms {
  rows?: Statement;
  values?: Statement;
}
/** A connection that can prepare, and what it keeps prepared. */
export interface Preparing {
  prepare(sql: string): DriverStatement;
  kept?: Map<string, Forms>;
  /** Milliseconds to wait for the lock of another process; SQLite waits itself where it is missing. */
  busyTimeout?: number;
  /** Called when tables were created or changed, or many rows written. */
  changed?: () => void;
}

export const isSelect = (sql: string): boolean => /^\s*select\b/i.test(sql);

/** Rows written by one statement after which a table may have become a large one. */
const MANY_CHANGES = 1000;

/** Runs a query on a cached statement; waits for the lock of another process. */
export function run(connection: Preparing, query: Query): Query {
  try {
    return runOnce(connection, query);
  } catch (error) {
    if (connection.busyTimeout === undefined || !isLocked(error)) throw error;
    return retryLocked(connection.busyTimeout, error, () => runOnce(connection, query));
  }
}

function runOnce(connection: Preparing, query: Query): Query {
  const one = !query.first && !query.lists && findsOne(query);
  const statement = prepare(connection, query.sql, one || query.first || query.lists ? "values" : "rows");
  const { driver, reads, defines, row } = statement;
  const bindings = bindable(query.bindings ?? []);
  if (reads) {
    const values = one || query.first ? firstOf(statement, bindings) : undefined;
    if (query.first) query.response = values;
    else if (one) query.response = values ? [row(values)] : [];
    else if (query.lists) query.response = listsOf(statement, bindings);
    else query.response = allOf(statement, bindings);
    return query;
  }
  const done = driver.run(bindings);
  query.response = done;
  query.context = { lastID: done.lastInsertRowid, changes: done.changes };
  if (defines) connection.kept?.clear();
  if (defines || done.changes > MANY_CHANGES) connection.changed?.();
  return query;
}

/** The columns of a select, and the version of the schema that they are of. */
export interface Shape {
  names: readonly string[];
  /** The indexes of those that may have whole numbers beyond 2^53. */
  large: readonly number[];
  version: unknown;
}

/** As the tables are now: a connection looks whether the schema has changed when it reads, and not when it prepares. */
export function shapeOf(connection: Preparing, sql: string): Shape {
  connection.prepare("select 1 from sqlite_master limit 1").get([]);
  const [version] = connection.prepare("pragma schema_version").raw().get([]) as unknown[];
  const columns = connection.prepare(sql).columns();
  return { names: columns.map(({ name }) => name), large: largeColumns(columns), version };
}

/** Whether it is a select of one row that names its columns itself: its values alone come in half the time. */
const findsOne = ({ sql, bindings }: Query): boolean =>
  bindings?.at(-1) === 1 && sql.endsWith(" limit ?") && /^select [^*]*$/.test(sql);

/** The first row's values; bytes as the driver gives them where it makes the rows. */
function firstOf(statement: Statement, bindings: Values): Values | undefined {
  const get = (driver: DriverStatement) => driver.get(bindings) as unknown[] | undefined;
  if (statement.mayWrite) return exactly(statement, get, (values) => values && withArrayBuffers(wholeNumbers(values)));
  let values = get(statement.driver);
  if (values && statement.large.length > 0 && hasLarge(values, statement.large))
    values = exactly(statement, get, (found) => found && wholeNumbers(found));
  return values && withArrayBuffers(values);
}

function allOf(statement: Statement, bindings: Values): Row[] {
  const all = (driver: DriverStatement) => driver.all(bindings) as Row[];
  if (statement.mayWrite) return exactly(statement, all, (rows) => rows.map(wholeNumbers));
  const rows = all(statement.driver);
  const isExact = statement.large.length === 0 || !haveLarge(rows, statement.largeNames);
  return isExact ? rows : exactly(statement, all, (found) => found.map(wholeNumbers));
}

function listsOf(statement: Statement, bindings: Values): Values[] {
  const all = (driver: DriverStatement) => driver.all(bindings) as unknown[][];
  let lists = all(statement.driver);
  if (statement.large.length > 0 && lists.some((values) => hasLarge(values, statement.large)))
    lists = exactly(statement, all, (found) => found.map(wholeNumbers));
  return lists.map(withArrayBuffers);
}

/** Reads with whole numbers as bigint, which takes longer: where a number has rounded one, or what is run can't run again. */
function exactly<T, R>({ driver }: Statement, read: (driver: DriverStatement) => T, convert: (found: T) => R): R {
  driver.safeIntegers(true);
  try {
    return convert(read(driver));
  } finally {
    driver.safeIntegers(false);
  }
}

export function withArrayBuffers(values: unknown[]): Values {
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (value instanceof Uint8Array) values[index] = new Uint8Array(value).buffer;
  }
  return values;
}

function prepare(connection: Preparing, sql: string, form: keyof Forms): Statement {
  const kept = connection.kept!;
  const forms = kept.get(sql) ?? {};
  const known = forms[form];
  if (known) return known;
  const driver = connection.prepare(sql);
  const columns = driver.reader ? driver.columns() : [];
  const large = driver.exact ? [] : largeColumns(columns);
  const statement = {
    driver: form === "values" ? driver.raw() : driver,
    reads: driver.reader,
    large,
    largeNames: large.map((index) => columns[index]!.name),
    mayWrite: !isSelect(sql),
    defines: /^\s*(?:create|drop|alter|vacuum|pragma|attach)/i.test(sql),
    row: compileRow(form === "values" ? columns.map(({ name }) => name) : []),
  };
  forms[form] = statement;
  if (kept.size >= MAX_STATEMENTS && !kept.has(sql)) kept.delete(kept.keys().next().value!);
  if (/^\s*(?:select|insert|update|delete|begin|commit|rollback)\b/i.test(sql)) kept.set(sql, forms);
  return statement;
}

/** An object of one shape for all rows; the names are in the code as texts. */
export function compileRow(names: readonly string[]): (values: Values) => Row {
  if (names.length === 0) return () => ({}); // savepoints, whose names are new each time, need none
  const pairs = names.map((name, index) => `[${JSON.stringify(name)}]: values[${index}]`);
  return new Function("values", `return { ${pairs.join(", ")} };`) as (values: Values) => Row;
}

export function bindable(values: Values): Values {
  for (const value of values)
    if (value === undefined || typeof value === "boolean" || value instanceof Date) return values.map(bound);
  return values;
}

function bound(value: unknown): unknown {
  if (value instanceof Date) return encodeDate(value);
  if (typeof value === "boolean") return Number(value);
  return value ?? null;
}
