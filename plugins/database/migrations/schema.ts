import type { Knex } from "knex";
import { errors } from "../errors.ts";
import { type Client, columnLine, foreignLine, quoted } from "./ddl.ts";
import { indexName, MAX_NAME_CHARS } from "./identifier_names.ts";
import { type ColumnDefinition, type IndexDefinition, TableBuilder } from "./table.ts";

/** MariaDB 10.10 and later; MySQL 8 and later. */
const MARIADB_COLLATION = "utf8mb4_uca1400_nopad_as_ci";
const MYSQL_COLLATION = "utf8mb4_0900_as_ci";

type Say = (table: TableBuilder) => void;

/**
 * What a migration is handed. Each method leaves alone what is already done: MySQL commits every statement by itself,
 * so a migration that was killed half-way is run again from its beginning.
 */
export class Schema {
  readonly knex: Knex;
  readonly client: Client;

  constructor(knex: Knex, client: Client) {
    this.knex = knex;
    this.client = client;
  }

  async createTable(name: string, say: Say): Promise<void> {
    const table = new TableBuilder();
    say(table);
    checkLengths(name, table);
    if (!(await this.hasTable(name))) await this.knex.raw(await this.#createTable(name, table));
    for (const index of table.indexes) await this.#addIndex(name, index);
  }

  async dropTable(name: string): Promise<void> {
    await this.knex.raw(`drop table if exists ${quoted(name)}`);
  }

  async renameTable(from: string, to: string): Promise<void> {
    checkLength(to);
    if (await this.hasTable(from)) await this.knex.raw(`alter table ${quoted(from)} rename to ${quoted(to)}`);
  }

  async addColumns(name: string, say: Say): Promise<void> {
    const table = new TableBuilder();
    say(table);
    checkLengths(name, table);
    const impossible = table.columns.find((column) => column.notNull && column.default === undefined);
    if (impossible) throw errors.FW_MIGRATION_COLUMN(name, impossible.name);
    for (const column of table.columns) {
      if (!(await this.hasColumn(name, column.name))) await this.#addColumn(name, column);
    }
    for (const index of table.indexes) await this.#addIndex(name, index);
  }

  /** Removes the columns with the indexes and foreign keys that they are part of. */
  async removeColumns(name: string, columns: readonly string[]): Promise<void> {
    for (const column of columns) {
      if (!(await this.hasColumn(name, column))) continue;
      if (this.client === "mysql") await this.#dropForeignKeys(name, column);
      for (const index of await this.#indexesOf(name, column)) await this.#dropIndex(name, index);
      await this.knex.raw(`alter table ${quoted(name)} drop column ${quoted(column)}`);
    }
  }

  async renameColumn(name: string, from: string, to: string): Promise<void> {
    checkLength(to);
    if (!(await this.hasColumn(name, from))) return;
    await this.knex.raw(`alter table ${quoted(name)} rename column ${quoted(from)} to ${quoted(to)}`);
  }

  async addIndex(
    name: string,
    columns: readonly string[],
    { unique = false }: { unique?: boolean } = {},
  ): Promise<void> {
    await this.#addIndex(name, { columns, unique });
  }

  async removeIndex(
    name: string,
    columns: readonly string[],
    { unique = false }: { unique?: boolean } = {},
  ): Promise<void> {
    const index = indexName(name, columns, unique);
    if (await this.#hasIndex(name, index)) await this.#dropIndex(name, index);
  }

  hasTable(name: string): Promise<boolean> {
    return this.knex.schema.hasTable(name);
  }

  hasColumn(name: string, column: string): Promise<boolean> {
    return this.knex.schema.hasColumn(name, column);
  }

  async #createTable(name: string, { columns, indexes }: TableBuilder): Promise<string> {
    const lines = columns.map((column) => columnLine(this.client, name, column));
    if (this.client === "mysql") {
      lines.push(...indexes.map((index) => keyLine(name, index)));
      lines.push(...columns.filter(({ reference }) => reference).map((column) => foreignLine(name, column)));
    }
    const ending =
      this.client === "mysql" ? ` engine = innodb default charset = utf8mb4${await this.#collation()}` : "";
    return `create table ${quoted(name)} (${lines.join(", ")})${ending}`;
  }

  /** Texts of a new table compare as with SQLite, where the server can: case makes no difference, accents and spaces do. */
  async #collation(): Promise<string> {
    const [rows] = await this.knex
      .raw(
        "select full_collation_name as name from information_schema.collation_character_set_applicability where full_collation_name = ?",
        [MARIADB_COLLATION],
      )
      .catch(() =>
        this.knex.raw("select collation_name as name from information_schema.collations where collation_name = ?", [
          MYSQL_COLLATION,
        ]),
      );
    const [found] = rows as { name: string }[];
    return found ? ` collate = ${found.name}` : "";
  }

  async #addColumn(table: string, column: ColumnDefinition): Promise<void> {
    const parts = [`add column ${columnLine(this.client, table, column)}`];
    if (this.client === "mysql" && column.reference) parts.push(`add ${foreignLine(table, column)}`);
    await this.knex.raw(`alter table ${quoted(table)} ${parts.join(", ")}`);
  }

