import type { Knex } from "knex";
import type { BackupFormat } from "../backups/format.ts";
import type { ColumnDefinition } from "../migrations/table.ts";
import type { ColumnInfo, UniqueIndex } from "./columns.ts";
import type { ConnectionOptions } from "./connection.ts";
import type { DatabaseCopy } from "./copy_database.ts";
import type { EmptyDatabase } from "./empty_database.ts";
import type { DriverFailure } from "./failure.ts";
import type { StatementPlan } from "./statement_plan.ts";

/** How the tables of a database are read. Names are those of the schema that the connection uses. */
export interface Introspection {
  /** The names of all tables, sorted; a plain select, which waits for no writer. */
  tables(knex: Knex): Promise<string[]>;
  /** The names of all views, sorted. */
  views?(knex: Knex): Promise<string[]>;
  /**
   * The tables and views of another schema by their names with it, as in `sales.orders`, by which the methods below know them
   * too; undefined where there is none of that name. A database whose driver lacks it has no schemas.
   */
  inSchema?(knex: Knex, schema: string): Promise<{ tables: string[]; views: string[] } | undefined>;
  /** Every column of every table, in one query. */
  columnNames(knex: Knex): Promise<{ table: string; column: string }[]>;
  /** The columns of a table in their order; none where it does not exist. */
  columns(knex: Knex, table: string): Promise<ColumnInfo[]>;
  /** The columns of all tables, by their names in lower case, in as many queries as for one: for a start with many models. */
  allColumns?(knex: Knex): Promise<ReadonlyMap<string, ColumnInfo[]>>;
  /** The unique indexes of a table and its primary key, without partial ones. */
  uniques(knex: Knex, table: string): Promise<UniqueIndex[]>;
  /** Every column of every index that a migration may drop: not of the primary key. */
  indexes(knex: Knex, table: string): Promise<{ name: string; column: string }[]>;
  /** The columns that a constraint of this name covers, for failures that name a constraint and no column. */
  constraintColumns?(knex: Knex, table: string, constraint: string): Promise<readonly string[] | undefined>;
}

/** How migrations are written in SQL. Texts of a new table compare without regard to case; accents and spaces count. */
export interface Ddl {
  /** The length of a name of a table, column or index at most; 64 where it takes longer ones. */
  readonly maxNameChars: number;
  quote(name: string): string;
  /** A column's type, with what makes it a primary key: `bigint unsigned auto_increment primary key`. */
  type(column: ColumnDefinition): string;
  /** A default, as it is written after `default`. */
  literal(value: unknown, column: ColumnDefinition): string;
  /** Written for a column that may be null. */
  readonly nullable?: string;
  /** The values that an enum lets in and the like, after the column's type and default. */
  checks?(table: string, column: ColumnDefinition): string[];
  /** "column": a foreign key is in its column's line; "table": in a line of its own. */
  readonly foreignKeys: "column" | "table";
  /** Whether indexes are among the lines of `create table`; each is added by itself otherwise. */
  readonly indexesInTable?: boolean;
  /** A column in the list of an index; the quoted name unless the driver adds to it. */
  indexed?(column: string): string;
  /** Before a table is created or changed: what its types need. */
  prepare?(knex: Knex): Promise<void>;
  /** What follows the lines of `create table`. */
  tableOptions?(knex: Knex): Promise<string>;
  dropIndex(table: string, name: string): string;
  /** Where foreign keys have to go before their column does. */
  dropForeignKeys?(knex: Knex, table: string, column: string): Promise<void>;
}

/** What `fw doctor` prints of a server: `ok`, or what to do. */
export interface ServerFinding {
  what: string;
  ok: boolean;
  detail: string;
}

/** How replicas of a server are reached, and how far they follow it: by positions in what the server logs, as texts. */
export interface Replication {
  /** The knex of a replica. One that stops answering must not hold a statement for long. @throws as `Driver.connect` */
  connect(options: ConnectionOptions & { url: string }): Knex;
  /** What the server has committed so far; undefined where it logs nothing that a replica could follow. */
  position(primary: Knex): Promise<string | undefined>;
  /** Whether a text has the form of a position. */
  isPosition(text: string): boolean;
  /** Whether a replica has all up to a position, which it is given so many milliseconds for; with 0 it answers at once. */
  has(replica: Knex, position: string, milliseconds: number): Promise<boolean>;
  /** What `fw doctor` finds of a replica's settings: what is wrong, each a sentence. */
  problems?(replica: Knex, primary: Knex): Promise<string[]>;
}

