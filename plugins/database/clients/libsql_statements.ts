import { encodeDate } from "../codec.ts";

/** Prepared statements kept a connection: preparing costs more than running most of them. */
const KEPT = 500;

type Row = Record<string, unknown>;
type Values = readonly unknown[];

export interface Query {
  sql: string;
  bindings?: Values;
  /** The response is the first row alone, as a list of values. */
  first?: boolean;
  response?: unknown;
  context?: unknown;
}
interface DriverStatement {
  readonly reader: boolean;
  raw(): DriverStatement;
  columns(): readonly { name: string }[];
  all(bindings: Values): unknown[];
  get(bindings: Values): unknown;
  run(bindings: Values): { lastInsertRowid: number; changes: number };
}
/** A statement, with what asking the driver for each time would cost as much as running it. */
interface Statement {
  readonly driver: DriverStatement;
  readonly reads: boolean;
  /** It may change what kept statements were made for. */
  readonly defines: boolean;
  /** Makes a row of its values, where the select itself names its columns; else the driver makes the rows. */
  readonly row: ((values: Values) => Row) | undefined;
  readonly limited: boolean;
}
/** A connection that can prepare, and what it keeps prepared. */
export interface Preparing {
  prepare(sql: string): DriverStatement;
  kept?: Map<string, Statement>;
}

/** Runs a query on a kept statement. */
export function run(connection: Preparing, query: Query): Query {
  const statement = prepare(connection, query.sql, query.first === true);
  const bindings = bindable(query.bindings ?? []);
  if (statement.reads) {
    query.response = query.first ? statement.driver.get(bindings) : rowsOf(statement, bindings);
    return query;
  }
  const done = statement.driver.run(bindings);
  query.response = done;
  query.context = { lastID: done.lastInsertRowid, changes: done.changes };
  if (statement.defines) connection.kept?.clear();
  return query;
}

function rowsOf({ driver, row, limited }: Statement, bindings: Values): Row[] {
  if (!row) return driver.all(bindings) as Row[];
  if (!limited || bindings.at(-1) !== 1) return (driver.all(bindings) as Values[]).map(row);
  const values = driver.get(bindings) as Values | undefined;
  return values ? [row(values)] : [];
}

function prepare(connection: Preparing, sql: string, first: boolean): Statement {
  const kept = connection.kept!;
  const key = first ? `first ${sql}` : sql;
  const known = kept.get(key);
  if (known) return known;
  const statement = statementOf(connection.prepare(sql), sql, first);
  if (kept.size >= KEPT) kept.delete(kept.keys().next().value!);
  if (/^\s*(?:select|insert|update|delete|begin|commit|rollback)\b/i.test(sql)) kept.set(key, statement);
  return statement;
}

function statementOf(driver: DriverStatement, sql: string, first: boolean): Statement {
  const row =
    !first && /^\s*select\b[^*]*$/i.test(sql) ? compileRow(driver.columns().map(({ name }) => name)) : undefined;
  return {
    driver: first || row ? driver.raw() : driver,
    reads: driver.reader,
    defines: /^\s*(?:create|drop|alter|vacuum|pragma|attach)/i.test(sql),
    row,
    limited: sql.endsWith(" limit ?"),
  };
}

/** An object of one shape for all rows; the names stand in the code as texts. */
function compileRow(names: readonly string[]): ((values: Values) => Row) | undefined {
  if (names.includes("__proto__")) return undefined;
  const pairs = names.map((name, index) => `${JSON.stringify(name)}: values[${index}]`);
  return new Function("values", `return { ${pairs.join(", ")} };`) as (values: Values) => Row;
}

function bindable(values: Values): Values {
  for (const value of values) if (typeof value === "boolean" || value instanceof Date) return values.map(bound);
  return values;
}

function bound(value: unknown): unknown {
  if (value instanceof Date) return encodeDate(value);
  if (typeof value === "boolean") return Number(value);
  return value;
}