  async #addIndex(table: string, { columns, unique }: IndexDefinition): Promise<void> {
    const name = indexName(table, columns, unique);
    if (await this.#hasIndex(table, name)) return;
    const list = columns.map(quoted).join(", ");
    await this.knex.raw(`create ${unique ? "unique " : ""}index ${quoted(name)} on ${quoted(table)} (${list})`);
  }

  async #dropIndex(table: string, name: string): Promise<void> {
    const on = this.client === "mysql" ? ` on ${quoted(table)}` : "";
    await this.knex.raw(`drop index ${quoted(name)}${on}`);
  }

  async #hasIndex(table: string, name: string): Promise<boolean> {
    return (await this.#indexes(table)).some((index) => index.name === name);
  }

  async #indexesOf(table: string, column: string): Promise<string[]> {
    return [
      ...new Set((await this.#indexes(table)).filter((index) => index.column === column).map(({ name }) => name)),
    ];
  }

  /** Every column of every index, but those of the primary key. */
  async #indexes(table: string): Promise<{ name: string; column: string }[]> {
    if (this.client === "sqlite") {
      return this.knex.raw(
        "select l.name as name, i.name as `column` from pragma_index_list(?) l join pragma_index_info(l.name) i where l.origin = 'c'",
        [table],
      );
    }
    const [rows] = await this.knex.raw(
      "select index_name as name, column_name as `column` from information_schema.statistics where table_schema = database() and table_name = ? and index_name <> 'PRIMARY'",
      [table],
    );
    return rows;
  }

  async #dropForeignKeys(table: string, column: string): Promise<void> {
    const [rows]: { name: string }[][] = await this.knex.raw(
      "select constraint_name as name from information_schema.key_column_usage where table_schema = database() and table_name = ? and column_name = ? and referenced_table_name is not null",
      [table, column],
    );
    for (const { name } of rows ?? [])
      await this.knex.raw(`alter table ${quoted(table)} drop foreign key ${quoted(name)}`);
  }
}

/** The same on both databases: SQLite would take a name that stops every later migration of MySQL. @throws FW_MIGRATION_LENGTH */
function checkLengths(table: string, { columns }: TableBuilder): void {
  for (const name of [table, ...columns.map((column) => column.name)]) checkLength(name);
}
function checkLength(name: string): void {
  if (name.length > MAX_NAME_CHARS) throw errors.FW_MIGRATION_LENGTH(name, MAX_NAME_CHARS);
}

function keyLine(table: string, { columns, unique }: IndexDefinition): string {
  return `${unique ? "unique " : ""}key ${quoted(indexName(table, columns, unique))} (${columns.map(quoted).join(", ")})`;
}