/** SQL for the first day of the unit that a stored moment is in, as the text `2026-01-31`; each `??` is the column. */
export type FirstDay = Readonly<Record<"day" | "week" | "month", string>>;

/** A text that is looked for: `sql` takes the column and a pattern of the literal text with `any` around it, for any other text. */
export interface TextPattern {
  readonly sql: string;
  readonly any: string;
  readonly literal: string;
}
/**
 * A database system: how it is reached, read, migrated, and what its failures are. SQLite and MySQL are built in; a plugin
 * adds its own by `services.database.drivers.add("postgres", defineDriver({ … }))`, for the schemes of DATABASE_URL that it
 * names. It gives values as the built-in ones do: texts of dates and times in UTC (`2026-01-31 12:00:00.000`), texts of
 * decimals and documents, numbers for integers up to 2^53 and texts beyond, 1 and 0 for booleans; an insert gives `[id]`.
 * Where decimals are doubles, `tables` gives the digits that they keep (`exactDigits`), and `addsInDoubles` is true.
 */
export interface Driver {
  /** As `database.client` gives it: "sqlite", "mysql". */
  readonly name: string;
  /** The schemes of the addresses that it opens. */
  readonly protocols: readonly string[];
  /** The dialects of knex that it is for, where the hook `connect` returns a knex of its own. */
  readonly dialects: readonly string[];
  /** The knex of an address, which connects at the first query. Its client maps failures by `clientError`. @throws FW_DATABASE_URL */
  connect(options: ConnectionOptions & { url: string }): Knex;
  readonly tables: Introspection;
  readonly ddl: Ddl;
  /** Runs the work while no other process migrates the database, without limits on time. @throws FW_MIGRATION_LOCKED */
  migrate<T>(knex: Knex, work: (knex: Knex) => Promise<T>): Promise<T>;
  /** Whether there is one connection for all transactions; otherwise some of the pool are for what is none. */
  readonly hasOneConnection?: boolean;
  /** Whether that one is for reads as well: while a transaction is open, nothing is read beside it. */
  isSingleConnection?(knex: Knex): boolean;
  /** Whether `inChunk` may commit several transactions together: all that code reads and writes goes to one connection then. */
  commitsInChunks?(knex: Knex): boolean;
  /** Whether an enum sorts by the position of its values, and not as text. */
  readonly sortsEnumsByPosition?: boolean;
  /** SQL around a decimal's text that is compared with a column, `cast(? as decimal(65, 30))`; `?` by default. */
  readonly exactNumber?: string;
  /** Whether sums of decimals are doubles, and those of whole numbers end at 2^63: they are added up in exact parts then. */
  readonly addsInDoubles?: boolean;
  readonly firstDay: FirstDay;
  /** Narrows to the rows whose column has this value, whatever the case of its letters; `where` unless the database needs more. */
  whereEqual?(query: Knex.QueryBuilder, column: string, value: string | number): void;
  /** How a text is looked for within a column, whatever the case of its letters; undefined where `like` does it. */
  like?(text: string): TextPattern | undefined;
  /** What `fw doctor` finds of the server's settings; `pool`: the connections that a process may take. */
  examine?(knex: Knex, pool: number): Promise<ServerFinding[]>;
  /** How the database would run a select, for `fw doctor --explain`; without it that is left out. */
  explain?(knex: Knex, sql: string, bindings: readonly unknown[]): Promise<StatementPlan>;
  /** Where DATABASE_REPLICA_URLS may name replicas. */
  readonly replication?: Replication;
  /** How it is backed up and restored, for `fw db:backup`; without it that is refused. */
  readonly backup?: BackupFormat;
  /** Copies the database without writing to it, for `fw audit`. @throws FW_DATABASE_COPY */
  copy?(options: ConnectionOptions & { url: string }): Promise<DatabaseCopy>;
  /** Removes from its files what was deleted and overwritten, where that can be done; false where something may be left. */
  erase?(knex: Knex): Promise<boolean>;
  /** Creates an empty database beside it, for a test; without it tests use the database itself. @throws FW_DATABASE_EMPTY */
  createEmpty?(options: ConnectionOptions & { url: string }): Promise<EmptyDatabase>;
}

/**
 * Checks the type of a driver, and gives it back.
 * @example services.database.drivers.add("postgres", defineDriver({ name: "postgres", protocols: ["postgres"], … }));
 */
export const defineDriver = (driver: Driver): Driver => driver;

export type { DriverFailure };
