import { BoundedCache } from "framewright/host";
import type { ColumnInfo } from "../drivers/columns.ts";
import { isConflict } from "../drivers/unavailable.ts";
import { type ModelInfo, oncePerColumns } from "../models/model_info.ts";
import type { Row, SyncExecution } from "./execute.ts";

export type MakeRow = (values: readonly unknown[]) => Row;

/** Types whose values JSON gives back exactly. */
const exact = new Set(["string", "text", "integer", "bigint", "boolean", "date", "datetime", "uuid"]);
/** Beyond this, writing and reading JSON costs more than it saves. */
const MAX_CHARS_A_ROW = 500;
/** Reads of a table with larger rows before JSON is tried again. */
const READS_BEFORE_RETRY = 1000;
/** SQLite's limit of arguments of an SQL function. */
const MAX_COLUMNS = 100;
/** Selects of a table whose rewritten SQL is cached. */
const MAX_TEXTS = 50;

/**
 * Fast path of SQLite: many rows come back as one JSON text, one row as an array, because crossing the native boundary for
 * each value dominates the cost. Values that JSON would not give back exactly are read without it.
 */
export class JsonRowReader {
  readonly #one: string;
  readonly #many: string | undefined;
  readonly #joins: string;
  /** By the original select: the same string is found faster among the prepared statements. */
  readonly #ones = new BoundedCache<string>(MAX_TEXTS);
  readonly #packs = new BoundedCache<string>(MAX_TEXTS);
  #pause = 0;

  /** `joins`: the joins after the select, which is called `rows`, where the values are not all its own. */
  constructor(values: readonly string[], types: readonly ColumnInfo[], joins = "") {
    const packable = values.length <= MAX_COLUMNS && types.every(({ type }) => exact.has(type));
    this.#one = joins === "" ? "" : `select ${values.join(", ")} from `;
    this.#many = packable ? `select json_group_array(json_array(${values.join(", ")})) as packed from ` : undefined;
    this.#joins = joins;
  }

  /** The values of each row; undefined where this fast path can't read them. */
  read(client: SyncExecution, sql: string, bindings: readonly unknown[]): readonly (readonly unknown[])[] | undefined {
    const findsOne = bindings.at(-1) === 1 && sql.endsWith(" limit ?");
    if (!findsOne) return this.#packed(client, sql, bindings);
    const whole = this.#one === "" ? sql : this.#ones.getOrMake(sql, () => this.#around(this.#one, sql));
    const ran = attempt(() => client.executeSync({ sql: whole, bindings, first: true }));
    if (!ran) return undefined;
    return ran.response === undefined ? [] : [ran.response as readonly unknown[]];
  }

  #packed(
    client: SyncExecution,
    sql: string,
    bindings: readonly unknown[],
  ): readonly (readonly unknown[])[] | undefined {
    const select = this.#many;
    if (select === undefined || this.#pause-- > 0) return undefined;
    this.#pause = 0;
    const packing = this.#packs.getOrMake(sql, () => this.#around(select, sql));
    const ran = attempt(() => client.executeSync({ sql: packing, bindings, first: true }));
    const [text] = (ran?.response ?? []) as [string?];
    if (text === undefined || text.includes("\\u0000")) return undefined; // the driver ends a text there
    const lists = JSON.parse(text) as unknown[][];
    if (lists.length > 0 && text.length > MAX_CHARS_A_ROW * lists.length) this.#pause = READS_BEFORE_RETRY;
    return lists.every(isExact) ? lists : undefined;
  }

  #around(select: string, sql: string): string {
    return `${select}(${sql}) as \`rows\`${this.#joins}`;
  }
}

/** Reads whole rows of a model's table as lists of values. */
export class TablePacking {
  readonly #names: readonly string[];
  /** How a select of whole rows begins. */
  readonly #star: string;
  readonly #listed: string;
  readonly #lists: JsonRowReader;
  readonly #texts = new BoundedCache<string>(MAX_TEXTS);
  #row: MakeRow | undefined;
  /** Whether rows were seen that have the columns that are known, and no others: a generated one is not known. */
  #confirmed = false;

  constructor({ table, columns }: ModelInfo) {
    const names = [...columns.keys()];
    this.#names = names;
    const quoted = names.map((name) => `\`${name}\``);
    const from = ` from \`${table}\``;
    this.#star = `select \`${table}\`.*${from}`;
    this.#listed = `select ${quoted.map((name) => `\`${table}\`.${name}`).join(", ")}${from}`;
    this.#lists = new JsonRowReader(quoted, [...columns.values()]);
    this.#row = [table, ...names].every(isPlainName) ? compileRow(names, 0) : undefined;
  }

  static readonly of: (info: ModelInfo) => TablePacking = oncePerColumns((info) => new TablePacking(info));

  /** A select of whole rows, with its columns named; undefined where it is none, or the columns are not known for sure. */
  listed(sql: string): string | undefined {
    if (!this.known || !sql.startsWith(this.#star)) return undefined;
    return this.#texts.getOrMake(sql, () => this.#listed + sql.slice(this.#star.length));
  }
  /** Whether the columns are those that the table's rows were seen to have. */
  get known(): boolean {
    return this.#confirmed && this.#row !== undefined;
  }

  /** The rows of a select of whole rows; undefined where this fast path can't read them. */
  read(client: SyncExecution, sql: string, bindings: readonly unknown[]): Row[] | undefined {
    const listed = this.listed(sql);
    return listed === undefined ? undefined : this.#lists.read(client, listed, bindings)?.map(this.#row!);
  }

  /** Compares, once, the columns of rows with those that are known. */
  learn(sql: string, [row]: readonly Row[]): void {
    if (this.#confirmed || !row || !sql.startsWith(this.#star)) return;
    if (hasKeys(row, this.#names)) this.#confirmed = true;
    else this.#row = undefined;
  }
}

/** undefined where it fails: the select then runs unchanged, and fails with its own error. A lock is not waited for twice. */
function attempt<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (isConflict(error)) throw error;
    return undefined;
  }
}

/** A fraction or a number beyond 2^53 is not the same in JSON. */
function isExact(values: readonly unknown[]): boolean {
  for (const value of values) if (typeof value === "number" && !Number.isSafeInteger(value)) return false;
  return true;
}

/** Whether a row has these keys, in this order and no others. */
export function hasKeys(row: Row, names: readonly string[]): boolean {
  let at = 0;
  for (const key in row) if (key !== names[at++]) return false;
  return at === names.length;
}

/** Whether the name of a table or column may go into generated code. */
export const isPlainName = (name: string): boolean => /^[a-z_]\w*$/i.test(name) && name !== "__proto__";

/** Compiles a function that creates a row of the values from this index on. The names must be plain. */
export function compileRow(names: readonly string[], from: number): MakeRow | undefined {
  if (names.length === 0) return undefined;
  const pairs = names.map((name, index) => `${name}: values[${from + index}]`);
  return new Function("values", `return { ${pairs.join(", ")} };`) as MakeRow;
}
