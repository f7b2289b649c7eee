import type { Finding, RequestContext } from "framewright/host";
import type { Registry as Entries } from "framewright/kernel";
import type { Knex } from "knex";
import type { QueryBuilder, Transaction } from "objection";
import type { Backups } from "./backups/backups.ts";
import { type ChangeParts, changesOf, deletionsOf, RecordChanges } from "./changes/record_changes.ts";
import type { ColumnInfo } from "./drivers/columns.ts";
import type { ConnectionOptions } from "./drivers/connection.ts";
import type { Driver } from "./drivers/driver.ts";
import { driverOf, useDriver } from "./drivers/drivers.ts";
import { useFrameworkPrefix } from "./drivers/framework_tables.ts";
import { columnNamesOf, columnsOf, tablesOf } from "./drivers/introspect.ts";
import { pingDatabase } from "./drivers/ping.ts";
import { asUnavailable } from "./drivers/unavailable.ts";
import { type EncryptedCount, encryptedModels, encryptRows } from "./encryption/encrypt_rows.ts";
import { examineEncrypted } from "./encryption/examine.ts";
import { errors } from "./errors.ts";
import {
  changedRows,
  insertedId,
  type Omission,
  Prepared,
  type PreparedSource,
  rowsOf,
  turnOffFastPaths,
} from "./fast/index.ts";
import { Migrations } from "./migrations/migrations.ts";
import { BootLink } from "./models/boot_link.ts";
import { examineTables } from "./models/examine_tables.ts";
import type { BaseModel, ModelClass } from "./models/model.ts";
import type { ModelInfo } from "./models/model_info.ts";
import { Registry } from "./models/registry.ts";
import type { QueryPlace } from "./queries/confinement.ts";
import { type Counted, Counter } from "./queries/count.ts";
import { KeyLookups } from "./queries/key_lookups.ts";
import {
  canPrepare,
  countRecords,
  countSource,
  type RowSource,
  type RowsRead,
  readRecordByKey,
  readRecords,
  readRowByKey,
  readRows,
  recordsOf,
} from "./queries/read.ts";
import { type FoundChange, tryMigrations } from "./releases/check_migrations.ts";
import { Releases } from "./releases/releases.ts";
import { openReplicas, type ReplicaSettings } from "./replicas/open_replicas.ts";
import type { Replicas } from "./replicas/replicas.ts";
import type { Database } from "./service_contract.ts";
import { recordOfSlug } from "./slug_history/slug_history.ts";
import type { Chunk } from "./transactions/chunk.ts";
import { type InsertOptions, type TransactionLimits, Transactions } from "./transactions/transactions.ts";
import { useTransactions } from "./transactions/transactions_of.ts";
import type { TransactionOptions } from "./transactions/watched_transaction.ts";
import { examineDecimals } from "./validation/examine_decimals.ts";
import { examinePatterns } from "./validation/examine_patterns.ts";

interface DatabaseParts extends Omit<TransactionLimits, "changes"> {
  /** How the database is reached, where nothing else connects to it. */
  connection: () => ConnectionOptions;
  backups: Backups;
  drivers: Entries<Driver>;
  directories: readonly string[];
  /** Whether rows are read and written past knex and objection: see fast/. */
  fast?: boolean;
  handOut?: (handed: HandedQuery) => void;
  described?: (models: readonly ModelInfo[]) => void;
  /** What hears of changes; undefined for nothing. */
  changes?: ChangeParts;
  /** What encrypts the columns that models declare as encrypted; the current one first. */
  secrets?: readonly string[];
}

/** A query that is about to be handed out. */
export interface HandedQuery {
  readonly query: QueryBuilder<BaseModel>;
  readonly model: ModelInfo;
  readonly place: QueryPlace;
}
/** The database that the plugin opens. */
export class OpenDatabase implements Database {
  readonly migrations: Migrations;
  readonly releases: Releases;
  readonly backups: Backups;
  readonly drivers: Entries<Driver>;
  readonly #registry: Registry;
  readonly #bootLink: BootLink;
  readonly #changes: RecordChanges | undefined;
  readonly #open: (pool?: number) => Knex;
  readonly #connection: () => ConnectionOptions;
  readonly #fast: boolean;
  #knex: Knex | undefined;
  #besides: Knex | undefined;
  readonly #lookups = new KeyLookups(() => this.knex);
  readonly #counting = new Counter();
  readonly #pool: number;
  readonly #transactions: Transactions;
  readonly #handOut: (handed: HandedQuery) => void;
  /** Undefined where DATABASE_REPLICA_URLS names none. */
  #replicas: Replicas | undefined;
  #closed = false;
  #pinging: Promise<void> | undefined;

