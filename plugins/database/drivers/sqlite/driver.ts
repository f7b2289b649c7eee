import { defineDriver } from "../driver.ts";
import { likeInAnyCase, whereEqualInAnyCase } from "./any_case.ts";
import { sqliteBackup } from "./backup.ts";
import { connectSqlite, sqliteFile } from "./connect.ts";
import { copySqlite } from "./copy_file.ts";
import { sqliteDdl } from "./ddl.ts";
import { eraseFreePages } from "./erase.ts";
import { examineSqlite } from "./examine.ts";
import { explainSqlite } from "./explain.ts";
import {
  sqliteAllColumns,
  sqliteColumnNames,
  sqliteColumns,
  sqliteConstraintColumns,
  sqliteIndexes,
  sqliteTables,
  sqliteUniques,
  sqliteViews,
} from "./introspect.ts";
import { withFileLock } from "./migration_lock.ts";

/** Embedded SQLite, through Node's own library or libsql. */
export const sqliteDriver = defineDriver({
  name: "sqlite",
  protocols: ["sqlite", "sqlite3", "file"],
  dialects: ["sqlite3", "better-sqlite3"],
  connect: (options) => connectSqlite(sqliteFile(options.url, options.root), options),
  tables: {
    tables: sqliteTables,
    views: sqliteViews,
    columnNames: sqliteColumnNames,
    columns: sqliteColumns,
    allColumns: sqliteAllColumns,
    uniques: sqliteUniques,
    indexes: sqliteIndexes,
    constraintColumns: sqliteConstraintColumns,
  },
  ddl: sqliteDdl,
  migrate: withFileLock,
  hasOneConnection: true,
  isSingleConnection: ({ client }) => client.readers === undefined,
  commitsInChunks: ({ client }) => client.readers !== undefined,
  addsInDoubles: true,
  firstDay: {
    day: "substr(??, 1, 10)",
    week: "date(substr(??, 1, 10), 'weekday 0', '-6 days')",
    month: "substr(??, 1, 7) || '-01'",
  },
  whereEqual: whereEqualInAnyCase,
  like: likeInAnyCase,
  examine: examineSqlite,
  explain: explainSqlite,
  erase: eraseFreePages,
  backup: sqliteBackup,
  copy: (options) => copySqlite(sqliteFile(options.url, options.root), options),
  createEmpty: async () => ({ url: "sqlite::memory:", name: ":memory:", remove: async () => undefined }),
});
