import type { ApplicationContext, Reply, RequestContext } from "framewright/host";
import { checkOptions, definePlugin, env, keyedHook, option, SyncBailHook, SyncHook } from "framewright/kernel";
import { Backups } from "./backups/backups.ts";
import { changedBy } from "./changes/changed_by.ts";
import type { DatabaseHooks } from "./contract.ts";
import { type HandedQuery, OpenDatabase } from "./database.ts";
import { connect } from "./drivers/connection.ts";
import { openDrivers } from "./drivers/drivers.ts";
import { isTablePrefix } from "./drivers/framework_names.ts";
import { checkObjection } from "./drivers/private_apis.ts";
import { errors } from "./errors.ts";
import { migrationDirectories } from "./migrations/directories.ts";
import { BaseModel, type ModelClass } from "./models/model.ts";
import { checkNeededPlugins } from "./models/needed_plugins.ts";
import { logSlow, reportTo, timeStatements } from "./time_statements.ts";

export type { Knex } from "knex";
export type { ModelOptions, QueryContext, Transaction } from "objection";
export type { Backups } from "./backups/backups.ts";
export type { BackupFormat } from "./backups/format.ts";
export { checkDump, runTool } from "./backups/tool.ts";
export type { Change, ChangedBy, OpenChange } from "./changes/change.ts";
export { setAside } from "./changes/set_aside.ts";
export type { DatabaseHooks } from "./contract.ts";
export type { HandedQuery } from "./database.ts";
export {
  type ColumnInfo,
  type ColumnType,
  type DeclaredType,
  declaredType,
  gatherIndexes,
  type UniqueIndex,
} from "./drivers/columns.ts";
export { type ConnectionOptions, connect } from "./drivers/connection.ts";
export { copyDatabase, type DatabaseCopy } from "./drivers/copy_database.ts";
export {
  type Ddl,
  type Driver,
  defineDriver,
  type FirstDay,
  type Introspection,
  type Replication,
  type ServerFinding,
} from "./drivers/driver.ts";
export { copyFailed, invalidUrl, lostTransaction, migrationLocked } from "./drivers/driver_errors.ts";
export { driverOf } from "./drivers/drivers.ts";
export { createEmptyDatabase, type EmptyDatabase } from "./drivers/empty_database.ts";
export type { DriverFailure, FailureKind } from "./drivers/failure.ts";
export { isInsideTransaction } from "./drivers/lost_transaction.ts";
export { quiet as quietLogger } from "./drivers/quiet.ts";
export { asUnavailable, clientError, isConflict } from "./drivers/unavailable.ts";
export type { EncryptOptions } from "./encryption/column_cipher.ts";
export { refuseEncrypted, whereEncrypted } from "./encryption/where_encrypted.ts";
export {
  type Omission,
  OmittedColumns,
  type Prepared,
  type PreparedSource,
  RowReader,
  type StoredRow,
} from "./fast/index.ts";
export { byKey, type ColumnTypes, commonTypes, sqlText, storedDefault, type TypeOf } from "./migrations/ddl.ts";
export { indexName, shortName } from "./migrations/identifier_names.ts";
export { MAX_WAIT_SECONDS } from "./migrations/migration_lock.ts";
export { type MigrationStatus, Migrations } from "./migrations/migrations.ts";
export { Schema } from "./migrations/schema.ts";
export type {
  BelongsToColumn,
  ColumnBuilder,
  ColumnDefinition,
  PolymorphicColumns,
  TableBuilder,
} from "./migrations/table.ts";
export {
  type Association,
  type BelongsToOptions,
  belongsTo,
  type HasOptions,
  hasMany,
  hasOne,
} from "./models/associations.ts";
export {
  decimalText,
  decodeDate,
  encodeDate,
  exactDecimal,
  isInexact,
  isLargeInteger,
  isoInstant,
  significantDigits,
} from "./models/codec.ts";
export { minorDigits } from "./models/currency_digits.ts";
export {
  documentText,
  hasInexactNumber,
  layOut,
  losesDigits,
  rememberText,
} from "./models/document_text.ts";
export type { Inheritance } from "./models/inheritance.ts";
export { insertStored } from "./models/insert_stored.ts";
export { labelColumns } from "./models/label_columns.ts";
export { BaseModel, Model, type ModelClass, type Scope, type TableModel } from "./models/model.ts";
export {
  type AssociationInfo,
  type Hop,
  ModelInfo,
  oncePerColumns,
  type PolymorphicInfo,
} from "./models/model_info.ts";
export { fromCents, moneyProblem, toCents } from "./models/money.ts";
export type { ParamRule } from "./models/param_key.ts";
export { keysTo, readReference, referenceOf, storedReference } from "./models/polymorphic.ts";
export type { KeyValue } from "./models/record_key.ts";
export { type SlugOptions, slugOf } from "./models/slug.ts";
export type {
  AnyRecord,
  Associations,
  AttributeName,
  Attributes,
  HandledValue,
  Many,
  OfTable,
  One,
  Query,
  QueryOf,
  ReadAttributes,
  ReadName,
  Row,
  TableName,
  Tables,
} from "./models/types.ts";
export { typesFile } from "./models/types_file.ts";
export { raw, ref } from "./packages.ts";
export { PluginTable } from "./plugin_table.ts";
export {
  type Confinement,
  checkConfining,
  confine,
  dropExpression,
  type QueryPlace,
  queryPlace,
} from "./queries/confinement.ts";
export {
  controllerQuery,
  Queries,
  type QueryMethods,
  type QueryOptions,
} from "./queries/controller_queries.ts";
export type { Counted } from "./queries/count.ts";
export { addDecimals, ExactSum, exactAverage, movePoint } from "./queries/exact_sum.ts";
export { findFormer, findNamed, type Named, valueOfRecord, whereNamed } from "./queries/find_named.ts";
export { findOrCreate } from "./queries/find_or_create.ts";
export { loadPolymorphic } from "./queries/load_polymorphic.ts";
export { parseId } from "./queries/parse_id.ts";
export type { RowSource, RowsRead } from "./queries/read.ts";
export type { BreakingKind } from "./releases/breaking_changes.ts";
export type { FoundChange } from "./releases/check_migrations.ts";
export { type Refusal, type RunningRelease, refusals, releasesOf } from "./releases/check_releases.ts";
export { type Reads, readsOfTypes } from "./releases/reads.ts";
export type { Database } from "./service_contract.ts";
export { beforeCommit } from "./transactions/before_commit.ts";
export { retried } from "./transactions/retry.ts";
export { isUncertain } from "./transactions/uncertain.ts";
export type { TransactionOptions } from "./transactions/watched_transaction.ts";
export { fieldOf } from "./validation/column_names.ts";
export { isDuplicate, isReferenced, isTableMissing, mapTableErrors } from "./validation/constraint_errors.ts";
export type { Rules } from "./validation/declared_rules.ts";
export { messages, problem } from "./validation/messages.ts";
export { customProblems, isBlank, isOversize, valueProblems } from "./validation/rules.ts";
export { type Problem, ValidationError } from "./validation/validation_error.ts";
export { plainProblems, problemsOf } from "./validation/validations.ts";

