import { isConflict } from "./away.ts";
import { type ModelInfo, oncePerColumns } from "./model_info.ts";
import type { AtOnce, Row } from "./running.ts";

type MakeRow = (values: readonly unknown[]) => Row;

/** Values whose text in JSON is exactly what they are, as far as the types say so. */
const exact = new Set(["string", "text", "integer", "bigint", "boolean", "date", "datetime", "uuid"]);
/** Characters a row beyond which writing and reading JSON costs more than it saves. */
const LIGHT = 500;
/** How many reads of a table with heavier rows go by before it is tried again. */
const PAUSE = 1000;
/** A call of an SQL function has so many arguments at most. */
const MOST_COLUMNS = 100;

/**
 * How the rows of a model's table come out of an embedded database at half the price: handing a value over costs the
 * driver more than reading it does. So one row comes as a list of values, and many come as one text, which SQLite
 * writes as JSON. What JSON would not give back exactly is read as it always was.
 */
export class Packing {
  /** How a select of whole rows begins. */
  readonly #star: string;
  readonly #listed: string;
  readonly #packs: string | undefined;
  readonly #names: readonly string[];
  #row: MakeRow | undefined;
  /** Whether rows were seen that have the columns that are known, and no others: a generated one is not known. */
  #confirmed = false;
  #pause = 0;

  constructor({ table, columns }: ModelInfo) {
    const names = [...columns.keys()];
    this.#names = names;
    const quoted = names.map((name) => `\`${name}\``);
    const from = ` from \`${table}\``;
    this.#star = `select \`${table}\`.*${from}`;
    this.#listed = `select ${quoted.map((name) => `\`${table}\`.${name}`).join(", ")}${from}`;
    const packable = names.length <= MOST_COLUMNS && [...columns.values()].every(({ type }) => exact.has(type));
    if (packable) this.#packs = `select json_group_array(json_array(${quoted.join(", ")})) as packed from (`;
    this.#row = compileRow([table, ...names].every(isPlainName) ? names : []);
  }

  static readonly of: (info: ModelInfo) => Packing = oncePerColumns((info) => new Packing(info));

  /** The rows of a select of whole rows; undefined where they can't be read in this way. */
  read(client: AtOnce, sql: string, bindings: readonly unknown[]): Row[] | undefined {
    if (!this.#confirmed || !this.#row || !sql.startsWith(this.#star)) return undefined;
    const listed = this.#listed + sql.slice(this.#star.length);
    const one = bindings.at(-1) === 1 && sql.endsWith(" limit ?");
    return one ? this.#one(client, listed, bindings, this.#row) : this.#many(client, listed, bindings, this.#row);
  }

  #one(client: AtOnce, sql: string, bindings: readonly unknown[], row: MakeRow): Row[] | undefined {
    const ran = attempt(() => client.atOnce({ sql, bindings, first: true }));
    if (!ran) return undefined;
    return ran.response === undefined ? [] : [row(ran.response as readonly unknown[])];
  }

  #many(client: AtOnce, sql: string, bindings: readonly unknown[], row: MakeRow): Row[] | undefined {
    if (!this.#packs || this.#pause-- > 0) return undefined;
    this.#pause = 0;
    const ran = attempt(() => client.atOnce({ sql: `${this.#packs}${sql})`, bindings, first: true }));
    const [text] = (ran?.response ?? []) as [string?];
    if (text === undefined || text.includes("\\u0000")) return undefined; // the driver ends a text there
    const lists = JSON.parse(text) as unknown[][];
    if (lists.length > 0 && text.length > LIGHT * lists.length) this.#pause = PAUSE;
    return lists.every(isExact) ? lists.map(row) : undefined;
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

function compileRow(names: readonly string[]): MakeRow | undefined {
  if (names.length === 0) return undefined;
  const pairs = names.map((name, index) => `${name}: values[${index}]`);
  return new Function("values", `return { ${pairs.join(", ")} };`) as MakeRow;
}
