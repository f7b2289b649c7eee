import type { Knex } from "knex";
import type { Ddl, Driver } from "../drivers/driver.ts";
import { driverOf } from "../drivers/drivers.ts";
import { storedName } from "../drivers/framework_names.ts";
import { renamingOf } from "../drivers/framework_tables.ts";
import { errors } from "../errors.ts";
import { columnLine, foreignLine } from "./ddl.ts";
import { indexName } from "./identifier_names.ts";
import { type ColumnDefinition, type IndexDefinition, TableBuilder } from "./table.ts";

type Say = (table: TableBuilder) => void;

/**
 * What a migration is handed. Each method leaves alone what is already done: MySQL commits every statement by itself,
 * so a migration that was killed half-way is run again from its beginning.
 */
export class Schema {
  readonly knex: Knex;
  readonly #driver: Driver;
  readonly #ddl: Ddl;

  constructor(knex: Knex) {
    this.knex = knex;
    this.#driver = driverOf(knex);
    this.#ddl = this.#driver.ddl;
  }

  /** The name of the database's driver: "sqlite", "mysql", or that of a plugin. */
  get client(): string {
    return this.#driver.name;
  }

  async createTable(name: string, say: Say): Promise<void> {
    const table = new TableBuilder();
    say(table);
    checkLengths(this.#ddl, name, table);
    await this.#ddl.prepare?.(this.knex);
    if (!(await this.hasTable(name))) await this.knex.raw(await this.#createTable(name, table));
    for (const index of table.indexes) await this.#addIndex(name, index);
  }

  async dropTable(name: string): Promise<void> {
    await this.knex.raw(`drop table if exists ${this.#ddl.quote(name)}`);
  }

  async renameTable(from: string, to: string): Promise<void> {
    checkLength(this.#ddl, to);
    if (await this.hasTable(from))
      await this.knex.raw(`alter table ${this.#ddl.quote(from)} rename to ${this.#ddl.quote(to)}`);
  }

  async addColumns(name: string, say: Say): Promise<void> {
    const table = new TableBuilder();
    say(table);
    checkLengths(this.#ddl, name, table);
    const impossible = table.columns.find((column) => column.notNull && column.default === undefined);
    if (impossible) throw errors.FW_MIGRATION_COLUMN(name, impossible.name);
    await this.#ddl.prepare?.(this.knex);
    for (const column of table.columns) {
      if (!(await this.hasColumn(name, column.name))) await this.#addColumn(name, column);
    }
    for (const index of table.indexes) await this.#addIndex(name, index);
  }

  /** Removes the columns with the indexes and foreign keys that they are part of. */
  async removeColumns(name: string, columns: readonly string[]): Promise<void> {
    for (const column of columns) {
      if (!(await this.hasColumn(name, column))) continue;
      await this.#ddl.dropForeignKeys?.(this.knex, name, column);
      for (const index of await this.#indexesOf(name, column)) await this.#dropIndex(name, index);
      await this.knex.raw(`alter table ${this.#ddl.quote(name)} drop column ${this.#ddl.quote(column)}`);
    }
  }

  async renameColumn(name: string, from: string, to: string): Promise<void> {
    checkLength(this.#ddl, to);
    if (!(await this.hasColumn(name, from))) return;
    await this.knex.raw(
      `alter table ${this.#ddl.quote(name)} rename column ${this.#ddl.quote(from)} to ${this.#ddl.quote(to)}`,
    );
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
    const index = this.#indexName(name, columns, unique);
    if (await this.#hasIndex(name, index)) await this.#dropIndex(name, index);
  }

  hasTable(name: string): Promise<boolean> {
    return this.knex.schema.hasTable(storedName(name, renamingOf(this.knex)?.prefix));
  }

  hasColumn(name: string, column: string): Promise<boolean> {
    return this.knex.schema.hasColumn(storedName(name, renamingOf(this.knex)?.prefix), column);
  }

  async #createTable(name: string, { columns, indexes }: TableBuilder): Promise<string> {
    const ddl = this.#ddl;
    const lines = columns.map((column) => columnLine(ddl, name, column));
    if (ddl.indexesInTable) lines.push(...indexes.map((index) => this.#keyLine(name, index)));
    if (ddl.foreignKeys === "table")
      lines.push(...columns.filter(({ reference }) => reference).map((column) => foreignLine(ddl, name, column)));
    return `create table ${ddl.quote(name)} (${lines.join(", ")})${(await ddl.tableOptions?.(this.knex)) ?? ""}`;
  }

  async #addColumn(table: string, column: ColumnDefinition): Promise<void> {
    const parts = [`add column ${columnLine(this.#ddl, table, column)}`];
    if (this.#ddl.foreignKeys === "table" && column.reference)
      parts.push(`add ${foreignLine(this.#ddl, table, column)}`);
    await this.knex.raw(`alter table ${this.#ddl.quote(table)} ${parts.join(", ")}`);
  }

  async #addIndex(table: string, { columns, unique }: IndexDefinition): Promise<void> {
    const name = this.#indexName(table, columns, unique);
    if (await this.#hasIndex(table, name)) return;
    const list = columns.map((column) => this.#indexed(column)).join(", ");
    await this.knex.raw(
      `create ${unique ? "unique " : ""}index ${this.#ddl.quote(name)} on ${this.#ddl.quote(table)} (${list})`,
    );
  }

  async #dropIndex(table: string, name: string): Promise<void> {
    await this.knex.raw(this.#ddl.dropIndex(table, name));
  }

  async #hasIndex(table: string, name: string): Promise<boolean> {
    return (await this.#indexes(table)).some((index) => index.name === name);
  }

  async #indexesOf(table: string, column: string): Promise<string[]> {
    return [
      ...new Set((await this.#indexes(table)).filter((index) => index.column === column).map(({ name }) => name)),
    ];
  }

  #indexes(table: string): Promise<{ name: string; column: string }[]> {
    return this.#driver.tables.indexes(this.knex, table);
  }
  #indexName(table: string, columns: readonly string[], unique: boolean): string {
    return indexName(table, columns, unique, this.#ddl.maxNameChars);
  }
  #indexed(column: string): string {
    return this.#ddl.indexed?.(column) ?? this.#ddl.quote(column);
  }
  #keyLine(table: string, { columns, unique }: IndexDefinition): string {
    const list = columns.map((column) => this.#indexed(column)).join(", ");
    return `${unique ? "unique " : ""}key ${this.#ddl.quote(this.#indexName(table, columns, unique))} (${list})`;
  }
}

/** The same on all databases: SQLite would take a name that stops every later migration of MySQL. @throws FW_MIGRATION_LENGTH */
function checkLengths(ddl: Ddl, table: string, { columns }: TableBuilder): void {
  for (const name of [table, ...columns.map((column) => column.name)]) checkLength(ddl, name);
}
function checkLength({ maxNameChars }: Ddl, name: string): void {
  if (name.length > maxNameChars) throw errors.FW_MIGRATION_LENGTH(name, maxNameChars);
}
