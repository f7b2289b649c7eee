import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { checkMethods } from "../../private_apis.ts";
import { hasLarge, wholeNumbers } from "../large_integers.ts";
import { withArrayBuffers } from "../prepared_statements.ts";
import type { Connection, ReadColumns, SlowReader, SqliteLibrary } from "./library.ts";

/** What is used of its asynchronous connections, which run statements in threads. */
interface ThreadConnection {
  exec(sql: string): Promise<void>;
  prepare(sql: string): Promise<ThreadStatement>;
  interrupt(): void;
  close(): void;
}
interface ThreadStatement {
  raw(): ThreadStatement;
  safeIntegers(toggle: boolean): ThreadStatement;
  all(bindings: readonly unknown[]): Promise<unknown[][]>;
}

/** SQL texts whose statements a connection keeps. */
const MAX_STATEMENTS = 50;

/** The package. @throws MODULE_NOT_FOUND where it, or its part for this system, is not installed */
export function libsql(): SqliteLibrary {
  const require = createRequire(import.meta.url);
  const Driver = require("libsql") as new (file: string) => Connection;
  return {
    name: "libsql",
    hasCheapValues: false,
    title() {
      const file = join(dirname(require.resolve("libsql")), "package.json");
      return `libsql ${(JSON.parse(readFileSync(file, "utf8")) as { version: string }).version}`;
    },
    open: (file) => new Driver(file),
    async openSlow(file, pragmas) {
      const ThreadDriver = require("libsql/promise") as new (file: string) => ThreadConnection;
      checkMethods("libsql", ThreadDriver, ["exec", "prepare", "interrupt", "close"]);
      const connection = new ThreadDriver(file);
      for (const pragma of pragmas) await connection.exec(pragma);
      return new ThreadReader(connection);
    },
  };
}

/**
 * A connection with its statements, which end with it: one that is dropped ends when its object is collected, and
 * would wait in the event loop then for whichever runs.
 */
class ThreadReader implements SlowReader {
  readonly #connection: ThreadConnection;
  readonly #statements = new Map<string, ThreadStatement>();

  constructor(connection: ThreadConnection) {
    this.#connection = connection;
  }

  get isUsable(): boolean {
    return this.#statements.size < MAX_STATEMENTS;
  }

  /**
   * The driver runs a statement in its thread up to the first row, and the rest where rows are requested. So all rows
   * are materialized before the first is returned.
   */
  async all(
    { sql, bindings }: { sql: string; bindings: readonly unknown[] },
    { names, large }: ReadColumns,
  ): Promise<unknown[][]> {
    const columns = names.map((_, index) => `c${index}`).join(", ");
    const statement = await this.#prepare(`with slow(${columns}) as materialized (${sql}) select * from slow`);
    let lists = await statement.all(bindings);
    if (lists.some((values) => hasLarge(values, large))) lists = await allExactly(statement, bindings);
    for (const values of lists) withArrayBuffers(values);
    return lists;
  }

  interrupt(): void {
    this.#connection.interrupt();
  }
  close(): void {
    this.#connection.close();
  }

  async #prepare(sql: string): Promise<ThreadStatement> {
    const statement = this.#statements.get(sql) ?? (await this.#connection.prepare(sql)).raw();
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** Reads again, with whole numbers that a number would round as texts. */
async function allExactly(statement: ThreadStatement, bindings: readonly unknown[]): Promise<unknown[][]> {
  statement.safeIntegers(true);
  try {
    return (await statement.all(bindings)).map(wholeNumbers);
  } finally {
    statement.safeIntegers(false);
  }
}
