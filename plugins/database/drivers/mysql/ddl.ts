import type { Knex } from "knex";
import { byKey, type ColumnTypes, commonTypes, storedDefault } from "../../migrations/ddl.ts";
import { MAX_NAME_CHARS } from "../../migrations/identifier_names.ts";
import type { Ddl } from "../driver.ts";

/** MariaDB 10.10 and later; MySQL 8 and later. */
const MARIADB_COLLATION = "utf8mb4_uca1400_nopad_as_ci";
const MYSQL_COLLATION = "utf8mb4_0900_as_ci";

const quote = (name: string): string => `\`${name.replaceAll("`", "``")}\``;
const text = (value: string) => `'${value.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;

const keys = { uuid: commonTypes.uuid, string: ({ length = 100 }: { length?: number }) => `varchar(${length})` };
const types: ColumnTypes = {
  ...commonTypes,
  id: byKey("bigint unsigned auto_increment primary key", keys, " primary key"),
  reference: byKey("bigint unsigned", keys),
  string: ({ length = 255, values }) => (values ? `enum(${values.map(text).join(", ")})` : `varchar(${length})`),
  text: () => "mediumtext",
  float: () => "double",
  boolean: () => "tinyint(1)",
  datetime: () => "datetime(3)",
  binary: () => "longblob",
};

/** Migrations in the SQL of MySQL and MariaDB. */
export const mysqlDdl: Ddl = {
  maxNameChars: MAX_NAME_CHARS,
  quote,
  nullable: "null",
  foreignKeys: "table",
  indexesInTable: true,
  type: (column) => types[column.type](column),
  literal(value, column) {
    const stored = storedDefault(value, column);
    if (typeof stored === "boolean") return stored ? "1" : "0";
    const written = typeof stored === "string" ? text(stored) : String(stored);
    return column.type === "json" ? `(${written})` : written; // an expression only
  },
  tableOptions: async (knex) => ` engine = innodb default charset = utf8mb4${await collation(knex)}`,
  dropIndex: (table, name) => `drop index ${quote(name)} on ${quote(table)}`,
  dropForeignKeys,
};

/** Texts of a new table compare as with SQLite, where the server can: case makes no difference, accents and spaces do. */
async function collation(knex: Knex): Promise<string> {
  const [rows] = await knex
    .raw(
      "select full_collation_name as name from information_schema.collation_character_set_applicability where full_collation_name = ?",
      [MARIADB_COLLATION],
    )
    .catch(() =>
      knex.raw("select collation_name as name from information_schema.collations where collation_name = ?", [
        MYSQL_COLLATION,
      ]),
    );
  const [found] = rows as { name: string }[];
  return found ? ` collate = ${found.name}` : "";
}

async function dropForeignKeys(knex: Knex, table: string, column: string): Promise<void> {
  const [rows]: { name: string }[][] = await knex.raw(
    "select constraint_name as name from information_schema.key_column_usage where table_schema = database() and table_name = ? and column_name = ? and referenced_table_name is not null",
    [table, column],
  );
  for (const { name } of rows ?? []) await knex.raw(`alter table ${quote(table)} drop foreign key ${quote(name)}`);
}
