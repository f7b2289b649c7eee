import { BoundedCache } from "framewright/host";
import { type ModelInfo, oncePerColumns } from "../models/model_info.ts";
import type { Row, SyncExecution } from "./execute.ts";
import { ListReader, MAX_TEXTS } from "./list_reader.ts";
import { columnsBut, type OmittedColumns } from "./omitted_columns.ts";

export type MakeRow = (values: readonly unknown[]) => Row;

/** Where the first quote of a select of whole rows is. */
const QUOTE_AT = "select ".length;

/** A table as knex writes it, with its schema where it names one. */
const quotedTable = (table: string, quote: string): string =>
  table
    .split(".")
    .map((name) => `${quote}${name}${quote}`)
    .join(".");

/** How rows of a table are selected, as all of its columns or without some, and created. */
class RowSelect {
  readonly names: readonly string[];
  readonly make: MakeRow | undefined;
  readonly #lists: ListReader;
  readonly #listed: string;
  readonly #texts = new BoundedCache<string>(MAX_TEXTS);
  readonly #omitted: OmittedColumns | undefined;
  #copy: ((row: Row) => Row) | undefined;

  constructor({ table, columns }: ModelInfo, omitted?: OmittedColumns) {
    const read = columnsBut(omitted, columns);
    const names = read.map(({ name }) => name);
    const quoted = names.map((name) => `\`${name}\``);
    this.names = names;
    this.#omitted = omitted;
    const own = quotedTable(table, "`");
    this.#listed = `select ${quoted.map((name) => `${own}.${name}`).join(", ")} from ${own}`;
    this.#lists = new ListReader(quoted, read);
    this.make = [...table.split("."), ...names].every(isPlainName) ? compileRow(names, 0, omitted) : undefined;
  }

  /** A select of whole rows with the columns named, in the quotes that it has; `end`: where its own columns end. */
  listed(sql: string, end: number): string {
    return this.#texts.getOrMake(sql, () => this.#listed.replaceAll("`", sql[QUOTE_AT]!) + sql.slice(end));
  }
  read(client: SyncExecution, listed: string, bindings: readonly unknown[]): Row[] | undefined {
    return this.#lists.read(client, listed, bindings)?.map(this.make!);
  }
  /** Rows of `listed` as a driver gave them, with what they have in place of columns that were left out. */
  guarded(rows: readonly Row[]): Row[] {
    this.#copy ??= compileCopy(this.names, this.#omitted!);
    return rows.map(this.#copy);
  }
}

/** Reads rows of a model's table as lists of values. */
export class TablePacking {
  readonly #info: ModelInfo;
  /** How a select of whole rows begins, as SQLite and MySQL quote names, and as others do. */
  readonly #stars: readonly string[];
  readonly #whole: RowSelect;
  readonly #partial = new WeakMap<OmittedColumns, RowSelect>();
  /** Whether rows were seen that have the columns that are known, and no others: a generated one is not known. */
  #confirmed = false;
  #hasOthers = false;

  constructor(info: ModelInfo) {
    this.#info = info;
    this.#stars = ["`", '"'].map((quote) => {
      const table = quotedTable(info.table, quote);
      return `select ${table}.* from ${table}`;
    });
    this.#whole = new RowSelect(info);
  }

  static readonly of: (info: ModelInfo) => TablePacking = oncePerColumns((info) => new TablePacking(info));

  /** How rows are created of all columns but these, which are known to have plain names. */
  maker(omitted: OmittedColumns | undefined): MakeRow {
    return this.#select(omitted).make!;
  }
  /** A select of whole rows, with its columns named; undefined where it is none, or the columns are not known for sure. */
  listed(sql: string, omitted?: OmittedColumns): string | undefined {
    if (!this.known || !this.#isWhole(sql)) return undefined;
    return this.#select(omitted).listed(sql, this.#stars[0]!.length);
  }
  /** Whether the columns are those that the table's rows were seen to have. */
  get known(): boolean {
    return this.#confirmed && !this.#hasOthers && this.#whole.make !== undefined;
  }

  /** The rows of a select of whole rows; undefined where this fast path can't read them. */
  read(client: SyncExecution, sql: string, bindings: readonly unknown[], omitted?: OmittedColumns): Row[] | undefined {
    const listed = this.listed(sql, omitted);
    return listed === undefined ? undefined : this.#select(omitted).read(client, listed, bindings);
  }
  /** Rows of `listed` as a driver gave them. */
  guarded(rows: readonly Row[], omitted: OmittedColumns): Row[] {
    return this.#select(omitted).guarded(rows);
  }

  /** Compares, once, the columns of rows with those that are known. */
  learn(sql: string, [row]: readonly Row[]): void {
    if (this.#confirmed || this.#hasOthers || !row || !this.#isWhole(sql)) return;
    if (hasKeys(row, this.#whole.names)) this.#confirmed = true;
    else this.#hasOthers = true;
  }

  #isWhole(sql: string): boolean {
    return this.#stars.some((star) => sql.startsWith(star));
  }
  #select(omitted: OmittedColumns | undefined): RowSelect {
    if (!omitted) return this.#whole;
    let partial = this.#partial.get(omitted);
    if (!partial) {
      partial = new RowSelect(this.#info, omitted);
      this.#partial.set(omitted, partial);
    }
    return partial;
  }
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
export function compileRow(names: readonly string[], from: number, omitted?: OmittedColumns): MakeRow | undefined {
  if (names.length === 0) return undefined;
  const values = names.map((_, index) => `given[${from + index}]`);
  if (omitted) return compileGuarded(names, values, omitted) as MakeRow;
  const pairs = names.map((name, index) => `${name}: ${values[index]}`);
  return new Function("given", `return { ${pairs.join(", ")} };`) as MakeRow;
}

const compileCopy = (names: readonly string[], omitted: OmittedColumns): ((row: Row) => Row) =>
  compileGuarded(
    names,
    names.map((name) => `given.${name}`),
    omitted,
  ) as (row: Row) => Row;

/** A constructor, since the engine gives an object literal its prototype slowly. */
function compileGuarded(names: readonly string[], values: readonly string[], { prototype }: OmittedColumns) {
  const lines = names.map((name, index) => `this.${name} = ${values[index]};`);
  const code = `function Row(given) { ${lines.join(" ")} } Row.prototype = prototype; return (given) => new Row(given);`;
  return new Function("prototype", code)(prototype) as (given: unknown) => Row;
}
