import { encodeDate } from "../../models/codec.ts";

/** Statements that a connection keeps prepared. */
export const MAX_PREPARED_STATEMENTS = 500;
/** Statements of which it is known how often they ran, or that they need the text protocol. */
const MAX_COUNTED_STATEMENTS = 2000;
/** Preparing costs a round trip, which pays from the third run on. */
const RUNS_BEFORE_PREPARING = 2;
/** The pause in preparing when the server has no memory for more statements. */
const FULL_PAUSE_MS = 60_000;

export interface MysqlQuery {
  sql: string;
  bindings?: readonly unknown[];
  options?: object;
  /** What knex builds it for: "select", "insert", "raw". */
  method?: string;
  response?: unknown;
}
interface Field {
  columnType: number;
  decimals: number;
  name: string;
}
type Answered = (error: Error | null, rows: unknown, fields?: readonly Field[]) => void;
export interface MysqlConnection {
  execute(options: { sql: string }, values: readonly unknown[], done: Answered): void;
  unprepare(sql: string): void;
}
/** What the driver offers for a value that is to be sent as a whole number. */
export type Whole = (value: number) => unknown;

/** Errors of a statement that did not run: it is run by the text protocol then. */
const notRun = new Set([
  1295, // can't be prepared
  1461, // the server keeps as many as it may
  1615, // a table was changed too often in between
  1243, // the server forgot the statement
  1210, // other arguments than it takes
]);
const TOO_MANY_STATEMENTS = 1461;

/**
 * Which statements go prepared, on the binary protocol: writes, and selects that find one row at most. What comes back
 * in many rows is cheaper to read as text. Both give the same values; what would not is left to the text protocol.
 */
export class PreparedProtocol {
  readonly #whole: Whole;
  readonly #known = new Map<string, number>();
  #pausedUntil = 0;

  constructor(whole: Whole) {
    this.#whole = whole;
  }

  /** Runs a query; false where it is for the text protocol, and nothing was run. */
  async run(connection: MysqlConnection, query: MysqlQuery): Promise<boolean> {
    const values = this.#values(query);
    if (!values) return false;
    try {
      const [rows, fields] = await execute(connection, query.sql, values);
      if (Array.isArray(rows) && !asText(rows, fields ?? [])) return this.#refuse(query.sql);
      query.response = [rows, fields];
      return true;
    } catch (error) {
      const { errno = 0 } = error as { errno?: number };
      if (!notRun.has(errno)) throw error;
      if (errno === TOO_MANY_STATEMENTS) this.#pausedUntil = Date.now() + FULL_PAUSE_MS;
      else if (errno === 1295 || errno === 1210) this.#refuse(query.sql);
      connection.unprepare(query.sql);
      return false;
    }
  }

  /** The values as they are sent; undefined where the text protocol is the better one. */
  #values({ sql, bindings = [], options }: MysqlQuery): unknown[] | undefined {
    const before = this.#known.get(sql) ?? 0;
    if (before === Number.POSITIVE_INFINITY || (options && Object.keys(options).length > 0)) return undefined;
    if (before === 0 && !isPreparable(sql, bindings.length)) return this.#note(sql, Number.POSITIVE_INFINITY);
    if (before < RUNS_BEFORE_PREPARING) return this.#note(sql, before + 1);
    if (!isWrite(sql) && bindings.at(-1) !== 1) return undefined;
    if (this.#pausedUntil > Date.now()) return undefined;
    return this.#sent(bindings);
  }

  #sent(bindings: readonly unknown[]): unknown[] | undefined {
    const values: unknown[] = [];
    for (const value of bindings) {
      if (typeof value === "string" || value === null || Buffer.isBuffer(value)) values.push(value);
      else if (Number.isSafeInteger(value)) values.push(this.#whole(value as number));
      else if (typeof value === "boolean") values.push(this.#whole(Number(value)));
      else if (value instanceof Date && !Number.isNaN(value.getTime())) values.push(encodeDate(value));
      else return undefined; // a fraction would be compared as a float, and what else there is the driver writes as text
    }
    return values;
  }

  #note(sql: string, count: number): undefined {
    if (!this.#known.has(sql) && this.#known.size >= MAX_COUNTED_STATEMENTS)
      this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(sql, count);
  }
  #refuse(sql: string): false {
    this.#note(sql, Number.POSITIVE_INFINITY);
    return false;
  }
}

const isWrite = (sql: string): boolean => /^(?:insert|update|delete) /.test(sql);

/** As knex writes them: values are all bound, and a select has its limit at the end. */
function isPreparable(sql: string, values: number): boolean {
  if (!isWrite(sql) && !/^select .* limit \?$/s.test(sql)) return false;
  return !/['"\\;#]|--|\/\*/.test(sql) && sql.split("?").length - 1 === values;
}

function execute(connection: MysqlConnection, sql: string, values: readonly unknown[]) {
  return new Promise<[rows: unknown, fields?: readonly Field[]]>((resolve, reject) => {
    connection.execute({ sql }, values, (error, rows, fields) => (error ? reject(error) : resolve([rows, fields])));
  });
}

/** Types whose values both protocols give alike: whole numbers, decimals, texts, JSON and bytes. */
const alike = new Set([0, 1, 2, 3, 8, 9, 10, 15, 246, 245, 247, 248, 249, 250, 251, 252, 253, 254]);
const DATETIME = 12;
const TIMESTAMP = 7;

/** Makes the rows what they would be as text; false where that can't be. Times without a fraction come without its zeros. */
function asText(rows: readonly Record<string, unknown>[], fields: readonly Field[]): boolean {
  for (const { columnType, decimals, name } of fields) {
    if (alike.has(columnType)) continue;
    if (columnType !== DATETIME && columnType !== TIMESTAMP) return false;
    for (const row of rows) {
      const value = row[name];
      if (typeof value === "string" && value.length === 19 && decimals > 0 && decimals <= 6)
        row[name] = `${value}.${"0".repeat(decimals)}`;
    }
  }
  return true;
}