  constructor(open: (pool?: number) => Knex, parts: DatabaseParts) {
    const { directories, pool, fast = true, handOut = () => undefined } = parts;
    this.#changes = parts.changes && new RecordChanges(parts.changes);
    this.#registry = new Registry(parts.secrets, (models) => this.#changes?.watch(models), parts.described);
    this.#fast = fast;
    this.#open = open;
    this.#connection = parts.connection;
    this.drivers = parts.drivers;
    this.backups = parts.backups;
    this.#pool = pool;
    this.#transactions = new Transactions(() => this.knex, { ...parts, changes: this.#changes });
    this.#handOut = handOut;
    this.migrations = new Migrations(
      () => this.knex,
      directories.map((directory) => ({ directory })),
    );
    this.releases = new Releases(
      () => this.knex,
      () => this.models(),
    );
    this.#bootLink = new BootLink(this.#registry, this.migrations, () => this.knex);
  }

  get knex(): Knex {
    if (this.#closed) throw errors.FW_DATABASE_CLOSED();
    this.#knex ??= this.#connect();
    return this.#knex;
  }

  get besides(): Knex | undefined {
    if (this.driver.hasOneConnection) return undefined;
    this.#besides ??= this.#connect(1);
    return this.#besides;
  }

  #connect(pool?: number): Knex {
    const knex = this.#open(pool);
    useDriver(
      knex,
      driverOf(
        knex,
        [...this.drivers.entries()].map(([, driver]) => driver),
      ),
    );
    useFrameworkPrefix(knex, this.#connection().frameworkPrefix);
    useTransactions(knex, (work) => this.transaction(work));
    if (!this.#fast) turnOffFastPaths(knex);
    return knex;
  }

  get client(): string {
    return this.driver.name;
  }
  get driver(): Driver {
    return driverOf(this.knex);
  }

  register(constant: string, cls: ModelClass, file: string): void {
    const { frameworkPrefix } = this.#connection();
    if (frameworkPrefix !== undefined && cls.tableName?.startsWith(frameworkPrefix))
      throw errors.FW_TABLE_PREFIX_MODEL(frameworkPrefix, constant, cls.tableName);
    this.#registry.register(constant, cls, file);
  }

  models(): readonly ModelInfo[] {
    return this.#registry.models();
  }

  model(wanted: ModelClass | string): ModelInfo {
    return this.#registry.model(wanted);
  }

  query<M extends BaseModel>(cls: { new (): M }, transaction?: Transaction): QueryBuilder<M> {
    return (cls as unknown as ModelClass).query(transaction) as unknown as QueryBuilder<M>;
  }

  queryIn<M extends BaseModel>(place: QueryPlace, cls: { new (): M }, transaction?: Transaction): QueryBuilder<M> {
    const query = this.query(cls, transaction);
    this.#handOut({ query: query as unknown as QueryBuilder<BaseModel>, model: this.model(cls as never), place });
    return query;
  }

  /** Opens the replicas that pages are read from. @throws FW_DATABASE_REPLICAS */
  openReplicas(settings: ReplicaSettings): void {
    this.#replicas = openReplicas(this.knex, settings);
  }
  replicaFor(request: RequestContext, anyTables = false): Transaction | undefined {
    return this.#replicas?.for(request, anyTables);
  }
  /** A request was answered: what its client reads next has what it wrote. Undefined where nothing is to be done. */
  noteWrites(request: RequestContext): Promise<void> | undefined {
    return this.#replicas?.noteWrites(request);
  }
  /** As noteWrites, for a request that failed and may have written before. */
  noteFailure(request: RequestContext): boolean {
    return this.#replicas?.noteFailure(request) ?? false;
  }

  read<M extends BaseModel>(query: QueryBuilder<M>, associations: readonly string[] = []): Promise<M[]> {
    return readRecords(query, associations, this.#lookups);
  }
  async readFirst<M extends BaseModel>(
    query: QueryBuilder<M>,
    associations: readonly string[] = [],
  ): Promise<M | undefined> {
    const [first] = await readRecords(query.limit(1), associations, this.#lookups);
    return first;
  }
  readByKey(
    info: ModelInfo,
    key: number | string,
    associations: readonly string[] = [],
    from?: Transaction,
  ): Promise<BaseModel | undefined> {
    return readRecordByKey(info, key, associations, this.#lookups, from);
  }
  readRowByKey(
    info: ModelInfo,
    key: number | string,
    names: readonly string[] = [],
    from?: Transaction,
  ): Promise<RowsRead | undefined> {
    return readRowByKey(info, key, names, this.#lookups, from);
  }
  readRows<M extends BaseModel>(
    info: ModelInfo,
    source: RowSource<M>,
    names: readonly string[] = [],
    omitted?: Omission,
  ): Promise<RowsRead> {
    return readRows(info, source, { names, omitted }, this.#lookups);
  }
  countUpTo<M extends BaseModel>(source: RowSource<M>, most: number): Promise<Counted> {
    return countSource(source, most, this.#counting);
  }
  async has(info: ModelInfo, key: number | string): Promise<boolean> {
    try {
      return await this.#lookups.has(info, key);
    } catch (error) {
      throw asUnavailable(error);
    }
  }
  async recordOfSlug(info: ModelInfo, slug: string, scope: readonly unknown[] = []): Promise<string | undefined> {
    try {
      return await recordOfSlug(this.knex, { model: info.constant, scope: scope.join("/"), slug });
    } catch (error) {
      throw asUnavailable(error);
    }
  }
  prepared(build: (knex: Knex, values: readonly unknown[]) => Knex.QueryBuilder): Prepared {
    return new Prepared(() => this.knex, build);
  }
  canPrepare(info: ModelInfo, names: readonly string[] = []): boolean {
    return canPrepare(info, names);
  }
  async readPrepared(info: ModelInfo, source: PreparedSource, names: readonly string[] = []): Promise<BaseModel[]> {
    return recordsOf(info, await this.readRows(info, source, names));
  }
  insertRow(table: string, row: Record<string, unknown>): Promise<unknown> {
    return insertedId(this.knex, table, row);
  }
  updateRows(table: string, where: Record<string, unknown>, change: Record<string, unknown>): Promise<number> {
    return changedRows(this.knex, table, where, change);
  }
  changeRows(
    model: ModelInfo,
    where: Readonly<Record<string, unknown>>,
    change: Readonly<Record<string, unknown>> | undefined,
    connection: Knex = this.knex,
  ): Promise<number> {
    const write = async (knex: Knex): Promise<number> => {
      const rows = knex(model.table).where(where);
      return change ? rows.update(change) : rows.delete();
    };
    const changes = change ? changesOf(model.class) : deletionsOf(model.class);
    return changes?.aroundRows(model, where, connection, write) ?? write(connection);
  }
  async rows(query: Knex.QueryBuilder): Promise<Record<string, unknown>[]> {
    try {
      return await rowsOf(query);
    } catch (error) {
      throw asUnavailable(error);
    }
  }
  count<M extends BaseModel>(query: QueryBuilder<M>): Promise<number> {
    return countRecords(query);
  }

  related(
    record: BaseModel,
    association: string,
    transaction?: Transaction,
  ): QueryBuilder<BaseModel & Record<string, unknown>> {
    const related = record.$relatedQuery as (name: string, trx?: Transaction) => unknown;
    return related.call(record, association, transaction) as QueryBuilder<BaseModel & Record<string, unknown>>;
  }

  transaction<T>(work: (transaction: Transaction) => PromiseLike<T>, options?: TransactionOptions): Promise<T> {
    return this.#transactions.run(work, options);
  }
  inChunk<T>(work: (chunk: Chunk) => Promise<T>, options?: TransactionOptions): Promise<T> {
    return this.#transactions.inChunk(work, options);
  }
  insert(cls: ModelClass, values: object, options?: InsertOptions): Promise<BaseModel> {
    return this.#transactions.insert(cls, values, options);
  }

  async encryptRows(model?: string, options: { writes?: boolean } = {}): Promise<EncryptedCount[]> {
    const counts: EncryptedCount[] = [];
    for (const info of encryptedModels(this.models(), model)) counts.push(await encryptRows(this.knex, info, options));
    const isErased =
      options.writes === false || counts.length === 0 || (await this.driver.erase?.(this.knex)) !== false;
    if (!isErased) throw errors.FW_ENCRYPTED_LEFT();
    return counts;
  }

  async examine(): Promise<Finding[]> {
    const ofServer = (await this.driver.examine?.(this.knex, this.#pool)) ?? [];
    const ofReplicas = (await this.#replicas?.examine()) ?? [];
    const models = this.models();
    const ofModels = [examineTables(models), examinePatterns(models), ...(await examineDecimals(this.knex, models))];
    return [...ofServer, ...ofReplicas, ...ofModels, ...(await examineEncrypted(this.knex, models))];
  }

  tryMigrations(signal?: AbortSignal): Promise<FoundChange[]> {
    return tryMigrations({ options: this.#connection(), migrations: this.migrations, signal });
  }

  introspect(table: string): Promise<ColumnInfo[]> {
    return columnsOf(this.knex, table);
  }
  async columnNames(): Promise<Map<string, Set<string>>> {
    return columnNamesOf(this.knex);
  }
  tables(): Promise<string[]> {
    return tablesOf(this.knex);
  }

  link(): Promise<void> {
    return this.#bootLink.link();
  }

  explain(error: Error): Error {
    return asUnavailable(error) as Error;
  }

  get unready(): Error | undefined {
    return this.#bootLink.unready;
  }

  pendingMigrations(): Promise<readonly string[]> {
    return this.#bootLink.pendingMigrations();
  }

  /** An unavailable database does not stop the boot: requests are answered 503 until its tables were read. */
  boot(options: { anyColumns?: boolean } = {}): Promise<void> {
    return this.#bootLink.boot(options);
  }

  ping(): Promise<void> {
    const { table } = this.models().find(({ exists }) => exists) ?? {};
    this.#pinging ??= pingDatabase(() => this.knex, table).finally(() => {
      this.#pinging = undefined;
    });
    return this.#pinging;
  }

  async close(): Promise<void> {
    await this.releases.forget();
    this.#closed = true;
    this.#bootLink.close();
    await this.#replicas?.close();
    await this.#besides?.destroy();
    await this.#knex?.destroy();
  }
}
