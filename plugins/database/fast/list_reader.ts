import { BoundedCache } from "framewright/host";
import type { ColumnInfo } from "../drivers/columns.ts";
import { isConflict } from "../drivers/unavailable.ts";
import type { SyncExecution } from "./execute.ts";

/** Types whose values JSON gives back exactly. */
const exact = new Set(["string", "text", "integer", "bigint", "boolean", "date", "datetime", "uuid"]);
/** Beyond this, writing and reading JSON costs more than it saves. */
const MAX_CHARS_A_ROW = 500;
/** Reads of a table with larger rows before JSON is tried again. */
const READS_BEFORE_RETRY = 1000;
/** SQLite's limit of arguments of an SQL function. */
const MAX_COLUMNS = 100;
const LIMITED = / limit \?(?: offset \?)?$/;
/** Selects of a table whose rewritten SQL is cached. */
export const MAX_TEXTS = 50;

/**
 * Fast path of SQLite: rows come back as lists of values, and many rows of libsql as one JSON text, because crossing its native
 * boundary for each value dominates the cost. Values that JSON would not give back exactly are read without it.
 */
export class ListReader {
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
    const first = bindings.at(-1) === 1 && sql.endsWith(" limit ?");
    if (!first && !(client.hasCheapValues && this.#keepsOrder(sql))) return this.#packed(client, sql, bindings);
    const whole = this.#one === "" ? sql : this.#ones.getOrMake(sql, () => this.#around(this.#one, sql));
    const ran = attempt(() => client.executeSync({ sql: whole, bindings, first, lists: !first }));
    if (!ran) return undefined;
    if (!first) return ran.response as readonly (readonly unknown[])[];
    return ran.response === undefined ? [] : [ran.response as readonly unknown[]];
  }

  /** Whether the rows come in the order of the select: SQLite leaves out that of a subselect without a limit, except for an aggregate. */
  #keepsOrder(sql: string): boolean {
    return this.#one === "" || LIMITED.test(sql);
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
