import type { DriverStatement } from "../prepared_statements.ts";

/** What setting DATABASE_SQLITE names. */
export type LibraryName = "node" | "libsql";

/** A connection that answers at once. Its errors have SQLite's codes as their `code`: "SQLITE_BUSY". */
export interface Connection {
  prepare(sql: string): DriverStatement;
  exec(sql: string): void;
  close(): void;
}

/** A connection whose selects run beside the event loop, one at a time. */
export interface SlowReader {
  /** Whether it may run another select. */
  readonly isUsable: boolean;
  /**
   * The rows as lists of values: bytes as ArrayBuffer, whole numbers beyond 2^53 as texts; `large`: the indexes of columns that
   * may have such. `names`: the columns. @throws SQLITE_INTERRUPT
   */
  all(select: { sql: string; bindings: readonly unknown[] }, columns: ReadColumns): Promise<unknown[][]>;
  /** Ends what runs; without effect where nothing does. */
  interrupt(): void;
  close(): void;
}
export interface ReadColumns {
  readonly names: readonly string[];
  readonly large: readonly number[];
}

/** What opens a file of SQLite in this process. A process opens a file by one library: two would release each other's locks. */
export interface SqliteLibrary {
  readonly name: LibraryName;
  /** Whether many values cost less one by one than in one JSON text that is parsed. */
  readonly hasCheapValues: boolean;
  /** What it is and its version, for `fw doctor`. */
  title(): string;
  open(file: string): Connection;
  /** Opens a connection for slow selects, with these pragmas. */
  openSlow(file: string, pragmas: readonly string[]): Promise<SlowReader>;
}