/** Options of `database()`. */
export interface DatabaseOptions {
  /** The address, of a cluster with all its hosts; `DATABASE_URL` by default, else the file `storage/<env>.sqlite3`. */
  url?: string;
  /** The most connections to a server; SQLite has one that writes and a few that read. */
  pool?: number;
  /** Milliseconds that a query waits for a connection. */
  acquireTimeout?: number;
  /** Milliseconds that SQLite waits for the lock of another process. */
  busyTimeout?: number;
  /** Milliseconds that a statement may take; on SQLite one that may be slow. 0: as long as it likes. By default `DATABASE_STATEMENT_TIMEOUT`. Migrations may take their time. */
  statementTimeout?: number;
  /** Milliseconds that a statement waits for a row that another transaction has locked; in whole seconds on MySQL, and not on SQLite. */
  lockTimeout?: number;
  /** false: rows are read and written by knex and objection alone, to compare with; so does the setting FW_DATABASE_FAST=off. */
  fast?: boolean;
  /**
   * What the names of the framework's own tables begin with, as "fw_", where a database has other tables: `framewright_` by
   * default. To be chosen before the first migration.
   */
  frameworkPrefix?: string;
  /** Further folders of migrations. */
  migrations?: readonly string[];
}

/** Models, queries, migrations and introspection: embedded SQLite, MySQL and MariaDB, or what a plugin adds a driver for. */
export function database(options: DatabaseOptions = {}) {
  checkOptions("database", options, {
    url: option.string,
    pool: option.number,
    acquireTimeout: option.number,
    busyTimeout: option.number,
    statementTimeout: option.number,
    lockTimeout: option.number,
    fast: option.boolean,
    frameworkPrefix: option.string,
    migrations: option.object,
  });
  const { pool = 10, acquireTimeout = 5000, busyTimeout = 1000, migrations = [] } = options;
  const { lockTimeout = 3000, frameworkPrefix } = options;
  if (frameworkPrefix !== undefined && !isTablePrefix(frameworkPrefix)) throw errors.FW_TABLE_PREFIX(frameworkPrefix);
  return definePlugin({
    name: "database",
    provides: "database",
    env: {
      DATABASE_STATEMENT_TIMEOUT: env.integer({ default: 10_000 }),
      DATABASE_LOG_SLOW: env.integer({ default: 0 }),
      DATABASE_SQLITE: env.oneOf("node", "libsql")({ optional: true }),
      DATABASE_REPLICA_URLS: env.string({ optional: true }),
      DATABASE_REPLICA_MAX_LAG: env.integer({ default: 10 }),
    },
    hooks: (): DatabaseHooks => ({
      connect: new SyncBailHook(["settings", "options"]),
      handOut: new SyncHook(["handed"]),
      described: new SyncHook(["models"]),
      creating: keyedHook(["creation"]),
      changing: keyedHook(["change"]),
      changed: keyedHook(["change"]),
    }),
    answers: { connect: { expected: "a knex", check: (answer) => typeof answer === "function" } },
    apply({ hooks, settings, onClose, registrant, env: values }) {
      checkObjection();
      const { root, env } = settings;
      const { DATABASE_REPLICA_URLS: replicaUrls, DATABASE_REPLICA_MAX_LAG: maxLag } = values;
      const { DATABASE_LOG_SLOW: slow } = values;
      const { statementTimeout = values.DATABASE_STATEMENT_TIMEOUT } = options;
      const connection = {
        root,
        env,
        url: options.url ?? settings.databaseUrl,
        pool,
        acquireTimeout,
        busyTimeout,
        statementTimeout,
        lockTimeout,
        sqlite: values.DATABASE_SQLITE,
        frameworkPrefix,
      };
      const drivers = openDrivers(registrant);
      const connectionOptions = () => ({
        ...connection,
        drivers: [...drivers.entries()].map(([, driver]) => driver),
      });
      const open = (most = pool) => {
        const options = { ...connectionOptions(), pool: most };
        return hooks.database.connect.call(settings, options) ?? connect(options);
      };
      const ownConnection = () => {
        const options = connectionOptions();
        const other = hooks.database.connect.call(settings, options);
        if (!other) return options;
        void other.destroy();
        throw errors.FW_BACKUP_OTHER();
      };
      const fast = (options.fast ?? true) && settings.values?.FW_DATABASE_FAST !== "off";
      const directories = [...migrationDirectories(root), ...migrations];
      const handOut = (handed: HandedQuery) => hooks.database.handOut.call(handed);
      const service = new OpenDatabase(open, {
        drivers,
        directories,
        connection: connectionOptions,
        backups: new Backups(ownConnection),
        watchful: env !== "production",
        idle: settings.limits?.deadline ?? 60_000,
        pool,
        acquireTimeout,
        fast,
        handOut,
        described: (models) => hooks.database.described.call(models),
        secrets: settings.secrets,
        changes: {
          hooks: hooks.database,
          by: () => changedBy(application?.means),
          log: () => application?.log ?? console,
          used: () => {
            if (application) application.tracksOrigins = true;
          },
        },
      });
      onClose(() => service.close());
      let application: ApplicationContext | undefined;
      hooks.host?.loaded.tap("database", (loaded) => {
        application = loaded;
        for (const { name, value, file } of loaded.constants.all("models")) {
          if (isModel(value)) service.register(name, value, file);
        }
      });
      hooks.host?.listening.tap("database", () => {
        if (env === "production")
          service.releases.record(root, (error) => application?.log.warn({ err: error }, UNRECORDED));
      });
      hooks.host?.examine.tapPromise("database", async (findings) => void findings.push(...(await service.examine())));
      hooks.kernel.contribute.tap("database", (contribution) => {
        const folder = contribution.folderOfEach("migrate");
        if (folder !== undefined) service.migrations.addPlugin(contribution, folder);
      });
      hooks.kernel.boot.tapPromise("database", () => {
        if (slow > 0 && application) application.tracksOrigins = true; // the trace of a statement is that of its request
        if (replicaUrls !== undefined) {
          const { secrets } = settings;
          service.openReplicas({ urls: replicaUrls, maxLag, connection: connectionOptions(), secrets });
          if (application) application.tracksOrigins = true; // which replica a statement goes to depends on its request
        }
        return service.boot({ anyColumns: application?.anyColumns ?? false });
      });
      if (replicaUrls !== undefined)
        hooks.host?.reply.tap("database", (reply, request) => noteFailedWrites(service, reply, request));
      hooks.kernel.ready.tap("database", () => {
        if (application) checkNeededPlugins(service.models(), (slot) => application!.kernel.has(slot as never));
        const listeners = [
          ...(application?.observation.isOn ? [reportTo(application.observation)] : []),
          ...(slow > 0 ? [logSlow(() => application?.log ?? console, slow)] : []),
        ];
        if (listeners.length > 0) timeStatements(service.knex, listeners);
      });
      return service;
    },
  });
}

/** A request that failed has no cookies of its own. */
function noteFailedWrites(service: OpenDatabase, { headers }: Reply, request: RequestContext): void {
  const before = request.setCookies.length;
  if (!service.noteFailure(request)) return;
  headers["set-cookie"] = [...[headers["set-cookie"] ?? []].flat(), ...request.setCookies.slice(before)];
}

const UNRECORDED = "what this process reads could not be recorded for fw db:check, and is tried again";
const isModel = (value: unknown): value is ModelClass =>
  typeof value === "function" && value.prototype instanceof BaseModel;
