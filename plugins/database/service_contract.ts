import type { Finding, RequestContext } from "framewright/host";
import type { Registry } from "framewright/kernel";
import type { Knex } from "knex";
import type { QueryBuilder, Transaction } from "objection";
import type { Backups } from "./backups/backups.ts";
import type { ColumnInfo } from "./drivers/columns.ts";
import type { Driver } from "./drivers/driver.ts";
import type { EncryptedCount } from "./encryption/encrypt_rows.ts";
import type { Omission, Prepared, PreparedSource } from "./fast/index.ts";
import type { Migrations } from "./migrations/migrations.ts";
import type { BaseModel, ModelClass } from "./models/model.ts";
import type { ModelInfo } from "./models/model_info.ts";
import type { QueryPlace } from "./queries/confinement.ts";
import type { Counted } from "./queries/count.ts";
import type { RowSource, RowsRead } from "./queries/read.ts";
import type { FoundChange } from "./releases/check_migrations.ts";
import type { Releases } from "./releases/releases.ts";
import type { Chunk } from "./transactions/chunk.ts";
import type { InsertOptions } from "./transactions/transactions.ts";
import type { TransactionOptions } from "./transactions/watched_transaction.ts";

/** The models that a database knows, and the tables below them. */
export interface DatabaseModels {
  register(constant: string, cls: ModelClass, file: string): void;
  models(): readonly ModelInfo[];
  /** @throws FW_MODEL_UNKNOWN */
  model(wanted: ModelClass | string): ModelInfo;
  /** Reads the tables of all models and links the models to them; at boot, and after a migration. */
  link(): Promise<void>;
  introspect(table: string): Promise<ColumnInfo[]>;
  /** The names of all columns by table, in one query. */
  columnNames(): Promise<Map<string, Set<string>>>;
  tables(): Promise<string[]>;
}

/** What is read: queries of models, their records, and rows as they are stored. */
export interface DatabaseReads {
  /** A query of a model; give the transaction inside one. */
  query<M extends BaseModel>(cls: { new (): M }, transaction?: Transaction): QueryBuilder<M>;
  /**
   * A query as it is handed to an application's code: plugins narrow it to what the place may see. The framework's own
   * queries are built by `query`.
   */
  queryIn<M extends BaseModel>(place: QueryPlace, cls: { new (): M }, transaction?: Transaction): QueryBuilder<M>;
  /** A query of the records that one of a record's associations leads to. */
  related(
    record: BaseModel,
    association: string,
    transaction?: Transaction,
  ): QueryBuilder<BaseModel & Record<string, unknown>>;
  /** The records of a query, with the associations that are named. */
  read<M extends BaseModel>(query: QueryBuilder<M>, associations?: readonly string[]): Promise<M[]>;
  /** The first record of a query. */
  readFirst<M extends BaseModel>(query: QueryBuilder<M>, associations?: readonly string[]): Promise<M | undefined>;
  /** The record with this key, without any narrowing, and without a query being built. `from`: a transaction that it is read in. */
  readByKey(
    info: ModelInfo,
    key: number | string,
    associations?: readonly string[],
    from?: Transaction,
  ): Promise<BaseModel | undefined>;
  /** As readByKey, as a row: see RowReader. `from`: what `replicaFor` returned. */
  readRowByKey(
    info: ModelInfo,
    key: number | string,
    names?: readonly string[],
    from?: Transaction,
  ): Promise<RowsRead | undefined>;
  /**
   * The rows of a query as they are stored, and the parent rows of the belongsTo associations that are named: see
   * RowReader. `omitted`: columns that may be left out.
   */
  readRows<M extends BaseModel>(
    info: ModelInfo,
    source: RowSource<M>,
    names?: readonly string[],
    omitted?: Omission,
  ): Promise<RowsRead>;
  /** How many records a query of conditions alone finds. */
  count<M extends BaseModel>(query: QueryBuilder<M>): Promise<number>;
  /** How many rows a query of conditions alone finds, counted no further than `most`. */
  countUpTo<M extends BaseModel>(source: RowSource<M>, most: number): Promise<Counted>;
  /** Whether a row with this key is stored, without any narrowing. */
  has(info: ModelInfo, key: number | string): Promise<boolean>;
  /** The id of the record that had a slug, within these values of the scope; undefined where none had it. */
  recordOfSlug(info: ModelInfo, slug: string, scope?: readonly unknown[]): Promise<string | undefined>;
  /** The rows of a knex query, as the database has them. */
  rows(query: Knex.QueryBuilder): Promise<Record<string, unknown>[]>;
  /** A select that is built once: for what every request reads. */
  prepared(build: (knex: Knex, values: readonly unknown[]) => Knex.QueryBuilder): Prepared;
  /**
   * Whether the records of a model, with the associations that are named, can be read by a select that is built once: neither its
   * queries nor its reads have code of their own.
   */
  canPrepare(info: ModelInfo, names?: readonly string[]): boolean;
  /** The records of a select that is built once, of a model that can be read so, with the belongsTo associations that are named. */
  readPrepared(info: ModelInfo, source: PreparedSource, names?: readonly string[]): Promise<BaseModel[]>;
  /**
   * Where a request's pages may be read: given to a query in the place of a transaction, it sends statements to a replica,
   * or to the primary where none will do. Undefined for the primary alone, as for requests that write. What joins tables, or
   * looks into another, stays on the primary unless `anyTables` is true. What decides what a person may do is not read so.
   */
  replicaFor(request: RequestContext, anyTables?: boolean): Transaction | undefined;
}

