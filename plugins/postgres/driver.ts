import { type Driver, defineDriver } from "framewright/plugins/database";
import { ilike, whereEqual } from "./any_case.ts";
import { postgresBackup } from "./backup.ts";
import { connectPglite, connectServer } from "./connect.ts";
import { copyServer, createEmptyServer } from "./copy.ts";
import { ddl } from "./ddl.ts";
import { examineServer, examineTypes } from "./examine.ts";
import { explainStatement } from "./explain.ts";
import { columnNames, columns, constraintColumns, indexes, inSchema, tables, uniques, views } from "./introspect.ts";
import { migrateInTransaction } from "./migration_lock.ts";
import { PgliteInstances } from "./pglite.ts";

/** A server, `postgres://user:password@host:5432/name`, or several, `postgres://user:password@db1,db2/name`; with `?sslmode=verify-full` where the connection is to be encrypted. */
export const postgresDriver = defineDriver({
  name: "postgres",
  protocols: ["postgres", "postgresql"],
  dialects: ["postgresql"],
  connect: connectServer,
  tables: { tables, views, inSchema, columnNames, columns, uniques, indexes, constraintColumns },
  ddl,
  migrate: migrateInTransaction,
  firstDay: {
    day: "to_char(??, 'YYYY-MM-DD')",
    week: "to_char(date_trunc('week', ??), 'YYYY-MM-DD')",
    month: "to_char(??, 'YYYY-MM-01')",
  },
  whereEqual,
  like: ilike,
  examine: examineServer,
  explain: explainStatement,
  backup: postgresBackup,
  copy: copyServer,
  createEmpty: createEmptyServer,
});

const IN_MEMORY = "pglite::memory:";
/** PostgreSQL in the process: one connection for everything, in a folder of its own or in memory. */
export function pgliteDriver(): Driver {
  const instances = new PgliteInstances();
  const { copy: _, createEmpty: __, backup: ___, ...shared } = postgresDriver;
  return defineDriver({
    ...shared,
    name: "pglite",
    protocols: ["pglite"],
    dialects: [],
    hasOneConnection: true,
    isSingleConnection: () => true,
    examine: examineTypes,
    createEmpty: async () => ({ url: IN_MEMORY, name: IN_MEMORY, remove: async () => undefined }),
    connect: (options) => connectPglite(options, instances),
  });
}
