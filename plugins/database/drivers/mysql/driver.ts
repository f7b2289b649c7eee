import { defineDriver } from "../driver.ts";
import { parseMysqlAddress } from "./address.ts";
import { mysqlBackup } from "./backup.ts";
import { connectMysql } from "./connect.ts";
import { copyMysql, createEmptyMysql } from "./copy_schema.ts";
import { mysqlDdl } from "./ddl.ts";
import { examineMysql } from "./examine.ts";
import { explainMysql } from "./explain.ts";
import { mysqlColumnNames, mysqlColumns, mysqlIndexes, mysqlTables, mysqlUniques, mysqlViews } from "./introspect.ts";
import { withLockRow } from "./migration_lock.ts";
import { mysqlReplication } from "./replication.ts";

/** MySQL and MariaDB, through mysql2. */
export const mysqlDriver = defineDriver({
  name: "mysql",
  protocols: ["mysql", "mysql2", "mariadb"],
  dialects: ["mysql", "mysql2"],
  connect: (options) => connectMysql(parseMysqlAddress(options.url), options),
  tables: {
    tables: mysqlTables,
    views: mysqlViews,
    columnNames: mysqlColumnNames,
    columns: mysqlColumns,
    uniques: mysqlUniques,
    indexes: mysqlIndexes,
    constraintColumns: async (knex, table, constraint) =>
      (await mysqlUniques(knex, table)).find(({ name }) => name === constraint)?.columns,
  },
  ddl: mysqlDdl,
  migrate: withLockRow,
  sortsEnumsByPosition: true,
  exactNumber: "cast(? as decimal(65, 30))",
  firstDay: {
    day: "date_format(??, '%Y-%m-%d')",
    week: "date_format(date_sub(??, interval weekday(??) day), '%Y-%m-%d')",
    month: "date_format(??, '%Y-%m-01')",
  },
  examine: examineMysql,
  explain: explainMysql,
  replication: mysqlReplication,
  backup: mysqlBackup,
  copy: (options) => copyMysql(parseMysqlAddress(options.url), options),
  createEmpty: (options) => createEmptyMysql(parseMysqlAddress(options.url), options),
});
