import { setTimeout as sleep } from "node:timers/promises";
import type { Knex } from "knex";
import type { QueryBuilder, Transaction } from "objection";
import { isConflict, unlessAway } from "./away.ts";
import { insideTransaction } from "./clients/guard.ts";
import type { ColumnInfo } from "./columns.ts";
import { clientOf } from "./connection.ts";
import { type Counted, Counting } from "./counting.ts";
import type { Client } from "./ddl.ts";
import { errors } from "./errors.ts";
import { insertAlone, insertsAlone } from "./inserting.ts";
import { mysqlColumns, mysqlTables } from "./introspect_mysql.ts";
import { sqliteColumns, sqliteTables } from "./introspect_sqlite.ts";
import { Lookups } from "./lookups.ts";
import { Migrations } from "./migrations.ts";
import type { BaseModel, ModelClass } from "./model.ts";
import type { ModelInfo } from "./model_info.ts";
import { Prepared } from "./prepared.ts";
import {
  countRecords,
  countSource,
  type RowSource,
  type RowsRead,
  readKey,
  readRecords,
  readRowOfKey,
  readRows,
} from "./reading.ts";
import { Registry } from "./registry.ts";
import { rowsOf } from "./running.ts";
import { changedRows, insertedId } from "./statements.ts";

const ATTEMPTS = 3;
/** Milliseconds after which a database that was away at boot is looked for again. */
const LINK_AGAIN = 1000;

/** The service of the slot "database". */
export class Database {
  readonly migrations: Migrations;
  readonly #registry = new Registry();
  readonly #open: () => Knex;
  /** Notices a query that forgot its transaction; not in production, where it would slow every await. */
  readonly #watchful: boolean;
  #knex: Knex | undefined;
  readonly #lookups = new Lookups(() => this.knex);
  readonly #counting = new Counting();
  #closed = false;
  #later: NodeJS.Timeout | undefined;

  constructor(open: () => Knex, { directories, watchful }: { directories: readonly string[]; watchful: boolean }) {
    this.#open = open;
    this.#watchful = watchful;
    this.migrations = new Migrations(
      () => this.knex,
      () => this.client,
      directories,
    );
  }

