import { type ReadColumn, wholeNumber, wholeNumbers } from "../large_integers.ts";
import { compileRow, type DriverStatement, isSelect } from "../prepared_statements.ts";
import { withSqliteCode } from "./node_errors.ts";

/** What is used of node:sqlite. Statements give rows as lists: its objects have no prototype. */
export interface NodeStatement {
  columns(): ReadColumn[];
  setReturnArrays(isOn: boolean): void;
  setReadBigInts(isOn: boolean): void;
  all(...bindings: unknown[]): unknown[][];
  get(...bindings: unknown[]): unknown[] | undefined;
  run(...bindings: unknown[]): { changes: bigint; lastInsertRowid: bigint };
}

type Row = Record<string, unknown>;
type Values = readonly unknown[];

/** A statement of node:sqlite, as the client expects it: exact whole numbers, bytes as ArrayBuffer in rows, SQLite's codes. */
export class Statement implements DriverStatement {
  readonly reader: boolean;
  readonly exact = true;
  readonly #native: NodeStatement;
  readonly #columns: readonly ReadColumn[];
  /** A select may run again where a number would round one of its values. */
  readonly #mayRepeat: boolean;
  /** Its columns may become others while it is cached: another connection may add one. */
  readonly #hasStar: boolean;
  #isRaw = false;
  #names = "";
  #row: ((values: Values) => Row) | undefined;

  constructor(native: NodeStatement, sql: string) {
    this.#native = native;
    this.#columns = native.columns();
    this.reader = this.#columns.length > 0;
    this.#mayRepeat = isSelect(sql);
    this.#hasStar = sql.includes("*");
    if (this.reader) native.setReturnArrays(true);
    else native.setReadBigInts(true); // the id of an inserted row may be beyond 2^53, and refused after the insert
  }

  raw(): this {
    this.#isRaw = true;
    return this;
  }
  columns(): readonly ReadColumn[] {
    return this.#columns;
  }
  safeIntegers(isOn: boolean): this {
    this.#native.setReadBigInts(isOn);
    return this;
  }
  all(bindings: Values): unknown[] {
    const lists = this.#read(
      () => this.#native.all(...bindings),
      (found) => found.map(wholeNumbers),
    );
    if (this.#isRaw || lists.length === 0) return lists;
    const row = this.#compiled();
    return lists.map((values) => row(withBuffers(values)));
  }
  get(bindings: Values): unknown {
    const values = this.#read(
      () => this.#native.get(...bindings),
      (found) => found && wholeNumbers(found),
    );
    return this.#isRaw || values === undefined ? values : this.#compiled()(withBuffers(values));
  }
  run(bindings: Values): { lastInsertRowid: number | string; changes: number } {
    try {
      const { changes, lastInsertRowid } = this.#native.run(...bindings);
      return { changes: Number(changes), lastInsertRowid: wholeNumber(lastInsertRowid) };
    } catch (error) {
      throw withSqliteCode(error);
    }
  }

  /** A number that would be rounded is refused: what reads it is read again with texts for such. */
  #read<T>(read: () => T, exactly: (found: T) => T): T {
    try {
      return read();
    } catch (error) {
      if (!this.#mayRepeat || (error as { code?: unknown }).code !== "ERR_OUT_OF_RANGE") throw withSqliteCode(error);
    }
    this.#native.setReadBigInts(true);
    try {
      return exactly(read());
    } catch (error) {
      throw withSqliteCode(error);
    } finally {
      this.#native.setReadBigInts(false);
    }
  }

  #compiled(): (values: Values) => Row {
    if (this.#row && !this.#hasStar) return this.#row;
    const names = this.#native.columns().map(({ name }) => name);
    const joined = names.join("\0");
    if (!this.#row || joined !== this.#names) this.#row = compileRow(names);
    this.#names = joined;
    return this.#row;
  }
}

/** Lists leave their bytes unchanged: the caller converts them. */
function withBuffers(values: unknown[]): Values {
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (value instanceof Uint8Array) values[index] = bufferOf(value);
  }
  return values;
}

/** The bytes alone. They are not copied where nothing else is in their buffer. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): ArrayBufferLike =>
  buffer.byteLength === byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);
