import { BoundedCache } from "framewright/host";
import type { ColumnInfo } from "../drivers/columns.ts";
import { isConflict } from "../drivers/unavailable.ts";
import { type ModelInfo, oncePerColumns } from "../models/model_info.ts";
import type { AtOnce, Row } from "./execute.ts";

export type MakeRow = (values: readonly unknown[]) => Row;

/** Values whose text in JSON is exactly what they are, as far as the types say so. */
const exact = new Set(["string", "text", "integer", "bigint", "boolean", "date", "datetime", "uuid"]);
/** Characters a row beyond which writing and reading JSON costs more than it saves. */
const LIGHT = 500;
/** How many reads of a table with heavier rows go by before it is tried again. */
const PAUSE = 1000;
/** A call of an SQL function has so many arguments at most. */
const MOST_COLUMNS = 100;
/** Selects of a table whose texts are kept. */
const TEXTS = 50;

/**
 * How a select's values come out of an embedded database at half the price: handing a value over costs the driver more
 * than reading it does. So one row comes as a list of values, and many come as one text, which SQLite writes as JSON.
 * What JSON would not give back exactly is read as it always was.
 */
export class ValueLists {
  readonly #one: string;
  readonly #many: string | undefined;
  readonly #joins: string;
  /** By the select inside: a text that was there before is found faster among the kept statements, and not made anew. */
  readonly #ones = new BoundedCache<string>(TEXTS);
  readonly #packs = new BoundedCache<string>(TEXTS);
  #pause = 0;

  /** `joins`: what stands behind the select as `rows`, where the values are not all its own. */
  constructor(values: readonly string[], types: readonly ColumnInfo[], joins = "") {
    const packable = values.length <= MOST_COLUMNS && types.every(({ type }) => exact.has(type));
    this.#one = joins === "" ? "" : `select ${values.join(", ")} from `;
    this.#many = packable ? `select json_group_array(json_array(${values.join(", ")})) as packed from ` : undefined;
    this.#joins = joins;
  }

  /** The values of each row; undefined where they can't be read in this way. */
  read(client: AtOnce, sql: string, bindings: readonly unknown[]): readonly (readonly unknown[])[] | undefined {
    const findsOne = bindings.at(-1) === 1 && sql.endsWith(" limit ?");
    if (!findsOne) return this.#packed(client, sql, bindings);
    const whole = this.#one === "" ? sql : this.#ones.getOrMake(sql, () => this.#around(this.#one, sql));
    const ran = attempt(() => client.atOnce({ sql: whole, bindings, first: true }));
    if (!ran) return undefined;
    return ran.response === undefined ? [] : [ran.response as readonly unknown[]];
  }

  #packed(client: AtOnce, sql: string, bindings: readonly unknown[]): readonly (readonly unknown[])[] | undefined {
    const select = this.#many;
    if (select === undefined || this.#pause-- > 0) return undefined;
    this.#pause = 0;
    const packing = this.#packs.getOrMake(sql, () => this.#around(select, sql));
    const ran = attempt(() => client.atOnce({ sql: packing, bindings, first: true }));
    const [text] = (ran?.response ?? []) as [string?];
    if (text === undefined || text.includes("\\u0000")) return undefined; // the driver ends a text there
    const lists = JSON.parse(text) as unknown[][];
    if (lists.length > 0 && text.length > LIGHT * lists.length) this.#pause = PAUSE;
    return lists.every(isExact) ? lists : undefined;
  }

  #around(select: string, sql: string): string {
    return `${select}(${sql}) as \`rows\`${this.#joins}`;
  }
}

/** How the whole rows of a model's table are read as lists of values. */
export class Packing {
  readonly #names: readonly string[];
  /** How a select of whole rows begins. */
  readonly #star: string;
  readonly #listed: string;
  readonly #lists: ValueLists;
  readonly #texts = new BoundedCache<string>(TEXTS);
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
    this.#lists = new ValueLists(quoted, [...columns.values()]);
    this.#row = [table, ...names].every(isPlainName) ? compileRow(names, 0) : undefined;
  }

  static readonly of: (info: ModelInfo) => Packing = oncePerColumns((info) => new Packing(info));

  /** A select of whole rows, with its columns named; undefined where it is none, or the columns are not known for sure. */
  listed(sql: string): string | undefined {
    if (!this.known || !sql.startsWith(this.#star)) return undefined;
    return this.#texts.getOrMake(sql, () => this.#listed + sql.slice(this.#star.length));
  }
  /** Whether the columns are those that the table's rows were seen to have. */
  get known(): boolean {
    return this.#confirmed && this.#row !== undefined;
  }

  /** The rows of a select of whole rows; undefined where they can't be read in this way. */
  read(client: AtOnce, sql: string, bindings: readonly unknown[]): Row[] | undefined {
    const listed = this.listed(sql);
    return listed === undefined ? undefined : this.#lists.read(client, listed, bindings)?.map(this.#row!);
  }

  /** Looks, once, at rows as the database gives them. */
  learn(sql: string, [row]: readonly Row[]): void {
    if (this.#confirmed || !row || !sql.startsWith(this.#star)) return;
    if (hasKeys(row, this.#names)) this.#confirmed = true;
    else this.#row = undefined;
  }
}

/** undefined where it fails: what is wrong is told when the select runs as it was meant. Who waited for a lock does not wait twice. */
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

/** What may go into code as it stands: the names of a table and its columns, when they are plain words. */
export const isPlainName = (name: string): boolean => /^[a-z_]\w*$/i.test(name) && name !== "__proto__";

/** Makes a row of the values from this place on. The names must be plain. */
export function compileRow(names: readonly string[], from: number): MakeRow | undefined {
  if (names.length === 0) return undefined;
  const pairs = names.map((name, index) => `${name}: values[${from + index}]`);
  return new Function("values", `return { ${pairs.join(", ")} };`) as MakeRow;
}