  /** The query builder below the models, for what has to be fast: rows as the database has them. */
  get knex(): Knex {
    if (this.#closed) throw errors.FW_DATABASE_CLOSED();
    this.#knex ??= this.#open();
    return this.#knex;
  }

  get client(): Client {
    return clientOf(this.knex);
  }

  register(constant: string, cls: ModelClass, file: string): void {
    this.#registry.register(constant, cls, file);
  }

  models(): readonly ModelInfo[] {
    return this.#registry.models();
  }

  /** @throws FW_MODEL_UNKNOWN */
  model(wanted: ModelClass | string): ModelInfo {
    return this.#registry.model(wanted);
  }

  /** A query of a model; give the transaction inside one. */
  query<M extends BaseModel>(cls: { new (): M }, transaction?: Transaction): QueryBuilder<M> {
    return (cls as unknown as ModelClass).query(transaction) as unknown as QueryBuilder<M>;
  }

  /** The records of a query, with the associations that are named. */
  read<M extends BaseModel>(query: QueryBuilder<M>, associations: readonly string[] = []): Promise<M[]> {
    return readRecords(query, associations, this.#lookups);
  }
  /** The first record of a query. */
  async readFirst<M extends BaseModel>(
    query: QueryBuilder<M>,
    associations: readonly string[] = [],
  ): Promise<M | undefined> {
    const [first] = await readRecords(query.limit(1), associations, this.#lookups);
    return first;
  }
  /** The record with this key, whoever may see it: for where nothing narrows, without a query being built. */
  readByKey(
    info: ModelInfo,
    key: number | string,
    associations: readonly string[] = [],
  ): Promise<BaseModel | undefined> {
    return readKey(info, key, associations, this.#lookups);
  }
  /** As readByKey, not made a record: see RowReader. */
  readRowByKey(info: ModelInfo, key: number | string, names: readonly string[] = []): Promise<RowsRead | undefined> {
    return readRowOfKey(info, key, names, this.#lookups);
  }
  /** The rows of a query as they are stored, and the rows behind the belongsTo that are named: see RowReader. */
  readRows<M extends BaseModel>(
    info: ModelInfo,
    source: RowSource<M>,
    names: readonly string[] = [],
  ): Promise<RowsRead> {
    return readRows(info, source, names, this.#lookups);
  }
  /** How many rows a query of conditions alone finds, counted no further than `most`. */
  countUpTo<M extends BaseModel>(source: RowSource<M>, most: number): Promise<Counted> {
    return countSource(source, most, this.#counting);
  }
  /** Whether a row with this key is stored, whoever may see it. */
  async has(info: ModelInfo, key: number | string): Promise<boolean> {
    try {
      return await this.#lookups.has(info, key);
    } catch (error) {
      throw unlessAway(error);
    }
  }
  /** A select that is built once: for what every request asks. */
  prepared(build: (knex: Knex, values: readonly unknown[]) => Knex.QueryBuilder): Prepared {
    return new Prepared(() => this.knex, build);
  }
  /** Puts a row into a table, past models and outside of transactions, and gives its id. */
  insertRow(table: string, row: Record<string, unknown>): Promise<unknown> {
    return insertedId(this.knex, table, row);
  }
  /** Changes the rows of a table that have these values, past models and outside of transactions; how many there were. */
  updateRows(table: string, where: Record<string, unknown>, change: Record<string, unknown>): Promise<number> {
    return changedRows(this.knex, table, where, change);
  }
  /** The rows of a knex query, as the database has them. */
  async rows(query: Knex.QueryBuilder): Promise<Record<string, unknown>[]> {
    try {
      return await rowsOf(query);
    } catch (error) {
      throw unlessAway(error);
    }
  }
  /** How many records a query of conditions alone finds. */
  count<M extends BaseModel>(query: QueryBuilder<M>): Promise<number> {
    return countRecords(query);
  }

  /** A query of the records that one of a record's associations leads to. */
  related(
    record: BaseModel,
    association: string,
    transaction?: Transaction,
  ): QueryBuilder<BaseModel & Record<string, unknown>> {
    const related = record.$relatedQuery as (name: string, trx?: Transaction) => unknown;
    return related.call(record, association, transaction) as QueryBuilder<BaseModel & Record<string, unknown>>;
  }

  /**
   * Runs the work in a transaction: all of it or nothing. A deadlock or a lock that timed out is tried again, so
   * the work may run up to three times.
   */
  transaction<T>(work: (transaction: Transaction) => PromiseLike<T>): Promise<T> {
    return this.#retried(() =>
      this.knex.transaction((trx) => (this.#watchful ? this.#watch(() => work(trx)) : Promise.resolve(work(trx)))),
    );
  }

  /** Inserts a record; in a transaction only where the model does more than that at it. */
  insert(cls: ModelClass, values: object): Promise<BaseModel> {
    if (insertsAlone(cls)) return this.#retried(() => insertAlone(cls, values, this.knex));
    return this.transaction(
      (transaction) => cls.query(transaction).insert(values as never) as unknown as PromiseLike<BaseModel>,
    );
  }

  async #retried<T>(work: () => PromiseLike<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (!isConflict(error) || attempt === ATTEMPTS) throw unlessAway(error);
        await sleep(attempt * 20 + Math.random() * 50);
      }
    }
  }

  introspect(table: string): Promise<ColumnInfo[]> {
    return this.client === "sqlite" ? sqliteColumns(this.knex, table) : mysqlColumns(this.knex, table);
  }

  tables(): Promise<string[]> {
    return this.client === "sqlite" ? sqliteTables(this.knex) : mysqlTables(this.knex);
  }

  /** Reads the tables of all models and ties them; at boot, and after a migration. */
  async link(): Promise<void> {
    try {
      await this.#registry.link(this.knex, (table) => this.introspect(table));
    } catch (error) {
      throw unlessAway(error);
    }
  }

  /** A database that is away does not stop the boot: requests are answered 503 until it is back and was read. */
  async boot(): Promise<void> {
    try {
      await this.link();
    } catch (error) {
      if ((error as { status?: number }).status !== 503) throw error;
      await this.#registry.link(this.knex, async () => undefined);
      this.#linkLater();
    }
  }

  /** Resolves when the database answers; rejects with an error of status 503. */
  async ping(): Promise<void> {
    try {
      await this.knex.raw("select 1");
    } catch (error) {
      throw unlessAway(error);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#later);
    await this.#knex?.destroy();
  }

  #linkLater(): void {
    const again = () => this.link().catch(() => (this.#closed ? undefined : this.#linkLater()));
    this.#later = setTimeout(again, LINK_AGAIN).unref();
  }

  #watch<T>(work: () => PromiseLike<T>): Promise<T> {
    return insideTransaction(this.knex.client, work);
  }
}
