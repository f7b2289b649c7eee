import type { Connection, SqliteLibrary } from "./library/library.ts";
import type { Preparing } from "./prepared_statements.ts";
import { type SlowLimits, SlowQueries } from "./slow_queries.ts";
import { SlowStatements } from "./slow_statements.ts";

export type Reader = Preparing & Connection;
interface ReadersOptions extends SlowLimits {
  filename: string;
  /** Milliseconds. */
  busyTimeout: number;
  library: SqliteLibrary;
}

export function openFile(library: SqliteLibrary, filename: string): Reader {
  try {
    return Object.assign(library.open(filename), { kept: new Map() });
  } catch (cause) {
    throw Object.assign(new Error(`${filename} can't be opened`, { cause }), { code: "SQLITE_CANTOPEN" }); // libsql gives no code
  }
}

/** The connections of an embedded database that only read, beside the one that writes; opened when they are needed. */
export class Readers {
  readonly slowStatements = new SlowStatements();
  readonly slowQueries: SlowQueries;
  readonly #options: ReadersOptions;
  #reader: Reader | undefined;
  #isOff = false;

  constructor(options: ReadersOptions) {
    this.#options = options;
    const { library, filename } = options;
    this.slowQueries = new SlowQueries(() => library.openSlow(filename, this.#pragmas), options);
  }

  /**
   * One is enough for what runs in this process: it answers before anything else can query it. undefined where the file can't
   * be read while it is written.
   */
  get reader(): Reader | undefined {
    if (this.#isOff) return undefined;
    if (!this.#reader) {
      const { library, filename } = this.#options;
      const reader = openFile(library, filename);
      for (const pragma of this.#pragmas) reader.exec(pragma);
      const [mode] = reader.prepare("pragma journal_mode").raw().get([]) as [string];
      if (mode !== "wal") {
        reader.close();
        this.#isOff = true;
        return undefined;
      }
      this.#reader = reader;
    }
    return this.#reader;
  }

  /** Tables were created or changed, or many rows written. */
  changed(): void {
    this.slowStatements.changed();
    this.#reader?.kept?.clear();
  }

  close(): void {
    this.#isOff = true;
    this.slowQueries.close();
    this.#reader?.kept?.clear();
    this.#reader?.close();
    this.#reader = undefined;
  }

  get #pragmas(): string[] {
    return [`PRAGMA busy_timeout = ${this.#options.busyTimeout}`, "PRAGMA query_only = ON"];
  }
}
