import type { DriverStatement } from "../prepared_statements.ts";
import type { Connection, SqliteLibrary } from "./library.ts";
import { withSqliteCode } from "./node_errors.ts";
import { type NodeStatement, Statement } from "./node_statement.ts";
import { SlowProcess } from "./slow_process.ts";

interface DatabaseSync {
  prepare(sql: string): NodeStatement;
  exec(sql: string): void;
  close(): void;
}
interface NodeSqlite {
  DatabaseSync: new (file: string) => DatabaseSync;
}

/** What libsql is compiled with: sorts and temporary tables need no files. */
const TEMPORARY = "PRAGMA temp_store = MEMORY";

/** The versions from which on it is a release candidate, and loads without a warning. */
const FIRST_MINOR: Readonly<Record<number, number>> = { 24: 15, 25: 7 };

/** Node's own; undefined where it has none that is stable. */
export function nodeSqlite(version = process.versions.node): SqliteLibrary | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < 24 || minor < (FIRST_MINOR[major] ?? 0)) return undefined;
  const module = process.getBuiltinModule?.("node:sqlite" as "node:fs") as unknown as NodeSqlite | undefined;
  if (!module) return undefined; // Node may be compiled without it
  return {
    name: "node",
    hasCheapValues: true,
    title: () => `node:sqlite of Node ${version}`,
    open: (file) => new NodeConnection(new module.DatabaseSync(file)),
    openSlow: (file, pragmas) => SlowProcess.open(file, [TEMPORARY, ...pragmas]),
  };
}

/** A limit that is a parameter, as knex writes it, at the end of a select or before its offset. */
const LIMIT = / limit \?(?=\)|$| offset )/g;

/**
 * Fast path: SQLite 3.5x looks at the value of a parameter that is the limit, and so parses and plans the statement again at each
 * execution, which takes several times what reading a row does. It does not look into expressions. A text with strings is left as it is.
 */
export const withPlannedLimits = (sql: string): string =>
  sql.includes("'") ? sql : sql.replaceAll(LIMIT, " limit ? + 0");

class NodeConnection implements Connection {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
    database.exec(TEMPORARY);
  }

  prepare(sql: string): DriverStatement {
    try {
      return new Statement(this.#database.prepare(withPlannedLimits(sql)), sql);
    } catch (error) {
      throw withSqliteCode(error);
    }
  }
  exec(sql: string): void {
    try {
      this.#database.exec(sql);
    } catch (error) {
      throw withSqliteCode(error);
    }
  }
  close(): void {
    this.#database.close();
  }
}