/** What is written. */
export interface DatabaseWrites {
  /**
   * Runs the work in a transaction: all of it or nothing. After a deadlock the work runs again, so that it may run more
   * than once. One that is not over by the request's deadline is rolled back.
   */
  transaction<T>(work: (transaction: Transaction) => PromiseLike<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Commits the transactions that the work runs by the chunk together, each of which is undone by itself. Where
   * `driver.commitsInChunks` allows it: all that the work reads and writes, by whatever code, sees what was written before, and
   * nobody else writes meanwhile. So it is short, and what comes after a commit waits for `chunk.committed`.
   */
  inChunk<T>(work: (chunk: Chunk) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Inserts a record: in `transaction`, else in one of its own, and only where the model does more than that at it. */
  insert(cls: ModelClass, values: object, options?: InsertOptions): Promise<BaseModel>;
  /** Inserts a row into a table, past models and outside of transactions, and returns its id. */
  insertRow(table: string, row: Record<string, unknown>): Promise<unknown>;
  /** Changes the rows of a table that have these values, past models and outside of transactions; returns their number. */
  updateRows(table: string, where: Record<string, unknown>, change: Record<string, unknown>): Promise<number>;
  /**
   * Changes the rows of a model's table that have these values, without its rules, or deletes them where `change` is
   * undefined; plugins hear of it as of every change. Returns their number.
   */
  changeRows(
    model: ModelInfo,
    where: Readonly<Record<string, unknown>>,
    change: Readonly<Record<string, unknown>> | undefined,
    connection?: Knex,
  ): Promise<number>;
  /**
   * Encrypts the rows of the models with encrypted columns, or of one, by the current secret: what is not encrypted yet, and what
   * depends on a previous secret. It may be stopped and run again. Where the database can, its files are left without what was
   * overwritten. @throws FW_ENCRYPTED_MODEL, FW_ENCRYPTED_LEFT
   */
  encryptRows(model?: string, options?: { writes?: boolean }): Promise<EncryptedCount[]>;
}

/** The service of the slot "database". A plugin that replaces it has these members. */
export interface Database extends DatabaseModels, DatabaseReads, DatabaseWrites {
  /** The query builder below the models, for what has to be fast: rows as the database has them. */
  readonly knex: Knex;
  /**
   * A connection beside the pool, for few and short statements: what they write is stored at once, does not wait for a
   * connection that an open transaction has, and stays where that is rolled back. Undefined where the database has one
   * connection for all, as SQLite and PGlite.
   */
  readonly besides: Knex | undefined;
  /** The name of the driver: "sqlite", "mysql", or that of a plugin. */
  readonly client: string;
  /** What the database's SQL has of its own. */
  readonly driver: Driver;
  /** What opens databases, by name: a plugin adds one in its `apply`, `drivers.add("postgres", defineDriver({ … }))`. */
  readonly drivers: Registry<Driver>;
  readonly migrations: Migrations;
  /** The processes of whichever release that use this database, and what they read of it. */
  readonly releases: Releases;
  /** Saves and restores the whole database, by its driver: for `fw db:backup` and `fw db:restore`. */
  readonly backups: Backups;
  /** Why no request can be served: the database was unavailable at boot and its tables are not known yet, or don't fit the models. */
  readonly unready: Error | undefined;
  /** The names of the migrations that have not run. Read again until none is left; then the tables are read again. */
  pendingMigrations(): Promise<readonly string[]>;
  /**
   * Runs the pending migrations on a copy of the database, and returns what they change that a running release may not
   * bear. @throws FW_DATABASE_COPY, FW_MIGRATION_FAILED
   */
  tryMigrations(signal?: AbortSignal): Promise<FoundChange[]>;
  /** The findings of `fw doctor` about the server, about decimals and about encrypted attributes. */
  examine(): Promise<Finding[]>;
  /** The error itself, or one that is answered 503 where it came from a database that can't be used now: for plugins with a knex of their own. */
  explain(error: Error): Error;
  /** Resolves when the database answers, soon; rejects with an error of status 503. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
